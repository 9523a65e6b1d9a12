"""A cache of connections that passes them from one short read to the next, without the pool in between.

asyncpg's pool takes as long to lend a connection and take it back (a timer, a task, a shield) as asyncpg for the
read itself. So connections are leased from the pool for a minute and passed on here. Anything unusual (an error,
a cancelled read, a closed connection, the end of the lease) returns the connection to the pool, which cleans it up.
"""

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from typing import Any

import asyncpg

LEASE = 60.0  # seconds; then the connection goes back, as the pool replaces connections after many reads


class ConnectionCache:
    """The connection cache of a pool."""

    def __init__(self, pool: asyncpg.Pool, size: int, timeout: float) -> None:
        """`size`: connections of the pool, which has no other user; `timeout`: seconds that `take` waits at most."""
        self._pool, self._size, self._timeout = pool, size, timeout
        self._free: list[Any] = []  # the last one used is taken first, so that unneeded ones stay idle
        self._leases: dict[Any, float] = {}  # the connections outside the pool, with the end of their lease
        self._connecting = 0
        self._waiting: OrderedDict[asyncio.Future[Any], float] = OrderedDict()  # with the end of each wait
        self._expiring: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def at_work(self) -> int:
        """Returns the number of connections that are in use."""
        return len(self._leases) - len(self._free)

    @property
    def waits(self) -> bool:
        """Returns whether a read waits for a connection."""
        return bool(self._waiting)

    def in_use(self) -> list[Any]:
        """Returns the connections that are in use: asyncpg's own, without the pool's proxies."""
        free = set(self._free)
        used = (getattr(proxy, "_con", None) for proxy in self._leases if proxy not in free)
        return [connection for connection in used if connection is not None]

    async def acquire(self) -> Any:
        """Returns a connection; give it back by `give_back` or `drop`. Raises TimeoutError, and errors of
        connecting.
        """
        while True:
            if self._free:
                connection = self._free.pop()
            elif len(self._leases) + self._connecting < self._size:
                return await self._lease()
            else:
                connection = await self._wait()
            if connection is not None:
                if _is_open(connection):
                    return connection
                await self.drop(connection)

    def give_back(self, connection: Any) -> bool:
        """Gives a connection back after a successful read. Returns False if it must be dropped instead."""
        if self._leases[connection] < time.monotonic() or connection.is_in_transaction():
            return False
        while self._waiting:
            waiting, _ = self._waiting.popitem(last=False)
            if not waiting.done():
                waiting.set_result(connection)
                return True
        self._free.append(connection)
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(LEASE, self._sweep)
        return True

    async def end(self, connection: Any) -> None:
        """Closes a connection whose protocol state is unknown."""
        with suppress(asyncpg.InterfaceError):  # the pool has released it already
            connection.terminate()
        await self.drop(connection)

    async def drop(self, connection: Any) -> None:
        """Returns a connection to the pool, whatever its state is."""
        try:
            await self._pool.release(connection)
        finally:
            self._leases.pop(connection, None)
            self._wake()

    async def close(self) -> None:
        """Returns the free connections to the pool; those in use follow when they are given back."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        for connection in self._free[:]:
            self._leases[connection] = 0.0
        self._sweep(again=False)
        for connection in self._leases:
            self._leases[connection] = 0.0  # so that `give_back` returns False
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _lease(self) -> Any:
        self._connecting += 1
        try:
            connection = await self._pool.acquire(timeout=self._timeout)
            self._leases[connection] = time.monotonic() + LEASE
            return connection
        except BaseException:
            self._wake()
            raise
        finally:
            self._connecting -= 1

    async def _wait(self) -> Any:
        """Waits for a connection that another read gives back; None means that the caller must look again."""
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        self._waiting[waiting] = until = loop.time() + self._timeout
        if self._expiring is None:
            self._expiring = loop.call_at(until, self._expire)
        try:
            return await waiting
        except BaseException:
            if not waiting.done() or waiting.cancelled() or waiting.exception() is not None:
                self._waiting.pop(waiting, None)
            elif (connection := waiting.result()) is None:  # cancelled just after it had received something
                self._wake()
            elif not self.give_back(connection):
                self._leave(connection)
            raise

    def _expire(self) -> None:
        """Ends the waits whose time is over. One timer does it for all, as a timer costs more than a wait."""
        loop, self._expiring = asyncio.get_running_loop(), None
        while self._waiting:
            waiting, until = next(iter(self._waiting.items()))
            if until > loop.time():
                self._expiring = loop.call_at(until, self._expire)
                return
            del self._waiting[waiting]
            if not waiting.done():
                waiting.set_exception(TimeoutError())

    def _wake(self) -> None:
        """Wakes one waiting read, as a further connection may be leased."""
        while self._waiting:
            waiting, _ = self._waiting.popitem(last=False)
            if not waiting.done():
                waiting.set_result(None)
                return

    def _sweep(self, again: bool = True) -> None:
        """Returns idle connections whose lease has ended, so that the pool can close those that nobody needs."""
        now = time.monotonic()
        for connection in [idle for idle in self._free if self._leases[idle] < now]:
            self._free.remove(connection)
            self._leave(connection)
        self._sweeping = None
        if again and self._free:
            self._sweeping = asyncio.get_running_loop().call_later(LEASE, self._sweep)

    def _leave(self, connection: Any) -> None:
        task = asyncio.get_running_loop().create_task(self.drop(connection))
        self._ending.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        """Consumes the error of a release. The pool has discarded that connection, so it needs no log line."""
        self._ending.discard(task)
        if not task.cancelled():
            task.exception()


def _is_open(connection: Any) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:  # the server has closed it, and the pool has released it by itself
        return False

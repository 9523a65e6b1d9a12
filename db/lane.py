"""Connections that go from one short read to the next without going back to the pool in between.

asyncpg's pool spends as long on handing a connection out and taking it back (a timer, a task, a shield) as
asyncpg on the read itself. So connections are leased from it for a while and handed on here; whatever is
unusual (an error, a cancelled read, a closed connection, the end of the lease) goes through the pool, which
knows what to do.
"""

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Any

import asyncpg

LEASE = 60.0  # seconds, after which the pool may look at the connection (it replaces those of many reads)


class Lane:
    def __init__(self, pool: asyncpg.Pool, size: int, timeout: float) -> None:
        """`size`: connections of the pool, which has no other user; `timeout`: seconds that `take` may wait."""
        self._pool, self._size, self._timeout = pool, size, timeout
        self._free: list[Any] = []  # the one used last is taken first, so the others come to rest
        self._leases: dict[Any, float] = {}  # until when, of every connection that is out of the pool
        self._opening = 0
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._sweeping: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def at_work(self) -> int:
        return len(self._leases) - len(self._free)

    async def take(self) -> Any:
        """A connection, until `kept` or `drop`. Raises TimeoutError, and what connecting raises."""
        while True:
            if self._free:
                connection = self._free.pop()
            elif len(self._leases) + self._opening < self._size:
                return await self._lease()
            else:
                connection = await self._wait()
            if connection is not None:
                if _is_open(connection):
                    return connection
                await self.drop(connection)

    def kept(self, connection: Any) -> bool:
        """After a read that went well: whether somebody else has it now. If not, it must be dropped."""
        if self._leases[connection] < time.monotonic() or connection.is_in_transaction():
            return False
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(connection)
                return True
        self._free.append(connection)
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(LEASE, self._sweep)
        return True

    async def end(self, connection: Any) -> None:
        """Closed, since nobody knows what its server would answer next."""
        with suppress(asyncpg.InterfaceError):  # the pool has let go of it already
            connection.terminate()
        await self.drop(connection)

    async def drop(self, connection: Any) -> None:
        """Back into the pool, whatever state it is in."""
        try:
            await self._pool.release(connection)
        finally:
            self._leases.pop(connection, None)
            self._wake()

    async def close(self) -> None:
        """Those that nobody has go back; the others follow when they are dropped."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        for connection in self._free[:]:
            self._leases[connection] = 0.0
        self._sweep(again=False)
        for connection in self._leases:
            self._leases[connection] = 0.0  # `kept` says no
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _lease(self) -> Any:
        self._opening += 1
        try:
            connection = await self._pool.acquire(timeout=self._timeout)
            self._leases[connection] = time.monotonic() + LEASE
            return connection
        except BaseException:
            self._wake()
            raise
        finally:
            self._opening -= 1

    async def _wait(self) -> Any:
        """One that somebody else gives, or None: look again."""
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        self._waiting.append(waiting)
        timer = loop.call_later(self._timeout, _expire, waiting)
        try:
            return await waiting
        except BaseException:
            if not waiting.done() or waiting.cancelled() or waiting.exception() is not None:
                with suppress(ValueError):
                    self._waiting.remove(waiting)
            elif (given := waiting.result()) is None:  # cancelled, when it had just been given something
                self._wake()
            elif not self.kept(given):
                self._leave(given)
            raise
        finally:
            timer.cancel()

    def _wake(self) -> None:
        """There is room for one more lease."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return

    def _sweep(self, again: bool = True) -> None:
        """Connections at rest go back, so that the pool closes those that nobody needs any more."""
        now = time.monotonic()
        for connection in [one for one in self._free if self._leases[one] < now]:
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
        """The pool has thrown the connection away if it could not take it back; asyncio need not complain of it."""
        self._ending.discard(task)
        if not task.cancelled():
            task.exception()


def _expire(waiting: asyncio.Future[Any]) -> None:
    if not waiting.done():
        waiting.set_exception(TimeoutError())


def _is_open(connection: Any) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:  # its server has gone, and the pool has taken it back by itself
        return False

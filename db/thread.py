"""A thread with an event loop and connections of its own, for statements that no other work of the process may
delay.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf
from typing import Any, Final, Protocol, TypeVar

import asyncpg
import structlog

from core.clock import steady

log = structlog.get_logger("postern.thread")

T = TypeVar("T")

# Seconds without a look at most. While a machine sleeps the timers of an event loop stand still, and `due` does not.
_TICK: Final = 1.0
_SHORTEST_TICK: Final = 0.01
_CLOSE_SECONDS: Final = 2.0


class Repeated(Protocol):
    """Work that the thread does again and again."""

    due: float  # when it is done next, on the clock `steady`

    async def repeat(self) -> None:
        """Does the work once and moves `due`. Runs in the thread, at most once at a time."""


class DatabaseThread:
    """Runs short statements on time, also while the process's own event loop is busy. Starts with the first of them."""

    def __init__(self, pool: Callable[[int], Awaitable[asyncpg.Pool]], size: int) -> None:
        """`pool` opens a pool of so many connections in the running event loop."""
        self._open_pool, self._size = pool, size
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._repeated: set[Repeated] = set()
        self._looks_at = inf  # when the thread looks next, on the clock `steady`; inf: it is looking
        # These are used in the thread alone.
        self._pool: asyncpg.Pool | None = None
        self._pool_lock = asyncio.Lock()
        self._ending = False
        self._changed = asyncio.Event()
        self._running: dict[Repeated, asyncio.Task[None]] = {}

    def add(self, work: Repeated) -> None:
        """Does this work whenever it is due, until `discard`."""
        with self._lock:
            self._repeated.add(work)
        loop = self._started()
        if work.due < self._looks_at:
            with suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(self._changed.set)

    def discard(self, work: Repeated) -> None:
        """Ends the repetition. Work that is under way comes to its end."""
        with self._lock:
            self._repeated.discard(work)

    async def run(self, work: Callable[[asyncpg.Connection], Awaitable[T]], seconds: float) -> T:
        """Runs `work` in the thread, on a connection of its own. It may be called from any event loop.

        Raises what the work raises, and TimeoutError after so many seconds, in which a connection is opened, too.
        """
        loop = self._started()
        if loop is asyncio.get_running_loop():
            return await self._run(work, seconds)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._run(work, seconds), loop))

    async def close(self) -> None:
        """Ends the thread and its connections within about 2 s; never raises."""
        if self._loop is None or self._thread is None:
            return
        self._ending = True
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._changed.set)
        await asyncio.to_thread(self._thread.join, _CLOSE_SECONDS + 1)

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            loop = self._loop = asyncio.new_event_loop()
            # A daemon: a process ends although this thread waits for a server.
            self._thread = threading.Thread(target=self._serve, args=(loop,), name="database", daemon=True)
            self._thread.start()
        return self._loop

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._repeat_until_closed())

    async def _repeat_until_closed(self) -> None:
        while not self._ending:
            self._changed.clear()
            now = steady()
            with self._lock:
                self._looks_at = inf
                repeated = tuple(self._repeated)
            waiting = [work for work in repeated if work not in self._running]
            for work in waiting:
                if work.due <= now:
                    task = self._running[work] = asyncio.create_task(work.repeat())
                    task.add_done_callback(lambda task, work=work: self._ended(work, task))  # type: ignore[misc]
            next_due = min((work.due for work in waiting), default=now + _TICK) - now
            pause = min(max(next_due, _SHORTEST_TICK), _TICK)
            self._looks_at = now + pause
            if self._ending:
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._changed.wait()
        if self._pool is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._pool.close(), _CLOSE_SECONDS)
            self._pool.terminate()

    def _ended(self, work: Repeated, task: "asyncio.Task[None]") -> None:
        del self._running[work]
        if work.due < self._looks_at:
            asyncio.get_running_loop().call_later(_SHORTEST_TICK, self._changed.set)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("repeated work has failed", work=type(work).__name__, exc_info=error)

    async def _run(self, work: Callable[[asyncpg.Connection], Awaitable[T]], seconds: float) -> T:
        async with asyncio.timeout(seconds):
            pool = self._pool or await self._open()
            async with pool.acquire() as connection:
                try:
                    return await work(connection)
                except (TimeoutError, asyncio.CancelledError):
                    # A dead connection may never answer, and returning it to the pool would wait for its answer.
                    connection.terminate()
                    raise

    async def _open(self) -> Any:
        async with self._pool_lock:
            if self._pool is None:
                self._pool = await self._open_pool(self._size)
        return self._pool

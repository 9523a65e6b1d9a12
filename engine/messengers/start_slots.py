"""Bounds how many accounts start at the same time.

A driver that runs a child process for each account needs a processor for a second or two at each start. A worker with
many such accounts would otherwise start all of them at once, and the machine would do nothing else for a while. The
same holds when many child processes end at once, so each later start waits for a slot, too.
"""

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Final

from core.processors import load, processors
from messengers.port import Driver

BOUND_SECONDS: Final = (
    10.0  # for which a start keeps its slot; an account that takes longer does not delay others
)
_MOST: Final = 20  # of drivers whose starts only wait for the network
_LOOK_SECONDS: Final = (
    1.0  # after which a waiting account looks again: at the load, and whether it is still wanted
)


def most_processes() -> int:
    """Returns how many child processes may start at once: two for each processor, and one alone on a machine that is
    twice as busy already."""
    count = processors()
    share = count / (os.cpu_count() or count)  # in a container the load is still that of the whole host
    return max(1, min(2 * count, _MOST, int(4 * count - load() * share)))


class _Slots:
    """Slots of one kind, given out in the order in which they were asked for."""

    def __init__(self, most: Callable[[], int]) -> None:
        self._most = most
        self._waiting: deque[object] = deque()
        self._freed = asyncio.Event()
        self.taken = 0

    @asynccontextmanager
    async def slot(self, cancelled: Callable[[], bool]) -> AsyncIterator[None]:
        own = object()
        self._waiting.append(own)
        try:
            while (self._waiting[0] is not own or self.taken >= self._most()) and not cancelled():
                self._freed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_SECONDS):
                        await self._freed.wait()
        finally:
            self._waiting.remove(own)
            self._freed.set()
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1
            self._freed.set()


class StartSlots:
    """The slots of one worker."""

    def __init__(self) -> None:
        self._network, self._processes = _Slots(lambda: _MOST), _Slots(most_processes)

    def slot(self, driver: Driver, cancelled: Callable[[], bool]) -> AbstractAsyncContextManager[None]:
        """Waits for a slot, or until the start is given up, and keeps the slot until the end of the block."""
        return (self._processes if driver.runs_processes else self._network).slot(cancelled)

"""An event loop whose time is virtual: when nothing is ready it jumps to the next timer."""

import asyncio
import heapq
from asyncio.base_events import BaseEventLoop
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.clock import CLOCK

_AFTER = 3000  # callbacks of a history that has broken something
EPOCH = 1_800_000_000.0
"""The wall clock at the virtual time 0."""


class Spins(Exception):
    """A history takes more steps than any that goes on well."""


class VirtualLoop(BaseEventLoop):
    """Runs callbacks in the order of their times. Its `_run_once` is asyncio's without files and sockets."""

    _ready: Any

    def __init__(self, most: int) -> None:
        """`most`: callbacks that a history may run."""
        super().__init__()
        self._at, self._left = 1000.0, most  # a fresh machine's clock is not zero
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self.found: list[str] = []  # what does not hold; the history ends soon after it
        self._number = 0  # of the last timer: those of one moment run in their order
        self.set_exception_handler(lambda loop, context: None)

    def time(self) -> float:
        return self._at

    def _write_to_self(self) -> None:
        """Does nothing: no other thread calls this loop."""

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._number += 1
        heapq.heappush(self._timers, (when, self._number, timer))
        return timer

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        return self.call_at(self._at + delay, callback, *args, context=context)

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def _run_once(self) -> None:
        ready, timers = self._ready, self._timers
        if not ready:
            while timers and timers[0][2]._cancelled:
                heapq.heappop(timers)
            if not timers:
                raise Spins("nothing is left that could wake a task")
            self._at = max(self._at, timers[0][0])
        while timers and timers[0][0] <= self._at:
            ready.append(heapq.heappop(timers)[2])
        count = len(ready)
        if self.found and self._left > _AFTER:
            self._left = _AFTER
        self._left -= count
        if self._left < 0:
            raise Spins("too many steps")
        for _ in range(count):
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _timer_handle_cancelled(self, handle: Any) -> None:
        """Leaves a cancelled timer in the heap until its time comes."""

    def _process_events(self, event_list: Any) -> None:
        """Has no events of files."""

    def close(self) -> None:
        self._ready.clear()
        self._timers.clear()
        super().close()


@contextmanager
def virtual(most: int) -> Iterator[VirtualLoop]:
    """Gives a loop, by whose time all clocks go until the end of the block."""
    loop = VirtualLoop(most)
    before = dict(vars(CLOCK))
    CLOCK.monotonic = CLOCK.steady = loop.time
    CLOCK.wall = lambda: EPOCH + loop.time()
    try:
        yield loop
    finally:
        vars(CLOCK).update(before)
        loop.close()

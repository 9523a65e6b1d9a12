"""A few slots, which those who wait get in turns: first who has the fewest, and of these the one whose turn is longest
ago.

Used by queues before work in this process: runtime/fair_queue.py, between networks; engine/projects, between owners.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from itertools import count


class FairSlots:
    """`most` slots, of which each key has at most `most_each`."""

    def __init__(self, most: int, most_each: int | None = None) -> None:
        self._most, self._most_each = most, most_each or most
        self._waiting: dict[
            Hashable, deque[asyncio.Future[None]]
        ] = {}  # in the order of their first requests
        self._used: Counter[Hashable] = Counter()
        self._turns: dict[
            Hashable, int
        ] = {}  # the number of the last grant, of keys that have a slot or wait
        self._numbers = count(1)

    @property
    def idle(self) -> bool:
        """Returns whether no request has a slot or waits for one."""
        return not self._used and not self._waiting

    @property
    def contested(self) -> bool:
        """Returns whether a request waits."""
        return any(any(not each.done() for each in waiting) for waiting in self._waiting.values())

    @asynccontextmanager
    async def slot(self, key: Hashable) -> AsyncIterator[None]:
        """Waits for a slot, and gives it back at the end of the block."""
        granted = self.request(key)
        try:
            await granted
            yield
        finally:
            self.give_back(key, granted)

    def request(self, key: Hashable) -> asyncio.Future[None]:
        """Returns a future that is done when the slot is granted. The caller must call `give_back`, granted or not."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(granted)
        self._grant()
        return granted

    def give_back(self, key: Hashable, granted: "asyncio.Future[None]") -> None:
        """Gives a slot back, or waits for it no longer."""
        waiting = self._waiting.get(key)
        if waiting is not None and granted in waiting:
            waiting.remove(granted)
            if not waiting:
                del self._waiting[key]
        else:
            self._used[key] -= 1
            if not self._used[key]:
                del self._used[key]
        # Also if it only waited: a slot may have become free while its canceled request was the next one of its key.
        self._grant()
        if key not in self._waiting and key not in self._used:
            self._turns.pop(key, None)

    def _grant(self) -> None:
        while self._used.total() < self._most and (key := self._next()) is not None:
            waiting = self._waiting[key]
            granted = waiting.popleft()
            if not waiting:
                del self._waiting[key]
            self._used[key] += 1
            self._turns[key] = next(self._numbers)
            granted.set_result(None)

    def _next(self) -> Hashable | None:
        """Returns whose turn it is. A future that is done was refused or canceled; who waited for it takes it back."""
        able = [
            key
            for key, waiting in self._waiting.items()
            if self._used[key] < self._most_each and not waiting[0].done()
        ]
        return min(able, key=lambda key: (self._used[key], self._turns.get(key, 0)), default=None)

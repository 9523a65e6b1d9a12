"""Says when messages that wait for a limit are looked at again: for the cap of a country, or of a receiver."""

import time
from collections.abc import Hashable, Iterator
from typing import Final

from cachetools import LRUCache

HORIZON: Final = 86_400.0
"""Seconds for which a message waits at most until the limit is asked again."""

_REMEMBERED = 10_000


class Waits:
    """Says when messages that wait for a limit are looked at again, so that each is put off about once.

    What waits comes in portions as large as the limit allows at once, one after the other; what would wait longer than
    `HORIZON` is looked at then. Another process has its own order: of two portions of one time, one waits again.
    """

    def __init__(self, least: float = 1.0) -> None:
        """`least`: seconds that a message waits at least."""
        self._least = least
        self._ends: LRUCache[Hashable, float] = LRUCache(_REMEMBERED)

    def portions(
        self, key: Hashable, burst: int, every: float, count: int, wait: float
    ) -> Iterator[tuple[float, int]]:
        """Yields in how many seconds how many of the messages are due.

        `burst`: the most that can be sent at once, `every`: the seconds from one message to the next after that.
        `wait`: until there is room for the first.
        """
        now = time.monotonic()
        end = self._ends.get(key, 0.0) - now
        while count > 0:
            portion = min(count, burst) if end < HORIZON else count
            end = max(end + portion * every, wait, self._least)
            yield min(end, HORIZON), portion
            count -= portion
        self._ends[key] = now + min(end, HORIZON)

"""Decides when a failed event or endpoint is tried again, and when an event is given up.

The times are those of contract §4 and §8.2. A failed event delays its own thread alone. Its endpoint waits as a whole
only after `DOWN_AFTER` failures in a row; then one event at a time is tried.
"""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

from core.outbound import retry_after
from engine.webhooks.call import Answer

Clock = Callable[[], datetime]

PAUSES = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
"""The pause of an event after its first failure, the second, …; the last one from then on."""
DOWN_AFTER = 8
"""An endpoint is down after so many failed requests in a row."""
DOWN_PAUSES = (timedelta(seconds=5), timedelta(seconds=15), *[timedelta(minutes=1)] * 60, *PAUSES[1:])
"""The pause of an endpoint that is down, until its first probe, the second, …; the last one from then on."""
JITTER = 0.2
OLDEST = timedelta(hours=76)
"""An older event becomes a dead letter if it or its endpoint failed: the sum of all pauses, and a little more."""
DEAD_LETTER_RETENTION = timedelta(days=30)
"""Dead letters are deleted after this time."""
LONGEST_ASKED = timedelta(hours=24)
"""The longest Retry-After that is respected; a longer one is reduced to it."""


def jitter() -> float:
    """Returns a random factor for pauses."""
    return random.uniform(1 - JITTER, 1 + JITTER)


def delay(failures: int, factor: float) -> timedelta:
    """Returns the pause of an event after this many failures (at least one)."""
    return PAUSES[min(failures, len(PAUSES)) - 1] * factor


def down_delay(failures: int, factor: float) -> timedelta:
    """Returns the pause of an endpoint after this many failures in a row (at least DOWN_AFTER)."""
    return DOWN_PAUSES[min(failures - DOWN_AFTER, len(DOWN_PAUSES) - 1)] * factor


def asked_delay(answer: Answer, now: datetime) -> timedelta | None:
    """Returns the pause that a receiver asked for with Retry-After, at most LONGEST_ASKED; None if it asked for
    none.
    """
    seconds = retry_after(answer.retry_after, answer.date, now)
    return None if seconds is None else min(timedelta(seconds=seconds), LONGEST_ASKED)

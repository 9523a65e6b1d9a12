"""Decides when a failed endpoint is tried again, and when an event is given up. The times are those of contract §4."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

Clock = Callable[[], datetime]

PAUSES = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
"""The pause after the first failure in a row, the second, …; the last one from then on."""
JITTER = 0.2
OLDEST = timedelta(hours=76)
"""An older event becomes a dead letter while its endpoint doesn't work: the sum of all pauses, and a little more."""
DEAD_LETTER_RETENTION = timedelta(days=30)
"""Dead letters are deleted after this time."""
LONGEST_ASKED = timedelta(hours=24)
"""The longest Retry-After that is respected; a longer one is reduced to it."""


def jitter() -> float:
    """Returns a random factor for pauses."""
    return random.uniform(1 - JITTER, 1 + JITTER)


def pause(failures: int, factor: float) -> timedelta:
    """Returns the pause after this many failures in a row (at least one)."""
    return PAUSES[min(failures, len(PAUSES)) - 1] * factor


def retry_after(value: str | None, moment: datetime) -> timedelta | None:
    """Returns the pause that a receiver asked for, in seconds or as a date (RFC 9110 §10.2.3), or None."""
    if value is None:
        return None
    text = value.strip()
    try:
        asked = timedelta(seconds=int(text)) if text.isdigit() else parsedate_to_datetime(text) - moment
    except (ValueError, TypeError, OverflowError):
        # TypeError: a date without a zone.
        return LONGEST_ASKED if text.isdigit() else None
    return min(max(asked, timedelta()), LONGEST_ASKED)

"""When an endpoint that failed is tried again, and when an event is given up. The times are contract §4's."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

Clock = Callable[[], datetime]

PAUSES = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
"""After the first failure in a row, the second, …; the last one from then on."""
JITTER = 0.2
OLDEST = timedelta(hours=76)
"""An older event becomes a dead letter when its endpoint doesn't work: all pauses together, and a little."""
KEPT = timedelta(days=30)
"""Dead letters are forgotten after that."""
LONGEST_ASKED = timedelta(hours=24)
"""Of Retry-After; whoever asks for more gets so much."""


def jitter() -> float:
    return random.uniform(1 - JITTER, 1 + JITTER)


def pause(failures: int, factor: float) -> timedelta:
    """After so many failures in a row, at least one."""
    return PAUSES[min(failures, len(PAUSES)) - 1] * factor


def retry_after(value: str | None, moment: datetime) -> timedelta | None:
    """What a receiver asked for, in seconds or as a date (RFC 9110 §10.2.3); None for what says nothing."""
    if value is None:
        return None
    text = value.strip()
    try:
        asked = timedelta(seconds=int(text)) if text.isdigit() else parsedate_to_datetime(text) - moment
    except (ValueError, TypeError, OverflowError):
        # TypeError: a date without a zone.
        return LONGEST_ASKED if text.isdigit() else None
    return min(max(asked, timedelta()), LONGEST_ASKED)

"""The clock that everything is measured by that must not wait longer, or last longer, because a machine slept; the
clocks that the sending core reads; and the times that other systems write.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final


def steady() -> float:
    """Seconds on a clock that is never set, and, where the system has one, that also counts while it sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Clock:
    """The clocks of the sending core, the breakers and the leases. A simulation (tests/simulation) replaces them."""

    def __init__(self) -> None:
        self.monotonic: Callable[[], float] = time.monotonic
        self.steady: Callable[[], float] = steady
        self.wall: Callable[[], float] = lambda: time.time()  # noqa: PLW0108  `time` is looked up when it is called

    def now(self) -> datetime:
        """Returns the time of the wall clock."""
        return datetime.fromtimestamp(self.wall(), UTC)


CLOCK: Final = Clock()
"""The clocks of this process."""


def moment(value: Any) -> datetime | None:
    """Parses ISO 8601, or seconds, milliseconds or microseconds since 1970; returns None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()[:64]
        if not text.isascii() or not text.isdigit():
            try:
                read = datetime.fromisoformat(text)
                return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
            except (ValueError, OverflowError):
                return None
        value = int(text[:20])
    if not isinstance(value, int | float):
        return None
    seconds = float(value)
    while seconds > 1e11:  # the year 5138 in seconds, 1973 in milliseconds
        seconds /= 1000
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds >= 0 else None
    except (ValueError, OverflowError, OSError):
        return None

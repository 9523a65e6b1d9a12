"""The clock that everything is measured by that must not wait longer, or last longer, because a machine slept."""

import time


def steady() -> float:
    """Seconds on a clock that is never set, and, where the system has one, that also counts while it sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))

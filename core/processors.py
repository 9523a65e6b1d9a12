"""Tells how many processors this process may use, and how busy the machine is."""

import os
from pathlib import Path
from typing import Final

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")  # of a container: "microseconds period", or "max period"


def processors() -> int:
    """Returns how many processors this process may use, at least 1: by its affinity, and by its container's quota."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        count = os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
        count = min(count, int(quota) // int(period))
    except (OSError, ValueError):  # there is no quota
        pass
    return max(1, count)


def load() -> float:
    """Returns how many processes of the machine have been ready to run in the last minute; 0.0 if it can't tell."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0

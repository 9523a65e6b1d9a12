"""The database's clock, as a process knows it: whatever is compared with a stored time uses it (contract §7.7).

A machine whose wall clock is wrong must not let messages expire or put retries off. SQL uses `now()`; code that needs
the time without a round trip asks here.
"""

import time
from datetime import UTC, datetime
from typing import Any

REFRESH = 60.0
"""Seconds after which the clock is looked at again."""


def steady() -> float:
    """Seconds on a clock that nobody sets, and that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class DatabaseClock:
    """The database's time by the steady clock of this machine."""

    def __init__(self) -> None:
        self._ahead: float | None = None  # of the database's clock before the steady one, in seconds
        self._learnt = 0.0

    @property
    def stale(self) -> bool:
        """Whether it is time to look at the clock again."""
        return self._ahead is None or steady() - self._learnt > REFRESH

    def now(self) -> datetime:
        """The database's time, in UTC; the machine's own as long as the database was never asked."""
        if self._ahead is None:
            return datetime.now(UTC)
        return datetime.fromtimestamp(steady() + self._ahead, UTC)

    async def learn(self, connection: Any) -> None:
        """Asks the database, over any connection of asyncpg."""
        before = steady()
        told: datetime = await connection.fetchval("SELECT clock_timestamp()")
        self._learnt = steady()
        self._ahead = told.timestamp() - (before + self._learnt) / 2

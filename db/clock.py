"""The database's clock, as this process knows it. Every comparison with a stored time uses it (contract §7.7).

A machine with a wrong clock must not expire messages or delay retries. SQL uses `now()`; code that needs the time
without a query uses this clock.
"""

import time
from datetime import UTC, datetime
from typing import Any

from core import ids
from core.clock import steady

REFRESH = 60.0
"""Seconds after which the offset to the database's clock is measured again."""


class DatabaseClock:
    """The database's time, calculated from this machine's steady clock."""

    def __init__(self) -> None:
        self._ahead: float | None = None  # seconds by which the database's clock is ahead of the steady one
        self._learnt = 0.0

    @property
    def stale(self) -> bool:
        """Returns whether the offset must be measured again."""
        return self._ahead is None or steady() - self._learnt > REFRESH

    def now(self) -> datetime:
        """Returns the database's time in UTC, or the machine's as long as the offset was never measured."""
        if self._ahead is None:
            return datetime.now(UTC)
        return datetime.fromtimestamp(self.timestamp(), UTC)

    def timestamp(self) -> float:
        """Returns the database's time in seconds since 1970, or the machine's, as `now` does."""
        return time.time() if self._ahead is None else steady() + self._ahead

    async def learn(self, connection: Any) -> None:
        """Measures the offset, over any connection of asyncpg. This process's ids go by this clock from now on."""
        before = steady()
        server_time: datetime = await connection.fetchval("SELECT clock_timestamp()")
        self._learnt = steady()
        self._ahead = server_time.timestamp() - (before + self._learnt) / 2
        ids.read_time_from(self.timestamp)

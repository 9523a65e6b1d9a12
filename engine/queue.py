"""Jobs: rows of PgQueuer's table, written in the transaction of what causes them.

A message does not need a job of its own. `wake` leaves at most one ready `messages.drain.…` job in the table: it takes
a shared advisory lock, and a starting drain takes the same lock exclusively for an instant. So a sender that found a
waiting job has committed before that job reads the table, and no message is left behind.
"""

from datetime import timedelta

import asyncpg

_WAKE = "SELECT postern_wake($1)"
_LATER = (
    "WITH job AS (INSERT INTO pgqueuer (priority, entrypoint, execute_after, status)"
    " SELECT 0, $1, now() + $2, 'queued' WHERE NOT EXISTS (SELECT FROM pgqueuer WHERE entrypoint = $1"
    " AND status = 'queued' AND execute_after > now() AND execute_after <= now() + $2)"
    " RETURNING id, priority, entrypoint, status)"
    " INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)"
    " SELECT id, status, entrypoint, priority FROM job"
)


def drain(channel: str) -> str:
    """Returns the name of the job that sends what is queued for one channel; a slow channel never delays another."""
    return f"messages.drain.{channel}"


async def wake(connection: asyncpg.Connection, channel: str) -> None:
    """Queues a drain now, in the caller's transaction."""
    await connection.execute(_WAKE, drain(channel))


async def wake_later(connection: asyncpg.Connection, channel: str, delay: timedelta) -> None:
    """Queues a drain after `delay`."""
    await connection.execute(_LATER, drain(channel), delay)

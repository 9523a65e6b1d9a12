"""Reads which sessions hold locks that others wait for: a migration by hand, a forgotten transaction, a backup tool.

PostgreSQL lets no session pass one that waits for a lock on a whole table (manual, 13.3.1), so a single `ALTER TABLE`
or `LOCK` that does not end stops all who send.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from db.query import Reads

USUAL: Final = timedelta(seconds=2)
"""Waits for a lock that are shorter belong to daily work."""

# `wait_event_type` of other roles' sessions is NULL for a role without pg_read_all_stats; those of Postern are visible.
# The blocker's `application_name` is visible to all, its `xact_start` is not.
_HOLDERS: Final = """
WITH waiting AS MATERIALIZED (
  SELECT pid, pg_blocking_pids(pid) AS blockers FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND state_change < clock_timestamp() - $1::interval
)
SELECT format('%s (process %s)', COALESCE(NULLIF(a.application_name, ''), 'a session without a name'), a.pid) AS holder,
  clock_timestamp() - a.xact_start AS lasts, count(DISTINCT w.pid)::int AS waiting,
  array_remove(array_agg(DISTINCT c.relname::text), NULL) AS tables
FROM waiting AS w CROSS JOIN LATERAL unnest(w.blockers) AS b(pid)
JOIN pg_stat_activity AS a ON a.pid = b.pid
LEFT JOIN pg_locks AS l ON l.pid = w.pid AND NOT l.granted AND l.locktype = 'relation'
LEFT JOIN pg_class AS c ON c.oid = l.relation
WHERE a.pid NOT IN (SELECT pid FROM waiting) GROUP BY a.pid, a.application_name, a.xact_start
ORDER BY waiting DESC, a.pid LIMIT 5
"""


@dataclass(frozen=True, slots=True)
class LockHolder:
    """A session that holds what others wait for, and waits for none itself."""

    holder: str
    lasts: timedelta | None
    """The time for which its transaction has been open; None if this role may not see that."""
    waiting: int
    """The sessions that wait."""
    tables: Sequence[str]
    """The tables that they wait for; none if they wait for rows."""


async def lock_holders(db: Reads) -> Sequence[LockHolder]:
    """Returns the sessions for which others have waited for longer than `USUAL`, the one with the most first."""
    return [LockHolder(**row) for row in await db.fetch(_HOLDERS, USUAL)]

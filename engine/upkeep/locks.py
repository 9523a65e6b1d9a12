"""Reads which sessions hold locks that others wait for: a migration by hand, a forgotten transaction, a backup tool.
Also reads how many commits wait for a synchronous standby.

PostgreSQL lets no session pass one that waits for a lock on a whole table (manual, 13.3.1), so a single `ALTER TABLE`
or `LOCK` that does not end stops all who send.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

USUAL: Final = timedelta(seconds=2)
"""Waits for a lock that are shorter belong to daily work."""

# Only locks of tables and rows count. A build of an index that waits for old transactions, and a migration that waits
# for another one, hold up no request. A session that waits for a waiting session counts for the holder of the first
# lock. A prepared transaction has the process 0. A role without pg_read_all_stats sees NULL as `xact_start` of other
# roles. A commit that waits for a standby keeps its locks until then, but the standby is the cause.
_HOLDERS: Final = """
WITH RECURSIVE waiting AS MATERIALIZED (
  SELECT l.pid, pg_blocking_pids(l.pid) AS blockers, c.relname::text AS tab
  FROM pg_locks AS l LEFT JOIN pg_class AS c ON c.oid = l.relation AND l.locktype = 'relation'
  WHERE NOT l.granted AND l.locktype IN ('relation', 'tuple', 'transactionid')
    AND l.waitstart < clock_timestamp() - $1::interval
    AND EXISTS (SELECT FROM pg_stat_activity AS a WHERE a.pid = l.pid AND a.datname = current_database())
), chain AS (
  SELECT b.pid AS holder, w.pid, w.tab FROM waiting AS w CROSS JOIN LATERAL unnest(w.blockers) AS b(pid)
  UNION
  SELECT c.holder, w.pid, w.tab FROM chain AS c JOIN waiting AS w ON c.pid = ANY(w.blockers)
)
SELECT CASE WHEN c.holder = 0 THEN 'a prepared transaction'
  ELSE format('%s (process %s)', COALESCE(NULLIF(a.application_name, ''), 'a session without a name'), c.holder) END
  AS holder,
  clock_timestamp() - a.xact_start AS lasts, count(DISTINCT c.pid)::int AS waiting,
  COALESCE(array_agg(DISTINCT c.tab) FILTER (WHERE c.tab IS NOT NULL), '{}') AS tables
FROM chain AS c LEFT JOIN pg_stat_activity AS a ON a.pid = c.holder
WHERE c.holder NOT IN (SELECT pid FROM waiting) AND a.wait_event IS DISTINCT FROM 'SyncRep'
GROUP BY c.holder, a.application_name, a.xact_start
ORDER BY waiting DESC, c.holder LIMIT 5
"""

# A role without pg_read_all_stats sees its own sessions alone, which are those of Postern.
_STANDBY: Final = """
SELECT count(*)::int AS commits, max(clock_timestamp() - query_start) AS lasts,
  current_setting('synchronous_standby_names') AS names
FROM pg_stat_activity
WHERE datname = current_database() AND wait_event = 'SyncRep' AND query_start < clock_timestamp() - $1::interval
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


async def lock_holders(connection: Any, usual: timedelta = USUAL) -> Sequence[LockHolder]:
    """Returns the sessions for which others have waited for longer than `usual`, the one with the most first.

    `connection`: one that is not of a pool, since a lock can leave none of those free; `Database.direct` gives one.
    """
    return [LockHolder(**row) for row in await connection.fetch(_HOLDERS, usual)]


@dataclass(frozen=True, slots=True)
class StandbyWait:
    """Commits that wait until a synchronous standby has them."""

    commits: int
    """The sessions that wait; 0: none."""
    lasts: timedelta | None
    """The time for which the first of them has waited; None if there is none."""
    names: str
    """`synchronous_standby_names` of the server."""


async def standby_wait(connection: Any) -> StandbyWait:
    """Returns the commits that have waited for a standby for longer than `USUAL`; as `lock_holders` does."""
    return StandbyWait(**await connection.fetchrow(_STANDBY, USUAL))

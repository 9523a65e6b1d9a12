"""Reads the causes that keep PostgreSQL from removing dead row versions, and their number.

Vacuum removes only versions that no snapshot can see any more. So one transaction that was forgotten, a prepared one,
or a replication slot whose standby is gone makes every table of the queue grow, and slows all who send (PostgreSQL
manual, 24.1.2; `pg_stat_activity.backend_xmin`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from db.query import Reads

MANY = 10_000
"""Fewer dead rows of a table are usual."""

# Vacuum ignores its own snapshots, and its workers belong to no user. (Of other roles' sessions `backend_type` is NULL
# for all who are not in pg_read_all_stats, and so is `xact_start`.) A transaction that has written and waits has no
# snapshot, but vacuum heeds its id.
_HOLDERS = """
SELECT format('%s (process %s)', COALESCE(NULLIF(application_name, ''), 'a session without a name'), pid) AS holder,
  now() - xact_start AS lasts, GREATEST(age(backend_xmin), age(backend_xid)) AS transactions
FROM pg_stat_activity WHERE (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND pid <> pg_backend_pid()
  AND (datname = current_database() OR datname IS NULL) AND usesysid IS NOT NULL
UNION ALL
SELECT format('the prepared transaction %s', gid), now() - prepared, age(transaction)
FROM pg_prepared_xacts WHERE database = current_database()
UNION ALL
SELECT format('the replication slot %s', slot_name), NULL, age(xmin) FROM pg_replication_slots WHERE xmin IS NOT NULL
"""
_OLDEST = f"""
SELECT holder, lasts, transactions FROM ({_HOLDERS}) AS holders
ORDER BY transactions DESC, lasts DESC NULLS LAST LIMIT 1
"""  # noqa: S608  our own words
HAS_OLD_SNAPSHOT = (
    f"EXISTS (SELECT FROM ({_HOLDERS}) AS holders WHERE lasts >= {{age}} OR transactions >= {{transactions}})"
)
"""An SQL condition: whether a snapshot of that age is held, or one from before so many transactions."""
_DEAD = """
SELECT relname AS tab, n_dead_tup AS rows FROM pg_stat_user_tables WHERE n_dead_tup >= $1 ORDER BY 2 DESC LIMIT 20
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The oldest snapshot that is held."""

    holder: str
    lasts: timedelta | None
    """It is None for a replication slot, and for a session of which this role may see no more."""
    transactions: int
    """This many transactions have begun since, and the versions that they replaced can't be removed."""


async def oldest_snapshot(db: Reads) -> Snapshot | None:
    """Returns the oldest snapshot in this database; None: only the caller has one."""
    row = await db.fetchrow(_OLDEST)
    return None if row is None else Snapshot(row["holder"], row["lasts"], row["transactions"])


async def dead_rows(db: Reads) -> Mapping[str, int]:
    """Returns the dead rows of each table that has MANY, the most first, as PostgreSQL's statistics have them."""
    return {row["tab"]: row["rows"] for row in await db.fetch(_DEAD, MANY)}

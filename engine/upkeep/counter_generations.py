"""Keeps counters of messages fast while somebody holds a snapshot, as a backup does.

A counter is one row that is updated for many messages. PostgreSQL removes none of its earlier versions that a snapshot
may see, and each update passes them all. So while a snapshot is old, a round begins a new generation every few seconds:
the triggers write rows of new shards (`shard` = 64 × generation + what it is otherwise), whose versions are few. Rows
of generations before the last one are added to one row (`_BASE`) and deleted. Sums over all shards, which is what
everybody reads, don't change.
"""

from datetime import timedelta

import structlog

from db.query import execute_planned
from db.session import Database
from engine.jobs import every
from engine.upkeep import BITE
from engine.upkeep.dead_rows import Snapshot, oldest_snapshot
from runtime.services import Services

log = structlog.get_logger("postern.upkeep")

SECONDS = 15.0
OLD = timedelta(seconds=30)
"""Younger snapshots are those of ordinary transactions."""
MANY = 20_000
"""A snapshot without a known age is old when so many transactions have begun since."""
_GENERATIONS = 500  # then the first comes again; a smallint has room for no more
_BASE = 63

_NEXT = f"""
UPDATE counter_generation SET generation = generation % {_GENERATIONS} + 1, changed_at = now()
WHERE changed_at <= now() - $1::interval
"""  # noqa: S608  our own number
_NONE = "UPDATE counter_generation SET generation = 0, changed_at = now() WHERE generation <> 0"
_CURRENT = "SELECT generation, changed_at > now() - interval '1 day' AS recent FROM counter_generation"


_TABLES = {
    "message_counters": ("owner_id, account_id, channel, kind, state", ("stored", "counted")),
    "message_failures": ("owner_id, code", ("count",)),
    "message_buckets": (
        "owner_id, bucket, channel",
        ("queued", "sent", "delivered", "failed", "unknown", "bounced", "complained"),
    ),
    "outcome_counters": (
        "owner_id, bucket, kind, channel",
        ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled"),
    ),
}
"""The key of each table without the shard, and what is added up."""


def _fold(table: str) -> str:
    """Returns the statement that adds rows of former generations to the row of `_BASE`. $1: generations that stay."""
    key, sums = _TABLES[table]
    columns = f"{key}, shard"
    return f"""
WITH old AS (
  SELECT {columns} FROM {table} WHERE shard >= 64 AND shard / 64 <> ALL ($1::int[])
  ORDER BY {columns} LIMIT {BITE} FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM {table} AS c USING old WHERE (c.{columns.replace(", ", ", c.")}) = (old.{columns.replace(", ", ", old.")})
  RETURNING c.*
)
INSERT INTO {table} AS c ({columns}, {", ".join(sums)})
SELECT {key}, {_BASE}, {", ".join(f"sum({name})" for name in sums)} FROM gone GROUP BY {key} ORDER BY {key}
ON CONFLICT ({columns}) DO UPDATE SET {", ".join(f"{name} = c.{name} + EXCLUDED.{name}" for name in sums)}
"""  # noqa: S608  names of our own columns


_FOLDS = [_fold(table) for table in _TABLES]


@every(SECONDS)
async def next_generation(services: Services) -> None:
    """Begins a generation if somebody holds an old snapshot, ends the last one if nobody does, and folds the others."""
    db = services.db
    if _is_old(await oldest_snapshot(db)):
        # Each worker runs this round; together they begin one generation.
        await execute_planned(db, _NEXT, timedelta(seconds=SECONDS - 1))
    elif await execute_planned(db, _NONE):
        log.info("counters have their usual rows again: nobody holds an old snapshot")
    await fold(db)


async def fold(db: Database) -> None:
    """Adds what former generations have counted to the row that stays."""
    current = await db.fetchrow(_CURRENT)
    if current is None or not current["recent"]:
        return
    # A transaction that is under way may have read the generation before.
    generation = current["generation"]
    stay = [generation, (generation - 2) % _GENERATIONS + 1] if generation else [0]
    for statement in _FOLDS:
        while await execute_planned(db, statement, stay):
            pass


def _is_old(snapshot: Snapshot | None) -> bool:
    if snapshot is None:
        return False
    return snapshot.lasts >= OLD if snapshot.lasts is not None else snapshot.transactions >= MANY

"""Keeps counters of messages fast while a snapshot is held, as by a backup.

A counter is one row that is updated for many messages. PostgreSQL removes none of its earlier versions that a snapshot
may see, and each update passes them all. So while a snapshot is old, the triggers write new rows every 15 seconds, a
generation: `shard` is 64 × (1 to 500, by the time) + its usual value. A row then has few versions. Rows of generations
before the last one are added to one row (`_BASE`) and deleted. Sums over all shards, which all readers use, don't
change.

The sequence `old_snapshot` is the switch that the triggers read: a row would itself have a version for each change.
"""

from collections.abc import Iterator
from datetime import timedelta

import structlog

from db.query import execute_planned
from db.session import Database
from engine.jobs import every
from engine.upkeep import BITE
from engine.upkeep.dead_rows import HAS_OLD_SNAPSHOT, oldest_snapshot
from runtime.services import Services

log = structlog.get_logger("postern.upkeep")

SECONDS = 15.0  # postern_count_messages and postern_outcomes_… have it, too
OLD = timedelta(seconds=30)
"""Younger snapshots are those of ordinary transactions."""
MANY = 20_000
"""A snapshot without a known age, such as a standby's, is old when so many transactions have begun since."""
_GENERATIONS = 500
_FOLDED_AGAIN = (
    8  # generations that each round folds: it passes no entries of earlier ones, which the snapshot keeps
)
_BASE = 63

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
"""The key of each table without the shard, and the columns that are added up."""

# `still`: a switch that is on stays on a while longer, so that it does not change each time.
_STATE = f"""
SELECT last_value = 1 AS active, extract(epoch FROM now())::int8 / {SECONDS:.0f} AS period,
  {HAS_OLD_SNAPSHOT.format(age="$1::interval", transactions="$2::int8")} AS old,
  {HAS_OLD_SNAPSHOT.format(age="$1::interval", transactions="$2::int8 / 2")} AS still,
  {" OR ".join(f"EXISTS (SELECT FROM {table} WHERE shard >= 64)" for table in _TABLES)} AS unfolded
FROM old_snapshot
"""  # noqa: S608  our own words
_SWITCH = "SELECT setval('old_snapshot', $1)"


def _fold(table: str) -> str:
    """Returns the statement that adds rows of a range of shards ($1 to below $2) to the row of `_BASE`.

    A row that is locked stays, and so does one that was changed since the statement began.
    """
    key, sums = _TABLES[table]
    return f"""
WITH old AS (
  SELECT ctid FROM {table} WHERE shard >= 64 AND shard >= $1 AND shard < $2
  ORDER BY shard LIMIT {BITE} FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM old)) RETURNING *
)
INSERT INTO {table} AS c ({key}, shard, {", ".join(sums)})
SELECT {key}, {_BASE}, {", ".join(f"sum({name})" for name in sums)} FROM gone GROUP BY {key} ORDER BY {key}
ON CONFLICT ({key}, shard) DO UPDATE SET {", ".join(f"{name} = c.{name} + EXCLUDED.{name}" for name in sums)}
"""  # noqa: S608  names of our own columns


_FOLDS = [_fold(table) for table in _TABLES]


@every(SECONDS)
async def look_after_counters(services: Services) -> None:
    """Lets the triggers write generations while an old snapshot is held, and folds those that are over."""
    db = services.db
    state = await db.fetchrow(_STATE, OLD, MANY)
    if state is None:
        return
    active = state["old"] or (state["active"] and state["still"])
    if active != state["active"]:
        await db.fetchval(_SWITCH, int(active))
        holder = await oldest_snapshot(db) if active else None
        name = holder.holder if holder else None
        log.info("counters have generations" if active else "counters have no generations", holder=name)
    if active:
        await fold(db, state["period"])
    elif state["unfolded"]:
        await fold_all(db)


async def fold(db: Database, period: int) -> None:
    """Adds the counts of former generations to the row that stays. `period`: the number of the present 15 seconds
    since 1970; its generation stays, and the one before, which a transaction under way may have.
    """
    for first, last in _ranges(period - 1 - _FOLDED_AGAIN, period - 2):
        await _fold_range(db, 64 * first, 64 * (last + 1))


async def fold_all(db: Database) -> None:
    """The same for all generations."""
    await _fold_range(db, 64, 64 * (_GENERATIONS + 1))


async def _fold_range(db: Database, begin: int, end: int) -> None:
    for statement in _FOLDS:
        while await execute_planned(db, statement, begin, end):
            pass


def _ranges(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yields the generations of some periods: one range, or two if the numbers begin again between them."""
    begin, end = first % _GENERATIONS + 1, last % _GENERATIONS + 1
    if begin <= end:
        yield begin, end
    else:
        yield begin, _GENERATIONS
        yield 1, end

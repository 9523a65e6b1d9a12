"""Keeps the partitions of tables that grow by time: a partition a month (UTC), named `<table>_YYYY_MM`.

    this month, and the next two   are there before the first row of a month comes
    <table>_default                takes rows of any other month, so that no insert ever fails; it is emptied
    older than the retention       is detached and dropped: no row is deleted, and nothing is left to vacuum

A table is made partitioned by its migration, with these three months and the default. Every statement waits for a lock
for a moment only, and the next round tries again.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog

from db.query import execute_planned
from db.session import Database
from engine.jobs import every
from runtime.services import Services

log = structlog.get_logger("postern.partitions")

AHEAD = 2
"""Months after this one whose partitions exist."""
_SECONDS = 600.0
_MOST_MOVED = 100_000  # rows that are moved out of a default partition, while others wait for the table

_PARTITIONS = """
SELECT c.relname AS name FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
WHERE i.inhparent = to_regclass($1) ORDER BY 1
"""
_FORGET = "DELETE FROM former_members WHERE ended_at < now() - $1::interval"
_LONGEST_MONTH = timedelta(days=31)  # an entry stays until its whole month is too old
_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('partitions:' || $1, 0))"


@dataclass(frozen=True, slots=True)
class State:
    """The partitions of a table."""

    names: list[str]
    missing: list[str]  # of this month and the next ones
    stray: bool  # the default partition has rows


def month_of(moment: datetime, later: int = 0) -> datetime:
    """Returns the begin of the month of a moment, or of one that is so many months later."""
    moment = moment.astimezone(UTC)
    months = moment.year * 12 + moment.month - 1 + later
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)


def partition_of(table: str, month: datetime) -> str:
    """Returns the name of the partition of a month."""
    return f"{table}_{month:%Y_%m}"


async def state(db: Any, table: str, now: datetime) -> State:
    """Returns the partitions that a table has and lacks. `db` runs reads."""
    names = [row["name"] for row in await db.fetch(_PARTITIONS, table)]
    expected = [partition_of(table, month_of(now, later)) for later in range(AHEAD + 1)]
    any_row = f"SELECT EXISTS (SELECT FROM {table}_default)"  # noqa: S608  our own name
    stray = f"{table}_default" in names and await db.fetchval(any_row)
    return State(names, [name for name in expected if name not in names], bool(stray))


async def maintain(db: Database, table: str, keep: timedelta) -> None:
    """Makes the partitions that will be needed, empties the default one, and drops those that are older than `keep`.

    Several processes may call it at once: one does it. Raises PostgreSQL's errors, after which it can be repeated.
    """
    now: datetime = await db.fetchval("SELECT now()")
    present = await state(db, table, now)
    if present.stray:
        await _empty_default(db, table)
        present = await state(db, table, now)
    for name in present.missing:
        await _alone(db, table, lambda connection, name=name: _make(connection, table, _month(name)))
    for name in present.names:
        if _is_dated(table, name) and month_of(_month(name), 1) <= now - keep:
            await _alone(db, table, lambda connection, name=name: _drop(connection, table, name))
            log.info("a month was dropped", table=table, partition=name)


async def _alone(db: Database, table: str, work: Any) -> None:
    """Does a piece of work in a transaction, unless another process does one for the table."""
    async with db.transaction() as connection:
        await connection.execute("SET LOCAL lock_timeout = '2s'")
        if await connection.fetchval(_LOCK, table):
            await work(connection)


async def _make(connection: Any, table: str, month: datetime) -> None:
    """Makes a partition beside the table and attaches it: so the table is locked against nothing but such changes."""
    name = partition_of(table, month)
    if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", name):
        return
    await connection.execute(f"CREATE TABLE {name} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
    await _protect(connection, table, name)
    await connection.execute(
        f"ALTER TABLE {table} ATTACH PARTITION {name}"
        f" FOR VALUES FROM ('{month.isoformat()}') TO ('{month_of(month, 1).isoformat()}')"
    )


async def _protect(connection: Any, table: str, name: str) -> None:
    """Gives a partition the table's triggers of statements, which PostgreSQL does not give it."""
    triggers = await connection.fetch(
        "SELECT tgname, pg_get_triggerdef(oid) AS definition FROM pg_trigger"
        " WHERE tgrelid = to_regclass($1) AND NOT tgisinternal AND tgtype & 1 = 0",
        table,
    )
    for trigger in triggers:
        await connection.execute(
            re.sub(rf" ON (public\.)?{table}\b", f" ON {name}", trigger["definition"], count=1)
        )


async def _drop(connection: Any, table: str, name: str) -> None:
    await connection.execute(f"ALTER TABLE {table} DETACH PARTITION {name}")
    await connection.execute(f"DROP TABLE {name}")


async def _empty_default(db: Database, table: str) -> None:
    """Moves the rows of the default partition to partitions of their months. While it has rows of a month, no partition
    of that month can be attached.
    """
    default, aside = f"{table}_default", f"{table}_aside"

    async def move(connection: Any) -> None:
        await connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        many = f"SELECT count(*) FROM (SELECT FROM {default} LIMIT {_MOST_MOVED + 1}) AS few"  # noqa: S608  our own
        if (rows := await connection.fetchval(many)) > _MOST_MOVED:
            log.warning("the default partition has too many rows to move them", table=table)
            return
        await connection.execute(f"ALTER TABLE {table} DETACH PARTITION {default}")
        await connection.execute(f"ALTER TABLE {default} RENAME TO {aside}")
        await connection.execute(f"CREATE TABLE {default} PARTITION OF {table} DEFAULT")
        await _protect(connection, table, default)
        month = "date_trunc('month', created_at AT TIME ZONE 'UTC')"
        months = f"SELECT DISTINCT {month} AS month FROM {aside}"  # noqa: S608  our own names
        for row in await connection.fetch(months):
            await _make(connection, table, row["month"].replace(tzinfo=UTC))
        await connection.execute(f"INSERT INTO {table} SELECT * FROM {aside}")  # noqa: S608  our own names
        await connection.execute(f"DROP TABLE {aside}")
        log.info("the default partition was emptied", table=table, rows=rows)

    await _alone(db, table, move)


def _is_dated(table: str, name: str) -> bool:
    return re.fullmatch(rf"{table}_\d{{4}}_\d\d", name) is not None


def _month(name: str) -> datetime:
    year, month = name.rsplit("_", 2)[1:]
    return datetime(int(year), int(month), 1, tzinfo=UTC)


@every(_SECONDS)
async def keep_audit(services: Services) -> None:
    """Keeps the partitions of the audit, and forgets the former members of whom it tells nothing any more."""
    keep = timedelta(days=services.settings.audit_days)
    await maintain(services.db, "audit_entries", keep)
    await execute_planned(services.db, _FORGET, keep + _LONGEST_MONTH)

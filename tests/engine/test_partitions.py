"""Partitions by month: made ahead, emptied of strays, and dropped."""

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from engine.upkeep import partitions
from postern.doctor import servers as doctor
from postern.doctor.findings import Findings
from runtime.services import Services

TABLE = "audit_entries"
KEEP = timedelta(days=400)
_ENTRY = (
    "INSERT INTO audit_entries (id, created_at, actor_kind, operation, object_type, result)"
    " VALUES (gen_random_uuid(), $1, 'cli', $2, 'x', 'done')"
)


async def names(services: Services) -> list[str]:
    return (await partitions.state(services.db, TABLE, services.db.now())).names


async def where(services: Services, operation: str) -> Any:
    return await services.db.fetchval(
        "SELECT tableoid::regclass::text FROM audit_entries WHERE operation = $1", operation
    )


def month(services: Services, later: int) -> datetime:
    return partitions.month_of(services.db.now(), later)


@pytest.fixture(autouse=True)
async def _months(services: Services) -> None:
    """The database is a copy of one that was migrated when the run began, maybe in the month before."""
    await partitions.maintain(services.db, TABLE, KEEP)


def test_months_follow_each_other():
    assert partitions.month_of(datetime(2026, 11, 25, tzinfo=UTC), 2) == datetime(2027, 1, 1, tzinfo=UTC)
    assert partitions.month_of(datetime(2026, 1, 1, tzinfo=UTC), -1) == datetime(2025, 12, 1, tzinfo=UTC)


async def test_the_migration_makes_three_months_and_the_default(services: Services):
    present = await partitions.state(services.db, TABLE, services.db.now())
    assert (present.missing, present.stray, len(present.names)) == ([], False, 4)


async def test_a_missing_month_is_made_and_is_as_safe_as_the_others(services: Services):
    name = partitions.partition_of(TABLE, month(services, 2))
    await services.db.fetch(f"DROP TABLE {name}")
    await partitions.maintain(services.db, TABLE, KEEP)
    assert name in await names(services)
    await services.db.fetch(_ENTRY, month(services, 2) + timedelta(days=3), "later")
    assert await where(services, "later") == name
    for statement in (f"TRUNCATE {name}", f"DELETE FROM {name}", f"UPDATE {name} SET code = 'x'"):
        with pytest.raises(asyncpg.RaiseError, match="can be added only"):
            await services.db.fetch(statement)


async def test_rows_without_a_month_are_moved_to_one(services: Services):
    """Workers that stood still for months have left the rows in the default partition, where no month can be made."""
    for later in (1, 2):
        await services.db.fetch(f"DROP TABLE {partitions.partition_of(TABLE, month(services, later))}")
    await services.db.fetch(_ENTRY, month(services, 1), "stray")
    await services.db.fetch(_ENTRY, month(services, 30), "far")
    assert await where(services, "stray") == f"{TABLE}_default"
    await partitions.maintain(services.db, TABLE, KEEP)
    assert await where(services, "stray") == partitions.partition_of(TABLE, month(services, 1))
    assert await where(services, "far") == partitions.partition_of(TABLE, month(services, 30))
    assert not (await partitions.state(services.db, TABLE, services.db.now())).stray
    with pytest.raises(asyncpg.RaiseError, match="can be added only"):
        await services.db.fetch(f"TRUNCATE {TABLE}_default")


async def test_months_beyond_the_retention_are_dropped(services: Services):
    for later, operation in ((-15, "old"), (-12, "young")):
        await services.db.fetch(_ENTRY, month(services, later), operation)
    await partitions.maintain(
        services.db, TABLE, KEEP
    )  # moves them, and sees months that were not there before
    await partitions.maintain(services.db, TABLE, KEEP)
    assert partitions.partition_of(TABLE, month(services, -15)) not in await names(services)
    assert await where(services, "old") is None
    assert await where(services, "young") == partitions.partition_of(TABLE, month(services, -12))


async def test_the_doctor_tells_of_a_missing_month_and_of_strays(services: Services):
    findings = Findings()
    await doctor._partitions(findings, services.db)
    assert findings.entries == []
    name = partitions.partition_of(TABLE, month(services, 1))
    await services.db.fetch(f"DROP TABLE {name}")
    await services.db.fetch(_ENTRY, month(services, 1), "stray")
    await doctor._partitions(findings, services.db)
    assert findings.problems == 2
    assert name in findings.entries[0].text and "no partition" in findings.entries[1].text


async def test_another_process_at_the_same_work_is_left_alone(services: Services):
    name = partitions.partition_of(TABLE, month(services, 2))
    await services.db.fetch(f"DROP TABLE {name}")
    async with services.db.transaction() as connection:
        await connection.fetchval(partitions._LOCK, TABLE)
        await partitions.maintain(services.db, TABLE, KEEP)
        assert name not in await names(services)
    await partitions.maintain(services.db, TABLE, KEEP)
    assert name in await names(services)

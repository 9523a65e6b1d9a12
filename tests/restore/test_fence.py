"""A restored database is told from one that goes on."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import asyncpg
import pytest

from engine.restore import beats, fence
from engine.restore.fence import Fenced, fence_of
from runtime.services import Services
from shapes.restores import FenceReason
from tests.restore.conftest import Opened
from tests.support import servers
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.servers

_BACK = """
UPDATE installation SET beat = beat - (extract(epoch FROM $1::interval) / 10)::int, beat_at = beat_at - $1::interval,
  written_by = pg_current_xact_id()::xid::text
"""


async def seen(services: Services) -> fence.FenceStatus:
    status = await fence.status(services.db)
    assert status is not None
    return status


async def test_a_database_that_goes_on_is_open(beating: Services, opened: Opened) -> None:
    async with opened() as other:
        assert await fence_of(other).look()
        await fence.beat(other)
    assert (await seen(beating)).is_open


async def test_a_copy_by_template_is_fenced_and_the_original_is_not(
    beating: Services, opened: Opened, database: str
) -> None:
    name = f"copy_{uuid4().hex}"
    original = (await seen(beating)).id
    await beating.db.close()  # nobody may be connected to a template
    url = await servers.create(name, database.rpartition("/")[2])
    try:
        async with opened(url) as copy:
            assert not await fence_of(copy).look()
            status = await seen(copy)
            assert (status.reason, status.id) == (FenceReason.copied, original)
    finally:
        await servers.drop(name)
    async with opened() as again:
        assert await fence_of(again).look()


async def test_a_row_that_another_transaction_wrote_is_a_copy_also_with_equal_oids(
    beating: Services, opened: Opened
) -> None:
    async with (
        beating.db.reading() as db
    ):  # what COPY of a dump leaves, on a server where all OIDs are the same
        await db.execute("CREATE TEMP TABLE dump AS SELECT * FROM installation")
        await db.execute("DELETE FROM installation")
        await db.execute("INSERT INTO installation SELECT * FROM dump")
    for file in (beating.settings.data_dir / "installation").iterdir():
        file.unlink()
    await beating.store.client.flushdb()  # the new server is beside a new Redis and a new folder
    async with opened() as other:
        assert not await fence_of(other).look()
        assert (await seen(other)).reason is FenceReason.copied


@pytest.mark.parametrize("rewrite", ["VACUUM FREEZE", "VACUUM FULL", "CLUSTER", "SELECT"])
async def test_maintenance_is_no_restore(rewrite: str, beating: Services) -> None:
    target = " installation" + (" USING pk_installation" if rewrite == "CLUSTER" else "")
    statement = "SELECT FROM installation FOR UPDATE" if rewrite == "SELECT" else f"{rewrite}{target}"
    async with beating.db.reading() as db:
        await db.execute(statement)
    assert (await seen(beating)).is_open
    await fence.beat(beating)
    assert (await seen(beating)).is_open


@pytest.mark.parametrize("known", ["redis", "data folder", "memory"])
async def test_a_row_behind_the_kept_beat_went_back(known: str, beating: Services, opened: Opened) -> None:
    async with opened() as other:
        if known == "memory":
            fence_of(other).guard(refuses=True)
            assert await fence_of(other).look()
        if known != "redis":
            await beating.store.client.flushdb()
        if known != "data folder":
            for file in (beating.settings.data_dir / "installation").iterdir():
                file.unlink()
        await beating.db.fetch(_BACK, timedelta(seconds=90))
        if known == "memory":
            with pytest.raises(Fenced):
                await (await other.db.pool(1)).acquire()
            await asyncio.wait_for(fence_of(other).raised.wait(), PATIENCE)
        else:
            assert not await fence_of(other).look()
    status = await seen(beating)
    assert status.reason is FenceReason.went_back
    assert status.lost_seconds is not None
    assert 85 < status.lost_seconds < 120


async def test_a_short_tail_is_a_failover(beating: Services, opened: Opened) -> None:
    await beating.db.fetch(_BACK, timedelta(seconds=20))
    async with opened() as other:
        assert await fence_of(other).look()
    status = await seen(beating)
    assert status.is_open
    assert status.failed_over_at is not None
    assert status.failover_lost_seconds == pytest.approx(20, abs=5)


async def test_a_table_that_is_written_anew_where_it_is_goes_on(beating: Services, opened: Opened) -> None:
    """As pg_repack does it: another transaction writes all rows, and the table keeps its OID."""
    async with beating.db.reading() as db:
        await db.execute("CREATE TEMP TABLE copy AS SELECT * FROM installation")
        await db.execute("DELETE FROM installation")
        await db.execute("INSERT INTO installation SELECT * FROM copy")
    assert not (await seen(beating)).is_open
    async with opened() as other:
        assert await fence_of(other).look()
    assert (await seen(beating)).is_open


async def test_a_restore_that_another_process_has_moved_on_is_told_by_the_number(
    beating: Services, opened: Opened
) -> None:
    id = (await seen(beating)).id
    await beats.write(beating, id, beats.Beat(5000, beating.db.now()))
    async with opened() as other:
        assert not await fence_of(other).look()
    assert (await seen(beating)).reason is FenceReason.went_back


async def test_a_copy_of_a_fenced_database_is_fenced_anew(beating: Services, opened: Opened) -> None:
    await beating.db.fetch(
        "UPDATE installation SET fenced_at = now() - interval '1 hour', fence_reason = 'went_back',"
        " data_at = beat_at, next_id = id"  # by a transaction that the copy does not know
    )
    for file in (beating.settings.data_dir / "installation").iterdir():
        file.unlink()
    await beating.store.client.flushdb()
    async with opened() as other:
        assert not await fence_of(other).look()
    row = await beating.db.fetchrow(
        "SELECT fenced_at > now() - interval '1 minute' AS anew, * FROM installation"
    )
    assert (row["anew"], row["fence_reason"], row["next_id"]) == (True, "copied", None)


async def test_an_api_process_learns_that_a_fence_has_ended(beating: Services, opened: Opened) -> None:
    async with opened() as api:
        fence_of(api).guard(refuses=False)
        await beating.db.fetch(
            "UPDATE installation SET fenced_at = now(), fence_reason = 'restored', data_at = beat_at,"
            " written_by = pg_current_xact_id()::xid::text"
        )
        assert not await fence_of(api).look()
        await asyncio.wait_for(fence_of(api).raised.wait(), PATIENCE)
        await beating.db.fetch(
            "UPDATE installation SET fenced_at = NULL, written_by = pg_current_xact_id()::xid::text"
        )
        assert await fence_of(api).look()
        await asyncio.sleep(0)
        assert not fence_of(api).raised.is_set()


@pytest.mark.settings(restore_gap_seconds=10)
async def test_the_gap_is_a_setting(beating: Services, opened: Opened) -> None:
    await beating.db.fetch(_BACK, timedelta(seconds=20))
    async with opened() as other:
        assert not await fence_of(other).look()


async def test_an_empty_redis_says_nothing(beating: Services, opened: Opened) -> None:
    await beating.store.client.flushdb()
    async with opened() as other:
        assert await fence_of(other).look()
    assert (await seen(beating)).failed_over_at is None


async def test_a_file_that_a_power_cut_has_left_is_not_read(beating: Services) -> None:
    for file in (beating.settings.data_dir / "installation").iterdir():
        file.write_text("12 17")
        file.write_text("1x")
    await fence.beat(beating)
    assert (await seen(beating)).is_open


async def test_a_beat_that_is_late_does_not_replace_a_later_one(beating: Services) -> None:
    id = (await seen(beating)).id
    now = beating.db.now()
    await beats.write(beating, id, beats.Beat(50, now))
    await beats.write(beating, id, beats.Beat(49, now - timedelta(seconds=10)))
    raw = await beating.store.client.get(f"installation:{id}")
    assert beats.Beat.parse(raw.decode()).number == 50


async def test_a_worker_gets_no_connection_of_a_fenced_database(beating: Services, opened: Opened) -> None:
    async with opened() as worker, opened() as api:
        fence_of(worker).guard(refuses=True)
        fence_of(api).guard(refuses=False)
        await beating.db.fetch(
            "UPDATE installation SET fenced_at = now(), fence_reason = 'restored', data_at = beat_at,"
            " written_by = pg_current_xact_id()::xid::text"
        )
        with pytest.raises(Fenced):
            await worker.db.fetchval("SELECT 1")
        with pytest.raises(Fenced):
            async with worker.db.session() as session:
                await session.connection()
        assert await api.db.fetchval("SELECT 1") == 1
        assert await fence_of(api).is_raised()


async def test_before_the_migration_there_is_no_fence(services: Services, opened: Opened) -> None:
    async with services.db.reading() as db:
        await db.execute("DROP TABLE installation")
    async with opened() as other:
        fence_of(other).guard(refuses=True)
        assert await fence_of(other).look()
        assert await other.db.fetchval("SELECT 1") == 1


async def test_only_one_row_can_be_there(beating: Services) -> None:
    with pytest.raises(asyncpg.UniqueViolationError):
        await beating.db.fetch("INSERT INTO installation SELECT * FROM installation")

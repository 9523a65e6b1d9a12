"""Migrations: one process migrates and the others wait for it, each migration is a transaction of its own."""

import asyncio

import asyncpg
import pytest

from db import migrate
from postern import process
from tests.migrations.made import STEP, empty, fetchval, steps
from tests.support import servers
from tests.support.waits import PATIENCE, until

__all__ = ["empty", "steps"]


async def _revision(url):
    return await fetchval(url, "SELECT version_num FROM alembic_version")


async def _unlocked(connection):
    """The server ends a session a moment after its client has left, and shows the locks of other databases too."""
    return not await connection.fetchval(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
        " WHERE locktype = 'advisory' AND datname = current_database()"
    )


async def test_the_second_of_two_waits_for_a_slow_first_one(empty, make_settings, tmp_path, steps):
    """However long it takes: no bound of a request's statement holds for it. The first is another process."""
    (tmp_path / "database.toml").write_text(f"{servers.PATIENT}statement_timeout = 0.2\nlock_timeout = 0.2\n")
    steps('op.execute("CREATE TABLE made (id int)")', 'op.execute("SELECT pg_sleep(0.5)")')
    first = await asyncpg.connect(empty)
    await first.execute("SELECT pg_advisory_lock(7261551)")
    second = asyncio.create_task(process.prepare(make_settings(db_string=empty)))
    done, _ = await asyncio.wait([second], timeout=0.8)
    assert not done
    assert await first.fetchval("SELECT to_regclass('made')") is None
    await first.execute("SELECT pg_advisory_unlock(7261551)")
    await asyncio.wait_for(second, PATIENCE)
    assert await _revision(empty) == "r0"
    await until(lambda: _unlocked(first))
    # It has nothing more to do, and neither has a third.
    await asyncio.wait_for(process.prepare(make_settings(db_string=empty)), PATIENCE)
    await first.close()


async def test_the_client_gives_a_migration_its_time_too(make_settings, database, monkeypatch):
    """asyncpg has a clock of its own, which knows nothing of `SET statement_timeout = 0`."""
    seen = []

    async def pending(engine):
        async with engine.connect() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            seen.append(raw._config.command_timeout)
        return False

    monkeypatch.setattr(migrate, "pending", pending)
    await process.prepare(make_settings())
    assert seen[0] is None or seen[0] > 3600


async def test_what_was_migrated_stays_when_a_later_one_fails(empty, make_settings, steps):
    steps('op.execute("CREATE TABLE first (id int)")')
    broken = steps('op.execute("CREATE TABLE second (id int)")', 'op.execute("SELECT 1 / 0")')
    settings = make_settings(db_string=empty)
    with pytest.raises(Exception, match="division by zero"):
        await process.prepare(settings)
    connection = await asyncpg.connect(empty)
    assert await connection.fetchval(
        "SELECT to_regclass('first') IS NOT NULL AND to_regclass('second') IS NULL"
    )
    assert await _revision(empty) == "r0"
    # It goes on from there, and may build an index without holding up writers.
    broken.unlink()
    broken.write_text(
        STEP.format(
            revision="r1",
            before="r0",
            work="    with op.get_context().autocommit_block():\n        "
            'op.execute("CREATE INDEX CONCURRENTLY i ON first (id)")',
        )
    )
    await process.prepare(settings)
    assert await _revision(empty) == "r1"
    assert await connection.fetchval("SELECT indisvalid FROM pg_index WHERE indexrelid = 'i'::regclass")
    await connection.close()


async def test_a_table_that_is_in_use_is_not_waited_for_long(empty, make_settings, steps):
    """A migration that waits for a table holds up everybody behind it; the bound is the connection's, ten seconds."""
    steps("op.execute(\"CREATE TABLE bound AS SELECT current_setting('lock_timeout') AS lock_timeout\")")
    await process.prepare(make_settings(db_string=empty))
    connection = await asyncpg.connect(empty)
    assert await connection.fetchval("SELECT lock_timeout FROM bound") == "10s"
    await connection.close()


async def test_an_index_waits_for_a_backup(empty, make_settings, steps):
    """A dump of a large database takes hours, and building an index beside it blocks nobody."""
    steps('op.execute("CREATE TABLE first (id int)")')
    await process.prepare(make_settings(db_string=empty))
    steps(
        "from db.migrations.indexes import build",
        "op.execute(\"SET lock_timeout = '100ms'\")",
        'build("i", "first (id)")',
        "op.execute(\"CREATE TABLE bound AS SELECT current_setting('lock_timeout') AS lock_timeout\")",
    )
    backup, other = await asyncpg.connect(empty), await asyncpg.connect(empty)
    async with backup.transaction(isolation="repeatable_read"):
        await backup.execute("SELECT FROM first")
        migrating = asyncio.create_task(process.prepare(make_settings(db_string=empty)))
        waiting = (
            "SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%'"
            " AND wait_event_type = 'Lock' AND datname = current_database()"
        )
        await until(lambda: other.fetchval(waiting))
        await asyncio.sleep(0.5)  # longer than the other bound
        await other.execute("INSERT INTO first VALUES (1)")
        assert not migrating.done()
    await migrating
    assert await other.fetchval("SELECT indisvalid FROM pg_index WHERE indexrelid = 'i'::regclass")
    assert await other.fetchval("SELECT lock_timeout FROM bound") == "10s"
    await backup.close()
    await other.close()

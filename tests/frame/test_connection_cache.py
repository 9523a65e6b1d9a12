"""Connections for reads go from hand to hand: never more than there may be, never one that isn't well."""

import asyncio

import asyncpg
import pytest

from core.database_options import DatabaseOptions
from db import connection_cache
from db.session import Database
from tests.support.waits import PATIENCE, until

SLOWLY = "SELECT pg_backend_pid() FROM pg_sleep(0.02)"


@pytest.fixture
async def db(database):
    patient = DatabaseOptions(read_pool_size=3, pool_timeout=PATIENCE, connect_timeout=PATIENCE)
    opened = Database(database, patient, "lane")
    yield opened
    await opened.close()


async def test_one_after_the_other_has_the_same_connection(db):
    assert len({await db.fetchval("SELECT pg_backend_pid()") for _ in range(5)}) == 1
    assert db.reads_at_work == 0


async def test_many_wait_for_few(db):
    backends = await asyncio.gather(*(db.fetchval(SLOWLY) for _ in range(20)))
    assert len(set(backends)) == 3
    assert db.reads_at_work == 0


async def test_who_waits_too_long_is_told_and_nothing_is_lost(db, monkeypatch):
    async with db.reading(), db.reading(), db.reading() as last:
        with monkeypatch.context() as patch, pytest.raises(TimeoutError):
            patch.setattr(db._cache, "_timeout", 0.1)
            await db.fetchval("SELECT 1")
        waiting = [asyncio.create_task(db.fetchval("SELECT 1")) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        assert await last.fetchval("SELECT 2") == 2
    assert await waiting[1] == 1
    assert await asyncio.gather(*(db.fetchval("SELECT 3") for _ in range(6))) == [3] * 6
    assert db.reads_at_work == 0


async def test_each_wait_ends_at_its_own_time(db, monkeypatch):
    loop = asyncio.get_running_loop()

    async def wait() -> float:
        begun = loop.time()
        with pytest.raises(TimeoutError):
            await db.fetchval("SELECT 1")
        return loop.time() - begun

    async with db.reading(), db.reading(), db.reading():
        monkeypatch.setattr(db._cache, "_timeout", 0.4)
        waits = []
        for _ in range(4):
            waits.append(asyncio.create_task(wait()))
            await asyncio.sleep(0.15)
        waits.append(asyncio.create_task(wait()))
        lasted = [*await asyncio.gather(*waits), await wait()]  # the last one when no other waits any more
        assert all(0.39 < seconds < 0.4 + PATIENCE for seconds in lasted), lasted
        assert not db._cache._waiting


async def test_a_cancelled_read_is_ended_before_its_connection_is_used_again(db):
    read = asyncio.create_task(db.fetchval("SELECT pg_sleep(30)"))
    await until(lambda: db.reads_at_work == 1)
    await asyncio.sleep(0.05)
    read.cancel()
    with pytest.raises(asyncio.CancelledError):
        await read
    assert await asyncio.wait_for(asyncio.gather(*(db.fetchval("SELECT 1") for _ in range(6))), 10) == [1] * 6


async def test_cancelled_at_any_moment(db):
    """A caller that is cancelled while it is given a connection passes it on."""
    for turn in range(60):
        reads = [asyncio.create_task(db.fetchval("SELECT 1")) for _ in range(12)]
        for _ in range(turn % 12):
            await asyncio.sleep(0)
        for read in reads[turn % 5 :: 3]:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)
    assert (
        await asyncio.gather(*(db.fetchval(SLOWLY.replace("pg_backend_pid()", "7")) for _ in range(9)))
        == [7] * 9
    )
    assert db.reads_at_work == 0


async def test_an_error_costs_nobody_else_anything(db):
    with pytest.raises(asyncpg.DivisionByZeroError):
        await db.fetchval("SELECT 1/0")
    with pytest.raises(asyncpg.UndefinedTableError):
        async with db.reading() as connection, connection.transaction():
            await connection.execute("SELECT FROM nothing_of_that_name")
    assert await db.fetchval("SELECT 1") == 1
    assert db.reads_at_work == 0


async def test_a_connection_that_the_server_closed_is_replaced(db):
    backend = await db.fetchval("SELECT pg_backend_pid()")
    other = await asyncpg.connect(db.url)
    assert await other.fetchval("SELECT pg_terminate_backend($1, 5000)", backend)
    await other.close()
    await until(lambda: not connection_cache._is_open(db._cache._free[-1]))
    assert await db.fetchval("SELECT pg_backend_pid()") != backend


async def test_after_its_lease_it_goes_back(db, monkeypatch):
    monkeypatch.setattr(connection_cache, "LEASE", 0.02)
    await db.fetchval("SELECT 1")
    await until(lambda: not db._cache._leases)  # at rest
    assert db._reads.get_idle_size() == 1
    async with db.reading() as connection:
        monkeypatch.setitem(db._cache._leases, connection, 0.0)  # in use
    assert not db._cache._leases
    assert await db.fetchval("SELECT 1") == 1


async def test_it_closes_and_opens_again(db):
    await db.fetchval("SELECT 1")
    await db.close()
    assert db.reads_at_work == 0
    assert await db.fetchval("SELECT 1") == 1


async def test_closing_waits_for_a_read(db):
    read = asyncio.create_task(db.fetchval("SELECT 5 FROM pg_sleep(0.2)"))
    await until(lambda: db.reads_at_work == 1)
    await asyncio.sleep(0.05)
    await db.close()
    assert await read == 5


async def test_a_connection_that_the_pool_let_go_of_is_no_lease(db):
    with pytest.raises(asyncpg.InternalClientError):
        async with db.reading() as connection:
            await db._reads.release(connection)  # as the pool does when the connection is lost
            raise asyncpg.InternalClientError
    assert db.reads_at_work == 0
    assert await db.fetchval("SELECT 1") == 1


async def test_nobody_gets_into_anothers_transaction(db):
    async with db.reading() as connection:
        await connection.execute("BEGIN")
    async with db.reading() as connection:
        assert not connection.is_in_transaction()

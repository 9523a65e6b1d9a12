"""The holder of dead rows is seen by a role to which the statistics hide most of other sessions."""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest

from engine.upkeep.dead_rows import oldest_snapshot
from tests.support.debian_postgres import debian_postgres
from tests.support.waits import until

pytestmark = pytest.mark.servers


@pytest.fixture
def superuser() -> Iterator[str]:
    """The URL of a server whose roles may be made; that of other tests has one role."""
    with debian_postgres({"autovacuum": "off", "fsync": "off"}) as url:
        yield url


async def test_a_snapshot_of_another_role_is_seen(superuser: str):
    """The statistics hide nearly everything of sessions of other roles, also what kind of session it is."""
    holder, asker = await asyncpg.connect(superuser), await asyncpg.connect(superuser)
    await holder.execute(
        "CREATE ROLE limited; CREATE TABLE numbers AS SELECT * FROM generate_series(1, 2000000) AS n"
    )
    await asker.execute("SET ROLE limited")
    assert await oldest_snapshot(asker) is None
    async with holder.transaction(isolation="repeatable_read"):
        await holder.fetchval("SELECT 1")
        snapshot = await oldest_snapshot(asker)
    assert snapshot is not None
    assert f"process {holder.get_server_pid()}" in snapshot.holder
    assert snapshot.lasts is None, "its begin is hidden"
    await _is_no_vacuum(superuser, holder, asker)
    await asker.close()
    await holder.close()


async def _is_no_vacuum(url: str, holder: asyncpg.Connection, asker: asyncpg.Connection) -> None:
    """An autovacuum that is at work has a snapshot, and is not one that others should end."""
    await holder.execute(
        "ALTER TABLE numbers SET (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)"
    )
    await holder.execute("UPDATE numbers SET n = n + 1")
    await holder.execute("ALTER SYSTEM SET autovacuum = on")
    await holder.execute("ALTER SYSTEM SET autovacuum_naptime = 1")
    await holder.execute("SELECT pg_reload_conf()")
    at_work = (
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'"
        " AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)"
    )
    async with asyncio.timeout(60):
        await until(lambda: holder.fetch(at_work))
    assert await oldest_snapshot(asker) is None
    assert await holder.fetch(at_work), "it was at work meanwhile"

"""Connections of a process that stands still, and of one whose other end is gone."""

import asyncio
import socket
from datetime import timedelta

import asyncpg
import pytest

from engine import upkeep
from runtime.services import open_services
from tests.support.waits import until


@pytest.mark.parametrize(("lease", "seconds"), [(30, 30), (2, 5), (600, 60)])
async def test_a_frozen_transaction_keeps_its_locks_for_a_lease(settings, lease, seconds):
    services = open_services(settings.model_copy(update={"lease_seconds": lease}))
    try:
        shown = await services.db.fetchval("SHOW idle_in_transaction_session_timeout")
        assert shown in (f"{seconds}s", f"{seconds // 60}min")
    finally:
        await services.close()


async def test_what_a_frozen_worker_has_locked_is_free_again(settings):
    services = open_services(settings.model_copy(update={"lease_seconds": 1}))
    try:
        pool = await services.db.pool(size=1)
        frozen = await pool.acquire()
        await frozen.execute("BEGIN")
        await frozen.execute("SELECT pg_advisory_xact_lock(77)")
        begun = asyncio.get_running_loop().time()

        async def free() -> bool:
            return bool(await services.db.fetchval("SELECT pg_try_advisory_lock(77)"))

        await until(free)
        assert asyncio.get_running_loop().time() - begun > 4
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)):
            await frozen.execute("SELECT 1")
        pool.terminate()
    finally:
        await services.close()


_COLUMNS = ("name", "holder", "expires_at")
_LOCKED = """
SELECT array_agg(objid ORDER BY objid) FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


async def test_a_process_frozen_within_a_statement_is_ended_by_another(services, database):
    """For the server the statement is still running, so no time-out of the server ends it."""
    frozen = await asyncpg.connect(database, server_settings={"application_name": "postern-worker"})
    stranger = await asyncpg.connect(database, server_settings={"application_name": "psql"})
    thawed = asyncio.Event()

    async def rows():
        yield b"a\t01a1fd33-ba29-7000-a74b-0d3e7e716658\t2026-01-01\n"
        await thawed.wait()

    copying = []
    for number, connection in enumerate((frozen, stranger), 1):
        await connection.execute("BEGIN")
        await connection.execute("SELECT pg_advisory_xact_lock($1)", number)
        copying.append(
            asyncio.create_task(connection.copy_to_table("leases", source=rows(), columns=_COLUMNS))
        )

    async def ended() -> int:
        return await upkeep.end_frozen(services.db, timedelta(seconds=0.5))

    async def only_the_other_has_a_lock() -> bool:
        return await services.db.fetchval(_LOCKED) == [2]

    assert await ended() == 0
    assert await services.db.fetchval(_LOCKED) == [1, 2]
    await until(ended)
    await until(only_the_other_has_a_lock)  # the server ends a process a moment after it was asked to
    assert await ended() == 0
    thawed.set()
    await asyncio.gather(*copying, return_exceptions=True)
    for connection in (frozen, stranger):
        connection.terminate()


async def test_connections_to_redis_are_watched(services):
    connection = await services.store.client.connection_pool.get_connection()
    try:
        sock = connection._writer.get_extra_info("socket")
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        idle, apart, probes = (
            sock.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))
            for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        )
        assert idle + apart * probes < 10
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) < 10_000
    finally:
        await services.store.client.connection_pool.release(connection)

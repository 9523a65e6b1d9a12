"""Connections of a process that stands still, and of one whose other end is gone."""

import asyncio
import socket

import asyncpg
import pytest

from postern.services import open_services
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
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
            await frozen.execute("SELECT 1")
        pool.terminate()
    finally:
        await services.close()


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

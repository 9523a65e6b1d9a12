"""Connections to the database whose other end is gone without a word are found out by the kernel."""

import socket

from sqlalchemy import text

OPTIONS = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": 9000}


def watched(connection) -> bool:
    found = connection._transport.get_extra_info("socket")
    assert found.family == socket.AF_INET, "the test's server is not reached over TCP"
    alive = found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    values = {name: found.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in OPTIONS}
    return bool(alive) and values == OPTIONS


async def test_every_kind_of_connection_is_watched(services):
    async with services.db.reading() as db:
        assert watched(db._con)
    async with services.db.session() as session:
        await session.execute(text("SELECT 1"))
        raw = await (await session.connection()).get_raw_connection()
        assert watched(raw.driver_connection)
    pool = await services.db.pool(1)
    async with pool.acquire() as db:
        assert watched(db._con)
    await pool.close()

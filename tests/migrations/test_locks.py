"""A migration that changes a table which every request reads keeps nobody waiting while it waits itself."""

import asyncio
import os
from uuid import uuid4

import asyncpg

from tests.migrations.test_upgrade import upgrade
from tests.support import servers

BEFORE = "0076"
READS = 40


async def test_others_read_while_it_waits() -> None:
    name = f"locks_{uuid4().hex}"
    server = await asyncpg.connect(os.environ[servers.POSTGRES])
    await server.execute(f'CREATE DATABASE "{name}"')
    await server.close()
    url = servers.named(os.environ[servers.POSTGRES], name)
    await asyncio.to_thread(lambda: asyncio.run(upgrade(url, BEFORE)))
    holder, reader = await asyncpg.connect(url), await asyncpg.connect(url)
    try:
        transaction = holder.transaction()
        await transaction.start()
        await holder.fetch("SELECT FROM users")  # its lock stays, as that of a long export
        await reader.execute("SET lock_timeout = '5s'")
        migrating = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(upgrade(url, "head"))))
        waited = False
        for _ in range(READS):
            await asyncio.sleep(0.05)
            waited |= await reader.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            await reader.fetch("SELECT FROM users")  # raises if it waits for long
        assert waited  # the migration did
        assert not migrating.done()
        await transaction.commit()
        await migrating
        assert await reader.fetchval("SELECT count(*) FROM self_service_requests") == 0
    finally:
        await holder.close()
        await reader.close()
        await servers.drop(name)

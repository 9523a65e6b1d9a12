"""An upgrade that is killed with -9 at any time leaves a database that the next upgrade completes."""

import asyncio
import os
import random
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from db import functions, migrate
from tests.cli.conftest import KEYS
from tests.process.serve import environment
from tests.support import prefork, servers

pytestmark = [pytest.mark.servers, pytest.mark.rotating]

_STATE = """
SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p'))
"""
_COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
WHERE table_schema = 'public' ORDER BY 1, 2
"""


async def test_a_killed_upgrade_is_completed_by_the_next_one(folder: Path) -> None:
    name = f"killed_{uuid4().hex}"
    url = await servers.create(name, "template0")
    connection = await asyncpg.connect(url)
    model = await servers.create(f"{name}_model")
    variables = {"DB_STRING": url, "REDIS_URL": os.environ[servers.REDIS], **KEYS}
    killed, seen = 0, set()
    try:
        for _ in range(12):
            with (folder / "log").open("ab") as log:
                process = prefork.start(
                    ["postern", "upgrade"], cwd=folder, env=environment(folder, **variables), output=log
                )
            # From the moment on at which it works, which its connection tells.
            while process.poll() is None and not await connection.fetchval(
                "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()"
                " AND application_name = 'postern-migrate')"
            ):
                await asyncio.sleep(0.005)
            await asyncio.sleep(random.uniform(0, 0.8))
            if process.poll() is None:
                process.kill()
                killed += 1
            await asyncio.to_thread(process.wait, 30)
            seen.add(await connection.fetchval(_STATE))
        assert killed >= 3, "it was not killed often enough to show anything"
        with (folder / "log").open("ab") as log:
            last = prefork.start(
                ["postern", "upgrade"], cwd=folder, env=environment(folder, **variables), output=log
            )
        assert await asyncio.to_thread(last.wait, 120) == 0, (folder / "log").read_text()
        assert await connection.fetchval("SELECT version_num FROM alembic_version") == migrate.newest(
            migrate.revisions()
        )
        there = {row["name"] for row in await connection.fetch("SELECT name FROM schema_functions")}
        assert there == set(functions.texts())
        other = await asyncpg.connect(model)
        try:
            assert await connection.fetch(_COLUMNS) == await other.fetch(_COLUMNS)
        finally:
            await other.close()
    finally:
        await connection.close()
        await servers.drop(name)
        await servers.drop(f"{name}_model")

"""PostgreSQL replicates synchronously, and no standby follows: commits wait, and all instruments say for what."""

import asyncio
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from structlog.testing import capture_logs

from core.database_options import DatabaseOptions
from db.migrate import upgrade
from db.session import Database
from engine.upkeep import locks
from postern.doctor.findings import Findings
from postern.doctor.locks import look
from postern.embedded import EmbeddedPostgres
from resolvers.metrics import Locks, families
from tests.support.waits import until

_OPTIONS = {"fsync": "off", "synchronous_standby_names": "nowhere", "synchronous_commit": "local"}
_COMMITS = "UPDATE installation_of_test SET number = number + 1"

pytestmark = pytest.mark.servers


@pytest.fixture
async def alone(tmp_path: Path):
    """The URL of a server whose commits wait for a standby that is not there, from the next connection on."""
    with EmbeddedPostgres(tmp_path, options=_OPTIONS) as postgres:
        engine = create_async_engine(postgres.url.replace("postgresql://", "postgresql+asyncpg://"))
        await upgrade(engine)
        await engine.dispose()
        connection = await asyncpg.connect(postgres.url)
        await connection.execute("CREATE TABLE installation_of_test AS SELECT 1 AS number")
        await connection.execute("ALTER ROLE CURRENT_USER SET synchronous_commit = on")
        await connection.close()
        yield postgres.url


async def test_the_instruments_name_the_standby_and_no_lock(alone, monkeypatch):
    monkeypatch.setattr(locks, "USUAL", locks.USUAL / 10)
    db = Database(alone, DatabaseOptions(connect_timeout=1))
    # The second one waits for the row that the first has locked, and the first for the standby.
    changing = [await asyncpg.connect(alone) for _ in range(2)]
    waiting = [asyncio.create_task(each.execute(_COMMITS)) for each in changing]

    async def seen() -> tuple[str, float, float]:
        findings = Findings()
        assert await look(findings, db), "the other checks can read the tables"
        numbers = Locks(db)
        holders = await numbers.read()
        metrics = {each.name: each.samples[0].value for each in families.database(holders, numbers.commits)}
        lines = [f"{each.topic}: {each.text}" for each in findings.entries]
        return "\n".join(lines), metrics["postern_commits_waiting"], metrics["postern_sessions_blocked"]

    try:
        said, commits, blocked = await until(lambda: _if_any(seen), 0.1)
        assert said.startswith("standby: 1 commit waits for a synchronous standby"), said
        assert "(nowhere)" in said and "locks" not in said
        assert (commits, blocked) == (1, 0)
    finally:
        for each in changing:
            each.terminate()
        await asyncio.gather(*waiting, return_exceptions=True)
        await db.close()


async def _if_any(seen):
    found = await seen()
    return found if found[0] else None


async def test_the_log_names_it(alone):
    db = Database(alone, DatabaseOptions(connect_timeout=1))

    async def change() -> None:
        async with db.session() as session:
            await session.execute(text(_COMMITS))
            await session.commit()

    with capture_logs() as lines:
        changing = asyncio.create_task(change())
        try:
            await until(lambda: [line for line in lines if "synchronous standby" in line["event"]])
        finally:
            changing.cancel()
            with suppress(asyncio.CancelledError):
                await changing
            await db.close()

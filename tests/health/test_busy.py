"""A busy database is `degraded`, and no `error`: its servers and pools are this file's own, and really busy."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from tests.health.test_health import between, down, talking
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.alone  # a probe may take a second, and who takes longer is down

CONNECTIONS = 14


@pytest.fixture(scope="module")
def own(tmp_path_factory: Any) -> Iterator[dict[str, EmbeddedPostgres | EmbeddedRedis]]:
    folder = tmp_path_factory.mktemp("busy")
    few = {"fsync": "off", "max_connections": str(CONNECTIONS), "superuser_reserved_connections": "0"}
    with EmbeddedPostgres(folder, options=few) as postgres, EmbeddedRedis(folder) as redis:
        yield {"database": postgres, "redis-storage": redis}


@pytest.fixture
def small(tmp_path: Path) -> None:
    """A process with two connections for reads and two for sessions."""
    (tmp_path / "database.toml").write_text(
        "[database]\nread_pool_size = 2\npool_size = 2\npool_timeout = 30.0\n"
    )


@pytest.fixture
async def client(own: Any, small: None, make_settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with talking(make_settings, own["database"].url, own["redis-storage"].url) as made:
        yield made


def degraded(answer: httpx.Response, why: str) -> None:
    body = answer.json()
    assert (answer.status_code, body["status"], body["error"]) == (200, "degraded", {}), answer.text
    assert body["info"] == body["details"]
    assert body["info"]["database"]["status"] == "up"
    assert why in body["info"]["database"]["message"]


async def is_ok(client: httpx.AsyncClient) -> bool:
    return "message" not in (await client.get("/health/v2")).json()["details"]["database"]


async def test_a_server_without_a_free_connection_is_busy(own: Any, client: httpx.AsyncClient) -> None:
    assert await is_ok(client)
    held: list[asyncpg.Connection] = []
    try:
        with pytest.raises(asyncpg.TooManyConnectionsError):
            while len(held) < 2 * CONNECTIONS:
                held.append(await asyncpg.connect(own["database"].url))
        degraded(await client.get("/health/v2"), "no free connection")
        graph = (await client.post("/graphql", json={"query": "{ readiness { status error } }"})).json()
        assert graph["data"]["readiness"] == {"status": "degraded", "error": {}}
    finally:
        for connection in held:
            await connection.close()
    await until(lambda: is_ok(client), 0.05)


@asynccontextmanager
async def reading(client: Any, count: int) -> AsyncIterator[None]:
    """Runs so many slow reads of the process at once."""
    db = client.app.services.db
    reads = [asyncio.create_task(db.fetchval("SELECT pg_sleep(60)")) for _ in range(count)]
    try:
        await until(lambda: db.reads_at_work >= 2, 0.01)
        yield
    finally:
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)


async def test_a_pool_that_is_exhausted_makes_it_busy(client: Any) -> None:
    async with reading(client, 2):
        assert await is_ok(client)  # all are at work, and none waits
    async with reading(client, 4):
        degraded(await client.get("/health/v2"), "wait for a connection")
    await until(lambda: is_ok(client), 0.05)


async def test_sessions_that_have_all_connections_make_it_busy(client: Any) -> None:
    db = client.app.services.db
    async with db.engine.connect(), db.engine.connect():
        degraded(await client.get("/health/v2"), "wait for a connection")
    assert await is_ok(client)


async def test_a_database_that_answers_others_meanwhile_is_slow_and_not_down(
    own: Any, small: None, make_settings: Any
) -> None:
    """A new connection takes two seconds here, and a probe is allowed one."""
    async with (
        between(own["database"].url, delay=2.0) as url,
        talking(make_settings, url, own["redis-storage"].url) as client,
    ):
        db = client.app.services.db
        await db.fetchval("SELECT 1")
        assert "no answer within 1 s" in down(
            await client.get("/health/v2"), "database"
        )  # nothing speaks for it

        async def work() -> None:
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                await db.fetchval("SELECT pg_sleep(0.1)")

        working = asyncio.create_task(work())
        try:
            degraded(await client.get("/health/v2"), "it answers this process")
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

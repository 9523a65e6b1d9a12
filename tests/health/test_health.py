"""/, /health, /health/v2: against servers that stop, hang, are slow and come back. They are this file's own."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

import httpx
import pytest

from postern.app import make_app
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from resolvers import health
from tests.support.tcp import relay, serving
from tests.support.waits import freeze, until

pytestmark = pytest.mark.alone  # a probe may take a second, and who takes longer is down

NAMES = ("database", "redis-storage")


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> Iterator[dict[str, EmbeddedPostgres | EmbeddedRedis]]:
    folder = tmp_path_factory.mktemp("own")
    with EmbeddedPostgres(folder, options={"fsync": "off"}) as postgres, EmbeddedRedis(folder) as redis:
        yield {"database": postgres, "redis-storage": redis}


@pytest.fixture
async def client(own, make_settings) -> AsyncIterator[httpx.AsyncClient]:
    async with talking(make_settings, own["database"].url, own["redis-storage"].url) as made:
        yield made


@asynccontextmanager
async def talking(make_settings, database: str, redis: str) -> AsyncIterator[httpx.AsyncClient]:
    app = make_app(make_settings(db_string=database, redis_url=redis))
    async with app.api.router.lifespan_context(app.api):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as made:
            made.app = app
            yield made


async def timed(client: httpx.AsyncClient) -> httpx.Response:
    """The bound of a probe shows in its message, "no answer within 1 s"; here it is only seen to hold."""
    begun = time.perf_counter()
    answer = await client.get("/health/v2")
    assert time.perf_counter() - begun < 5
    return answer


async def until_well(client: httpx.AsyncClient) -> None:
    async def well() -> bool:
        return (await client.get("/health/v2")).status_code == 200

    await until(well, 0.05)


def down(answer: httpx.Response, name: str) -> str:
    """Asserts that this one is down and nothing else is; what is said about it."""
    (other,) = set(NAMES) - {name}
    assert answer.status_code == 503, answer.text
    body = answer.json()
    assert body["status"] == "error"
    assert set(body["error"]) == {name}
    assert set(body["info"]) == {other}
    assert body["details"] == {**body["info"], **body["error"]}
    assert body["error"][name]["status"] == "down"
    return str(body["error"][name]["message"])


async def test_all_is_well(client):
    answer = await timed(client)
    assert answer.status_code == 200
    body = answer.json()
    assert body["status"] in ("ok", "degraded")  # a busy machine may be slow
    assert body["error"] == {}
    assert set(body["info"]) == set(body["details"]) == set(NAMES)
    for indicator in body["details"].values():
        assert indicator["status"] == "up"
        assert indicator["latencyMs"] > 0
        assert "message" not in indicator
    for path in ("/", "/health"):
        assert (await client.get(path)).json() == {"status": "ok"}


@pytest.mark.parametrize("name", NAMES)
async def test_a_server_that_stops_and_comes_back(client, own, name: str):
    await client.get("/health/v2")  # connections are open
    password = urlsplit(own[name].url).password
    await asyncio.to_thread(own[name].stop)
    try:
        message = down(await timed(client), name)
        assert message
        assert password not in message
        assert message == "it refuses, or can't be reached; see the log"  # not the server's own words
        for path in ("/", "/health"):
            assert (await client.get(path)).status_code == 200
        readiness = (await client.post("/graphql", json={"query": "{readiness{status error}}"})).json()
        assert readiness["data"]["readiness"]["status"] == "error"
        assert set(readiness["data"]["readiness"]["error"]) == {name}
    finally:
        await asyncio.to_thread(own[name].start)
    await until_well(client)


@pytest.mark.parametrize("name", NAMES)
async def test_a_server_that_hangs_does_not_make_us_hang(client, own, name: str):
    await client.get("/health/v2")
    freeze(own[name].pid)
    try:
        answers = await asyncio.gather(*(timed(client) for _ in range(5)))
        for answer in answers:
            assert "no answer within 1 s" in down(answer, name)
        assert (await client.get("/")).status_code == 200
    finally:
        os.kill(own[name].pid, signal.SIGCONT)
    await until_well(client)


@asynccontextmanager
async def between(url: str, *, delay: float | None, lag: Sequence[float] = (0,)) -> AsyncIterator[str]:
    """The URL of a proxy that holds back the first bytes of a connection (for good when `delay` is None),
    and every piece that a client sends by what stands in `lag` then.
    """
    parts = urlsplit(url)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(3600 if delay is None else delay)
        await relay(reader, writer, parts.hostname, parts.port, to_server=hold_back)

    async def hold_back(data: bytes) -> bytes:
        await asyncio.sleep(lag[0])
        return data

    user, _, _ = parts.netloc.rpartition("@")
    async with serving(serve) as port:
        yield urlunsplit(parts._replace(netloc=f"{user}@127.0.0.1:{port}"))


@pytest.mark.parametrize("name", NAMES)
async def test_a_black_hole_in_the_network(own, make_settings, name: str):
    urls = {other: server.url for other, server in own.items()}
    async with (
        between(urls[name], delay=None) as urls[name],
        talking(make_settings, *urls.values()) as client,
    ):
        assert "no answer within 1 s" in down(await timed(client), name)
        assert (await client.get("/health")).status_code == 200


async def test_a_slow_database_is_degraded(own, make_settings, monkeypatch):
    """Every probe connects anew."""
    monkeypatch.setattr(health, "BOUND", 5.0)
    async with (
        between(own["database"].url, delay=0.6) as url,
        talking(make_settings, url, own["redis-storage"].url) as client,
    ):
        degraded(await timed(client), "database")


async def test_a_slow_storage_is_degraded(own, make_settings, monkeypatch):
    """The probe's connection stands already."""
    monkeypatch.setattr(health, "BOUND", 5.0)
    lag = [0.0]
    async with (
        between(own["redis-storage"].url, delay=0, lag=lag) as url,
        talking(make_settings, own["database"].url, url) as client,
    ):
        await until_well(client)
        lag[0] = 0.6
        degraded(await timed(client), "redis-storage")


def degraded(answer: httpx.Response, name: str) -> None:
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["status"] == "degraded"
    assert body["error"] == {}
    assert body["info"][name]["latencyMs"] > 500


async def test_a_probe_that_heeds_no_cancellation_is_left_behind(client, monkeypatch):
    released = asyncio.Event()

    async def stubborn() -> None:
        while not released.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await released.wait()

    monkeypatch.setattr(client.app.services.db, "probe", stubborn)
    assert "no answer" in down(await timed(client), "database")
    released.set()


async def test_a_process_that_drains_says_so(client):
    client.app.drain()
    for path in ("/", "/health"):
        answer = await client.get(path)
        assert answer.status_code == 503
        assert answer.json()["code"] == "draining"
        assert {"statusCode", "message", "error", "timestamp", "path"} <= set(answer.json())
    answer = await client.post("/graphql", json={"query": "{health{status}}"})
    assert answer.json()["errors"][0]["extensions"]["code"] == "draining"
    # What it depends on is still well; who is being served is served to the end.
    assert (await client.get("/health/v2")).status_code == 200
    assert (await client.get("/common/currencies")).status_code == 200


async def test_health_asks_for_nothing_and_passes_the_allowlist(own, make_settings):
    settings = make_settings(
        db_string=own["database"].url, redis_url=own["redis-storage"].url, ip_allowlist_mode="Enforce"
    )
    settings.ip_allowlist_file.write_text("192.0.2.1\n", encoding="utf-8")
    app = make_app(settings)
    async with app.api.router.lifespan_context(app.api):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as client:
            for path in ("/", "/health", "/health/v2"):
                assert (await client.get(path)).status_code == 200
            assert (await client.get("/common/currencies")).status_code == 403


@pytest.mark.parametrize("path", ["/", "/health", "/health/v2"])
async def test_head_is_answered_as_get_without_the_body(client, path: str):
    get, head = await client.get(path), await client.head(path)
    assert head.status_code == get.status_code == 200
    same = {
        name: value for name, value in get.headers.items() if name not in ("x-request-id", "content-length")
    }
    assert {name: head.headers[name] for name in same} == same
    assert (await client.head("/accounts")).status_code == 405

"""A provider that accepts connections and never answers, on a real socket: what doctor, metrics and the console say."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

import channels
from core.installation import ROOT
from resolvers import metrics
from tests.doctor.looking import KEYS, Seen, look
from tests.support.fake_channels import use
from tests.support.gateway import Gateway, gateway
from tests.support.tcp import serving
from tests.support.waits import PATIENCE

__all__ = ["gateway"]

pytestmark = pytest.mark.servers

AGO = timedelta(minutes=2)
SENT = 30


async def hear(*_: Any) -> None:
    """Takes the events of a route."""


@asynccontextmanager
async def hung(channel: str) -> AsyncIterator[str]:
    """Yields the DSN of a provider that takes a message and never says what became of it."""

    async def http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.Event().wait()

    async def smtp(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hung.example\r\n")
        while line := await reader.readline():
            writer.write(b"354 go on\r\n" if line.upper().startswith(b"DATA") else b"250 hung.example\r\n")
            if line.upper().startswith(b"DATA"):
                await asyncio.Event().wait()

    if channel == "sms":
        async with serving(http) as port:
            yield f"post://127.0.0.1:{port}/send?scheme=http&timeout=0.2&connections=3"
    else:
        async with serving(smtp) as port:
            yield f"smtp://127.0.0.1:{port}?from=a@example.com&timeout=0.2&pool=3"


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    monkeypatch.setattr(metrics, "SHARE", 0)
    monkeypatch.setattr(metrics, "BOUND", PATIENCE)


@pytest.fixture(params=["sms", "email"])
async def hang(
    request: Any, gateway: Gateway, ada: Any, drain: Any, make_settings: Any
) -> AsyncIterator[Any]:
    """A hang that has lasted for two minutes: the channel, how many messages wait, and the doctor's settings."""
    channel, services = request.param, gateway.services
    async with hung(channel) as dsn:
        route = channels.connect(channel, dsn)
        use(services, route, kind=channel, label="hung", breakers=True)
        await route.open(hear)
        to = [f"+1415555{n:04}" if channel == "sms" else f"u{n}@example.com" for n in range(SENT)]
        for address in to:
            await gateway.send(ada, address, channel=channel)
        await drain(channel)
        for _ in range(2):  # probes, each of which moves `due_at` of what waits
            await services.db.fetchval("UPDATE route_breakers SET probe_at = now()")
            await services.breakers.refresh()
            await gateway.hasten()
            await drain(channel)
        await gateway.set(f"created_at = created_at - interval '{AGO.total_seconds()} seconds'")
        await services.db.fetchval("UPDATE route_breakers SET opened_at = opened_at - $1::interval", AGO)
        states = await gateway.states()
        assert states["queued"] >= 15, states
        settings = make_settings(**KEYS, port=0, **{f"channel_{channel}": dsn})
        yield channel, states["queued"], settings
        await route.close()


async def figures(app: Any) -> dict[str, float]:
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 40000))
    async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as client:
        text = (await client.get("/metrics")).text
    return {
        name: float(value)
        for name, value in re.findall(r"^([a-z_]+(?:\{[^}]*\})?) ([^ \n]+)$", text, re.MULTILINE)
    }


async def test_the_metrics_say_how_long_messages_wait_and_for_which_route(hang: Any, app: Any) -> None:
    channel, waiting, _ = hang
    seen = await figures(app)
    assert AGO.total_seconds() <= seen["postern_oldest_queued_seconds"] < 200
    route = f'{{route="{channel}-1"}}'
    assert seen[f"postern_route_open{route}"] == 1
    assert seen[f"postern_route_waiting{route}"] == waiting
    assert AGO.total_seconds() <= seen[f"postern_route_oldest_waiting_seconds{route}"] < 200


async def test_the_alerts_of_the_documentation_fire(hang: Any, app: Any) -> None:
    (step,) = re.findall(r"\*\*Monitor\*\*.*?\n\n", (ROOT / "docs/operations.md").read_text(), re.DOTALL)
    (most,) = re.findall(r"`postern_oldest_queued_seconds > (\d+)`", step)
    seen = await figures(app)
    assert seen["postern_oldest_queued_seconds"] > float(most)
    assert "`postern_route_open == 1`" in step
    assert 1 in {value for name, value in seen.items() if name.startswith("postern_route_open{")}


async def test_the_doctor_says_which_route_and_how_many_messages(hang: Any) -> None:
    channel, waiting, settings = hang
    seen: Seen = await look(settings)
    (line,) = [line for line in seen.of("routes") if line.startswith("✗")]
    assert f"{channel}-1 has not answered for 2 min" in line
    assert f"{waiting} messages wait for it, the oldest for 2 min" in line
    assert not [line for line in seen.of("workers") if "nothing waits too long" in line]


async def test_the_queue_of_the_console_says_it_to_administrators(hang: Any, admin: Any, ada: Any) -> None:
    channel, waiting, _ = hang
    asked = "{ queueStatistics { directQueued directOldestSeconds routes { name waiting waitingSince } } }"
    graph = (await admin.data(asked))["queueStatistics"]
    rest = (await admin.rest("GET", "/queue/statistics")).json()
    for queue in (graph, rest):
        assert queue["directQueued"] == waiting
        assert queue["directOldestSeconds"] >= AGO.total_seconds()
        (route,) = [route for route in queue["routes"] if route["name"] == f"{channel}-1"]
        assert route["waiting"] == waiting
        assert datetime.fromisoformat(route["waitingSince"]) <= datetime.now(UTC) - AGO
    other = (await ada.data(asked))["queueStatistics"]
    assert other["directQueued"] is None
    assert {route["waiting"] for route in other["routes"]} <= {None}


async def test_a_server_that_accepts_and_never_greets(
    gateway: Gateway, ada: Any, app: Any, drain: Any, make_settings: Any
) -> None:
    """No message was handed over, so no breaker opens: each is tried again later, which moves `due_at`."""

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with serving(silent) as port:
        dsn = f"smtp://127.0.0.1:{port}?from=a@example.com&timeout=0.2"
        route = channels.connect("email", dsn)
        use(gateway.services, route, label="hung", breakers=True)
        await route.open(hear)
        for n in range(18):
            await gateway.send(ada, f"u{n}@example.com", channel="email")
        await drain("email")
        assert await gateway.states() == {"queued": 18}
        await gateway.set(f"created_at = created_at - interval '{AGO.total_seconds()} seconds'")
        assert (await figures(app))["postern_oldest_queued_seconds"] >= AGO.total_seconds()
        seen = await look(make_settings(**KEYS, port=0, channel_email=dsn))
        (line,) = [line for line in seen.of("routes") if line.startswith("✗")]
        assert "18 messages wait since their provider can't be reached or does not answer" in line
        assert "the oldest for 2 min (18 email: timeout)" in line
        assert not [line for line in seen.of("workers") if "nothing waits too long" in line]
        # A worker has claimed them, and most of them wait for the others.
        await gateway.set("state = 'sending', claim_id = gen_random_uuid()")
        assert (await figures(app))["postern_oldest_queued_seconds"] >= AGO.total_seconds()
        await gateway.set("state = 'queued', claim_id = NULL")
        await route.close()


async def test_a_provider_that_refuses_our_login_is_told_at_once(
    gateway: Gateway, ada: Any, drain: Any, make_settings: Any
) -> None:
    async def refuses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        await writer.drain()
        writer.close()

    async with serving(refuses) as port:
        dsn = f"post://127.0.0.1:{port}/send?scheme=http"
        route = channels.connect("sms", dsn)
        use(gateway.services, route, kind="sms", label="refuses", breakers=True)
        await route.open(hear)
        await gateway.send(ada)
        await drain("sms")
        seen = await look(make_settings(**KEYS, port=0, channel_sms=dsn, outbound_allow="127.0.0.0/8"))
        (line,) = [line for line in seen.of("routes") if line.startswith("✗")]
        assert "a provider refuses our credentials or settings: 1 message in the queue" in line
        assert "(1 sms: bad_credentials)" in line
        assert not [line for line in seen.of("workers") if "nothing waits too long" in line]
        await route.close()


async def test_a_provider_that_answers_has_no_finding(gateway: Gateway, ada: Any, app: Any, own: Any) -> None:
    await gateway.send(ada)
    seen = await figures(app)
    assert seen["postern_oldest_queued_seconds"] < 60
    assert not [line for line in (await look(own())).lines if line.startswith("✗")]

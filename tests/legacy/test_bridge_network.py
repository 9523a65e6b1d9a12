"""Tests what the network does to a request of the old service: no answer, half of one, no end, TLS that is wrong."""

import asyncio
import socket
import ssl
import time

import pytest
from structlog.testing import capture_logs

from core.legacy_bridge import LegacyBridge, LegacyLimits, LegacyTimeout, LegacyUnavailable
from tests.legacy.upstream import answer, ask, upstream
from tests.support.tls import self_signed, server_side
from tests.support.waits import PATIENCE, until


async def reset(writer):
    writer.transport.abort()


async def half(writer):
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
    await writer.drain()
    writer.transport.abort()


async def quiet_end(writer):
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
    writer.close()


@pytest.mark.parametrize(
    "reply",
    [
        reset,
        half,
        quiet_end,
        b"not HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nx: " + b"a" * 300_000,
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
    ],
)
async def test_no_usable_answer_is_unavailable(reply):
    with capture_logs() as logs, pytest.raises(LegacyUnavailable) as caught:
        await ask(reply)
    assert "127.0.0.1" not in str(caught.value)
    assert logs[0]["origin"].startswith("http://127.0.0.1:")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://nowhere.invalid", "http://[::1]:1"])
async def test_nobody_there_is_unavailable(url, monkeypatch):
    if "nowhere" in url:

        async def unknown(*_, **__):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
    bridge = LegacyBridge(url, prefixes=["/"], token="hunter2")
    with capture_logs() as logs, pytest.raises(LegacyUnavailable) as caught:
        await bridge.call("GET", "/x", "key=hunter2")
    await bridge.close()
    assert "hunter2" not in f"{logs} {caught.value} {bridge!r} {vars(caught.value)}"


async def silent(writer):
    await asyncio.sleep(2 * PATIENCE)


async def drip_body(writer):
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    while True:
        writer.write(b" ")
        await asyncio.sleep(0.02)


async def informational(writer):
    while True:
        writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        await asyncio.sleep(0.02)


@pytest.mark.alone
@pytest.mark.parametrize("reply", [silent, drip_body, informational])
async def test_the_total_time_holds_even_for_a_drip(reply):
    start = time.monotonic()
    with capture_logs() as logs, pytest.raises(LegacyTimeout):
        await ask(reply, total_timeout=0.2)
    assert time.monotonic() - start < 10  # they go on for as long as anybody listens
    assert logs[0]["event"] == "legacy service timed out"


@pytest.mark.alone
async def test_a_connect_that_hangs_is_a_timeout():
    # A listening socket whose queue is full answers no further SYN on Linux.
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = []
        for _ in range(3):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(full.getsockname())
            waiting.append(client)
        bridge = LegacyBridge(
            f"http://127.0.0.1:{full.getsockname()[1]}",
            prefixes=["/"],
            limits=LegacyLimits(connect_timeout=0.2),
        )
        start = time.monotonic()
        with pytest.raises(LegacyTimeout):
            await bridge.call("GET", "/x")
        assert time.monotonic() - start < 10  # the total time is 15 s
        await bridge.close()
        for client in waiting:
            client.close()


async def test_time_outs_and_cancellations_leave_the_pool_whole():
    async with upstream(silent) as old:
        bridge = LegacyBridge(
            old.url, prefixes=["/"], limits=LegacyLimits(total_timeout=0.1, max_connections=3)
        )
        results = await asyncio.gather(*(bridge.call("GET", "/x") for _ in range(20)), return_exceptions=True)
        assert all(isinstance(result, LegacyTimeout) for result in results)
        bridge._total_timeout = bridge._timeout["connect"] = PATIENCE  # the latter was a third of the former
        requests = len(old.got)
        calls = [asyncio.create_task(bridge.call("GET", "/x")) for _ in range(6)]
        await until(lambda: len(old.got) >= requests + 3)
        for call in calls:
            call.cancel()
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        old.reply = answer(b"[]")
        results = await asyncio.gather(*(bridge.call("GET", "/x") for _ in range(20)))
        assert all(result.data == [] for result in results)
        assert len(bridge._idle) <= 3
        await bridge.close()


async def test_connections_are_kept_and_a_server_that_closes_them_does_no_harm():
    async with upstream(answer(b"[]")) as old:
        bridge = LegacyBridge(old.url, prefixes=["/"])
        for _ in range(5):
            await bridge.call("GET", "/x")
        assert old.connections == 1

        async def last(writer):
            writer.write(answer(b"[]"))
            writer.close()

        old.reply = last
        for _ in range(5):
            assert (await bridge.call("GET", "/x")).data == []
            await asyncio.sleep(0.02)
        await bridge.close()


# --- TLS


async def test_tls_is_verified(tmp_path):
    certificate = self_signed(tmp_path)
    async with upstream(answer(b"[]"), tls=server_side(certificate)) as old:
        url = old.url.replace("http:", "https:")
        trusting = LegacyBridge(url, prefixes=["/"], tls=ssl.create_default_context(cafile=certificate))
        assert (await trusting.call("GET", "/x")).data == []
        await trusting.close()
        wary = LegacyBridge(url, prefixes=["/"])
        with pytest.raises(LegacyUnavailable):
            await wary.call("GET", "/x")
        await wary.close()
        assert len(old.got) == 1


async def test_tls_to_a_server_that_speaks_none():
    async with upstream(answer(b"[]")) as old:
        bridge = LegacyBridge(
            old.url.replace("http:", "https:"), prefixes=["/"], limits=LegacyLimits(total_timeout=0.3)
        )
        with pytest.raises((LegacyUnavailable, LegacyTimeout)):
            await bridge.call("GET", "/x")
        await bridge.close()

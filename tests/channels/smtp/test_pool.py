"""Connections: reused, bounded, replaced when a server has dropped them."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from channels import connect
from channels.port import HookRequest, Result
from tests.channels.peer import Scenario
from tests.channels.peer_smtp import peer
from tests.channels.smtp.rig import Reader, Writer, message, opened, raw, send
from tests.support.tcp import serving


async def test_connections_are_reused_and_bounded() -> None:
    async with peer() as server, opened(server.dsn.replace("pool=8", "pool=3")) as channel:
        assert channel.batch == 3
        for _ in range(4):
            outcomes = await channel.send([message() for _ in range(3)])
            assert {outcome.result for outcome in outcomes} == {Result.sent}
        assert server.connections == 3
        server.script(Scenario.refuse)
        assert (await send(channel)).result is Result.refused
        server.script(Scenario.accept)
        assert (await send(channel)).result is Result.sent
        assert server.connections == 3


async def test_a_connection_dropped_while_idle_is_replaced() -> None:
    async with peer() as server, opened(server.dsn) as channel:
        assert (await send(channel)).result is Result.sent
        server.drop()
        assert (await send(channel)).result is Result.sent  # not even a turn of the loop to notice
        server.drop()
        await asyncio.sleep(0.05)
        assert (await send(channel)).result is Result.sent
        assert len(server.received) == server.connections == 3


@pytest.mark.parametrize("reply", [b"", b"421 4.4.2 idle for too long\r\n"], ids=["close", "421"])
async def test_a_server_that_says_goodbye_at_mail_from_gets_one_fresh_connection(reply: bytes) -> None:
    async with raw() as (server, channel):
        assert (await send(channel)).result is Result.sent
        server.before = {b"MAIL": [reply]}
        assert (await send(channel)).result is Result.sent
        server.before = {b"MAIL": [reply, reply]}
        assert (await send(channel)).result is Result.transient
        assert server.connections == 3
        assert len(server.content) == 2


async def test_a_connection_that_was_idle_for_long_is_probed() -> None:
    async with raw() as (server, channel):
        channel.probe_after = 0.0
        for _ in range(2):
            assert (await send(channel)).result is Result.sent
        assert server.connections == 1
        server.before = {b"RSET": [b""]}
        assert (await send(channel)).result is Result.sent
        assert server.connections == 2
        assert server.lines.count(b"RSET") == 2


async def test_a_server_that_cannot_reset_gets_a_fresh_connection() -> None:
    async with raw() as (server, channel):
        server.before = {b"RCPT": [b"550 no\r\n"], b"RSET": [b""]}
        assert (await send(channel)).result is Result.refused
        assert (await send(channel)).result is Result.sent
        assert server.connections == 2


async def test_a_server_without_ehlo() -> None:
    async with raw() as (server, channel):
        server.before = {b"EHLO": [b"502 what?\r\n"]}
        assert (await send(channel)).result is Result.sent


@pytest.mark.parametrize(
    ("greeting", "result"),
    [
        (b"554 5.7.1 go away\r\n", Result.transient),
        (b"421 too many connections\r\n", Result.throttled),
        (b"", Result.transient),
    ],
)
async def test_unfriendly_greeting(greeting: bytes, result: Result) -> None:
    async def greet(reader: Reader, writer: Writer) -> None:
        writer.write(greeting)

    async with AsyncExitStack() as server:
        port = await server.enter_async_context(serving(greet))
        async with opened(f"smtp://127.0.0.1:{port}?from=news@example.com&timeout=30") as channel:
            assert (await send(channel)).result is result
            await server.aclose()
            outcome = await send(channel)
            assert (outcome.result, outcome.code) == (Result.transient, "unreachable")


async def test_only_an_open_channel_sends() -> None:
    channel = connect("email", "smtp://127.0.0.1:1?from=news@example.com")
    with pytest.raises(RuntimeError, match="open"):
        await channel.send([message()])
    assert channel.hook(HookRequest("POST", "https://example.com", {}, b"")) == []

"""The border of the final dot: before it a message was not taken, after it nobody knows."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import cast

import pytest
import uvloop

from channels.port import Result
from tests.channels.peer_smtp import reset
from tests.channels.smtp.rig import LARGE, Raw, Reader, Writer, message, raw, send
from tests.support.waits import PATIENCE, until

pytestmark = pytest.mark.servers


@pytest.fixture(autouse=True, params=[b"", b"250-PIPELINING\r\n"], ids=["step by step", "pipelined"])
def _pipelining(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Raw, "extensions", request.param)


@pytest.mark.parametrize("verb", [b"EHLO", b"MAIL", b"RCPT", b"DATA"])
@pytest.mark.parametrize("how", [b"", b"garbage\r\n"], ids=["close", "garbage"])
async def test_broken_before_the_content_is_transient(verb: bytes, how: bytes) -> None:
    async with raw() as (server, channel):
        server.before = {verb: [how], b"HELO": [how]}
        outcome = await send(channel)
        assert outcome.result is Result.transient, outcome
        assert outcome.provider_message_id is None
        assert (await send(channel)).result is Result.sent


async def _reset_inside(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n")
    reset(cast("asyncio.Transport", writer.transport))


async def _refuse_inside(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n")
    writer.write(b"451 4.3.1 disk full\r\n")
    await writer.drain()
    await reader.read()


async def test_a_server_that_hangs_up_with_its_354() -> None:
    async def hang_up(reader: Reader, writer: Writer) -> None:
        reset(cast("asyncio.Transport", writer.transport))

    async with raw() as (server, channel):
        server.end = hang_up
        for _ in range(5):  # how much of it the client sees at once is a matter of luck
            assert (await send(channel)).result is Result.transient


@pytest.mark.parametrize("end", [_reset_inside, _refuse_inside], ids=["reset", "early reply"])
async def test_broken_inside_the_content_is_transient(
    end: Callable[[Reader, Writer], Awaitable[None]],
) -> None:
    async with raw() as (server, channel):
        server.end = end
        outcome = await send(channel, message(body=LARGE))
        assert outcome.result is Result.transient, outcome
        server.end = server.take
        assert (await send(channel)).result is Result.sent


@pytest.mark.alone
async def test_a_message_called_transient_never_arrives_later() -> None:
    """The server stops reading inside the content, we give up, and then it reads on: it must not find a dot."""
    gave_up = asyncio.Event()
    rest: list[bytes] = []

    async def stop_and_read_on(reader: Reader, writer: Writer) -> None:
        cast("asyncio.ReadTransport", writer.transport).pause_reading()
        await gave_up.wait()
        cast("asyncio.ReadTransport", writer.transport).resume_reading()
        with contextlib.suppress(ConnectionError):
            while part := await reader.read(1 << 20):
                rest.append(part)
        finished.set()

    finished = asyncio.Event()
    async with raw("timeout=1") as (server, channel):
        server.end = stop_and_read_on
        outcome = await send(channel, message(body=LARGE))
        assert outcome.result is Result.transient, outcome
        assert outcome.code == "timeout"
        gave_up.set()
        await asyncio.wait_for(finished.wait(), PATIENCE)
        assert not b"".join(rest).endswith(b"\r\n.\r\n")


async def _close(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n.\r\n")
    writer.close()


async def _reset(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n.\r\n")
    reset(cast("asyncio.Transport", writer.transport))


async def _hang(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n.\r\n")
    await reader.read()


async def _garbage(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n.\r\n")
    writer.write(b"what?\r\n")


async def _half(reader: Reader, writer: Writer) -> None:
    await reader.readuntil(b"\r\n.\r\n")
    writer.write(b"250-tak")
    writer.close()


@pytest.mark.parametrize("end", [_close, _reset, _hang, _garbage, _half])
async def test_broken_after_the_dot_is_unknown(end: Callable[[Reader, Writer], Awaitable[None]]) -> None:
    async with raw("timeout=2" if end is _hang else "timeout=30") as (server, channel):
        server.end = end
        one = message()
        outcome = await send(channel, one)
        assert outcome.result is Result.unknown, outcome
        assert outcome.provider_message_id == f"<{one.id}@example.com>"
        server.end = server.take
        channel._options = replace(channel._options, timeout=PATIENCE)
        assert (await send(channel)).result is Result.sent


@pytest.mark.alone
def test_the_border_holds_on_uvloop_too() -> None:
    async def both() -> None:
        await test_a_message_called_transient_never_arrives_later()
        await test_broken_inside_the_content_is_transient(_refuse_inside)
        await test_broken_after_the_dot_is_unknown(_reset)
        await test_broken_after_the_dot_is_unknown(_hang)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(both())


@pytest.mark.parametrize(
    ("reply", "result", "code"),
    [
        (b"554 5.7.1 spam\r\n", Result.refused, "rejected"),
        (b"552 5.3.4 too big\r\n", Result.refused, "too_large"),
        (b"451 4.3.0 queue down\r\n", Result.transient, "server_busy"),
        (b"421 4.7.0 too many, wait 2 minutes\r\n", Result.throttled, "throttled"),
        (b"250-well\r\n250 taken\r\n", Result.sent, None),
        (b"354 go on\r\n", Result.unknown, "disconnected"),
    ],
)
async def test_reply_to_the_content(reply: bytes, result: Result, code: str | None) -> None:
    async with raw() as (server, channel):

        async def answer(reader: Reader, writer: Writer) -> None:
            await reader.readuntil(b"\r\n.\r\n")
            writer.write(reply)

        server.end = answer
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (result, code)
        assert outcome.retry_after == (120 if result is Result.throttled else None)
        server.end = server.take
        assert (await send(channel)).result is Result.sent
        assert server.connections == (2 if result is Result.unknown else 1)


async def test_a_cancelled_send_leaves_no_half_message_in_the_pool() -> None:
    async with raw("timeout=30&pool=1") as (server, channel):
        server.end = _hang
        sending = asyncio.ensure_future(channel.send([message()]))
        await until(lambda: b"DATA" in server.lines)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        server.end = server.take
        assert (await send(channel)).result is Result.sent
        assert server.connections == 2

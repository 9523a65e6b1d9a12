"""Commands in groups (RFC 2920), replies that are no replies, and what else the connection of our own does."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
import uvloop

from channels.port import Result
from channels.smtp import SmtpChannel
from tests.channels.smtp.rig import LARGE, Raw, Reader, Writer, message, opened, raw, send
from tests.support.tcp import serving
from tests.support.tls import self_signed, server_side
from tests.support.waits import until

pytestmark = pytest.mark.servers

PIPELINING = b"250-PIPELINING\r\n"


class Groups(Raw):
    """Reads as much as has come, and answers after a pause that keeps two writes of the client apart."""

    extensions = PIPELINING

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[bytes] = []

    async def __call__(self, reader: Reader, writer: Writer) -> None:
        self.connections += 1
        writer.write(b"220 groups.example ESMTP\r\n")
        while data := await reader.read(1 << 16):
            self.reads.append(data)
            await asyncio.sleep(0.05)
            if data.startswith(b"EHLO"):
                writer.write(b"250-groups.example\r\n" + self.extensions + b"250 SIZE 1000000\r\n")
            elif data.startswith(b"Message-ID"):
                writer.write(b"250 taken\r\n")
            else:
                answers = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}
                writer.write(
                    b"".join(answers.get(line, b"250 fine\r\n") for line in data.split(b"\r\n")[:-1])
                )


@asynccontextmanager
async def served(
    server: Raw, query: str = "timeout=30", sock: socket.socket | None = None
) -> AsyncIterator[SmtpChannel]:
    sock = sock or socket.create_server(("127.0.0.1", 0))
    async with (
        serving(server, sock=sock, limit=1 << 25) as port,
        opened(f"smtp://127.0.0.1:{port}?from=news@example.com&{query}") as channel,
    ):
        yield channel


async def test_commands_are_one_write_and_the_content_with_its_dot_another() -> None:
    server = Groups()
    async with served(server) as channel:
        for _ in range(2):
            assert (await send(channel)).result is Result.sent
    hello, *rest = server.reads
    assert hello.startswith(b"EHLO")
    assert len(rest) == 2 * 2 + 1
    for commands, content in (rest[:2], rest[2:4]):
        assert [line.split()[0] for line in commands.splitlines()] == [b"MAIL", b"RCPT", b"DATA"]
        assert content.startswith(b"Message-ID")
        assert content.endswith(b"\r\n.\r\n")


@pytest.mark.parametrize(("extensions", "query"), [(b"", ""), (PIPELINING, "&pipelining=0")])
async def test_a_server_that_does_not_want_groups_gets_one_command_at_a_time(
    extensions: bytes, query: str
) -> None:
    server = Groups()
    server.extensions = extensions
    async with served(server, f"timeout=30{query}") as channel:
        assert (await send(channel)).result is Result.sent
    assert [data.split()[0] for data in server.reads[:4]] == [b"EHLO", b"MAIL", b"RCPT", b"DATA"]


@pytest.fixture
async def pipelined(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Raw, SmtpChannel]]:
    monkeypatch.setattr(Raw, "extensions", PIPELINING)
    async with raw() as both:
        yield both


@pytest.mark.parametrize("refusal", [b"503 5.5.1 no recipients\r\n", b"554 5.5.1 no valid recipients\r\n"])
async def test_data_is_refused_after_a_refused_recipient(
    pipelined: tuple[Raw, SmtpChannel], refusal: bytes
) -> None:
    server, channel = pipelined
    server.before = {b"RCPT": [b"550 5.1.1 nobody\r\n"], b"DATA": [refusal]}
    outcome = await send(channel)
    assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
    assert server.lines[-1] == b"RSET"
    assert (await send(channel)).result is Result.sent
    assert server.connections == 1


async def test_data_is_accepted_after_a_refused_recipient(pipelined: tuple[Raw, SmtpChannel]) -> None:
    """The server waits for content. A single dot ends it (RFC 2920 §3.1), and its reply is not that of a message."""
    server, channel = pipelined

    async def only_a_dot(reader: Reader, writer: Writer) -> None:
        assert await reader.readline() == b".\r\n"
        writer.write(b"554 5.5.1 no valid recipients\r\n")
        server.end = server.take

    server.end = only_a_dot
    server.before = {b"RCPT": [b"450 4.2.0 greylisted, wait 60 seconds\r\n"]}
    outcome = await send(channel)
    assert (outcome.result, outcome.retry_after) == (Result.transient, 60)
    assert (await send(channel)).result is Result.sent
    assert server.connections == 1
    assert len(server.content) == 1


async def test_no_empty_message_is_sent_to_a_server_that_takes_a_recipient_without_a_sender(
    pipelined: tuple[Raw, SmtpChannel],
) -> None:
    server, channel = pipelined
    ended: list[bytes] = []

    async def nothing(reader: Reader, writer: Writer) -> None:
        ended.append(await reader.read())

    server.end = nothing
    server.before = {b"MAIL": [b"550 5.7.1 not you\r\n"]}
    outcome = await send(channel)
    assert (outcome.result, outcome.code) == (Result.misconfigured, "sender_refused")
    await until(lambda: ended)
    assert ended == [b""]
    server.end = server.take
    assert (await send(channel)).result is Result.sent
    assert server.connections == 2


@pytest.mark.parametrize("verb", [b"MAIL", b"RCPT", b"DATA"])
async def test_a_refusal_counts_although_the_server_hangs_up_after_it(
    pipelined: tuple[Raw, SmtpChannel], verb: bytes
) -> None:
    server, channel = pipelined
    following = {b"MAIL": b"RCPT", b"RCPT": b"DATA", b"DATA": b"RSET"}[verb]
    server.before = {verb: [b"554 5.7.1 go away\r\n"], following: [b""]}
    outcome = await send(channel)
    assert outcome.result is (Result.misconfigured if verb == b"MAIL" else Result.refused)
    assert (await send(channel)).result is Result.sent
    assert server.connections == 2


async def test_an_idle_connection_that_says_goodbye_is_replaced(pipelined: tuple[Raw, SmtpChannel]) -> None:
    server, channel = pipelined

    async def take_and_say_goodbye(reader: Reader, writer: Writer) -> None:
        await server.take(reader, writer)
        await asyncio.sleep(0.05)
        writer.write(b"421 4.4.2 idle for too long\r\n")

    server.end = take_and_say_goodbye
    assert (await send(channel)).result is Result.sent
    await until(lambda: not channel._idle[0].usable)
    server.end = server.take
    assert (await send(channel)).result is Result.sent
    assert server.connections == 2


# Replies that are none


async def _too_long(writer: Writer) -> None:
    writer.write(b"250 " + b"x" * 100_000)


async def _too_many(writer: Writer) -> None:
    writer.write(b"250-more\r\n" * 1000 + b"250 at last\r\n")


async def _endless(writer: Writer) -> None:
    while not writer.is_closing():
        writer.write(b"250-" + b"x" * 8000 + b"\r\n")
        await writer.drain()


async def _surplus(writer: Writer) -> None:
    writer.write(b"354 go on\r\n250 taken\r\n")  # a message that was not sent yet is not taken


@pytest.mark.parametrize("how", [_too_long, _too_many, _endless, _surplus])
@pytest.mark.parametrize("extensions", [b"", PIPELINING], ids=["step by step", "pipelined"])
async def test_a_bad_reply_to_data_is_transient(
    monkeypatch: pytest.MonkeyPatch, how: Callable[[Writer], Awaitable[None]], extensions: bytes
) -> None:
    monkeypatch.setattr(Raw, "extensions", extensions)

    class Babbler(Raw):
        async def __call__(self, reader: Reader, writer: Writer) -> None:
            if self.connections:
                await super().__call__(reader, writer)
                return
            self.connections += 1
            writer.write(b"220 raw.example ESMTP\r\n")
            while line := await reader.readline():
                if line.startswith(b"EHLO"):
                    writer.write(b"250-raw.example\r\n" + self.extensions + b"250 HELP\r\n")
                elif line.startswith(b"DATA"):
                    try:
                        await how(writer)
                    except ConnectionError:
                        break
                else:
                    writer.write(b"250 fine\r\n")
            writer.close()

    server = Babbler()
    async with served(server) as channel:
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.transient, "disconnected"), outcome
        assert (await send(channel)).result is Result.sent
        assert server.connections == 2


async def test_what_follows_the_reply_to_the_content_belongs_to_no_other_message(
    pipelined: tuple[Raw, SmtpChannel],
) -> None:
    server, channel = pipelined

    async def twice(reader: Reader, writer: Writer) -> None:
        await reader.readuntil(b"\r\n.\r\n")
        writer.write(b"250 taken\r\n250 taken\r\n")
        server.end = server.take

    server.end = twice
    for connections in (1, 2):
        assert (await send(channel)).result is Result.sent
        assert server.connections == connections


# The connection


async def _on_both_loops(case: Callable[[], Awaitable[None]]) -> None:
    await case()
    await asyncio.to_thread(lambda: uvloop.run(case()))  # type: ignore[arg-type]


async def test_small_writes_do_not_wait_for_acknowledgements() -> None:
    async def case() -> None:
        async with raw() as (_, channel):
            assert (await send(channel)).result is Result.sent
            sock = channel._idle[0]._transport.get_extra_info("socket")
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    await _on_both_loops(case)


@pytest.mark.parametrize("octets", [1_000, 60_000, 70_000, 3_000_000])
async def test_content_of_any_length_arrives_whole(octets: int) -> None:
    async def case() -> None:
        async with raw() as (server, channel):
            body = LARGE[:octets]
            for _ in range(2):
                assert (await send(channel, message(body=body))).result is Result.sent
            assert server.connections == 1
            for content in server.content:
                assert content.endswith(body.replace("\n", "\r\n").encode() + b"\r\n.\r\n")

    await _on_both_loops(case)


async def test_small_content_that_is_not_wholly_written_is_transient() -> None:
    """The server takes nothing, so a part of a small message is still in this process when the connection is reset."""

    async def case() -> None:
        server = Raw()
        stop = asyncio.Event()

        async def take_nothing(reader: Reader, writer: Writer) -> None:
            cast("asyncio.ReadTransport", writer.transport).pause_reading()
            await stop.wait()
            writer.transport.abort()

        with socket.socket() as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            listening.bind(("127.0.0.1", 0))
            async with served(server, sock=listening) as channel:
                assert (await send(channel)).result is Result.sent
                [connection] = channel._idle
                sock = connection._transport.get_extra_info("socket")
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
                server.end = take_nothing
                sending = asyncio.ensure_future(send(channel, message(body=LARGE[:60_000])))
                await until(lambda: connection.unwritten)
                await asyncio.sleep(0.1)
                assert connection.unwritten
                stop.set()
                outcome = await sending
                assert (outcome.result, outcome.code) == (Result.transient, "disconnected")

    await _on_both_loops(case)


# TLS


async def test_nothing_that_came_before_tls_is_used_after_it(tmp_path: Path) -> None:
    """An attacker appends replies to the server's answer to STARTTLS (CVE-2011-0411, RFC 3207 §4.2, RFC 8314).

    They offer a login in the clear and no PIPELINING. The true server offers PIPELINING, inside TLS.
    """
    certificate = self_signed(tmp_path)
    context = server_side(certificate)
    lines: list[bytes] = []

    async def serve(reader: Reader, writer: Writer) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        encrypted = False
        while line := await reader.readline():
            lines.append(line.rstrip())
            if line.startswith(b"EHLO"):
                inside = PIPELINING + b"250 SMTPUTF8\r\n"
                writer.write(b"250-mail.example\r\n" + (inside if encrypted else b"250 STARTTLS\r\n"))
            elif line.startswith(b"STARTTLS"):
                writer.write(b"220 go on\r\n250-evil.example\r\n250 AUTH PLAIN\r\n250 fine\r\n354 go on\r\n")
                await writer.start_tls(context)
                encrypted = True
            elif line.startswith(b"DATA"):
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
                writer.write(b"250 taken inside TLS\r\n")
            else:
                writer.write(b"250 fine\r\n")

    query = f"from=news@example.com&timeout=30&starttls=required&ca={certificate}"
    async with serving(serve) as port, opened(f"smtp://127.0.0.1:{port}?{query}") as channel:
        outcome = await send(channel)
        if (
            outcome.result is Result.sent
        ):  # the forged replies were dropped; otherwise the handshake failed on them
            [connection] = channel._idle
            assert isinstance(connection._transport.get_extra_info("ssl_object"), ssl.SSLObject)
            assert connection.extensions == {"pipelining", "smtputf8"}
            assert [line.split()[0] for line in lines[:3]] == [b"EHLO", b"STARTTLS", b"EHLO"]
        else:
            assert outcome.result in (Result.transient, Result.misconfigured), outcome
            assert not [line for line in lines if line.startswith((b"MAIL", b"AUTH"))]

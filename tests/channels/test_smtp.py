"""SMTP beyond the conformance suite: the border of the final dot, the pool, TLS, and what a message looks like."""

import asyncio
import contextlib
import email
import email.policy
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import cast
from uuid import UUID, uuid4

import pytest
import uvloop
from aiosmtplib.response import SMTPResponse

from channels import BadDsn, connect
from channels.port import Event, HookRequest, Outcome, Outgoing, Result
from channels.smtp import SmtpChannel
from channels.smtp.mail import InvalidMail, Mail, Mailbox, compose
from channels.smtp.replies import read_reply
from tests.channels.peer import Scenario
from tests.channels.peer_smtp import PASSWORD, MailServer, peer, reset
from tests.support.tls import self_signed, server_side
from tests.support.waits import PATIENCE, until

SENDER = Mailbox.parse("Postern <news@example.com>")
Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


def message(to: str = "anna@example.com", body: str = "Hello", **more: str) -> Outgoing:
    id = uuid4()
    return Outgoing(id=id, key=more.pop("key", f"key-{id}"), to=to, body=body, **more)


async def nowhere(channel: object, events: Sequence[Event]) -> None:
    raise AssertionError("a mail server tells nothing unasked")


@asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[SmtpChannel]:
    channel = cast("SmtpChannel", connect("email", dsn))
    await channel.open(nowhere)
    try:
        yield channel
    finally:
        await channel.close()


async def send(channel: SmtpChannel, *messages: Outgoing) -> Outcome:
    [outcome] = await asyncio.wait_for(channel.send(messages or [message()]), 2 * PATIENCE)
    return outcome


# A mail server spoken line by line, for faults that no library offers.


class Raw:
    def __init__(self) -> None:
        self.content: list[bytes] = []  # whole messages, with their final dot
        self.lines: list[bytes] = []
        self.connections = 0
        self.before: dict[bytes, list[bytes]] = {}  # verb: replies to give instead of the usual, once each
        self.end: Callable[[Reader, Writer], Awaitable[None]] = self.take
        self.extensions = b""

    async def __call__(self, reader: Reader, writer: Writer) -> None:
        self.connections += 1
        try:
            writer.write(b"220 raw.example ESMTP\r\n")
            while line := await reader.readline():
                self.lines.append(line.rstrip())
                verb = line.split()[0].upper() if line.strip() else b""
                if self.before.get(verb):
                    if not (reply := self.before[verb].pop(0)):
                        return
                    writer.write(reply)
                elif verb == b"EHLO":
                    writer.write(b"250-raw.example\r\n" + self.extensions + b"250 SIZE 100000000\r\n")
                elif verb == b"DATA":
                    writer.write(b"354 go on\r\n")
                    await self.end(reader, writer)
                elif verb == b"QUIT":
                    writer.write(b"221 bye\r\n")
                    return
                else:
                    writer.write(b"250 fine\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def take(self, reader: Reader, writer: Writer) -> None:
        self.content.append(await reader.readuntil(b"\r\n.\r\n"))
        writer.write(b"250 taken\r\n")


@asynccontextmanager
async def raw(query: str = "timeout=30") -> AsyncIterator[tuple[Raw, SmtpChannel]]:
    server = Raw()
    listener = await asyncio.start_server(server, "127.0.0.1", 0, limit=1 << 25)
    port = listener.sockets[0].getsockname()[1]
    async with opened(f"smtp://127.0.0.1:{port}?from=news@example.com&{query}") as channel:
        yield server, channel
    listener.close()
    await listener.wait_closed()


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


LARGE = "\n".join(["0123456789" * 7] * 250_000)  # 18 MB: more than any socket buffer takes


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
    async with raw("timeout=1" if end is _hang else "timeout=30") as (server, channel):
        server.end = end
        one = message()
        outcome = await send(channel, one)
        assert outcome.result is Result.unknown, outcome
        assert outcome.provider_message_id == f"<{one.id}@example.com>"
        server.end = server.take
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


# The pool


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
        writer.close()

    listener = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with opened(f"smtp://127.0.0.1:{port}?from=news@example.com&timeout=30") as channel:
        assert (await send(channel)).result is result
        listener.close()
        await listener.wait_closed()
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.transient, "unreachable")


async def test_only_an_open_channel_sends() -> None:
    channel = connect("email", "smtp://127.0.0.1:1?from=news@example.com")
    with pytest.raises(RuntimeError, match="open"):
        await channel.send([message()])
    assert channel.hook(HookRequest("POST", "https://example.com", {}, b"")) == []


# Logging in, TLS


async def test_wrong_password_names_neither_user_nor_password() -> None:
    async with peer() as server, opened(server.dsn.replace("s3cret", "wr0ng")) as channel:
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, "bad_credentials")
        assert outcome.reason is not None
        assert "535" in outcome.reason
        assert "wr0ng" not in outcome.reason


async def test_a_server_that_repeats_the_credentials_is_masked() -> None:
    async with raw() as (server, channel):
        server.extensions = b"250-AUTH PLAIN\r\n"
        channel._credentials = ("postern", PASSWORD)
        blob = "AHBvc3Rlcm4AczNjcmV0L3Bhc3Mgd29yZA=="
        server.before = {b"AUTH": [f"454 4.3.0 cannot check {blob} {PASSWORD}\r\n".encode()]}
        outcome = await send(channel)
        assert outcome.result is Result.transient
        assert outcome.reason == "connect: 454 4.3.0 cannot check *** ***"
        assert f"AUTH PLAIN {blob}".encode() in server.lines


@pytest.mark.parametrize(
    ("extensions", "code"),
    [(b"", "bad_credentials"), (b"250-AUTH XOAUTH2\r\n", "bad_credentials")],
    ids=["no AUTH", "unknown method"],
)
async def test_no_way_to_log_in(extensions: bytes, code: str) -> None:
    async with raw() as (server, channel):
        server.extensions = extensions
        channel._credentials = ("postern", PASSWORD)
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, code)


async def test_credentials_are_not_sent_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("channels.smtp.channel._is_loopback", lambda smtp: False)
    async with raw() as (server, channel):
        server.extensions = b"250-AUTH PLAIN LOGIN\r\n"
        channel._credentials = ("postern", PASSWORD)
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_required")
        assert not [line for line in server.lines if line.startswith(b"AUTH")]
        channel._insecure = True
        server.before = {b"AUTH": [b"235 welcome\r\n"]}
        assert (await send(channel)).result is Result.sent


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    """Of 127.0.0.1: the server's context, and the file that makes it trusted."""
    path = self_signed(tmp_path_factory.mktemp("tls"))
    return server_side(path), path


@asynccontextmanager
async def tls_peer(context: ssl.SSLContext, *, implicit: bool) -> AsyncIterator[tuple[MailServer, str]]:
    server = MailServer()
    server.tls = context
    listener = await asyncio.get_running_loop().create_server(
        server.connection, "127.0.0.1", 0, ssl=context if implicit else None
    )
    port = listener.sockets[0].getsockname()[1]
    scheme = "smtps" if implicit else "smtp"
    try:
        yield (
            server,
            f"{scheme}://postern:s3cret%2Fpass%20word@127.0.0.1:{port}?from=news@example.com&timeout=2",
        )
    finally:
        listener.close()
        server.drop()
        await listener.wait_closed()


@pytest.mark.parametrize("implicit", [True, False], ids=["smtps", "starttls"])
async def test_tls(
    certificate: tuple[ssl.SSLContext, Path], implicit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("channels.smtp.channel._is_loopback", lambda smtp: False)
    context, file = certificate
    async with tls_peer(context, implicit=implicit) as (server, dsn):
        async with opened(f"{dsn}&ca={file}") as channel:
            assert (await send(channel)).result is Result.sent
            assert (await send(channel, message(body=LARGE[:1_000_000]))).result is Result.sent
            server.script(Scenario.hang_after)
            assert (await send(channel)).result is Result.unknown
            server.script(Scenario.accept)
        async with opened(dsn) as channel:  # nobody vouches for the certificate
            outcome = await send(channel)
            assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_failed")
            assert "self-signed" in (outcome.reason or "")
        async with opened(f"{dsn}&insecure=1") as channel:
            assert (await send(channel)).result is Result.sent
        if not implicit:
            async with opened(f"{dsn}&starttls=off") as channel:
                assert (await send(channel)).code == "tls_required"
    assert len(server.received) == 4


async def test_starttls_required_but_not_offered() -> None:
    async with raw("timeout=30&starttls=required") as (server, channel):
        outcome = await send(channel)
        assert (outcome.result, outcome.code) == (Result.misconfigured, "tls_required")
        assert server.content == []


async def test_tls_to_a_server_without() -> None:
    async with peer() as server, opened(server.dsn.replace("smtp://", "smtps://")) as channel:
        outcome = await send(channel)
        assert outcome.result in (Result.misconfigured, Result.transient), outcome


# What a message looks like


def read(mail: Mail) -> EmailMessage:
    content = mail.content.replace(b"\r\n..", b"\r\n.")
    return cast("EmailMessage", email.message_from_bytes(content, policy=email.policy.default))


def plain(text: str) -> str:
    """Without what an email may change: how lines end, and whether the last one does."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")


def test_a_whole_message() -> None:
    one = message(subject="Grüße 👋", html="<b>Hello</b>", reply_to="Support <help@example.com>")
    mail = compose(one, SENDER)
    seen = read(mail)
    assert seen["Message-ID"] == mail.message_id == f"<{one.id}@example.com>"
    assert seen["Postern-Key"] == one.key
    assert seen["From"] == "Postern <news@example.com>"
    assert seen["To"] == "anna@example.com"
    assert seen["Reply-To"] == "Support <help@example.com>"
    assert seen["Subject"] == "Grüße 👋"
    assert seen["Date"]
    assert [part.get_content_type() for part in seen.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    assert mail.content.isascii()
    assert not mail.utf8


@pytest.mark.parametrize(
    "body", ["x" * 5_000, "ü" * 5_000, "a\rb\nc\r\nd", ".\n..\n", "", "\t tab", "😀" * 300]
)
def test_every_line_fits_and_ends_in_crlf(body: str) -> None:
    mail = compose(message(body=body, html=f"<p>{body}</p>", subject="word " * 300), SENDER)
    lines = mail.content.split(b"\r\n")
    assert all(len(line) <= 998 and b"\r" not in line and b"\n" not in line for line in lines)
    assert not [line for line in lines if line.startswith(b".") and not line.startswith(b"..")]
    part = read(mail).get_body(("plain",))
    assert part is not None
    assert plain(part.get_content()) == plain(body)


def test_ids_of_long_domains_stay_on_one_line() -> None:
    domain = "-".join(["long"] * 12) + ".example"
    one = message(key="k" * 255)
    mail = compose(one, Mailbox.parse(f"news@{domain}"))
    head = mail.content.split(b"\r\n")
    assert head[0] == f"Message-ID: <{one.id}@{domain}>".encode()
    assert head[1] == b"Postern-Key: " + b"k" * 255


@pytest.mark.parametrize(
    "evil", ["a\r\nBcc: x@example.com", "a\nb", "a\rb", "a\0b", "a\x85b", "a\u2028b", "a\x0bb"]
)
@pytest.mark.parametrize("field", ["subject", "reply_to", "key", "to"])
def test_no_header_can_be_injected(field: str, evil: str) -> None:
    more = {field: evil}
    if field == "key" and not evil.isascii():
        assert b"\\" in compose(message(**more), SENDER).content
        return
    with pytest.raises(InvalidMail) as raised:
        compose(message(**more), SENDER)
    assert raised.value.code == ("invalid_recipient" if field == "to" else "invalid_content")
    assert "Bcc" not in str(raised.value)


@pytest.mark.parametrize(
    "to", ["", "anna", "anna@", "@example.com", "a b@example.com", "a@b@c.com", "a@exa mple.com"]
)
async def test_a_malformed_recipient_is_refused_without_the_server(to: str) -> None:
    async with opened("smtp://127.0.0.1:1?from=news@example.com") as channel:
        outcome = await send(channel, message(to))
        assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")


@pytest.mark.parametrize("field", ["body", "html", "subject"])
def test_lone_surrogates_are_refused(field: str) -> None:
    with pytest.raises(InvalidMail) as raised:
        compose(message(**{field: "a\ud800b"}), SENDER)
    assert raised.value.code == "invalid_content"


async def test_international_addresses() -> None:
    async with peer() as server, opened(server.dsn) as channel:
        assert (
            await send(channel, message("grüße@bücher.example", reply_to="ü@example.com"))
        ).result is Result.sent
        assert (await send(channel, message("anna@bücher.example"))).result is Result.sent
        assert [one.to for one in server.received] == [
            "grüße@xn--bcher-kva.example",
            "anna@xn--bcher-kva.example",
        ]
        assert [envelope.smtp_utf8 for envelope in server.envelopes] == [True, False]
        assert server.received[0].extra["mail"]["To"] == "grüße@xn--bcher-kva.example"  # type: ignore[index]


async def test_international_address_to_an_old_server() -> None:
    async with raw() as (server, channel):
        outcome = await send(channel, message("grüße@example.com"))
        assert (outcome.result, outcome.code) == (Result.refused, "invalid_recipient")
        assert (await send(channel)).result is Result.sent
        assert server.connections == 1


@pytest.mark.parametrize(
    "to", ['"john doe"@example.com', "anna+tag@example.com", "anna@[127.0.0.1]", "o'neil@example.com"]
)
async def test_unusual_but_valid_recipients(to: str) -> None:
    async with raw() as (server, channel):
        assert (await send(channel, message(to))).result is Result.sent
        assert f"RCPT TO:<{to}>".encode() in server.lines


# What replies mean


@pytest.mark.parametrize(
    ("step", "code", "text", "result", "ours", "retry_after"),
    [
        ("RCPT TO", 550, "5.1.1 no such user", Result.refused, "invalid_recipient", None),
        ("RCPT TO", 550, "unknown", Result.refused, "invalid_recipient", None),
        ("RCPT TO", 552, "5.2.2 mailbox full", Result.refused, "mailbox_full", None),
        ("RCPT TO", 554, "5.7.1 relay access denied", Result.refused, "rejected", None),
        ("RCPT TO", 530, "5.7.0 authentication required", Result.misconfigured, "bad_credentials", None),
        ("MAIL FROM", 550, "5.7.1 sender not allowed", Result.misconfigured, "sender_refused", None),
        ("MAIL FROM", 552, "message too big", Result.refused, "too_large", None),
        ("content", 554, "no", Result.refused, "rejected", None),
        ("content", 550, "5.4.5 daily quota used up", Result.throttled, "throttled", None),
        ("RCPT TO", 451, "4.3.0 try later", Result.transient, "server_busy", None),
        ("RCPT TO", 450, "generate a temporary error", Result.transient, "server_busy", None),
        ("RCPT TO", 452, "Too many recipients this hour", Result.throttled, "throttled", None),
        ("RCPT TO", 450, "rate limited, retry in 7s", Result.throttled, "throttled", 7),
        ("RCPT TO", 432, "4.7.12 wait", Result.throttled, "throttled", None),
        ("RCPT TO", 450, "4.7.1 Greylisted, see you in 300 seconds", Result.transient, "server_busy", 300),
        ("MAIL FROM", 421, "closing", Result.transient, "server_busy", None),
    ],
)
def test_replies(
    step: str, code: int, text: str, result: Result, ours: str, retry_after: float | None
) -> None:
    outcome = read_reply(step, SMTPResponse(code, text))
    assert outcome is not None
    assert (outcome.result, outcome.code, outcome.retry_after) == (result, ours, retry_after)
    assert outcome.reason == f"{step}: {code} {text}"


async def test_reasons_can_be_stored() -> None:
    async with raw() as (server, channel):
        server.before = {b"RCPT": [b"550-5.1.1 no\x00 \xff\r\n550 " + b"x" * 3_000 + b"\r\n"]}
        outcome = await send(channel)
        assert outcome.reason is not None
        assert outcome.reason.startswith("RCPT TO: 550 5.1.1 no")
        assert len(outcome.reason) == 500
        assert "\0" not in outcome.reason
        outcome.reason.encode()


# The DSN


@pytest.mark.parametrize(
    ("dsn", "says"),
    [
        ("smtp://host", "option from is missing"),
        ("smtp://?from=a@example.com", "server is missing"),
        ("smtp://host/path?from=a@example.com", "path means nothing"),
        ("smtp://user@host?from=a@example.com", "both user and password"),
        ("smtp://host?from=nobody", "option from must be an email address"),
        ("smtp://host?from=a@example.com&starttls=maybe", "auto, required, off"),
        ("smtps://host?from=a@example.com&starttls=off", "unknown option starttls"),
        ("smtp://host?from=a@example.com&pool=0", "from 1 to 200"),
        ("smtp://host?from=a@example.com&helo=a%20b", "option helo"),
        ("smtp://host?from=a@example.com&ca=/nowhere.pem", "option ca"),
    ],
)
def test_bad_dsn(dsn: str, says: str) -> None:
    with pytest.raises(BadDsn, match=says):
        connect("email", dsn)


def test_defaults() -> None:
    channel = cast("SmtpChannel", connect("email", "smtp://u:p@host?from=a@example.com"))
    assert (channel.batch, channel._port, channel._starttls, channel._helo) == (8, 587, "auto", "example.com")
    assert repr(channel) == "<SmtpChannel host:587>"
    assert cast("SmtpChannel", connect("email", "smtps://host?from=a@example.com"))._port == 465
    assert isinstance(message().id, UUID)

"""Clients that mean no good: two readings of one end, silence, floods, a mail that never ends."""

import asyncio
import ssl
from collections.abc import Callable

import pytest

from doors.smtp import connection as connection_module
from doors.smtp import door as door_module
from doors.smtp.door import Budget
from runtime.services import Services
from tests.submissions.door import Client, mail, port_of, trusting
from tests.submissions.submitter import Line, Refused
from tests.support.waits import until

Clients = Callable[..., Client]
HEAD = b"From: orders@shop.example\r\nTo: anna@example.com\r\nSubject: first\r\n\r\nHi"
SMUGGLED = b"MAIL FROM:<eve@elsewhere.example>\r\nRCPT TO:<ben@example.com>\r\nDATA\r\n" + HEAD.replace(
    b"first", b"second"
)
ENDS = [
    b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r\n\0.\r\n", b"\n\n.\r\n", b"\r\r\n.\r\r\n",
    b"\r\n.\r\r\n", b"\x85.\x85", b"\r\n..\n",
]  # fmt: skip


async def line(services: Services, token: str) -> Line:
    return await Line.open(port_of(services.settings, implicit=True), token, trusting(services.settings))


async def begun(services: Services, token: str) -> Line:
    """Returns a connection that waits for a mail."""
    made = await line(services, token)
    await made.say("MAIL FROM:<>", 250)
    await made.say("RCPT TO:<anna@example.com>", 250)
    await made.say("DATA", 354)
    return made


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("pieces", [1, 2])
async def test_no_mail_is_smuggled(shop: Clients, services: Services, token: str, end: bytes, pieces: int):
    made = await begun(services, token)
    whole = HEAD + end + SMUGGLED + b"\r\n.\r\n"
    cut = len(HEAD) + len(end) // 2 if pieces == 2 else len(whole)
    answer = b""
    try:
        for piece in (whole[:cut], whole[cut:]):
            made.writer.write(piece)
            await made.writer.drain()
        async with asyncio.timeout(0.5):
            while piece := await made.reader.read(1000):
                answer += piece
    except (TimeoutError, OSError, ssl.SSLError):
        pass
    made.close()
    # Either the mail was refused, or what was smuggled is a part of its text.
    assert (
        await services.db.fetchval("SELECT count(*) FROM messages WHERE metadata ->> 'subject' = 'second'")
        == 0
    )
    assert await services.db.fetchval("""SELECT count(*) FROM messages WHERE "to" = 'ben@example.com'""") == 0
    assert not answer or answer.startswith((b"550", b"250")), answer


async def test_a_bare_line_feed_ends_commands_too(shop: Clients, services: Services, token: str):
    made = await line(services, token)
    made.writer.write(b"NOOP\nNOOP\r\n")
    with pytest.raises(Refused, match="550"):
        await made.reply(250)
    made.close()


async def test_commands_in_clear_before_tls_are_dropped(shop: Clients, services: Services):
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(services.settings))
    made = Line(reader, writer)
    await made.reply(220)
    await made.say("EHLO a", 250)
    writer.write(b"STARTTLS\r\nMAIL FROM:<eve@elsewhere.example>\r\n")
    await made.reply(220)
    await writer.start_tls(trusting(services.settings), server_hostname="127.0.0.1")
    await made.say("EHLO a", 250)  # and not the reply to what was injected
    made.close()


async def test_silent_connections_lock_nobody_out(
    shop: Clients, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(door_module, "_MOST_OF_ADDRESS", 1000)
    monkeypatch.setattr(door_module, "_SILENT", 0.1)
    silent = [await asyncio.open_connection("127.0.0.1", port_of(services.settings)) for _ in range(200)]
    assert await shop().code(mail()) == 250
    await asyncio.sleep(0.2)
    for _, writer in silent:
        writer.transport.abort()


async def test_one_address_has_a_bounded_number_of_connections(
    shop: Clients, services: Services, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(door_module, "_MOST_OF_ADDRESS", 3)
    opened = [await asyncio.open_connection("127.0.0.1", port_of(services.settings)) for _ in range(4)]
    firsts = [(await reader.read(3)) for reader, _ in opened]
    assert firsts == [b"220", b"220", b"220", b"421"]
    for _, writer in opened:
        writer.transport.abort()


@pytest.mark.settings(smtp_mail_bytes=64 * 1024)
async def test_a_large_mail_is_refused_and_the_connection_goes_on(
    shop: Clients, services: Services, token: str
):
    made = await begun(services, token)
    made.writer.write(HEAD + b"\r\n" + b"x" * 70 * 1024 + b"\r\n.\r\n")
    with pytest.raises(Refused, match="552"):
        await made.reply(250)
    await made.submit(HEAD + b"\r\n", "anna@example.com")
    with pytest.raises(Refused, match="552"):
        await made.say("MAIL FROM:<> SIZE=70000", 250)
    made.close()
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1


async def test_a_mail_that_never_ends(
    shop: Clients, services: Services, token: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connection_module, "_LONGEST_MAIL_SECONDS", 0.2)
    made = await begun(services, token)
    with pytest.raises((OSError, asyncio.IncompleteReadError, ssl.SSLError)):
        for _ in range(200):
            made.writer.write(b"more\r\n")
            await made.writer.drain()
            await asyncio.sleep(0.02)
        await made.reply(250)
    made.close()
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 0


@pytest.mark.settings(smtp_memory_bytes=1024 * 1024)
async def test_memory_for_mails_is_bounded(shop: Clients, services: Services, token: str):
    made = await begun(services, token)
    made.writer.write(HEAD + b"\r\n" + b"x\r\n" * 200 * 1024 + b".\r\n")  # an owner has half
    with pytest.raises(Refused, match="452"):
        await made.reply(250)
    await made.submit(HEAD + b"\r\n", "anna@example.com")
    made.close()


def test_an_owner_has_half_of_the_memory():
    from uuid import uuid4

    budget, ada, bob = Budget(100), uuid4(), uuid4()
    assert budget.take(ada, 50)
    assert not budget.take(ada, 1)
    assert budget.take(bob, 50)
    assert not budget.has(bob, 1)
    budget.give_back(ada, 50)
    assert budget.has(ada, 50)


async def test_what_is_no_smtp(shop: Clients, services: Services):
    for sent in (
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"AUTH PLAIN " + b"A" * 9000 + b"\r\n",
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(services.settings))
        writer.write(sent)
        await writer.drain()
        writer.write_eof()
        assert (await reader.read(200)).startswith(b"220")
        writer.transport.abort()
    assert await shop().code(mail()) == 250


async def test_a_client_that_goes_is_served_to_the_end(shop: Clients, services: Services, token: str):
    made = await begun(services, token)
    made.writer.write(HEAD + b"\r\n.\r\n")
    await made.writer.drain()
    made.close()

    async def is_there() -> bool:
        return bool(await services.db.fetchval("SELECT count(*) FROM messages"))

    await until(is_there)
    assert await shop().code(HEAD + b"\r\n") == 250
    assert await services.db.fetchval("SELECT count(*) FROM messages") == 1

"""The door of returned mails: whom it lets in, how much it takes, and when it says that a mail is taken."""

import asyncio
import smtplib
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from core.errors import Unavailable
from core.ids import uuid7
from engine.mail_reports import door, inbox, recording, reference
from runtime.leases import leased
from runtime.services import Services
from tests.mail_reports.made import Mails, mails
from tests.mail_reports.samples import block, dsn, feedback
from tests.support.gateway import gateway
from tests.support.ports import free_port
from tests.support.records import records
from tests.support.waits import until

__all__ = ["gateway", "mails", "records"]

DOMAIN = "bounces.example.com"


def address(services: Services, id: Any) -> str:
    return f"b-{reference.token(services.key(reference.KEY), id)}@{DOMAIN}"


@asynccontextmanager
async def listening(services: Services, place: str) -> AsyncIterator[None]:
    services.settings.bounce_listen = place
    task = asyncio.create_task(door.listen(services))

    async def is_open() -> bool:
        assert not task.done(), "it does not listen"
        try:
            bare = place.partition("://")[2] or place
            if bare.startswith("/"):
                _, writer = await asyncio.open_unix_connection(bare)
            else:
                _, writer = await asyncio.open_connection("127.0.0.1", int(bare.rpartition(":")[2]))
        except OSError:
            return False
        writer.close()
        return True

    try:
        await until(is_open)
        yield
    finally:
        services.stopping.set()
        await task
        services.stopping.clear()


@pytest.fixture
async def smtp(services: Services) -> AsyncIterator[Callable[[], smtplib.SMTP]]:
    port = free_port()
    async with listening(services, f"127.0.0.1:{port}"):
        yield lambda: smtplib.SMTP("127.0.0.1", port, "mx.example.net", timeout=30)


def deliver(connect: Callable[[], smtplib.SMTP], to: str, mail: bytes) -> tuple[int, bytes]:
    """Returns the reply to the mail, or to its recipient if that is refused."""
    with connect() as client:
        client.ehlo_or_helo_if_needed()
        client.mail("<>")
        reply = client.rcpt(to)
        return client.data(mail) if reply[0] == 250 else reply


async def test_a_bounce_is_applied_before_it_is_answered(mails: Mails, smtp: Any):
    (id,) = await mails.direct()
    for _ in range(2):
        reply = await asyncio.to_thread(
            deliver, smtp, address(mails.services, id), dsn(block(), head="Message-ID: <1@mx>\n")
        )
        assert reply[0] == 250
        assert (await mails.row(id))["state"] == "failed"
    assert len(await mails.refunds()) == 1
    stored = await mails.services.db.fetchrow(
        "SELECT source, source_id, status, code, address, domain FROM mail_reports"
    )
    assert tuple(stored) == ("dsn", "<1@mx>", "5.1.1", 550, "ada@example.net", "example.net")
    mail = await mails.services.db.fetchval("SELECT mail FROM mail_report_mails")
    assert b"User unknown" in mail


async def test_a_mail_without_an_id_is_known_by_its_content(mails: Mails, smtp: Any):
    (id,) = await mails.direct()
    for mail in (dsn(block()), dsn(block()), dsn(block("5.2.2", "552 full"))):
        assert (await asyncio.to_thread(deliver, smtp, address(mails.services, id), mail))[0] == 250
    assert await mails.gateway.count("mail_reports WHERE source_id LIKE 'sha256:%'") == 2


async def test_only_tokens_of_ours_are_let_in(mails: Mails, smtp: Any):
    (id,) = await mails.direct()
    forged = f"b-{reference.token(b'x' * 32, id)}@{DOMAIN}"
    whole = address(mails.services, id)
    for to in (
        forged,
        "postmaster@example.com",
        f"b-@{DOMAIN}",
        f"x{whole}",
        whole.replace("@", ".x@"),
        '"a b"@x',
    ):
        assert (await asyncio.to_thread(deliver, smtp, to, dsn(block())))[0] == 550, to
    assert (await asyncio.to_thread(deliver, smtp, whole.upper(), dsn(block())))[0] == 250
    assert await mails.gateway.count("mail_reports") == 1


async def test_a_complaint_comes_to_one_address_and_names_its_message_inside(mails: Mails, smtp: Any):
    (id,) = await mails.direct()
    token = reference.token(mails.services.key(reference.KEY), id)
    for returned in (f"X-Postern-Ref: {token}", f"X-Postern-Ref: {reference.token(b'x' * 32, id)}"):
        reply = await asyncio.to_thread(deliver, smtp, f"complaints@{DOMAIN}", feedback(returned=returned))
        assert reply[0] == 250
    assert await mails.blocks() == [("Ada@example.net", "complaint", "all")]
    assert await mails.gateway.count("mail_reports WHERE source = 'arf'") == 1


async def test_the_envelope_decides_which_message_it_is(mails: Mails, smtp: Any):
    id, other = await mails.direct(count=2)
    mail = dsn(block(), head=f"Delivered-To: {address(mails.services, other)}\n")
    await asyncio.to_thread(deliver, smtp, address(mails.services, id), mail)
    assert ((await mails.row(id))["state"], (await mails.row(other))["state"]) == ("failed", "sent")


@pytest.mark.parametrize(
    "mail", [b"", b"Hello\r\n", b"Subject: Re\r\nAuto-Submitted: auto-replied\r\n\r\nAway\r\n"]
)
async def test_a_mail_that_is_no_report_is_taken_and_dropped(mails: Mails, smtp: Any, mail: bytes):
    (id,) = await mails.direct()
    assert (await asyncio.to_thread(deliver, smtp, address(mails.services, id), mail))[0] == 250
    assert await mails.gateway.count("mail_reports") == 0


async def test_a_message_that_is_gone_is_no_error(mails: Mails, smtp: Any):
    assert (await asyncio.to_thread(deliver, smtp, address(mails.services, uuid7()), dsn(block())))[0] == 250


async def test_one_recipient_a_transaction(mails: Mails, smtp: Any):
    ids = await mails.direct(count=2)

    def both() -> list[int]:
        with smtp() as client:
            client.ehlo()
            client.mail("<>")
            return [client.rcpt(address(mails.services, id))[0] for id in ids] + [
                client.data(dsn(block()))[0]
            ]

    assert await asyncio.to_thread(both) == [250, 452, 250]
    assert [(await mails.row(id))["state"] for id in ids] == ["failed", "sent"]


async def test_a_long_mail_is_cut(mails: Mails, smtp: Any):
    (id,) = await mails.direct()
    mail = dsn(block()) + b"." * 300_000 + b"\r\n" + b"..x\r\n" * 200_000
    assert (await asyncio.to_thread(deliver, smtp, address(mails.services, id), mail))[0] == 250
    assert (await mails.row(id))["state"] == "failed"
    assert await mails.services.db.fetchval("SELECT length(mail) FROM mail_report_mails") == inbox.MOST_OCTETS


async def test_dots_are_as_they_were_sent(mails: Mails, smtp: Any):
    (id,) = await mails.direct()
    mail = dsn(block(), explanation=".\n..\n.a").replace(b"\n", b"\r\n")
    await asyncio.to_thread(deliver, smtp, address(mails.services, id), mail)
    assert await mails.services.db.fetchval("SELECT mail FROM mail_report_mails") == mail


async def test_a_mail_without_an_end_leaves_nothing(mails: Mails, smtp: Any):
    (id,) = await mails.direct()

    def half() -> None:
        with smtp() as client:
            client.ehlo()
            client.mail("<>")
            client.rcpt(address(mails.services, id))
            client.putcmd("data")
            client.getreply()
            client.send(dsn(block()))
            client.close()

    await asyncio.to_thread(half)
    assert (await mails.row(id))["state"] == "sent"


async def test_what_can_not_be_committed_has_to_come_again(
    mails: Mails, smtp: Any, monkeypatch: pytest.MonkeyPatch
):
    (id,) = await mails.direct()

    async def refused(*_: Any) -> Any:
        raise Unavailable("The database is away.")

    with monkeypatch.context() as patched:
        patched.setattr(recording, "record", refused)
        assert (await asyncio.to_thread(deliver, smtp, address(mails.services, id), dsn(block())))[0] == 451
    assert (await mails.row(id))["state"] == "sent"
    assert (await asyncio.to_thread(deliver, smtp, address(mails.services, id), dsn(block())))[0] == 250


async def test_whoever_guesses_is_shown_out(mails: Mails, smtp: Any):
    def guess() -> int:
        client = smtp()
        client.ehlo()
        client.mail("<>")
        for number in range(1000):
            try:
                client.rcpt(f"b-{'a' * 37}{number % 5 + 2}@{DOMAIN}")
            except smtplib.SMTPServerDisconnected:
                return number
        return 1000

    assert await asyncio.to_thread(guess) <= 25


async def test_connections_are_bounded(services: Services, smtp: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(door, "MOST_CONNECTIONS", 3)

    def fill() -> list[int]:
        clients, codes = [], []
        for _ in range(4):
            try:
                clients.append(smtp())
                codes.append(220)
            except smtplib.SMTPConnectError as error:
                codes.append(error.smtp_code)
        for client in clients:
            client.close()
        return codes

    await until(lambda: asyncio.to_thread(lambda: fill() == [220, 220, 220, 421]))


async def test_silent_connections_make_room_for_one_that_has_a_mail(
    mails: Mails, smtp: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(door, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(door, "_SILENT", 0.2)
    (id,) = await mails.direct()

    def silent() -> list[smtplib.SMTP]:
        clients = [smtp() for _ in range(3)]
        clients[0].ehlo()
        clients[1].mail("<>")
        return clients

    clients = await asyncio.to_thread(silent)

    def delivered() -> bool:
        with suppress(smtplib.SMTPConnectError):
            return bool(deliver(smtp, address(mails.services, id), dsn(block()))[0] == 250)
        return False

    await until(lambda: asyncio.to_thread(delivered))
    assert (await mails.row(id))["state"] == "failed"
    for client in clients:
        client.close()


async def test_one_address_has_half_of_the_connections(smtp: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(door, "_MOST_OF_ADDRESS", 2)

    def fill() -> None:
        clients = [smtp(), smtp()]
        with pytest.raises(smtplib.SMTPConnectError):
            smtp()
        for client in clients:
            client.close()

    await asyncio.to_thread(fill)


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_lmtp(mails: Mails, tmp_path: Path, kind: str):
    ids, port, path = await mails.direct(count=2), free_port(), str(tmp_path / "door")
    place = f"lmtp://127.0.0.1:{port}" if kind == "tcp" else f"lmtp://{path}"
    where = ("127.0.0.1", port) if kind == "tcp" else (path,)
    async with listening(mails.services, place):

        def both() -> list[int]:
            with smtplib.LMTP(*where, local_hostname="mx.example.net") as client:
                client.ehlo()
                client.mail("<>")
                codes = [client.rcpt(address(mails.services, id))[0] for id in ids]
                codes.append(client.data(dsn(block()))[0])
                client.mail("<>")
                codes.append(client.rcpt(address(mails.services, ids[1]))[0])
                codes.append(client.data(dsn(block()))[0])
                return codes

        assert await asyncio.to_thread(both) == [250, 452, 250, 250, 250]
    assert [(await mails.row(id))["state"] for id in ids] == ["failed", "failed"]


async def test_one_worker_of_a_machine_listens(services: Services):
    services.settings.bounce_listen = f"127.0.0.1:{free_port()}"
    async with leased(services.db, f"mail_reports:{socket.gethostname()}", 30) as lease:
        assert lease is not None
        await asyncio.wait_for(door.listen(services), 10)  # it ends at once


async def test_a_place_that_is_taken_is_told(services: Services):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        services.settings.bounce_listen = f"127.0.0.1:{taken.getsockname()[1]}"
        await asyncio.wait_for(door.listen(services), 10)


async def test_a_mail_that_takes_too_long_is_dropped_and_keeps_no_other_out(
    mails: Mails, smtp: Any, monkeypatch: pytest.MonkeyPatch
):
    ids = await mails.direct(count=4)
    run = mails.services.render_pool.run

    async def limited(owner: Any, name: str, arguments: Any, **options: Any) -> Any:
        if any(len(mail) > 100_000 for mail in arguments["mails"]):
            raise inbox.TooComplex
        return await run(owner, name, arguments, **options)

    monkeypatch.setattr(mails.services.render_pool, "run", limited)
    contents = [dsn(block()), dsn(block()) + b"x" * 200_000, dsn(block()), dsn(block())]
    replies = await asyncio.gather(
        *(
            asyncio.to_thread(deliver, smtp, address(mails.services, id), mail)
            for id, mail in zip(ids, contents, strict=True)
        )
    )
    assert [code for code, _ in replies] == [250] * 4
    assert [(await mails.row(id))["state"] for id in ids] == ["failed", "sent", "failed", "failed"]

"""The mailbox of returned mails, on Debian's Dovecot: each report counts once, and nothing else is touched."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import mkdtemp
from uuid import UUID

import asyncpg
import pytest
from pydantic import SecretStr

from core.database_options import BadSettings
from core.mailbox_address import MailboxAddress
from core.settings import load
from engine.mail_reports import mailbox, reference
from runtime.leases import leased
from runtime.services import Services
from tests.mail_reports.made import Mails, mails
from tests.mail_reports.samples import block, dsn
from tests.support.dovecot import AVAILABLE, Dovecot, dovecot
from tests.support.gateway import gateway
from tests.support.records import records
from tests.support.waits import until

__all__ = ["gateway", "mails", "records"]

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="needs Debian's dovecot-imapd, and to be root")

VACATION = b"From: ada@example.net\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away.\r\n"


def returned(key: bytes, id: UUID, number: int = 0) -> bytes:
    """Returns a bounce as a mail server puts it into a mailbox."""
    to = f"b-{reference.token(key, id)}@bounces.example.com"
    mail = dsn(block(), head=f"Message-ID: <{id}.{number}@mx.example.net>\nDelivered-To: {to}\n")
    return mail.replace(b"\n", b"\r\n")


@pytest.fixture(scope="module")
def folder():
    made = Path(mkdtemp(prefix="postern-dovecot-"))  # its sockets need a short path
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
async def imap(folder: Path) -> AsyncIterator[Dovecot]:
    shutil.rmtree(folder / "mail", ignore_errors=True)
    async with dovecot(folder) as server:
        yield server


@asynccontextmanager
async def reading(services: Services, url: str) -> AsyncIterator[None]:
    services.settings.bounce_mailbox = SecretStr(url)
    task = asyncio.create_task(mailbox.read_mailbox(services))
    try:
        yield
    finally:
        services.stopping.set()
        await asyncio.wait_for(task, 30)
        services.stopping.clear()


async def counted(imap: Dovecot, *folders: str) -> list[int]:
    return [await asyncio.to_thread(imap.count, folder) for folder in folders]


@pytest.mark.parametrize("options", ["", "?idle=0", "?done=Read%20by%20us"])
async def test_reports_are_applied_and_moved_and_all_else_stays(
    mails: Mails, imap: Dovecot, monkeypatch, options: str
):
    monkeypatch.setattr(mailbox, "_POLL", 0.2)
    done = "Read by us" if "done" in options else "Processed"
    ids = await mails.direct(count=3)
    key = mails.services.key(reference.KEY)
    await asyncio.to_thread(imap.put, returned(key, ids[0]), VACATION, returned(b"x" * 32, ids[2]))
    async with reading(mails.services, imap.url(options=options)):
        await until(lambda: mails.gateway.count("messages WHERE state = 'failed'"))
        # One that comes later is read at once.
        await asyncio.to_thread(imap.put, returned(key, ids[1]), returned(key, ids[0]))

        async def moved() -> bool:
            return await counted(imap, "INBOX", done) == [2, 3]

        await until(moved)
    assert [(await mails.row(id))["state"] for id in ids] == ["failed", "failed", "sent"]
    assert len(await mails.refunds()) == await mails.gateway.count("mail_reports") == 2

    def unseen() -> list[int]:
        with imap.login() as client:
            client.select_folder("INBOX", readonly=True)
            return client.search("UNSEEN")

    assert len(await asyncio.to_thread(unseen)) == 2


async def test_what_stays_is_not_read_again_until_the_mailbox_is_made_anew(
    mails: Mails, imap: Dovecot, monkeypatch
):
    fetched: list[int] = []
    fetch = mailbox._Client.fetch
    monkeypatch.setattr(
        mailbox._Client, "fetch", lambda self, uids: (fetched.extend(uids), fetch(self, uids))[1]
    )
    await asyncio.to_thread(imap.put, VACATION, VACATION)
    for _ in range(2):
        async with reading(mails.services, imap.url()):
            await until(lambda: mails.gateway.count("bounce_mailboxes WHERE last_uid = 2"))
            await asyncio.sleep(0.3)
    assert fetched == [1, 2]
    await mails.services.db.fetch("UPDATE bounce_mailboxes SET uid_validity = 7, last_uid = 1000")
    async with reading(mails.services, imap.url()):
        await until(lambda: mails.gateway.count("bounce_mailboxes WHERE last_uid = 2"))
    assert fetched == [1, 2, 1, 2]


async def test_a_folder_that_was_made_anew_is_read_from_its_beginning(mails: Mails, imap: Dovecot):
    ids = await mails.direct(count=4)
    key = mails.services.key(reference.KEY)
    url = imap.url(folder="Bounces")
    kept = [VACATION, returned(key, ids[0]), returned(key, ids[1])]

    def make_anew(*more: bytes) -> None:
        with imap.login() as client:
            if client.folder_exists("Bounces"):
                client.delete_folder("Bounces")
            client.create_folder("Bounces")
        imap.put(*kept, *more, folder="Bounces")

    await asyncio.to_thread(make_anew)
    async with reading(mails.services, url):
        await until(lambda: mails.gateway.count("bounce_mailboxes WHERE last_uid = 3"))
    before = await mails.services.db.fetchval("SELECT uid_validity FROM bounce_mailboxes")
    await asyncio.to_thread(make_anew, returned(key, ids[2]))  # from a backup
    async with reading(mails.services, url):
        await until(lambda: mails.gateway.count("bounce_mailboxes WHERE last_uid = 4"))
    assert await mails.services.db.fetchval("SELECT uid_validity FROM bounce_mailboxes") != before
    assert await counted(imap, "Bounces", "Processed") == [1, 5]
    assert [(await mails.row(id))["state"] for id in ids] == ["failed", "failed", "failed", "sent"]
    assert len(await mails.refunds()) == await mails.gateway.count("mail_reports") == 3


async def test_a_mail_that_comes_while_others_are_read_waits_for_no_news(
    mails: Mails, imap: Dovecot, monkeypatch
):
    first, second = await mails.direct(count=2)
    key = mails.services.key(reference.KEY)
    fetch, late = mailbox._Client.fetch, [returned(key, second)]

    def meanwhile(self, uids):
        if late:
            imap.put(late.pop())
            self._imap.noop()  # whose answer announces it
        return fetch(self, uids)

    monkeypatch.setattr(mailbox._Client, "fetch", meanwhile)
    await asyncio.to_thread(imap.put, returned(key, first))
    async with reading(mails.services, imap.url()):

        async def moved() -> bool:
            return await counted(imap, "INBOX", "Processed") == [0, 2]

        await until(moved)


async def test_many_mails_and_long_ones(mails: Mails, imap: Dovecot, monkeypatch):
    monkeypatch.setattr(mailbox, "_WINDOW", 7)
    ids = await mails.direct(count=120)
    key = mails.services.key(reference.KEY)
    long = returned(key, ids[0]) + b"x" * 80 + b"\r\n" * 200_000
    await asyncio.to_thread(imap.put, long, *(returned(key, id) for id in ids[1:]))
    async with reading(mails.services, imap.url()):

        async def moved() -> bool:
            return await counted(imap, "INBOX", "Processed") == [0, 120]

        await until(moved)
    assert await mails.gateway.count("messages WHERE state = 'failed'") == 120
    assert await mails.services.db.fetchval("SELECT max(length(mail)) FROM mail_report_mails") == 256 * 1024


async def test_a_mail_that_breaks_its_reader_is_put_aside(mails: Mails, imap: Dovecot, monkeypatch):
    ids = await mails.direct(count=2)
    key = mails.services.key(reference.KEY)
    take = mailbox.Inbox.take

    async def breaks(self, mail):
        if str(ids[0]).encode() in mail.mail:
            raise KeyError("nobody has thought of this")
        return await take(self, mail)

    monkeypatch.setattr(mailbox.Inbox, "take", breaks)
    await asyncio.to_thread(imap.put, *(returned(key, id) for id in ids))
    async with reading(mails.services, imap.url()):

        async def moved() -> bool:
            return await counted(imap, "INBOX", "Processed", mailbox.UNREADABLE) == [0, 1, 1]

        await until(moved)


async def test_while_the_database_is_away_nothing_is_moved(mails: Mails, imap: Dovecot, monkeypatch):
    monkeypatch.setattr(mailbox, "_AFTER_ERROR", 0.1)
    (id,) = await mails.direct()
    away = [True]
    take = mailbox.Inbox.take

    async def sometimes(self, mail):
        if away[0]:
            raise asyncpg.CannotConnectNowError("the database starts")
        return await take(self, mail)

    monkeypatch.setattr(mailbox.Inbox, "take", sometimes)
    await asyncio.to_thread(imap.put, returned(mails.services.key(reference.KEY), id))
    async with reading(mails.services, imap.url()):
        await asyncio.sleep(0.5)
        assert await counted(imap, "INBOX", "Processed") == [1, 0]
    away[0] = False
    async with reading(mails.services, imap.url()):
        await until(lambda: mails.gateway.count("messages WHERE state = 'failed'"))
    assert await counted(imap, "INBOX", "Processed") == [0, 1]


async def test_one_worker_reads_it(mails: Mails, imap: Dovecot):
    async with leased(mails.services.db, "mail_reports.mailbox", 30):
        mails.services.settings.bounce_mailbox = SecretStr(imap.url())
        await asyncio.wait_for(mailbox.read_mailbox(mails.services), 5)


async def test_a_reader_that_has_lost_its_lease_leaves_its_mails_to_the_next_one(
    mails: Mails, imap: Dovecot, monkeypatch
):
    monkeypatch.setattr(mails.services.settings, "lease_seconds", 1.0)
    (id,) = await mails.direct()
    take = mailbox.Inbox.take

    async def hangs(self, mail):
        taken = await take(self, mail)
        await mails.services.db.fetch("UPDATE leases SET holder = gen_random_uuid(), expires_at = now()")
        await asyncio.sleep(1.5)
        return taken

    await asyncio.to_thread(imap.put, returned(mails.services.key(reference.KEY), id))
    with monkeypatch.context() as patched:
        patched.setattr(mailbox.Inbox, "take", hangs)
        mails.services.settings.bounce_mailbox = SecretStr(imap.url())
        await asyncio.wait_for(mailbox.read_mailbox(mails.services), 30)
    assert await mails.gateway.count("messages WHERE state = 'failed'") == 1
    assert await counted(imap, "INBOX", "Processed") == [1, 0]
    async with reading(mails.services, imap.url()):

        async def moved() -> bool:
            return await counted(imap, "INBOX", "Processed") == [0, 1]

        await until(moved)
    assert len(await mails.refunds()) == await mails.gateway.count("mail_reports") == 1


async def test_a_server_without_move_and_idle(mails: Mails, folder: Path, monkeypatch):
    monkeypatch.setattr(mailbox, "_POLL", 0.2)
    shutil.rmtree(folder / "mail", ignore_errors=True)
    (id,) = await mails.direct()
    async with dovecot(folder, "imap_capability = IMAP4rev1 UIDPLUS") as imap:
        await asyncio.to_thread(imap.put, VACATION, returned(mails.services.key(reference.KEY), id))
        async with reading(mails.services, imap.url()):

            async def moved() -> bool:
                return await counted(imap, "INBOX", "Processed") == [1, 1]

            await until(moved)


async def test_a_wrong_password_is_said_and_not_shown(mails: Mails, imap: Dovecot, monkeypatch, capfd):
    monkeypatch.setattr(mailbox, "_AFTER_ERROR", 0.1)
    mails.services.settings.bounce_mailbox = SecretStr(imap.url().replace("p%2F", "hunter"))
    await mailbox.read_mailbox(mails.services)
    assert "can't be read" in (said := "".join(capfd.readouterr()))
    assert "hunter" not in said


@pytest.mark.parametrize(
    "url",
    [
        "pop3://a:b@example.com",
        "imaps://example.com",
        "imaps://a:b@example.com/INBOX?delete=1",
        "imap://a:secret@mail.example.com",
        "imaps://a:b@example.com:x",
    ],
)
def test_a_bad_address_says_how_it_is_written(url: str, monkeypatch):
    monkeypatch.setenv("POSTERN_BOUNCE_MAILBOX", url)
    with pytest.raises(BadSettings) as refused:
        load()
    assert "imaps://user:password@host/INBOX" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_an_address_is_read():
    read = MailboxAddress.parse(
        "imaps://ada%40example.com:p%2Fw@mail.example.com/Bounces%20in?idle=0&done=Old"
    )
    assert (read.host, read.port, read.encrypted) == ("mail.example.com", 993, True)
    assert (read.user, read.password) == ("ada@example.com", "p/w")
    assert (read.folder, read.done, read.idle) == ("Bounces in", "Old", False)
    assert read.name == "ada@example.com@mail.example.com:993/Bounces in"
    assert MailboxAddress.parse("imap://a:b@127.0.0.1:1143").folder == "INBOX"

"""The worker that reads a mailbox dies again and again while mails arrive: each mail is applied and moved once.

`COUNT=40` kills it so many times: at each of the reader's fault points by turns, and between them at any moment.
"""

import asyncio
import os
import random
import shutil
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from uuid import UUID

import asyncpg
import pytest

from core.settings import Settings
from engine.faultpoints import MAIL_REPORT_POINTS, MAILBOX_POINTS
from engine.mail_reports import mailbox, reference
from runtime.services import derived_keys
from tests.engine.test_faults import LEASE, World
from tests.engine.test_faults import gateway as attacked
from tests.mail_reports.samples import block, dsn, feedback
from tests.support.dovecot import AVAILABLE, Dovecot, dovecot
from tests.support.prefork import Process
from tests.support.waits import PATIENCE, freeze, until

__all__ = ["attacked"]

pytestmark = [
    pytest.mark.rotating,
    pytest.mark.skipif(not AVAILABLE, reason="needs Debian's dovecot-imapd, and to be root"),
]

COUNT = int(os.environ.get("COUNT", "8"))
MOMENTS: tuple[str | None, ...] = (*MAIL_REPORT_POINTS, *MAILBOX_POINTS, None, None, None)  # None: any moment
EACH = 6  # messages whose mails arrive around one kill
KEY = derived_keys(Settings(_env_file=None, secret_key="s" * 32, jwt_key="j" * 32), reference.KEY)[0]
HOLDER = "SELECT holder FROM leases WHERE name = 'mail_reports.mailbox' AND expires_at > now()"


@dataclass(frozen=True)
class Arriving:
    """A mail. `bounce`: it says that its message came back; otherwise that somebody complained, or nothing."""

    mail: bytes
    message: UUID | None
    bounce: bool


def arriving(id: UUID, number: int) -> Iterator[Arriving]:
    """Yields the mails that come about a message: a report, the same one again, another one, and what is none."""
    token = reference.token(KEY, id)

    def bounce(status: str, name: str) -> Arriving:
        head = f"Message-ID: <{name}.{id}@mx.example.net>\nDelivered-To: b-{token}@bounces.example.com\n"
        return Arriving(_crlf(dsn(block(status, f"550 {status} No."), head=head)), id, True)

    complaint = Arriving(_crlf(feedback(returned=f"X-Postern-Ref: {token}")), id, False)
    yield from (
        (bounce("5.1.1", "a"),),
        (bounce("5.1.1", "a"),) * 3,
        (bounce("4.2.2", "a"), bounce("5.1.1", "b")),
        (complaint, complaint),
        (complaint, bounce("4.4.7", "a"), bounce("4.4.7", "a")),
        (bounce("5.7.1", "a"), bounce("5.7.1", "b"), complaint),
    )[number % 6]
    if number % 3 == 0:
        other = (
            b"From: ada@example.net\r\nAuto-Submitted: auto-replied\r\nSubject: Away %d\r\n\r\nI am away.\r\n"
        )
        yield Arriving(other % number, None, False)
    if number % 3 == 1:
        forged = f"Delivered-To: b-{reference.token(b'x' * 32, id)}@bounces.example.com\n"
        yield Arriving(_crlf(dsn(block(), head=forged)), None, False)


def _crlf(mail: bytes) -> bytes:
    return mail.replace(b"\n", b"\r\n")


class Mailbox:
    """A gateway with messages that were sent, a mailbox, and the mails that were put into it."""

    def __init__(self, world: World, imap: Dovecot, db: asyncpg.Connection) -> None:
        self.world, self.imap, self.db = world, imap, db
        self.reads = {"POSTERN_BOUNCE_MAILBOX": imap.url()}
        self.put: list[Arriving] = []
        self._messages: list[UUID] = []

    async def send(self, count: int) -> None:
        await self.world.queue(count)
        sender = self.world.worker()
        self._messages = [UUID(id) for id in await self.world.quiet()]
        with suppress(ProcessLookupError):
            sender.kill()
        await sender.ended()

    def mails(self, count: int) -> list[Arriving]:
        """Returns the mails about the next messages, in any order."""
        first = len(self._messages)
        some = [
            mail for number, id in enumerate(self._messages[:count], first) for mail in arriving(id, number)
        ]
        del self._messages[:count]
        random.shuffle(some)
        return some

    async def deliver(self, mails: list[Arriving], pause: float = 0.0) -> None:
        for mail in mails:
            await asyncio.to_thread(self.imap.put, mail.mail)
            self.put.append(mail)
            await asyncio.sleep(random.uniform(0, pause))

    async def held(self) -> bool:
        return await self.db.fetchval(HOLDER) is not None

    async def free(self) -> bool:
        return not await self.held()

    async def contents(self, folder: str) -> Counter[bytes]:
        return Counter(await asyncio.to_thread(self.imap.contents, folder))

    async def right(self) -> None:
        """Waits until the mailbox is read. Each mail was applied once, and is where it belongs."""
        reports = [mail for mail in self.put if mail.message is not None]
        others = [mail.mail for mail in self.put if mail.message is None]
        async with asyncio.timeout(2 * PATIENCE):
            while len(await asyncio.to_thread(self.imap.contents, "Processed")) < len(reports):
                await asyncio.sleep(0.2)
        await until(lambda: self.db.fetchval("SELECT last_uid = $1 FROM bounce_mailboxes", len(self.put)))
        assert await self.contents("Processed") == Counter(mail.mail for mail in reports)
        assert await self.contents("INBOX") == Counter(others)
        assert await self.contents(mailbox.UNREADABLE) == Counter()
        assert await asyncio.to_thread(self.imap.contents, "INBOX", "UNSEEN") == others
        rows = await self.db.fetch("SELECT message_id, type FROM mail_reports")
        different = {(mail.message, mail.mail): mail.bounce for mail in reports}
        assert Counter((row["message_id"], row["type"] == "bounce") for row in rows) == Counter(
            (id, bounce) for (id, _), bounce in different.items()
        )
        assert await self.db.fetchval("SELECT count(*) FROM mail_report_mails") == len(rows)
        bounced = {mail.message for mail in reports if mail.bounce}
        complained = {mail.message for mail in reports if not mail.bounce}
        assert await self._ids("messages WHERE state = 'failed' AND bounced_at IS NOT NULL") == sorted(
            bounced
        )
        assert await self._ids("messages WHERE complained_at IS NOT NULL") == sorted(complained)
        assert await self._ids("ledger_entries WHERE kind = 'refund'", "reference") == sorted(bounced)
        await self.world.books()

    async def _ids(self, of: str, column: str = "id") -> list[UUID]:
        return sorted(row[column] for row in await self.db.fetch(f"SELECT {column} FROM {of}"))


@pytest.fixture
async def it(attacked: World) -> AsyncIterator[Mailbox]:
    folder = Path(mkdtemp(prefix="postern-dovecot-"))  # its sockets need a short path
    db = await asyncpg.connect(attacked.url)
    try:
        async with dovecot(folder) as imap:
            yield Mailbox(attacked, imap, db)
    finally:
        await db.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.timeout(max(300, 20 * COUNT))
async def test_a_reader_that_is_killed_again_and_again_applies_each_mail_once(it: Mailbox):
    await it.send(COUNT * EACH)
    left = 0
    for number in range(COUNT):
        moment = MOMENTS[number % len(MOMENTS)]
        await until(it.free)
        mails = it.mails(EACH)
        await it.deliver(mails[:4])
        victim = it.world.worker(**it.reads, **({"FAULT_AT": moment} if moment else {}))
        async with asyncio.timeout(2 * PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(it.deliver(mails[4:], pause=0.1))
            if moment is None:
                await until(it.held)
                await asyncio.sleep(random.uniform(0, 0.5))
                victim.kill()
            await victim.ended()
        left += sum((await it.contents("INBOX")).values())
    it.world.worker(**it.reads)
    await it.right()
    print(f"\n{COUNT} kills, {len(it.put)} mails; {left / COUNT:.1f} were in the folder when one had died")


async def test_two_workers_that_hang_by_turns_apply_each_mail_once(it: Mailbox):
    """A worker that hangs for longer than its lease goes on, while another one has the mailbox."""
    await it.send(6 * EACH)
    workers: list[Process] = [it.world.worker(**it.reads) for _ in range(2)]
    arrives = asyncio.create_task(it.deliver(it.mails(6 * EACH), pause=0.3))
    handed_over = 0
    while handed_over < 2:
        for worker in workers:
            await until(it.held)
            holder = await it.db.fetchval(HOLDER)
            freeze(worker.pid)
            await asyncio.sleep(1.5 * LEASE)
            if await it.db.fetchval(HOLDER) != holder:
                await until(it.held)  # by the other one
                handed_over += 1
            worker.send_signal(signal.SIGCONT)
    await arrives
    await it.right()

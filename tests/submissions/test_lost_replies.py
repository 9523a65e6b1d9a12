"""A mail whose reply was lost is submitted again, and is one: no message twice, none lost, whatever ends in between."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import asyncpg
import pytest

from tests.submissions.door import DOMAIN
from tests.submissions.submitter import Line, Submitter
from tests.support.live import Live, serving
from tests.support.ports import free_port
from tests.support.waits import until

pytestmark = [pytest.mark.servers, pytest.mark.rotating]

COUNT = int(os.environ.get("SUBMISSIONS", "300"))
"""`SUBMISSIONS=5000` is the figure of docs/smtp.md."""
_LINES = 8
_FOUND = """
SELECT (SELECT count(*) FROM messages), (SELECT count(DISTINCT metadata ->> 'subject') FROM messages),
  (SELECT count(*) FROM ledger_entries WHERE kind = 'charge'), (SELECT count(*) FROM submitted_mails)
"""


class Smtpd:
    """The process of the door, which can be killed."""

    def __init__(self, live: Live, port: int) -> None:
        self.live, self.port = live, port
        self.process: Any = None
        self.token = ""

    async def begin(self) -> None:
        self.process = self.live._spawn("smtpd")

        async def is_open() -> bool:
            assert self.process.poll() is None, self.live.log.read_text()[-3000:]
            try:
                (await Line.open(self.port, self.token)).close()
            except OSError:
                return False
            return True

        await until(is_open)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(30)


@pytest.fixture
def smtpd() -> Iterator[Smtpd]:
    port = free_port()
    with serving(POSTERN_SMTP_LISTEN=f"127.0.0.1:{port}", POSTERN_SMTP_PLAIN="1") as live:
        door = Smtpd(live, port)
        headers = live.ada.headers
        body = {"name": "shop", "scopes": ["messages:send"]}
        door.token = live.client.post("/api-tokens", json=body, headers=headers).json()["token"]
        yield door
        if door.process is not None and door.process.poll() is None:
            door.process.terminate()
            door.process.wait(30)


@pytest.fixture
async def db(smtpd: Smtpd) -> AsyncIterator[asyncpg.Connection]:
    db = await asyncpg.connect(smtpd.live.database)
    await db.execute(
        "INSERT INTO domains (id, owner_id, name, token, status, verified_at)"
        " VALUES (gen_random_uuid(), $1, $2, 't', 'verified', now())",
        smtpd.live.ada.id,
        DOMAIN,
    )
    yield db
    await db.close()


def content(number: int) -> bytes:
    return (
        f"From: orders@{DOMAIN}\r\nTo: user{number}@example.com\r\nSubject: Order {number}\r\n"
        f"Message-ID: <{number}@{DOMAIN}>\r\nDate: Mon, 30 Nov 2026 08:00:00 +0000\r\n\r\nThanks.\r\n..\r\n"
    ).encode()


async def submit_all(smtpd: Smtpd, cuts: float) -> tuple[int, int]:
    """Submits all mails. Returns how many connections were cut, and how many submissions were repeated."""
    numbers = iter(range(COUNT))
    submitters = [Submitter(smtpd.port, smtpd.token, cuts) for _ in range(_LINES)]

    async def work(submitter: Submitter) -> None:
        for number in numbers:
            await submitter.submit(content(number), f"user{number}@example.com")
        submitter.close()

    async with asyncio.TaskGroup() as group:
        for submitter in submitters:
            group.create_task(work(submitter))
    return sum(each.cut for each in submitters), sum(each.retried for each in submitters)


async def test_lost_replies_make_no_second_message(
    smtpd: Smtpd, db: asyncpg.Connection, capsys: pytest.CaptureFixture[str]
):
    await smtpd.begin()
    began = time.perf_counter()
    cut, retried = await submit_all(smtpd, 0.33)
    seconds = time.perf_counter() - began
    assert [*await db.fetchrow(_FOUND)] == [COUNT] * 4
    with capsys.disabled():
        print(
            f"\n{COUNT} mails, {cut} connections cut, {retried} submissions repeated, {seconds:.1f} s: twice 0, lost 0"
        )


async def test_killed_in_the_middle(smtpd: Smtpd, db: asyncpg.Connection):
    await smtpd.begin()

    async def killed() -> None:
        for part in (1, 2, 3):

            async def so_many(part: int = part) -> bool:
                return bool(await db.fetchval("SELECT count(*) >= $1 FROM messages", COUNT * part // 4))

            await until(so_many)
            smtpd.kill()
            await smtpd.begin()

    killing = asyncio.create_task(killed())
    await submit_all(smtpd, 0.1)
    await killing
    assert [*await db.fetchrow(_FOUND)] == [COUNT] * 4

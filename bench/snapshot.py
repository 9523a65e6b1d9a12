"""`python -m bench.snapshot [--accounts 1] [--seconds 300]` sends messages while somebody holds a snapshot.

A backup (pg_dump) holds one snapshot until it ends. PostgreSQL removes no row version meanwhile that was replaced since
its begin, so whatever walks over replaced versions gets slower with each message. A line is printed for each window of
15 seconds: three without a snapshot, those of `--seconds` with one, and three after its end. With `--feed` the first
owner's event feed is read all the time, as a dashboard does. `--load` says what is sent: direct messages as fast as the
API accepts them, projects of another user one after another, or both at once.
"""

import argparse
import asyncio
import itertools
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import aiohttp
import asyncpg

from bench.load import in_turns, request
from bench.wire.contest import STATISTICS_SECONDS
from bench.wire.http import HttpProvider, http_provider
from bench.wire.samples import TEXT, recipient
from bench.wire.usage import usage
from postern import operator
from runtime.services import services
from tests.support.arguments import integer
from tests.support.deployment import Deployment, deployment, end_in_order

CLIENTS = 16
WINDOW = 15.0
QUIET = 3  # windows before and after
PROJECT = 50_000  # recipients
LOADS = ("direct", "projects", "both")
_BODY = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_UNLIMITED = {"POSTERN_LIMIT_MESSAGES": "1000000000/60"}
_WAIT_SECONDS = 2.0
LEAST = 2.0  # entries a message: an index of which fewer are read is not shown
_STATUS = "SELECT status FROM sending_projects WHERE id = $1"
_INDEXES = "SELECT relname || '.' || indexrelname AS name, idx_tup_read AS entries FROM pg_stat_user_indexes"


@dataclass(frozen=True, slots=True)
class Window:
    """Holds the numbers of one window; costs are milliseconds of a core for each message that was sent."""

    accepted: float  # a second
    sent: float  # a second
    p50: float  # milliseconds
    p95: float
    postgres: float
    api: float
    worker: float
    reads: dict[str, float]  # entries of each index that were read for a message

    def line(self, title: str) -> str:
        return (
            f"{title:<18} {self.accepted:6,.0f} accepted/s {self.sent:6,.0f} sent/s  p50 {self.p50:5.1f} ms"
            f"  p95 {self.p95:6.1f} ms  a message: PostgreSQL {self.postgres:.2f} ms, API {self.api:.2f} ms,"
            f" worker {self.worker:.2f} ms"
        )


async def run(
    it: Deployment, provider: HttpProvider, accounts: int, seconds: float, feed: bool, load: str
) -> None:
    tokens = []
    async with services(it.settings) as opened:
        for number in range(accounts):
            email = f"direct{number}@bench.test"
            await operator.create_user(opened, email, admin=False, password="bench bench")
            await operator.credit(opened, email, "100000", account_id=None, note="bench")
            tokens.append(await operator.create_token(opened, email, "bench"))
    heads = [{"Authorization": f"Bearer {token}", "Content-Type": "application/json"} for token in tokens]
    clients = 0 if load == "projects" else CLIENTS
    requests = [request("/messages", heads[number % accounts], _BODY) for number in range(clients)]
    channel = {"POSTERN_CHANNEL_SMS": provider.dsn(32)}
    db, holder = await asyncpg.connect(it.url), await asyncpg.connect(it.url)
    postmaster = it.postgres.pid
    assert postmaster is not None
    async with (
        it.serving(**_UNLIMITED, **channel) as (api, port),
        it.workers(1, **channel) as (worker,),
    ):
        beside = [asyncio.create_task(_read(port, heads[0]))] if feed else []
        if load != "direct":
            beside.append(asyncio.create_task(_projects(it)))

        async def window(title: str, reads: bool = False) -> Window:
            first = (await provider.received()).messages
            read = await _reads(db) if reads else Counter[str]()
            received = (await provider.received()).messages
            before = [await usage(db, postmaster, [pid]) for pid in (worker.pid, api.pid)]
            begun = time.monotonic()
            answers, _ = await asyncio.gather(in_turns(port, requests, WINDOW), asyncio.sleep(WINDOW))
            took = time.monotonic() - begun
            used = [
                await usage(db, postmaster, [pid]) - start
                for pid, start in zip((worker.pid, api.pid), before, strict=True)
            ]
            count = max(1, (await provider.received()).messages - received)
            read_since = await _reads(db) - read if reads else Counter[str]()
            all_sent = max(1, (await provider.received()).messages - first)
            result = Window(
                (len(answers.times) - answers.failed) / took,
                count / took,
                answers.percentile(50) if answers.times else 0.0,
                answers.percentile(95) if answers.times else 0.0,
                used[0].postgres / count * 1000,
                used[1].workers / count * 1000,
                used[0].workers / count * 1000,
                {name: n / all_sent for name, n in read_since.items()},
            )
            print(result.line(title), "" if not answers.failed else f"FAILED: {answers.failed}", flush=True)
            return result

        await asyncio.gather(in_turns(port, requests, _WAIT_SECONDS), asyncio.sleep(_WAIT_SECONDS))
        quiet = [await window("no snapshot", number == QUIET - 1) for number in range(QUIET)]
        await holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        await holder.fetchval("SELECT count(*) FROM users")
        begun, held = time.monotonic(), []
        while (since := time.monotonic() - begun) < seconds:
            held.append(await window(f"held for {since:,.0f} s", since + WINDOW > seconds))
        await holder.execute("ROLLBACK")
        for _ in range(QUIET):
            await window("after it")
        for task in beside:
            task.cancel()
        for error in await asyncio.gather(*beside, return_exceptions=True):
            if isinstance(error, Exception):
                raise error
    for name in ("accepted", "sent"):
        usual = statistics.median(getattr(each, name) for each in quiet)
        if not usual:
            continue
        worst = statistics.median(getattr(each, name) for each in held[-3:])
        print(f"{name}: {worst / usual:.2f} of {usual:,.0f}/s in the last three windows with a snapshot")
    print(
        "\nEntries of an index that were read for a message, in the last window before the snapshot and with it:"
    )
    for name, reads in sorted(held[-1].reads.items(), key=lambda item: -item[1]):
        if reads >= LEAST:
            print(f"  {name:<44} {quiet[-1].reads.get(name, 0):8,.1f} {reads:10,.1f}")
    await db.close()
    await holder.close()


async def _projects(it: Deployment) -> None:
    """Sends one project after another, as long as nobody ends it."""
    owner = await it.owner()

    async def made(first: int) -> UUID:
        recipients = (recipient("sms", first + number) for number in range(PROJECT))
        return await it.make_project(owner, "sms", TEXT, recipients)

    db = await asyncpg.connect(it.url)
    project = await made(0)
    for number in itertools.count(1):
        await it.start_project(project)
        following = await made(number * PROJECT)
        while await db.fetchval(_STATUS, project) != "finished":
            await asyncio.sleep(0.1)
        project = following


async def _reads(db: asyncpg.Connection) -> Counter[str]:
    """Returns the entries that were read of each index. Connections report theirs within a second."""
    await asyncio.sleep(STATISTICS_SECONDS)
    return Counter({row["name"]: row["entries"] for row in await db.fetch(_INDEXES)})


async def _read(port: int, head: dict[str, str]) -> None:
    """Reads pages of the event feed from its cursor on, four times a second, as long as nobody ends it."""
    async with aiohttp.ClientSession(headers=head) as session:
        query: dict[str, str] = {}
        while True:
            async with session.get(f"http://127.0.0.1:{port}/events", params=query) as answer:
                page = await answer.json()
            query = {"after": page["next"]}
            if not page["events"]:
                await asyncio.sleep(0.25)


async def main(accounts: int, seconds: int, feed: bool, load: str) -> int:
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it, http_provider(it, "--latency", "20") as provider:
            await run(it, provider, accounts, seconds, feed, load)
    return 0


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.snapshot")
    parse.add_argument("--accounts", type=integer(1, CLIENTS), default=1)
    parse.add_argument("--seconds", type=integer(45, 3600), default=300, help="that the snapshot is held")
    parse.add_argument("--feed", action="store_true", help="record and read the first owner's event feed")
    parse.add_argument("--load", choices=LOADS, default="direct")
    arguments = parse.parse_args()
    try:
        sys.exit(asyncio.run(main(arguments.accounts, arguments.seconds, arguments.feed, arguments.load)))
    except asyncio.CancelledError:
        sys.exit(130)

"""`python -m bench.snapshot [--accounts 1] [--seconds 300]` sends direct messages while somebody holds a snapshot.

A backup (pg_dump) holds one snapshot until it ends. PostgreSQL removes no row version meanwhile that was replaced since
its begin, so whatever walks over replaced versions gets slower with each message. A line is printed for each window of
15 seconds: three without a snapshot, those of `--seconds` with one, and three after its end. The owners' event feeds
are read all the time, as a dashboard does.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import asyncpg

from bench.load import in_turns, request
from bench.wire.contest import STATISTICS_SECONDS
from bench.wire.http import HttpProvider, http_provider
from bench.wire.usage import usage
from postern import operator
from runtime.services import services
from tests.support.arguments import integer
from tests.support.deployment import Deployment, deployment, end_in_order

CLIENTS = 16
WINDOW = 15.0
QUIET = 3  # windows before and after
_BODY = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_UNLIMITED = {"POSTERN_LIMIT_MESSAGES": "1000000000/60"}
_WAIT_SECONDS = 2.0
LEAST = 2.0  # entries a message: an index of which fewer are read is not shown
_INDEXES = "SELECT relname || '.' || indexrelname AS name, idx_tup_read AS entries FROM pg_stat_user_indexes"


@dataclass(frozen=True, slots=True)
class Window:
    """Holds the numbers of one window; costs are milliseconds of a core for each accepted message."""

    accepted: float  # a second
    sent: float  # a second
    p50: float  # milliseconds
    p95: float
    postgres: float
    api: float
    worker: float
    reads: dict[str, float]  # entries of each index that were read for an accepted message

    def line(self, title: str) -> str:
        return (
            f"{title:<18} {self.accepted:6,.0f} accepted/s {self.sent:6,.0f} sent/s  p50 {self.p50:5.1f} ms"
            f"  p95 {self.p95:6.1f} ms  a message: PostgreSQL {self.postgres:.2f} ms, API {self.api:.2f} ms,"
            f" worker {self.worker:.2f} ms"
        )


async def run(it: Deployment, provider: HttpProvider, accounts: int, seconds: float, feed: bool) -> None:
    tokens = []
    async with services(it.settings) as opened:
        for number in range(accounts):
            email = f"direct{number}@bench.test"
            await operator.create_user(opened, email, admin=False, password="bench bench")
            await operator.credit(opened, email, "100000", account_id=None, note="bench")
            tokens.append(await operator.create_token(opened, email, "bench"))
    heads = [{"Authorization": f"Bearer {token}", "Content-Type": "application/json"} for token in tokens]
    requests = [request("/messages", heads[number % accounts], _BODY) for number in range(CLIENTS)]
    channel = {"POSTERN_CHANNEL_SMS": provider.dsn(32)}
    db, holder = await asyncpg.connect(it.url), await asyncpg.connect(it.url)
    postmaster = it.postgres.pid
    assert postmaster is not None
    async with (
        it.serving(**_UNLIMITED, **channel) as (api, port),
        it.workers(1, **channel) as (worker,),
    ):
        reader = asyncio.create_task(_read(port, heads[0])) if feed else None

        async def window(title: str, reads: bool = False) -> Window:
            received = (await provider.received()).messages
            before, read = (
                [await usage(db, postmaster, [pid]) for pid in (worker.pid, api.pid)],
                await _reads(db),
            )
            answers = await in_turns(port, requests, WINDOW)
            used = [
                await usage(db, postmaster, [pid]) - start
                for pid, start in zip((worker.pid, api.pid), before, strict=True)
            ]
            count = max(1, len(answers.times) - answers.failed)
            sent = (await provider.received()).messages - received
            result = Window(
                count / answers.took,
                sent / answers.took,
                answers.percentile(50),
                answers.percentile(95),
                used[0].postgres / count * 1000,
                used[1].workers / count * 1000,
                used[0].workers / count * 1000,
                {name: n / count for name, n in (await _reads(db) - read).items()} if reads else {},
            )
            print(result.line(title), "" if not answers.failed else f"FAILED: {answers.failed}", flush=True)
            return result

        await in_turns(port, requests, _WAIT_SECONDS)
        quiet = [await window("no snapshot", number == QUIET - 1) for number in range(QUIET)]
        await holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        await holder.fetchval("SELECT count(*) FROM users")
        windows = int(seconds / WINDOW)
        held = [await window(f"held for {n * WINDOW:.0f} s", n == windows - 1) for n in range(windows)]
        await holder.execute("ROLLBACK")
        for _ in range(QUIET):
            await window("after it")
        if reader is not None:
            reader.cancel()
    for name in ("accepted", "sent"):
        usual = statistics.median(getattr(each, name) for each in quiet)
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


async def main(accounts: int, seconds: int, feed: bool) -> int:
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it, http_provider(it, "--latency", "20") as provider:
            await run(it, provider, accounts, seconds, feed)
    return 0


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.snapshot")
    parse.add_argument("--accounts", type=integer(1, CLIENTS), default=1)
    parse.add_argument("--seconds", type=integer(45, 3600), default=300, help="that the snapshot is held")
    parse.add_argument("--feed", action="store_true", help="record and read the first owner's event feed")
    arguments = parse.parse_args()
    try:
        sys.exit(asyncio.run(main(arguments.accounts, arguments.seconds, arguments.feed)))
    except asyncio.CancelledError:
        sys.exit(130)

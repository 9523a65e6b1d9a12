"""`python -m bench.days [--a-day 100000] [--days 7]` shows whether tables stop growing when retention is on.

Each day sends so many messages to a real HTTP provider, by an API process and a worker: a fifth are direct, the rest is
of two projects, and half are recorded by event feeds. At its end the rounds of retention delete what is older than that
day, and VACUUM runs once, as autovacuum has minutes here where it would have a day. A day has as many seconds as its
messages need: the settings of retention name parts of a day. Printed are the bytes of each table with its indexes after
each day, and how many times the second day's sum the last day's is.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from bench.wal import UNLIMITED, accept, all_sent, finished, recorded, sender
from bench.wire.http import HttpProvider, http_provider
from bench.wire.samples import TEXT, recipient
from engine.feed import rounds
from engine.upkeep import ledger_sums, prune, retention
from runtime.services import services
from tests.support.arguments import integer
from tests.support.deployment import Deployment, deployment, end_in_order

GOAL = 1.05
SHOWN = 12  # tables with lines of their own
_DAY = 86_400
_SIZES = """
SELECT relname, pg_total_relation_size(relid) AS bytes, n_live_tup AS live FROM pg_stat_user_tables ORDER BY 2 DESC
"""
Sizes = dict[str, int]


async def _send(
    it: Deployment, db: asyncpg.Connection, port: int, token: str, owners: list[UUID], a_day: int
) -> None:
    """Sends the messages of one day."""
    projects = []
    for owner, share in zip(owners, (0.3, 0.5), strict=True):
        recipients = (recipient("sms", number) for number in range(int(a_day * share)))
        projects.append(await it.make_project(owner, "sms", TEXT, recipients))
    for project in projects:
        await it.start_project(project)
    await accept(port, token, a_day // 5)
    for project in projects:
        await finished(db, project)
    await all_sent(db)
    await recorded(db)


async def _retire(it: Deployment, since: datetime) -> None:
    """Deletes what is older than `since`, by the rounds that workers run."""
    days = (datetime.now(UTC) - since).total_seconds() / _DAY
    kinds = ("retention_days", "record_retention_days", "import_retention_days", "event_retention_days")
    async with services(it.settings.model_copy(update=dict.fromkeys(kinds, days))) as opened:
        await prune(opened.db, days)
        await retention.retire_projects(opened)
        await retention.retire_imports(opened)
        await rounds.maintain(opened)
        await ledger_sums.add_up_before(opened, since)


async def _sizes(db: asyncpg.Connection) -> Sizes:
    await db.execute("VACUUM ANALYZE", timeout=3600)
    return {row["relname"]: row["bytes"] for row in await db.fetch(_SIZES)}


async def run(it: Deployment, provider: HttpProvider, a_day: int, days: int) -> list[Sizes]:
    """Returns the bytes of each table after each day."""
    token, owners = await sender(it, feed=True), [await it.owner(), await it.owner()]
    await it.record_events(owners[0])
    channel = {"POSTERN_CHANNEL_SMS": provider.dsn(32)}
    db, after = await asyncpg.connect(it.url), list[Sizes]()
    async with it.serving(**UNLIMITED, **channel) as (_, port), it.workers(1, **channel):
        for day in range(1, days + 1):
            begun, clock = datetime.now(UTC), time.perf_counter()
            await _send(it, db, port, token, owners, a_day)
            sent = time.perf_counter()
            await _retire(it, begun)
            retired = time.perf_counter()
            after.append(await _sizes(db))
            print(
                f"day {day}: sent in {sent - clock:.0f} s, retention {retired - sent:.1f} s,"
                f" {sum(after[-1].values()) / 1e6:.1f} MB",
                flush=True,
            )
    await db.close()
    return after


async def main(a_day: int, days: int) -> int:
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it, http_provider(it, "--latency", "20") as provider:
            after = await run(it, provider, a_day, days)
    print(f"| MB after day | {' | '.join(str(day + 1) for day in range(days))} |\n{'|---' * (days + 1)}|")
    for name in sorted(after[-1], key=lambda name: -after[-1][name])[:SHOWN]:
        print(f"| {name} | {' | '.join(f'{sizes.get(name, 0) / 1e6:.1f}' for sizes in after)} |")
    totals = [sum(sizes.values()) for sizes in after]
    print(f"| all | {' | '.join(f'{total / 1e6:.1f}' for total in totals)} |")
    grown = totals[-1] / totals[1]
    print(f"after day {days} {grown:.3f} of the bytes after day 2, goal {GOAL}")
    return 0 if grown <= GOAL else 1


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.days")
    parse.add_argument("--a-day", type=integer(1000, 1_000_000), default=100_000, help="messages")
    parse.add_argument("--days", type=integer(2, 30), default=7)
    asked = parse.parse_args()
    sys.exit(asyncio.run(main(asked.a_day, asked.days)))

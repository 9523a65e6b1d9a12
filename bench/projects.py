"""A Sending Project from start to `finished`, against the raw claim-and-complete loop; Celery; statistics.

`python -m bench.projects [--recipients 1000000]`. All ratios are from one run, on one PostgreSQL that keeps its
promises (fsync on), with clients and servers sharing the machine.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg

from bench.gateway import login
from bench.load import drive
from bench.wire.samples import TEXT, recipient
from postern import operator
from runtime.services import services
from tests.support.deployment import Deployment, deployment

UNIT = 500

_RAW = """
CREATE UNLOGGED TABLE raw_template (id uuid, unit int, "to" text, name text, status text DEFAULT 'queued',
  sent_at timestamptz);
CREATE TABLE raw (LIKE raw_template INCLUDING DEFAULTS, PRIMARY KEY (id)) WITH (fillfactor = 70);
CREATE INDEX ON raw (unit);
"""
_CLAIM = """
UPDATE raw SET status = 'sending' WHERE id IN (
  SELECT id FROM raw WHERE unit = $1 AND status = 'queued' FOR UPDATE SKIP LOCKED
) RETURNING id, "to", name
"""
_COMPLETE = (
    "UPDATE raw SET status = 'sent', sent_at = now() FROM unnest($1::uuid[]) AS r (id) WHERE raw.id = r.id"
)


async def raw_loop(url: str, count: int) -> float:
    """Messages a second of a loop that only claims batches of 500 and completes them, on two connections."""
    db = await asyncpg.connect(url)
    await db.execute(_RAW)
    await db.copy_records_to_table(
        "raw",
        records=[(uuid4(), n // UNIT, f"u{n}@example.com", f"Name {n}") for n in range(count)],
        columns=["id", "unit", "to", "name"],
    )
    await db.execute("VACUUM ANALYZE raw")
    units = iter(range(-(-count // UNIT)))

    async def one() -> None:
        connection = await asyncpg.connect(url)
        for unit in units:
            rows = await connection.fetch(_CLAIM, unit)
            await connection.execute(_COMPLETE, [row["id"] for row in rows])
        await connection.close()

    begun = time.perf_counter()
    await asyncio.gather(one(), one())
    took = time.perf_counter() - begun
    await db.execute("DROP TABLE raw, raw_template")
    await db.close()
    return count / took


async def finished(url: str, made: UUID) -> dict[str, int]:
    db = await asyncpg.connect(url)
    while await db.fetchval("SELECT status FROM sending_projects WHERE id = $1", made) != "finished":
        await asyncio.sleep(0.05)
    states = await db.fetch(
        "SELECT status, count(*) FROM message_records WHERE project_id = $1 GROUP BY 1", made
    )
    await db.close()
    return {row["status"]: row["count"] for row in states}


async def ours(it: Deployment, count: int, processes: int, owner: UUID) -> float:
    """Messages a second from start to `finished`."""
    made = await it.make_project(
        owner, "push", TEXT, (recipient("push", number) for number in range(count)), subject="Bench"
    )
    async with it.workers(processes):
        begun = time.perf_counter()
        await it.start_project(made)
        states = await finished(it.url, made)
        took = time.perf_counter() - begun
    assert states == {"sent": count}, states
    return count / took


_TASKS = """
import sys, time
from celery import Celery
app = Celery("bench", broker=sys.argv[1] if len(sys.argv) > 1 else None)
app.conf.update(task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=100)
@app.task
def send(to, name, code):
    f"Hello {name}, your code is {code}."
"""


def celery(redis: str, count: int) -> float | None:
    """Messages a second as one Celery task each, in a virtual environment of its own; None where there is none."""
    with tempfile.TemporaryDirectory(prefix="postern-celery-") as folder:
        home = Path(folder)
        try:
            subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True, capture_output=True)
            python = home / "venv/bin/python"
            subprocess.run(
                [python, "-m", "pip", "install", "--quiet", "celery[redis]==5.7.*"],
                check=True,
                capture_output=True,
            )
        except subprocess.CalledProcessError:
            return None
        (home / "tasks.py").write_text(
            _TASKS.replace("sys.argv[1] if len(sys.argv) > 1 else None", repr(redis))
        )
        environment = {**os.environ, "C_FORCE_ROOT": "1", "PYTHONWARNINGS": "ignore"}
        feed = (
            "import time, redis, tasks\n"
            f"r = redis.Redis.from_url({redis!r})\n"
            f"begun = time.time()\n"
            f"for n in range({count}): tasks.send.delay(f'u{{n}}', f'Name {{n}}', n)\n"
            "while r.llen('celery') or r.hlen('unacked'): time.sleep(0.05)\n"
            "print(time.time() - begun)\n"
        )
        worker = subprocess.Popen(
            [python, "-m", "celery", "-A", "tasks", "worker", "--concurrency", "2", "--loglevel", "ERROR"],
            cwd=home, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            time.sleep(5)
            completed = subprocess.run(
                [python, "-c", feed], cwd=home, env=environment, check=True, capture_output=True, text=True
            )
            return count / float(completed.stdout)
        finally:
            worker.terminate()
            worker.wait()


READS = (
    "/statistics/delivery-status-counts", "/statistics/general?interval=hour", "/statistics/list", "/statistics/total",
    "/queue/statistics",
)  # fmt: skip


async def reads(it: Deployment, many: str, few: str, counts: tuple[int, int]) -> None:
    """The same reads for an owner of many messages and for one of few."""
    async with it.serving() as (_, port):
        logins = [await login(port, many), await login(port, few)]
        for path in READS:
            taken = [(await drive(port, path, headers, 2.0)).per_second for headers in logins]
            print(
                f"GET {path:38} {taken[0]:6,.0f}/s with {counts[0]:,} messages, "
                f"{taken[0] / taken[1]:.2f} of that with {counts[1]:,}"
            )


async def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.projects")
    parse.add_argument("--recipients", type=int, default=1_000_000)
    parse.add_argument("--without-celery", action="store_true")
    arguments = parse.parse_args()
    count = arguments.recipients
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it:
            await _measure(it, count, with_celery=not arguments.without_celery)


async def _measure(it: Deployment, count: int, *, with_celery: bool) -> None:
    async with services(it.settings) as opened:
        many, few = [
            (
                await operator.create_user(opened, f"{name}@example.com", admin=False, password="bench bench")
            ).id
            for name in ("many", "few")
        ]
    raw = await raw_loop(it.url, count)
    print(f"raw claim-and-complete loop       {raw:9,.0f} messages/s")
    one = await ours(it, count, 1, many)
    print(f"a project, one worker             {one:9,.0f} messages/s   {one / raw:.2f} of raw (goal 0.5)")
    two = await ours(it, count, 2, many)
    print(
        f"a project, two workers            {two:9,.0f} messages/s   {two / raw:.2f} of raw, "
        f"{two / one:.2f} of one worker"
    )
    await ours(it, count // 100, 1, few)
    await reads(it, "many@example.com", "few@example.com", (2 * count, count // 100))
    if with_celery:
        hundred = min(count, 100_000)
        other = celery(it.redis_url, hundred)
        if other is None:
            print("Celery could not be installed here; not compared")
            return
        mine = await ours(it, hundred, 1, few)
        print(
            f"{hundred:,} messages: Celery {other:,.0f}/s, a project {mine:,.0f}/s, {mine / other:.1f} times"
        )


def run() -> None:
    asyncio.run(main())


if __name__ == "__main__":
    run()

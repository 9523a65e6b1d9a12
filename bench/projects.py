"""A Sending Project from start to `finished`, against the raw claim-and-complete loop; Celery; statistics.

`python -m bench.projects [--recipients 1000000]`. All ratios are from one run, on one PostgreSQL that keeps its
promises (fsync on), with clients and servers sharing the machine.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg

from bench.gateway import child, login
from bench.load import drive
from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.jobs import JobName, enqueue
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

UNIT = 500
PORT = 3903

_RAW = """
CREATE UNLOGGED TABLE raw_template (id uuid, unit int, "to" text, name text, status text DEFAULT 'queued', sent_at timestamptz);
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


TEXT = "Hello {{ name }}, your code is {{ code }}."


async def project(
    url: str, count: int, owner: UUID, text: str = TEXT, channel: str = "push", address: str = "device-{}"
) -> UUID:
    """A project with so many recipients and a Liquid text, not started."""
    db = await asyncpg.connect(url)
    made = uuid7()
    account = await db.fetchval("SELECT id FROM accounts WHERE owner_id = $1", owner)
    await db.execute(
        "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, subject, text, content, category)"
        " VALUES ($1, $2, $3, 'bench', $4, 'Bench', $5, 1, 'transactional')",
        made, owner, account, channel, text,
    )  # fmt: skip
    content = {"subject": "Bench", "text": text, "on_missing_variable": "empty", "category": "transactional"}
    await db.execute(
        "INSERT INTO project_contents (project_id, number, content) VALUES ($1, 1, $2::text::jsonb)",
        made, json.dumps(content),
    )  # fmt: skip
    await db.copy_records_to_table(
        "recipients",
        records=((uuid7(), made, address.format(n), f"Name {n}", f'{{"code": "{n}"}}') for n in range(count)),
        columns=["id", "project_id", "address", "name", "variables"],
    )
    await db.execute("VACUUM ANALYZE recipients")
    await db.close()
    return made


async def start(url: str, made: UUID) -> None:
    db = await asyncpg.connect(url)
    async with db.transaction():
        await db.execute(
            "UPDATE sending_projects SET status = 'running', preparation = 'freeze', started_at = now() WHERE id = $1",
            made,
        )
        await enqueue(db, JobName.prepare_project, made)
    await db.close()


async def finished(url: str, made: UUID) -> dict[str, int]:
    db = await asyncpg.connect(url)
    while await db.fetchval("SELECT status FROM sending_projects WHERE id = $1", made) != "finished":
        await asyncio.sleep(0.05)
    states = await db.fetch(
        "SELECT status, count(*) FROM message_records WHERE project_id = $1 GROUP BY 1", made
    )
    await db.close()
    return {row["status"]: row["count"] for row in states}


@asynccontextmanager
async def workers(count: int, environment: dict[str, str]) -> AsyncIterator[None]:
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "postern", "worker", cwd=ROOT, env={**os.environ, **environment}
        )
        for _ in range(count)
    ]
    await asyncio.sleep(3)  # they are up
    try:
        yield
    finally:
        for child in children:
            child.terminate()
        for child in children:
            await child.wait()


async def ours(url: str, count: int, processes: int, environment: dict[str, str], owner: UUID) -> float:
    """Messages a second from start to `finished`."""
    made = await project(url, count, owner)
    async with workers(processes, environment):
        begun = time.perf_counter()
        await start(url, made)
        states = await finished(url, made)
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
            said = subprocess.run(
                [python, "-c", feed], cwd=home, env=environment, check=True, capture_output=True, text=True
            )
            return count / float(said.stdout)
        finally:
            worker.terminate()
            worker.wait()


READS = (
    "/statistics/delivery-status-counts", "/statistics/general?interval=hour", "/statistics/list", "/statistics/total",
    "/queue/statistics",
)  # fmt: skip


async def reads(environment: dict[str, str], many: str, few: str, counts: tuple[int, int]) -> None:
    """The same reads for an owner of many messages and for one of few."""
    async with child(
        PORT, "/", {**environment, "POSTERN_PORT": str(PORT)}, "postern", "serve", "--no-worker"
    ):
        logins = [await login(PORT, many), await login(PORT, few)]
        for path in READS:
            taken = [(await drive(PORT, path, headers, 2.0)).per_second for headers in logins]
            print(
                f"GET {path:38} {taken[0]:6,.0f}/s with {counts[0]:,} messages, {taken[0] / taken[1]:.2f} of that with {counts[1]:,}"
            )


async def main() -> None:
    parse = argparse.ArgumentParser(prog="python -m bench.projects")
    parse.add_argument("--recipients", type=int, default=1_000_000)
    parse.add_argument("--without-celery", action="store_true")
    given = parse.parse_args()
    count = given.recipients
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        keys = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
        settings = Settings(_env_file=None, db_string=postgres.url, redis_url=redis.url, **keys)
        await prepare(settings)
        environment = {
            "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
            "POSTERN_JWT_KEY": "j" * 32, "POSTERN_LOG_LEVEL": "error", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        async with services(settings) as opened:
            many, few = [
                (
                    await operator.create_user(
                        opened, f"{name}@example.com", admin=False, password="bench bench"
                    )
                ).id
                for name in ("many", "few")
            ]
        raw = await raw_loop(postgres.url, count)
        print(f"raw claim-and-complete loop       {raw:9,.0f} messages/s")
        one = await ours(postgres.url, count, 1, environment, many)
        print(f"a project, one worker             {one:9,.0f} messages/s   {one / raw:.2f} of raw (goal 0.5)")
        two = await ours(postgres.url, count, 2, environment, many)
        print(
            f"a project, two workers            {two:9,.0f} messages/s   {two / raw:.2f} of raw, {two / one:.2f} of one worker"
        )
        await ours(postgres.url, count // 100, 1, environment, few)
        await reads(environment, "many@example.com", "few@example.com", (2 * count, count // 100))
        if not given.without_celery:
            hundred = min(count, 100_000)
            other = celery(redis.url, hundred)
            if other is None:
                print("Celery could not be installed here; not compared")
                return
            mine = await ours(postgres.url, hundred, 1, environment, few)
            print(
                f"{hundred:,} messages: Celery {other:,.0f}/s, a project {mine:,.0f}/s, {mine / other:.1f} times"
            )


def run() -> None:
    asyncio.run(main())


if __name__ == "__main__":
    run()

"""A gateway of its own under fire: PostgreSQL with fsync on, Redis, worker processes, a provider, one project."""

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import asyncpg

from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.jobs import JobName, enqueue
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare

LEASE = 2.0
CONNECTIONS = 20  # of a worker to the provider: what may be in flight
CREDIT = Decimal(100_000)
STATES = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")

_RECOUNT = """
SELECT status, count(*) FROM message_records WHERE project_id = $1 AND direction = 'outbound' GROUP BY status
"""
_COUNTERS = f"SELECT {', '.join(f'sum({one})::bigint AS {one}' for one in ('total', *STATES))} FROM sending_counters WHERE project_id = $1"
_REASONS = """
SELECT failure_code AS code, count(*) FROM message_records
WHERE project_id = $1 AND status IN ('failed', 'skipped') GROUP BY 1
"""
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) AS balance, (SELECT sum(amount) FROM ledger_entries) AS ledger,
  (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') AS spent,
  (SELECT COALESCE(sum(price), 0) FROM message_records) AS prices,
  (SELECT COALESCE(sum(held), 0) FROM sending_units) AS held,
  (SELECT count(*) FROM message_records WHERE status IN ('failed', 'skipped', 'queued', 'canceled') AND price > 0) AS wrong
"""


@dataclass
class Verdict:
    """What was found when all was quiet."""

    states: Counter[str] = field(default_factory=Counter)
    created: int = 0
    effects: int = 0
    twice: int = 0  # messages that took effect more than once
    twice_known: int = 0  # of them, not `unknown`
    phantom: int = 0  # marked sent, and the provider never took it
    hidden: int = 0  # the provider took it, and it is called failed, skipped or queued
    foreign: int = 0  # effects that are no message of ours, at another recipient, or with another text
    reasons: dict[str, int] = field(default_factory=dict)  # why messages failed or were skipped, by code
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = ", ".join(f"{name} {count}" for name, count in sorted(self.states.items()))
        return (
            f"created {self.created} = {told} {self.reasons or ''}\neffects {self.effects}; twice {self.twice}, of them not unknown "
            f"{self.twice_known}; sent but never taken {self.phantom}; taken but not called so {self.hidden}"
        )


class World:
    def __init__(
        self, settings: Settings, postgres: EmbeddedPostgres, redis: EmbeddedRedis, folder: Path
    ) -> None:
        self.settings, self.postgres, self.redis, self.folder = settings, postgres, redis, folder
        self.url = settings.db_string.get_secret_value()
        self.log = folder / "effects"
        self.port = 0
        self.honours = True
        self.children: list[asyncio.subprocess.Process] = []
        self.project: UUID = uuid7()
        self.expected: dict[str, tuple[str, str]] = {}  # recipient → hash of the text
        self.in_flight = 0  # messages that were marked at the moment of each fault

    async def provider(self, *, honours: bool, seed: int, trouble: float) -> None:
        self.honours = honours
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.faults.provider", str(self.log), str(int(honours)), str(seed), str(trouble),
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        self.children.append(child)
        assert child.stdout
        self.port = int(await child.stdout.readline())

    async def worker(self, mutant: str | None = None, **environment: str) -> asyncio.subprocess.Process:
        what = ["tests.faults.mutants", mutant] if mutant else ["postern", "worker"]
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *what,
            cwd=ROOT,
            env={
                **os.environ,
                "DB_STRING": self.url,
                "REDIS_URL": self.settings.redis_url.get_secret_value(),
                "POSTERN_SECRET_KEY": "s" * 32,
                "POSTERN_JWT_KEY": "j" * 32,
                "POSTERN_LEASE_SECONDS": str(LEASE),
                "POSTERN_CHANNEL_SMS": f"post://127.0.0.1:{self.port}/send?scheme=http&timeout=3"
                f"&connections={CONNECTIONS}&idempotent={int(self.honours)}",
                "POSTERN_LOG_LEVEL": "error",
                **environment,
            },
        )  # fmt: skip
        self.children.append(child)
        return child

    async def start(self, recipients: int, *, attempts: int = 10) -> None:
        """A project of so many, with money for all of them, just started."""
        db = await asyncpg.connect(self.url)
        user, account = uuid7(), uuid7()
        async with db.transaction():
            await db.execute("INSERT INTO users (id, email, roles) VALUES ($1, 'a@b.test', '{user}')", user)
            await db.execute(
                "INSERT INTO accounts (id, owner_id, name, currency, balance) VALUES ($1, $2, 'x', 'USD', $3)",
                account, user, CREDIT,
            )  # fmt: skip
            await db.execute(
                "INSERT INTO ledger_entries (id, account_id, kind, amount, reference) VALUES ($1, $2, 'credit', $3, $1)",
                uuid7(), account, CREDIT,
            )  # fmt: skip
            await db.execute(
                "INSERT INTO sending_projects (id, owner_id, account_id, name, status, channel, text, retry, content,"
                " preparation, started_at) VALUES ($1, $2, $3, 'fire', 'running', 'sms', 'Hello {{ name }}!', $4::text::jsonb,"
                " 1, 'freeze', now())",
                self.project, user, account, f'{{"maxAttempts": {attempts}, "backoffSeconds": 1}}',
            )  # fmt: skip
            await db.execute(
                "INSERT INTO project_contents (project_id, number, content) VALUES ($1, 1, $2::text::jsonb)",
                self.project, '{"text": "Hello {{ name }}!", "on_missing_variable": "empty"}',
            )  # fmt: skip
            rows = []
            for number in range(recipients):
                phone, name = f"+1415{number:07}", f"Имя {number}"
                self.expected[phone] = ("", sha256(f"Hello {name}!".encode()).hexdigest())
                rows.append((uuid7(), self.project, phone, name))
            await db.copy_records_to_table(
                "recipients", records=rows, columns=["id", "project_id", "address", "name"]
            )
            await enqueue(db, JobName.prepare_project, self.project)
        await db.close()

    async def adding(self, rows: int) -> None:
        """The project's recipients are an import of so many rows, of which none is added yet."""
        db = await asyncpg.connect(self.url)
        made, addition = uuid7(), uuid7()
        lines = []
        for number in range(rows):
            phone, name = f"+1415{number:07}", f"Имя {number}"
            self.expected[phone] = ("", sha256(f"Hello {name}!".encode()).hexdigest())
            lines.append((made, number + 1, phone, name))
        async with db.transaction():
            await db.execute(
                "INSERT INTO recipient_imports (id, owner_id, status, region, total, valid)"
                " SELECT $1, owner_id, 'ready', 'US', $3, $3 FROM sending_projects WHERE id = $2",
                made, self.project, rows,
            )  # fmt: skip
            await db.copy_records_to_table(
                "import_rows", records=lines, columns=["import_id", "line", "address", "name"]
            )
            await db.execute(
                "INSERT INTO recipient_additions (id, project_id, import_id, line, added, rows_left)"
                " VALUES ($1, $2, $3, 0, 0, $4)",
                addition, self.project, made, rows,
            )  # fmt: skip
            await db.execute(
                "UPDATE sending_projects SET recipients_pending = $2, status_reason = 'recipients_pending' WHERE id = $1",
                self.project, rows,
            )  # fmt: skip
            await enqueue(db, JobName.add_recipients, addition)
        await db.close()

    def effects(self) -> list[list[str]]:
        return [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []

    async def taken(self, count: int, within: float = 300) -> None:
        async with asyncio.timeout(within):
            while not self.log.exists() or self.log.read_bytes().count(b"\n") < count:
                await asyncio.sleep(0.01)

    async def count_in_flight(self, worker: int | None = None) -> None:
        """What is marked now may be unknown later. (Counted a moment before the fault, so it is no upper bound to
        the message: each worker's connections are added where that matters.)"""
        with_db = await asyncpg.connect(self.url)
        self.in_flight += await with_db.fetchval(
            "SELECT count(*) FROM message_records WHERE status = 'sending'"
        )
        await with_db.close()

    async def quiet(self, within: float = 600) -> None:
        """Until the project is finished."""
        async with asyncio.timeout(within):
            while True:
                try:
                    db = await asyncpg.connect(self.url)
                    status = await db.fetchval(
                        "SELECT status FROM sending_projects WHERE id = $1", self.project
                    )
                    await db.close()
                    if status == "finished":
                        return
                    assert status == "running", f"the project is {status}"
                except (OSError, asyncpg.PostgresError):
                    pass
                await asyncio.sleep(0.2)

    async def verdict(self) -> Verdict:
        found = Verdict()
        say = found.problems.append
        db = await asyncpg.connect(self.url)
        rows = {str(row["id"]): row for row in await db.fetch('SELECT id, "to", status FROM message_records')}
        found.created = len(rows)
        found.states = Counter(row["status"] for row in rows.values())
        counters = await db.fetchrow(_COUNTERS, self.project)
        recount = Counter({row["status"]: row["count"] for row in await db.fetch(_RECOUNT, self.project)})
        if found.created != len(self.expected) or counters["total"] != found.created:
            say(f"{len(self.expected)} recipients, {found.created} messages, {counters['total']} counted")
        for state in STATES:
            if counters[state] != recount[state]:
                say(f"counter {state} is {counters[state]}, a recount says {recount[state]}")
        reasons = {row["code"]: row["count"] for row in await db.fetch(_REASONS, self.project)}
        kept = {
            row["code"]: row["count"]
            for row in await db.fetch(
                "SELECT code, sum(count)::bigint AS count FROM failure_counters WHERE project_id = $1 GROUP BY 1"
                " HAVING sum(count) <> 0", self.project,
            )
        }  # fmt: skip
        found.reasons = reasons
        if reasons != kept:
            say(f"failure counters {kept}, a recount says {reasons}")
        money = await db.fetchrow(_MONEY)
        if money["balance"] != money["ledger"]:
            say(f"balance {money['balance']}, ledger {money['ledger']}")
        if money["spent"] != money["prices"] + money["held"] or money["held"] or money["wrong"]:
            say(f"money: {dict(money)}")
        await db.close()

        effects = self.effects()
        found.effects = len(effects)
        by_message = Counter(effect[1] for effect in effects)
        for _, message, to, digest in effects:
            row = rows.get(message)
            if row is None or row["to"] != to or self.expected[to][1] != digest:
                found.foreign += 1
        for id, row in rows.items():
            times = by_message[id]
            if times > 1:
                found.twice += 1
                found.twice_known += row["status"] != "unknown"
            found.phantom += row["status"] in ("sent", "delivered", "read") and times == 0
            found.hidden += row["status"] in ("failed", "skipped", "queued", "canceled") and times > 0
        for name in ("phantom", "hidden", "foreign"):
            if getattr(found, name):
                say(f"{name}: {getattr(found, name)}")
        if found.twice if self.honours else found.twice_known:
            say(f"sent twice: {found.twice}, of them not unknown: {found.twice_known}")
        if left := {"queued", "sending"} & set(found.states):
            say(f"left over: {left}")
        return found


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    postgres, redis = EmbeddedPostgres(folder), EmbeddedRedis(folder)
    await asyncio.to_thread(postgres.start)
    await asyncio.to_thread(redis.start)
    settings = Settings(
        _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32
    )
    made = World(settings, postgres, redis, folder)
    try:
        await prepare(settings)
        yield made
    finally:
        for child in made.children:
            if child.returncode is None:
                child.send_signal(signal.SIGCONT)
                child.kill()
                await child.wait()
        await asyncio.to_thread(redis.stop)
        await asyncio.to_thread(postgres.stop)

"""A gateway of its own under fire: PostgreSQL with fsync on, Redis, worker processes, a provider, one project."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import redis.asyncio as redis

from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.jobs import JobName, enqueue
from engine.sending.concurrency import AHEAD, MOST_AHEAD
from tests.faults import reconciliation, webhook
from tests.faults.channels import HTTP, Channel
from tests.support import prefork, servers
from tests.support.deployment import KEYS, PIPE, Deployment, Process, deployment, ending
from tests.support.feeds import ALL_EVENTS, ALL_WAITING
from tests.support.tcp import Network, serving

LEASE = 2.0
_LOOPBACK = "127.0.0.0/8"  # where the webhook's receiver is, which nobody else may call
_STAYS = 5.0  # seconds for which a project is finished, until it stays so
BREAKER = 10  # messages that may become unknown besides those in flight until the breaker of a route is open
TAKEN = ("sent", "delivered", "read")
STATES = ("queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled")

_RECOUNT = """
SELECT status, count(*) FROM message_records WHERE project_id = $1 AND direction = 'outbound' GROUP BY status
"""
_COUNTERS = (
    f"SELECT {', '.join(f'sum({state})::bigint AS {state}' for state in ('total', *STATES))}"
    " FROM sending_counters WHERE project_id = $1"
)
_REASONS = """
SELECT failure_code AS code, count(*) FROM message_records
WHERE project_id = $1 AND status IN ('failed', 'skipped') GROUP BY 1
"""
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) AS balance, (SELECT sum(amount) FROM ledger_entries) AS ledger,
  (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') AS spent,
  (SELECT COALESCE(sum(price), 0) FROM message_records) AS prices,
  (SELECT COALESCE(sum(held), 0) FROM sending_units) AS held,
  (SELECT count(*) FROM message_records WHERE status IN ('failed', 'skipped', 'queued', 'canceled')
    AND price > 0) AS wrong
"""


@dataclass
class Verdict:
    """Holds the counts that were made when everything was finished."""

    states: Counter[str] = field(default_factory=Counter)
    created: int = 0
    lost: int = 0  # messages that were not sent, though nothing says so
    effects: int = 0
    twice: int = 0  # messages that took effect more than once
    twice_known: int = 0  # of them, not `unknown`
    phantom: int = 0  # marked sent, and the provider never took it
    hidden: int = 0  # the provider took it, and it is called failed, skipped or queued
    foreign: int = 0  # effects that are no message of ours, at another recipient, or with another text
    charged: Decimal = Decimal()  # charges less refunds
    prices: Decimal = Decimal()  # of what counts
    reasons: dict[str, int] = field(default_factory=dict)  # why messages failed or were skipped, by code
    webhook: str = ""  # how many events came to it, if there is one
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.states.items()))
        return (
            f"created {self.created} = {counts} {self.reasons or ''}\nlost {self.lost}; "
            f"effects {self.effects}; twice {self.twice},"
            f" of them not unknown {self.twice_known}; sent but never taken {self.phantom}; "
            f"taken but not called so {self.hidden};"
            f" charged {self.charged} = {self.prices} of prices"
            + (f"\n{self.webhook}" if self.webhook else "")
        )


_FEED = f"""
WITH feed AS (
  SELECT subject, subject_id, type, data, 0 AS late, position AS place FROM {ALL_EVENTS}
  UNION ALL SELECT subject, subject_id, type, data, 1, position FROM {ALL_WAITING}
)
"""
_LAST_STATUSES = f"""{_FEED}
SELECT DISTINCT ON (subject_id) subject_id::text AS id, COALESCE(data->>'status',
  replace(replace(replace(type, 'message.', ''), 'expired', 'failed'), 'refused', 'failed')) AS status FROM feed
WHERE subject = 'messageRecord' ORDER BY subject_id, late DESC, place DESC
"""
_PROJECT_EVENTS = f"{_FEED} SELECT type FROM feed WHERE subject = 'sendingProject' ORDER BY late, place"


class World(Deployment):
    """The installation under fire. `in_flight` is what may have been on its way at the faults so far."""

    channel = HTTP
    honours = True
    port = 0
    in_flight = 0
    server: Process
    receiver: Process  # of the webhook

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder, settings)
        self.log = folder / "effects"
        self.requests = folder / "requests"  # of the webhook
        self.listens = False  # there is a webhook
        self.environment["POSTERN_OUTBOUND_ALLOW"] = _LOOPBACK
        self.project: UUID = uuid7()
        self.expected: dict[str, str] = {}  # recipient → hash of the text

    async def provider(self, *, honours: bool, seed: int, trouble: float, channel: Channel = HTTP) -> None:
        """Chooses the channel, and starts its provider if it has one."""
        self.channel, self.honours = channel, honours
        if channel.provider:
            self.server = await self.spawn(
                "tests.faults.providers", channel.provider, str(self.log), str(int(honours)), str(seed), str(trouble),
                output=PIPE,
            )  # fmt: skip
            assert self.server.stdout
            self.port = int(await self.server.stdout.readline())

    async def worker(self, mutant: str | None = None, **environment: str) -> Process | prefork.Awaited:
        """Starts a worker, or one with an engine that is broken on purpose."""
        what = ["tests.faults.mutants", mutant] if mutant else ["postern", "worker"]
        route = {
            f"POSTERN_CHANNEL_{self.channel.kind.upper()}": self.channel.dsn(self.port, honours=self.honours)
        }
        return await self.start_worker(*what, **{"POSTERN_LEASE_SECONDS": str(LEASE), **route, **environment})

    async def start_worker(self, *words: str, **environment: str) -> Process | prefork.Awaited:
        return await self.spawn(*words, "--child", **environment)

    def concerned(self, workers: int = 1, more: int = 0) -> None:
        """Notes a fault of so many workers, each of which may leave what it had in flight unknown."""
        if flight := self.channel.in_flight:  # the provider is fast, so its route has many intents ahead
            self.in_flight += max(int(AHEAD * flight), flight + MOST_AHEAD) * workers
        self.in_flight += more

    @property
    def unknown_at_most(self) -> int:
        """Returns how many messages the faults and the provider's doubtful answers may leave unknown: none if it
        honours keys.
        """
        if self.honours:
            return 0
        doubts = self.log.with_suffix(".doubts")
        return self.in_flight + (doubts.read_text().count("?") if doubts.exists() else 0)

    async def start(self, recipients: int, *, attempts: int = 20, listens: bool = False) -> None:
        """Starts a project of so many. It may try so often that only a fault of ours can make a message fail.
        `listens`: a webhook receives the events of its messages.
        """
        rows = [(self.channel.address(number), f"Имя {number}", "{}") for number in range(recipients)]
        self._expect(rows)
        owner = await self.owner()
        await self.record_events(owner)
        if listens:
            await self._listen(owner)
        self.project = await self.make_project(
            owner, self.channel.kind, "Hello {{ name }}!", rows,
            subject="Fire" if self.channel.kind == "email" else None,
            retry={"maxAttempts": attempts, "backoffSeconds": 1},
        )  # fmt: skip
        await self.start_project(self.project)

    async def _listen(self, owner: UUID) -> None:
        self.listens = True
        self.receiver = await self.spawn("tests.faults.receiver", str(self.requests), output=PIPE)
        assert self.receiver.stdout
        url = f"http://127.0.0.1:{int(await self.receiver.stdout.readline())}/hook"
        await self.add_webhook(owner, url, webhook.BATCH, webhook.TYPES)

    def _expect(self, rows: Iterable[tuple[str, str, str]]) -> None:
        for address, name, _ in rows:
            self.expected[address] = sha256(f"Hello {name}!".encode()).hexdigest()

    async def adding(self, rows: int) -> None:
        """The project's recipients are an import of so many rows, of which none is added yet."""
        db = await asyncpg.connect(self.url)
        made, addition = uuid7(), uuid7()
        people = [(self.channel.address(number), f"Имя {number}", "{}") for number in range(rows)]
        self._expect(people)
        lines = [(made, number + 1, address, name) for number, (address, name, _) in enumerate(people)]
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
                "UPDATE sending_projects SET recipients_pending = $2, "
                    "status_reason = 'recipients_pending' WHERE id = $1",
                self.project, rows,
            )  # fmt: skip
            await enqueue(db, JobName.add_recipients, addition)
        await db.close()

    def effects(self) -> list[list[str]]:
        return [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []

    async def taken(self, count: int, within: float = 300) -> None:
        """Waits until so many have taken effect, or until Postern says so where the provider writes no log."""
        async with asyncio.timeout(within):
            while await self._sent() < count:
                await asyncio.sleep(0.01)

    async def _sent(self) -> int:
        if self.channel.provider:
            return self.log.read_bytes().count(b"\n") if self.log.exists() else 0
        with suppress(OSError, asyncpg.PostgresError):
            db = await asyncpg.connect(self.url)
            try:
                return int(
                    await db.fetchval("SELECT count(*) FROM message_records WHERE sent_at IS NOT NULL")
                )
            finally:
                await db.close()
        return 0

    async def quiet(self, within: float = 600) -> None:
        """Waits until the project stays finished: a worker that lost its claim may say last what it did not send.

        Such messages are queued again, and the project runs again.
        """
        since = None
        async with asyncio.timeout(within):
            while True:
                try:
                    db = await asyncpg.connect(self.url)
                    try:
                        status = await db.fetchval(
                            "SELECT status FROM sending_projects WHERE id = $1", self.project
                        )
                    finally:
                        await db.close()
                    assert status in ("running", "finished"), f"the project is {status}"
                    since = (since or time.monotonic()) if status == "finished" else None
                    if since is not None and time.monotonic() >= since + _STAYS:
                        return
                except (OSError, asyncpg.PostgresError):
                    pass
                await asyncio.sleep(0.2)

    async def until_delivered(self) -> None:
        """Waits until the webhook has received all events of the feed."""
        await webhook.delivered(self.url)

    async def verdict(self) -> Verdict:
        verdict = Verdict()
        say = verdict.problems.append
        db = await asyncpg.connect(self.url)
        await db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")  # all of it is of one moment
        rows = {str(row["id"]): row for row in await db.fetch('SELECT id, "to", status FROM message_records')}
        verdict.created = len(rows)
        verdict.states = Counter(row["status"] for row in rows.values())
        counters = await db.fetchrow(_COUNTERS, self.project)
        recount = Counter({row["status"]: row["count"] for row in await db.fetch(_RECOUNT, self.project)})
        if verdict.created != len(self.expected) or counters["total"] != verdict.created:
            say(f"{len(self.expected)} recipients, {verdict.created} messages, {counters['total']} counted")
        for state in STATES:
            if counters[state] != recount[state]:
                say(f"counter {state} is {counters[state]}, a recount says {recount[state]}")
        reasons = {row["code"]: row["count"] for row in await db.fetch(_REASONS, self.project)}
        passed = {
            row["code"]: row["count"]
            for row in await db.fetch(
                "SELECT code, sum(count)::bigint AS count FROM failure_counters WHERE project_id = $1 GROUP BY 1"
                " HAVING sum(count) <> 0", self.project,
            )
        }  # fmt: skip
        verdict.reasons = reasons
        if reasons != passed:
            say(f"failure counters {passed}, a recount says {reasons}")
        money = await db.fetchrow(_MONEY)
        verdict.charged, verdict.prices = money["spent"], money["prices"]
        if money["balance"] != money["ledger"]:
            say(f"balance {money['balance']}, ledger {money['ledger']}")
        if money["spent"] != money["prices"] + money["held"] or money["held"] or money["wrong"]:
            say(f"money: {dict(money)}")
        # What has no position yet came later than all that has one.
        statuses = {row["id"]: row["status"] for row in await db.fetch(_LAST_STATUSES)}
        if wrong := [id for id, row in rows.items() if statuses.get(id) != row["status"]]:
            say(
                f"the feed is wrong about {len(wrong)} messages: {statuses.get(wrong[0])}, "
                f"not {rows[wrong[0]]['status']}"
            )
        types = [row["type"] for row in await db.fetch(_PROJECT_EVENTS)]
        if types[:1] != ["project.started"] or types[-1:] != ["project.finished"]:
            say(f"the feed says of the project: {types}")
        await db.close()
        if self.listens:
            wrong, verdict.webhook = await webhook.problems(self.url, self.requests)
            verdict.problems += wrong

        if self.channel.provider:
            self._compare(verdict, rows)
        effects = self.effects() if self.channel.provider else None
        verdict.problems += await reconciliation.problems(self.url, self.project, rows, effects)
        # What failed is refunded, and was never taken (`hidden`); but no fault of ours may make a message fail.
        honest = sum(verdict.states[state] for state in (*TAKEN, "unknown", "failed"))
        verdict.lost = len(self.expected) - honest + verdict.phantom
        if verdict.lost:
            say(f"lost: {verdict.lost}")
        for state, most in (("unknown", self.unknown_at_most), ("failed", 0)):
            if verdict.states[state] > most:
                say(f"{state}: {verdict.states[state]}, at most {most} may be")
        if left := {"queued", "sending"} & set(verdict.states):
            say(f"left over: {left}")
        return verdict

    def _compare(self, verdict: Verdict, rows: dict[str, asyncpg.Record]) -> None:
        """Compares what the provider has taken with what Postern says about it."""
        effects = self.effects()
        by_recipient = {row["to"]: id for id, row in rows.items()}
        verdict.effects = len(effects)
        times: Counter[str] = Counter()
        for _, message, to, digest in effects:
            id = by_recipient.get(to)
            times[id or ""] += 1
            if id is None or message not in (id, "-") or self.expected[to] != digest:
                verdict.foreign += 1
        for id, row in rows.items():
            if times[id] > 1:
                verdict.twice += 1
                verdict.twice_known += row["status"] != "unknown"
            verdict.phantom += row["status"] in TAKEN and times[id] == 0
            verdict.hidden += row["status"] in ("failed", "skipped", "queued", "canceled") and times[id] > 0
        for name in ("phantom", "hidden", "foreign"):
            if getattr(verdict, name):
                verdict.problems.append(f"{name}: {getattr(verdict, name)}")
        if verdict.twice if self.honours else verdict.twice_known:
            verdict.problems.append(
                f"sent twice: {verdict.twice}, of them not unknown: {verdict.twice_known}"
            )


@asynccontextmanager
async def cut_off_later(it: World) -> AsyncIterator[tuple[Network, dict[str, str]]]:
    """Yields a network between a worker and PostgreSQL, and the worker's settings with which it goes through it."""
    there = urlsplit(it.url)
    network = Network(there.hostname or "127.0.0.1", there.port or 5432)
    async with serving(network.serve) as port:
        netloc = f"{there.netloc.rpartition('@')[0]}@127.0.0.1:{port}"
        yield network, {"DB_STRING": there._replace(netloc=netloc).geturl()}


class SharedWorld(World):
    """Uses the servers of all tests and workers that are forked: for tests that kill neither server."""

    async def start_worker(self, *words: str, **environment: str) -> prefork.Awaited:
        with (self.folder / "workers.log").open("ab") as log:
            child = prefork.Awaited(
                prefork.start(
                    words, cwd=ROOT, env={**os.environ, **self.environment, **environment}, output=log
                )
            )
        self.children.append(child)
        return child


def world(folder: Path) -> AbstractAsyncContextManager[World]:
    return deployment(folder, World, outbound_allow=[_LOOPBACK])


@asynccontextmanager
async def shared_world(folder: Path, database: str) -> AsyncIterator[World]:
    async with redis.from_url(servers.redis_url()) as store:
        await store.flushdb()
    settings = Settings(_env_file=None, db_string=database, redis_url=servers.redis_url(), **KEYS)
    made = SharedWorld(folder, settings)
    async with ending(made):
        yield made

"""Processes are killed at the worst moments; afterwards every message is sent once, or honestly unknown.

The worker is a real process, the SMTP server counts what it took. Where PostgreSQL is killed, too, it is one of the
test's own, with fsync on.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis

from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.faultpoints import POINTS
from engine.sending.concurrency import MOST_AHEAD
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from tests.support import prefork, servers
from tests.support.smtp import Recorder, recording
from tests.support.waits import PATIENCE, freeze, until

pytestmark = pytest.mark.rotating

POOL = 8
UNKNOWN = POOL * 3 // 2  # that a kill may leave: intents are recorded ahead of time
FAST_UNKNOWN = POOL + MOST_AHEAD  # likewise, at a provider that answers faster than the database stores
LEASE = 1.5  # of a worker that is to be killed or frozen
SURVIVES = {"POSTERN_LEASE_SECONDS": "60"}  # of one that must not lose a claim because the machine is busy


class World:
    """Holds one gateway under attack."""

    def __init__(self, url: str, redis_url: str, folder: Path, recorder: Recorder) -> None:
        self.url, self.redis_url, self.folder, self.recorder = url, redis_url, folder, recorder
        self.workers: list[prefork.Process] = []

    def worker(self, **environment: str) -> prefork.Process:
        with (self.folder / "worker.log").open("ab") as log:
            child = prefork.start(
                ["postern", "worker"],
                cwd=ROOT,
                env={
                    **os.environ,
                    "DB_STRING": self.url,
                    "REDIS_URL": self.redis_url,
                    "POSTERN_SECRET_KEY": "s" * 32,
                    "POSTERN_JWT_KEY": "j" * 32,
                    "POSTERN_LEASE_SECONDS": str(LEASE),
                    "POSTERN_CHANNEL_EMAIL": (
                        f"smtp://127.0.0.1:{self.recorder.port}?from=a@example.com&pool={POOL}&timeout=5"
                    ),
                    "POSTERN_LOG_LEVEL": "error",
                    **environment,
                },
                output=log,
            )
        self.workers.append(child)
        return child

    async def queue(self, count: int, channel: str = "email") -> None:
        """`count` charged messages, as POST /messages leaves them; by whatsapp trials, as POST /test-sending does."""
        to = "x@y.test" if channel == "email" else "+14155550100"
        connection = await asyncpg.connect(self.url)
        user, account = uuid7(), uuid7()
        async with connection.transaction():
            await connection.execute(
                "INSERT INTO users (id, email, roles) VALUES ($1, 'a@b.test', '{user}')", user
            )
            await connection.execute(
                "INSERT INTO accounts (id, owner_id, name, currency, balance) VALUES ($1, $2, 'x', 'USD', $3)",
                account, user, Decimal(1000) - count,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
                " VALUES ($1, $2, 'credit', 1000, $1)", uuid7(), account,
            )  # fmt: skip
            for _ in range(count):
                message = uuid7()
                await connection.execute(
                    'INSERT INTO messages (id, owner_id, account_id, direction, channel, "to", body, price, trial)'
                    " VALUES ($1, $2, $3, 'outbound', $4, $5, 'hello', 1, $6)",
                    message, user, account, channel, to, channel != "email",
                )  # fmt: skip
                await connection.execute(
                    "INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
                    " VALUES ($1, $2, 'charge', -1, $3)", uuid7(), account, message,
                )  # fmt: skip
            await connection.execute("SELECT postern_wake($1)", f"messages.drain.{channel}")
        await connection.close()

    async def states(self) -> dict[str, str]:
        connection = await asyncpg.connect(self.url)
        try:
            rows = await connection.fetch("SELECT id, state FROM messages")
        finally:
            await connection.close()
        return {str(row["id"]): row["state"] for row in rows}

    async def handed_over(self) -> int:
        """Returns how many messages a dead worker had sent and not recorded, once all its sessions have ended."""
        connection = await asyncpg.connect(self.url)
        others = (
            "datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

        async def alone() -> bool:
            return not await connection.fetchval(f"SELECT count(*) FROM pg_stat_activity WHERE {others}")

        try:
            await until(alone)
            return int(
                await connection.fetchval(
                    "SELECT count(*) FROM messages WHERE handed_at IS NOT NULL AND state IN ('sending', 'unknown')"
                )
            )
        finally:
            await connection.close()

    async def taken(self, count: int) -> None:
        async with asyncio.timeout(90):  # a process starts, and leases have to expire
            while sum(self.recorder.taken.values()) < count:
                await asyncio.sleep(0.005)

    async def quiet(self) -> dict[str, str]:
        """Waits until nothing is queued or in flight."""
        async with asyncio.timeout(120):
            while True:
                states = await self.states()
                if not {"queued", "sending"} & set(states.values()):
                    return states
                await asyncio.sleep(0.1)

    async def books(self) -> None:
        """The balance is the sum of its ledger, and every message that failed was refunded once."""
        connection = await asyncpg.connect(self.url)
        try:
            balance, entries = await connection.fetchrow(
                "SELECT (SELECT sum(balance) FROM accounts), (SELECT sum(amount) FROM ledger_entries)"
            )
        finally:
            await connection.close()
        assert balance == entries

    def honest(self, states: dict[str, str], unknown_at_most: int) -> Counter[str]:
        for message, state in states.items():
            taken = self.recorder.taken[message]
            if state == "sent":
                assert taken == 1, (message, state, taken)
            else:
                assert state == "unknown", (message, state)
                assert taken <= 1, (message, state, taken)
        count = Counter(states.values())
        assert count["unknown"] <= unknown_at_most
        return count


@asynccontextmanager
async def world(url: str, redis_url: str, folder: Path, delay: float) -> AsyncIterator[World]:
    async with recording(delay) as recorder:
        made = World(url, redis_url, folder, recorder)
        try:
            yield made
        finally:
            for child in made.workers:
                child.kill()
                await child.ended()


@pytest.fixture
async def gateway(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> AsyncIterator[World]:
    """A gateway on the servers of all tests; `delay`: seconds that the SMTP server takes for a message."""
    delay = getattr(request, "param", 0.0)
    async with world(database, servers.redis_url(), tmp_path, delay) as made:
        redis = Redis.from_url(servers.redis_url())
        await redis.flushdb()
        await redis.aclose()
        yield made


def slow(delay: float) -> pytest.MarkDecorator:
    """The SMTP server takes so many seconds for a message."""
    return pytest.mark.parametrize("gateway", [delay], indirect=True, ids=[""])


@asynccontextmanager
async def own_servers(folder: Path) -> AsyncIterator[tuple[EmbeddedPostgres, EmbeddedRedis]]:
    postgres, redis = EmbeddedPostgres(folder), EmbeddedRedis(folder)
    await asyncio.to_thread(postgres.start)
    await asyncio.to_thread(redis.start)
    settings = Settings(
        _env_file=None, db_string=postgres.url, redis_url=redis.url, secret_key="s" * 32, jwt_key="j" * 32
    )
    try:
        await prepare(settings)
        yield postgres, redis
    finally:
        await asyncio.to_thread(redis.stop)
        await asyncio.to_thread(postgres.stop)


async def test_a_thousand_messages_survive_kills_of_the_worker_and_of_postgresql(tmp_path: Path):
    async with (
        own_servers(tmp_path) as (postgres, redis),
        world(postgres.url, redis.url, tmp_path, 0.004) as it,
    ):
        await it.queue(1000)
        first = it.worker()
        await it.taken(200)
        first.kill()
        await first.ended()
        in_flight = await it.handed_over()
        assert in_flight <= FAST_UNKNOWN
        it.worker(**SURVIVES)
        await it.taken(500)
        await asyncio.to_thread(postgres.kill)
        await asyncio.sleep(0.3)
        await asyncio.to_thread(postgres.ensure)
        states = await it.quiet()
        # A kill of PostgreSQL costs nothing: the worker still knows what it did.
        count = it.honest(states, unknown_at_most=in_flight)
        await it.books()
        print(f"\n1000 messages: {dict(count)}; handed over at the kill: {in_flight}; "
              f"taken twice: {sum(n > 1 for n in it.recorder.taken.values())}")  # fmt: skip
        assert count["sent"] + count["unknown"] == 1000


@slow(0.1)  # a provider that takes its time has the smaller bound
@pytest.mark.parametrize("point", POINTS)
async def test_a_worker_that_dies_at(point: str, gateway: World):
    await gateway.queue(20)
    dying = gateway.worker(FAULT_AT=point)
    assert await asyncio.wait_for(dying.ended(), 90) == -signal.SIGKILL
    gateway.worker(**SURVIVES)
    states = await gateway.quiet()
    gateway.honest(states, unknown_at_most=0 if point == "claimed" else UNKNOWN)
    await gateway.books()


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("honours", [True, False])
async def test_a_trial_whose_worker_dies_at(point: str, honours: bool, gateway: World):
    """Charged, and never lost: sent by the next worker, or honestly unknown where the provider can't be asked again."""
    trials = {
        "POSTERN_CHANNEL_WHATSAPP": "sandbox://?deliver=0"
        if honours
        else "post://127.0.0.1:1/send?scheme=http",
        "POSTERN_LEASE_SECONDS": str(LEASE),
    }
    await gateway.queue(3, "whatsapp")
    dying = gateway.worker(**trials, FAULT_AT=point)
    assert await asyncio.wait_for(dying.ended(), 90) == -signal.SIGKILL
    gateway.worker(**{**trials, **SURVIVES})
    states = Counter((await gateway.quiet()).values())
    if honours:
        assert states == {"sent": 3}
    else:  # it takes nothing: refunded, once
        assert set(states) <= ({"failed"} if point == "claimed" else {"failed", "unknown"})
    await gateway.books()


@slow(0.004)
async def test_a_worker_that_freezes_past_its_lease_sends_nothing_twice(gateway: World):
    await gateway.queue(300)
    frozen = gateway.worker()
    await gateway.taken(50)
    freeze(frozen.pid)
    gateway.worker(**SURVIVES)
    await gateway.taken(250)
    await asyncio.sleep(LEASE)
    frozen.send_signal(signal.SIGCONT)
    states = await gateway.quiet()
    await asyncio.sleep(1.0)  # time enough for the worker that woke up to do harm
    # That worker may still say what it knows of messages that are `unknown`: one that it never dispatched is queued
    # again, and sent.
    assert states == await gateway.states() or "unknown" in states.values()
    gateway.honest(await gateway.quiet(), unknown_at_most=FAST_UNKNOWN)
    await gateway.books()


@slow(0.05)  # 2 s in all, so that it is not over before the stop comes
async def test_a_stop_gives_back_what_was_not_handed_over(gateway: World):
    await gateway.queue(300)
    child = gateway.worker(**SURVIVES)
    await gateway.taken(30)
    child.terminate()
    assert await asyncio.wait_for(child.ended(), PATIENCE) == 0
    states = Counter((await gateway.states()).values())
    assert set(states) == {"sent", "queued"}
    gateway.worker(**SURVIVES)
    gateway.honest(await gateway.quiet(), unknown_at_most=0)

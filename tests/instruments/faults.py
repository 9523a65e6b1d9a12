"""The faults, and the words by which each instrument must name them within a minute."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import asyncpg
import redis.asyncio as redis

from core.tasks import end
from tests.channels.peer_smpp import peer
from tests.instruments.world import ALLOWLIST, VALID, World
from tests.support.receiving import BY_POLICY
from tests.support.waits import until

Break = Callable[[World], AbstractAsyncContextManager[None]]


_ALWAYS: Final = (
    "ip-allowlist would-block"  # requests of this test come through no proxy that names an address
)

MAIL: Final = {"channel": "email", "body": "hi"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `names`: the pattern of each instrument that must name it; an instrument that is missing there says
    nothing of it, which `quiet` explains. `also`: what any instrument may say besides, since it follows from the fault.
    """

    title: str
    break_: Break
    names: Mapping[str, str]
    also: str = r"$^"
    quiet: str = ""

    def is_named(self, instrument: str, lines: list[str]) -> bool:
        """Returns whether the instrument names the fault."""
        pattern = self.names.get(instrument)
        return pattern is not None and any(re.search(pattern, line) for line in lines)

    def false_lines(self, instrument: str, lines: list[str]) -> list[str]:
        """Returns the lines that neither name the fault nor follow from it."""
        allowed = [pattern for pattern in (self.names.get(instrument), self.also, _ALWAYS) if pattern]
        return [line for line in lines if not any(re.search(pattern, line) for pattern in allowed)]


@asynccontextmanager
async def _postgres_down(world: World) -> AsyncIterator[None]:
    async with world.to_postgres.down():
        yield


@asynccontextmanager
async def _postgres_hangs(world: World) -> AsyncIterator[None]:
    async with world.to_postgres.hanging():
        yield


@asynccontextmanager
async def _redis_down(world: World) -> AsyncIterator[None]:
    async with world.to_redis.down():
        yield


@asynccontextmanager
async def _redis_hangs(world: World) -> AsyncIterator[None]:
    async with world.to_redis.hanging():
        yield


@asynccontextmanager
async def _redis_full(world: World) -> AsyncIterator[None]:
    async with redis.from_url(world.redis_url) as client:
        await client.config_set("maxmemory", "1")
        try:
            yield
        finally:
            await client.config_set("maxmemory", "0")


@asynccontextmanager
async def _no_worker(world: World) -> AsyncIterator[None]:
    await world.stop(world.worker)
    try:
        yield
    finally:
        await world.start_worker()


@asynccontextmanager
async def _frozen_worker(world: World) -> AsyncIterator[None]:
    assert world.worker is not None
    os.kill(world.worker.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(world.worker.pid, signal.SIGCONT)


@asynccontextmanager
async def _frozen_api(world: World) -> AsyncIterator[None]:
    assert world.api is not None
    os.kill(world.api.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(world.api.pid, signal.SIGCONT)


def _provider(mode: str) -> Break:
    @asynccontextmanager
    async def broken(world: World) -> AsyncIterator[None]:
        world.provider.mode = mode
        try:
            yield
        finally:
            world.provider.mode = "well"

    return broken


@asynccontextmanager
async def _provider_down(world: World) -> AsyncIterator[None]:
    async with world.to_provider.down():
        yield


@asynccontextmanager
async def _sender_refused(world: World) -> AsyncIterator[None]:
    """A mailbox provider refuses our domain by its policy, and a rule has the mail wait for it."""

    async def send() -> None:
        for number in range(100):
            await world.ask("POST", "/messages", MAIL | {"to": f"u{number}@gmail.com"})
            await asyncio.sleep(0.5)

    rule = await world.ask("PUT", "/receiver-rules", {"domain": "example.com"})
    world.mailboxes.refuses["gmail.com"] = BY_POLICY
    await asyncio.sleep(2)  # the worker has read the rule
    sending = asyncio.create_task(send())
    try:
        yield
    finally:
        await end((sending,))
        world.mailboxes.refuses.clear()
        for pause in await world.ask("GET", "/receiver-pauses"):
            await world.ask("DELETE", f"/receiver-pauses/{pause['uuid']}")
        await world.ask("DELETE", f"/receiver-rules/{rule['uuid']}")


@asynccontextmanager
async def _session_refused(world: World) -> AsyncIterator[None]:
    """An SMSC ends one of a route's three sessions, and binds it no more. The route is there for this fault alone."""
    async with peer() as smsc:
        dsn = smsc.options("connections=3&from=Acme&reconnect_min=0.5&reconnect_max=5")
        await world.ask("POST", "/system/routes", {"name": "smsc", "dsn": dsn})
        try:
            await until(lambda: len(smsc.live()) == 3)
            smsc.most_bound = 2
            smsc.live()[0].reset()
            yield
        finally:
            await world.ask("DELETE", "/system/routes/smsc")


@asynccontextmanager
async def _locked(world: World) -> AsyncIterator[None]:
    """Another program holds a lock on the messages, as a migration by hand does."""
    db = await asyncpg.connect(world.postgres_url)
    try:
        async with db.transaction():
            await db.execute("LOCK TABLE messages IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await db.close()


@asynccontextmanager
async def _bad_allowlist(world: World) -> AsyncIterator[None]:
    file = world.folder / ALLOWLIST
    file.write_text("10.0.0.0/99\n")
    try:
        yield
    finally:
        file.write_text(VALID)


_DATABASE_AWAY: Final = (
    r"health |503 database_unavailable|PosternServerErrors|PosternMessagesWait|worker starts anew"
    r"|a drain broke off"
    r"|no numbers for /metrics|does not answer /metrics|a probe failed probe=database"
    r"|can't prune|waiting for the database|lease"
    r"|connections that wait for it are aborted|code=database_unavailable"
)
_REDIS_AWAY: Final = r"health |a probe failed probe=redis|redis is away"
_WAITING: Final = r"PosternMessagesWait|workers"

FAULTS: Final = (
    Fault(
        "PostgreSQL refuses connections",
        _postgres_down,
        {
            "doctor": r"PostgreSQL .*Connection refused",
            "alerts": r"PosternDatabaseDown",
            "console": r"database\.status down",
            "log": r"Connection refused",
        },
        also=_DATABASE_AWAY,
    ),
    Fault(
        "PostgreSQL hangs",
        _postgres_hangs,
        {
            "doctor": r"PostgreSQL .*no answer within",
            "alerts": r"PosternDatabaseDown",
            "console": r"database\.status down",
            "log": r"PostgreSQL does not answer",
        },
        also=_DATABASE_AWAY,
    ),
    Fault(
        "Another program locks the messages",
        _locked,
        {
            "doctor": r"locks .*has locked the table messages",
            "alerts": r"PosternTablesLocked",
            "console": r"locks: .*has locked the table messages",
            "log": r"lock timeout",
        },
        also=r"PosternServerErrors|PosternMessagesWait|no numbers for /metrics|database_busy|waiting for the database"
        r"|the other checks of PostgreSQL are left out",
    ),
    Fault(
        "Redis refuses connections",
        _redis_down,
        {
            "doctor": r"Redis .*(Connection refused|Connect call failed)",
            "alerts": r"PosternRedisDown",
            "console": r"redis-storage\.status down",
            "log": r"redis is away.*(Connection refused|Connect call failed)",
        },
        also=_REDIS_AWAY + r"|error Redis: .*Connection refused",
    ),
    Fault(
        "Redis hangs",
        _redis_hangs,
        {
            "doctor": r"Redis .*Timeout",
            "alerts": r"PosternRedisDown",
            "console": r"redis-storage\.status down",
            "log": r"redis is away.*Timeout",
        },
        also=_REDIS_AWAY + r"|error Redis: .*Timeout",
    ),
    Fault(
        "Redis is full",
        _redis_full,
        {
            "doctor": r"Redis .*is full",
            "alerts": r"PosternRedisFull",
            "console": r"Redis: .*is full",
            "log": r"redis is full",
        },
    ),
    Fault(
        "No worker runs",
        _no_worker,
        {
            "doctor": r"workers .*(no worker|none) is connected",
            "alerts": r"PosternNoWorkers",
            "console": r"workers: .*(no worker|none) is connected",
        },
        also=_WAITING,
        quiet="no process is left that could write it",
    ),
    Fault(
        "The worker is frozen",
        _frozen_worker,
        {
            "doctor": r"workers .*it stands still",
            "alerts": r"PosternNoWorkers",
            "console": r"workers: .*it stands still",
        },
        also=_WAITING,
        quiet="the process that would write it stands still",
    ),
    Fault(
        "The API process is frozen",
        _frozen_api,
        {"alerts": r"PosternUnreachable", "console": r"no answer"},
        quiet="doctor looks at what an API process needs, and the frozen one writes nothing",
    ),
    Fault(
        "The provider hangs",
        _provider("hangs"),
        {
            "doctor": r"routes .*sms-1 has not answered",
            "alerts": r"PosternRouteOpen",
            "console": r"routes: sms-1 has not answered",
            "log": r"a route does not answer.*route=sms-1",
        },
        also=r"health status degraded|PosternUnknownOutcomes|PosternMessagesWait|a route still does not answer",
    ),
    Fault(
        "The provider refuses the login",
        _provider("refuses"),
        {
            "doctor": r"routes .*refuses our credentials",
            "alerts": r"PosternHandoversFail .*misconfigured",
            "console": r"routes: .*refuses our credentials",
            "log": r"a channel refuses our credentials or settings",
        },
        also=r"PosternMessagesWait|PosternUnknownOutcomes|PosternHandoversFail",
    ),
    Fault(
        "The provider refuses connections",
        _provider_down,
        {
            "doctor": r"sms .*can't be reached",
            "alerts": r"PosternHandoversFail .*transient|PosternRouteOpen",
            "console": r"sms: .*can't be reached",
            "log": r"a route can't be reached.*route=sms-1",
        },
        also=r"PosternMessagesWait|PosternUnknownOutcomes|PosternHandoversFail|routes|health status degraded"
        r"|a route (still )?does not answer",
    ),
    Fault(
        "One of an SMPP route's sessions is refused",
        _session_refused,
        {
            "doctor": r"routes .*smsc in .*Session \d of 3 \(bind_transceiver\) is down: .*ESME_RBINDFAIL",
            "alerts": r"PosternSessionsDown",
            "console": r"routes: smsc in .*Session \d of 3 \(bind_transceiver\) is down: .*ESME_RBINDFAIL",
            "log": r"sessions of a route are down route=smsc number=1 why=Session \d of 3 .*ESME_RBINDFAIL",
        },
        also=r"no rule names sms-1, smsc",  # the route is new, and has no rule
    ),
    Fault(
        "A mailbox provider refuses the sender",
        _sender_refused,
        {
            "doctor": r"receivers .*gmail refuses mail from example\.com",
            "alerts": r"PosternReceiverPaused",
            "console": r"receivers: gmail refuses mail from example\.com",
            "log": r"a mailbox provider refuses the sender.*provider=gmail",
        },
        also=r"PosternMessagesWait",
    ),
    Fault(
        "The allowlist has a wrong line",
        _bad_allowlist,
        {
            "doctor": r"allowlist",
            "alerts": r"PosternAllowlistStale",
            "console": r"allowlist: ",
            "log": r"allowlist",
        },
    ),
)

"""An account, its webhooks, events for them, and a deliverer whose clock the test moves."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from core.ids import uuid7
from core.tasks import end
from engine.webhooks import endpoints, outbox, upkeep
from engine.webhooks.deliverer import Deliverer
from engine.webhooks.outbox import OutboxEvent
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver

SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="

_ACCOUNT = """
INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver)
VALUES ($1, $2, 'telegram', $3, $3, 'sandbox')
"""


class Time:
    """The deliverer's clock: it goes as usual, and a test puts it forward."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def forward(self, **by: float) -> None:
        self.ahead += timedelta(**by)


class World:
    def __init__(self, services: Services, owner: Person) -> None:
        self.services, self.owner = services, owner
        self.time = Time()
        self.account = UUID(int=0)

    async def make_account(self, login: str = "14155550100", owner: Person | None = None) -> UUID:
        id = uuid7()
        await self.services.db.fetch(_ACCOUNT, id, (owner or self.owner).id, login)
        return id

    async def hook(self, url: str, *events: str, account: UUID | None = None, secret: str = SECRET) -> UUID:
        async with self.services.db.reading() as db, db.transaction():
            saved = await endpoints.save(
                db, self.services, account or self.account, url, list(events), secret
            )
        return UUID(str(saved.webhook["id"]))

    async def put(self, *events: OutboxEvent, account: UUID | None = None) -> None:
        async with self.services.db.reading() as db, db.transaction():
            await outbox.put(db, account or self.account, events)

    async def say(self, *texts: str, thread: str | None = "t1", account: UUID | None = None) -> None:
        """A message each, in one transaction."""
        await self.put(*(message(text, thread) for text in texts), account=account)

    @asynccontextmanager
    async def delivering(
        self, services: Services | None = None, sweep: float = 0.02
    ) -> AsyncIterator[Deliverer]:
        """A worker's deliverer, which finds everything by its sweep."""
        deliverer = Deliverer(services or self.services, clock=self.time, sweep=sweep)
        task = asyncio.create_task(deliverer.run())
        try:
            yield deliverer
        finally:
            await end((task,))

    async def look_after(self, **bounds: int) -> None:
        await upkeep.look_after(self.services.db, self.time(), **bounds)

    async def row(self, webhook: UUID) -> Any:
        return await self.services.db.fetchrow("SELECT * FROM webhooks WHERE id = $1", webhook)

    async def counts(self) -> tuple[int, int, int]:
        """Returns the numbers of waiting and dead deliveries, and of their events."""
        row = await self.services.db.fetchrow(
            "SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'dead'),"
            " count(DISTINCT event_id) FROM webhook_deliveries WHERE state <> 'delivered'"
        )
        return (row[0], row[1], row[2])

    async def empty(self) -> None:
        """Waits until no delivery is waiting or dead."""

        async def nothing() -> bool:
            left = await self.services.db.fetchval(
                "SELECT count(*) FROM webhook_deliveries WHERE state <> 'delivered'"
            )
            return not left

        await until(nothing)

    async def failed(self, webhook: UUID, failures: int) -> Any:
        """The endpoint's row, as soon as it has failed so often in a row."""

        async def enough() -> Any:
            row = await self.row(webhook)
            return row if row["failures"] >= failures else None

        return await until(enough)


def message(text: str, thread: str | None = "t1") -> OutboxEvent:
    body = {
        "hook_type": "message",
        "source": "telegram",
        "login": "14155550100",
        "thread": thread,
        "text": text,
    }
    return OutboxEvent("message", body, thread)


def threads(receiver: Receiver) -> dict[str, Sequence[str]]:
    """Returns the texts that were taken of each thread, in their order."""
    texts: dict[str, list[str]] = {}
    for call in receiver.taken:
        texts.setdefault(call.json["thread"], []).append(call.json["text"])
    return dict(texts)


@asynccontextmanager
async def hurrying(world: World) -> AsyncIterator[None]:
    """Whenever an endpoint or an event has to wait for its time, it comes at once."""

    async def hurry() -> None:
        while True:
            soonest = await world.services.db.fetchval(
                "SELECT least((SELECT min(next_at) FROM webhooks WHERE next_at > $1),"
                " (SELECT min(next_at) FROM webhook_deliveries WHERE next_at > $1 AND state = 'waiting'))",
                world.time(),
            )
            if soonest is not None:
                world.time.ahead += max(soonest - world.time(), timedelta())
            await asyncio.sleep(0.01)

    task = asyncio.create_task(hurry())
    try:
        yield
    finally:
        await end((task,))

"""Sinks, things that happen, and what the broker has of them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from core.tasks import end
from engine.feed import event_feed
from engine.sinks import endpoints
from engine.sinks.rounds import Publishing
from runtime.services import Services
from tests.sinks import made
from tests.support.feeds import ALL_EVENTS
from tests.support.nats import Brokers
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.arrivals import differences

STREAM = "POSTERN"
_BLOCKS = """
INSERT INTO blocked_phones (id, owner_id, phone)
SELECT gen_random_uuid(), $1, '+1415' || lpad((n + $3)::text, 7, '0') FROM generate_series(1, $2) AS n
"""
_UNBLOCK = "DELETE FROM blocked_phones WHERE owner_id = $1"


class World:
    def __init__(self, services: Services, brokers: Brokers, ada: Person) -> None:
        self.services, self.db, self.brokers, self.ada = services, services.db, brokers, ada

    async def sink(
        self, owner_id: UUID | None = None, *, installation: bool = False, url: str = "", **columns: Any
    ) -> UUID:
        """Makes a sink of ada's, of another owner's, or of the installation, and begins it. Returns its id."""
        owner = None if installation else owner_id or self.ada.id
        if owner is not None:
            await event_feed.newest(self.db, owner)
        return await made.add(
            self.services, owner, url or self.brokers.url, replicas=self.brokers.replicas, **columns
        )

    async def blocks(self, count: int, begin: int = 0, who: UUID | None = None) -> None:
        """Blocks so many phones, each of which is an event."""
        await self.db.fetch(_BLOCKS, who or self.ada.id, count, begin)

    async def unblock(self, who: UUID | None = None) -> None:
        """Unblocks all phones, each of which is an event of the same object."""
        await self.db.fetch(_UNBLOCK, who or self.ada.id)

    @asynccontextmanager
    async def publishing(self, services: Services | None = None) -> AsyncIterator[None]:
        """Publishes as a worker does."""
        task = asyncio.create_task(Publishing(services or self.services).run())
        try:
            yield
        finally:
            await end((task,))

    async def row(self, id: UUID) -> Any:
        return await self.db.fetchrow("SELECT * FROM event_sinks WHERE id = $1", id)

    async def becomes(self, id: UUID, **values: Any) -> Any:
        """Returns the sink's row, as soon as it has these values."""

        async def has() -> Any:
            row = await self.row(id)
            return row if all(row[name] == value for name, value in values.items()) else None

        return await until(has, 0.05)

    async def status(self, id: UUID) -> endpoints.SinkStatus:
        async with self.db.reading() as connection:
            return (await endpoints.status(connection, [id]))[id]

    async def published(self, id: UUID, count: int) -> None:
        """Waits until the sink has published so many events."""

        async def has() -> bool:
            return (await self.status(id)).published >= count

        await until(has, 0.05)

    async def feed(self, who: UUID | None = None) -> list[Any]:
        """Returns the events of a feed, in their order, after all of them have positions."""
        owner = who or self.ada.id
        await event_feed.newest(self.db, owner)
        return list(
            await self.db.fetch(f"SELECT * FROM {ALL_EVENTS} WHERE owner_id = $1 ORDER BY position", owner)
        )

    async def stored(self, stream: str = STREAM) -> list[Any]:
        """Returns the bodies that the broker has, in its order."""
        return [json.loads(each.data) for each in await self.brokers.messages(stream)]

    async def compare(
        self, who: UUID | None = None, stream: str = STREAM, *, may_come_twice: bool = False
    ) -> None:
        """Asserts that the broker has each event of the feed once, those of one object in their order.

        `may_come_twice`: the broker was away for longer than its duplicate window, so that it may have an event again.
        """
        feed = [(str(row["id"]), str(row["subject_id"])) for row in await self.feed(who)]
        bodies = await self.stored(stream)
        came = [(body["id"], body["subjectId"]) for body in bodies]
        if may_come_twice:
            print(f"{len(came):,} came, {len(came) - len(set(came))} of them again")
            came = list(dict.fromkeys(came))
        assert differences(feed, came) == []
        assert len(came) == len(feed), "an event came twice within the duplicate window"

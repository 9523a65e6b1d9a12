"""Sinks of a user at a real server of NATS, things that happen, and a worker that publishes them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import orjson

from core.tasks import end
from engine.sinks.rounds import Publishing
from runtime.services import Services
from tests.support.nats import Brokers
from tests.support.people import Person
from tests.support.waits import until

LOGIN = {"user": "postern", "password": "secret"}
_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"


class World:
    def __init__(self, services: Services, ada: Person, broker: Brokers) -> None:
        self.services, self.ada, self.broker = services, ada, broker

    @property
    def url(self) -> str:
        return f"nats://postern:secret@127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        return self.broker.nodes[0].port

    def input(self, **more: Any) -> dict[str, Any]:
        """Returns what a new sink is made of."""
        return {"name": "Warehouse", "url": self.url, "stream": "POSTERN", "replicas": 1, **more}

    async def sink(self, who: Person | None = None, **more: Any) -> str:
        """Makes a sink. Returns its id."""
        answer = await (who or self.ada).rest("POST", "/event-sinks", json=self.input(**more))
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def get(self, sink: str, who: Person | None = None) -> Any:
        return (await (who or self.ada).rest("GET", f"/event-sinks/{sink}")).json()

    async def status(self, sink: str) -> Any:
        return (await self.ada.rest("GET", f"/event-sinks/{sink}/status")).json()

    async def block(self, *phones: str, who: Person | None = None) -> None:
        """Blocks each phone, which is an event `block.added`."""
        for phone in phones:
            await self.services.db.fetch(_BLOCK, (who or self.ada).id, phone)

    @asynccontextmanager
    async def publishing(self) -> AsyncIterator[None]:
        """Runs what a worker runs for sinks."""
        task = asyncio.create_task(Publishing(self.services).run())
        try:
            yield
        finally:
            await end((task,))

    async def messages(self, stream: str = "POSTERN") -> list[Any]:
        """Returns the messages of a stream; none if it does not exist."""
        async with self.broker.client(**LOGIN) as client:
            api = client.jetstream(timeout=10)
            counts = {info.config.name: info.state.messages for info in await api.streams_info()}
            if not counts.get(stream):
                return []
            reader = await api.subscribe(stream=stream, subject=">", ordered_consumer=True)
            return [await reader.next_msg(timeout=20) for _ in range(counts[stream])]

    async def bodies(self, stream: str = "POSTERN") -> list[Any]:
        """Returns the bodies of all messages of a stream."""
        return [orjson.loads(message.data) for message in await self.messages(stream)]

    async def has(self, count: int, stream: str = "POSTERN") -> list[Any]:
        """Returns the bodies as soon as there are so many."""

        async def enough() -> list[Any] | None:
            bodies = await self.bodies(stream)
            return bodies if len(bodies) >= count else None

        bodies = await until(enough, 0.1)
        assert len(bodies) == count, bodies
        return list(bodies)

    async def becomes(self, sink: str, **values: Any) -> Any:
        """Returns the status of the sink, as soon as it has these values."""

        async def has() -> Any:
            status = await self.status(sink)
            return status if all(status[name] == value for name, value in values.items()) else None

        return await until(has, 0.1)

    async def row(self, sink: str) -> Any:
        return await self.services.db.fetchrow("SELECT * FROM event_sinks WHERE id = $1", UUID(sink))

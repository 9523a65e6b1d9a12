"""Webhooks of an event feed, things that happen, and a deliverer whose clock the test moves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from core.tasks import end
from engine.webhooks import upkeep
from engine.webhooks.deliverer import Deliverer
from runtime.services import Services
from tests.support.people import Person
from tests.support.waits import until
from tests.webhooks.receiver import Receiver
from tests.webhooks.world import SECRET, Time

_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"
_BLOCKS = """
INSERT INTO blocked_phones (id, owner_id, phone)
SELECT gen_random_uuid(), $1, '+1415555' || lpad((n + $3)::text, 6, '0') FROM generate_series(1, $2) AS n
"""


class World:
    def __init__(self, services: Services, ada: Person) -> None:
        self.services, self.ada, self.time = services, ada, Time()

    async def hook(self, receiver: Receiver, path: str = "", who: Person | None = None, **more: Any) -> str:
        """Makes a webhook. Returns its id."""
        body = {"url": receiver.url + path, "secret": SECRET, **more}
        answer = await (who or self.ada).rest("POST", "/webhooks", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def get(self, hook: str) -> Any:
        return (await self.ada.rest("GET", f"/webhooks/{hook}")).json()

    async def block(self, *phones: str, who: Person | None = None) -> None:
        """Blocks each phone, which is an event `block.added`."""
        for phone in phones:
            await self.services.db.fetch(_BLOCK, (who or self.ada).id, phone)

    async def blocks(self, count: int, begin: int = 0) -> None:
        """Blocks so many phones in one transaction."""
        await self.services.db.fetch(_BLOCKS, self.ada.id, count, begin)

    @asynccontextmanager
    async def delivering(self, services: Services | None = None) -> AsyncIterator[Deliverer]:
        deliverer = Deliverer(services or self.services, clock=self.time, sweep=0.05)
        task = asyncio.create_task(deliverer.run())
        try:
            yield deliverer
        finally:
            await end((task,))

    async def look_after(self, **bounds: int) -> None:
        await upkeep.look_after(self.services.db, self.time(), **bounds)

    async def row(self, hook: str) -> Any:
        return await self.services.db.fetchrow("SELECT * FROM webhooks WHERE id = $1", hook)

    async def becomes(self, hook: str, **values: Any) -> Any:
        """Returns the webhook's row, as soon as it has these values."""

        async def has() -> Any:
            row = await self.row(hook)
            return row if all(row[name] == value for name, value in values.items()) else None

        return await until(has)

    async def deliveries(self, hook: str, state: str | None = None) -> list[Any]:
        query = "" if state is None else f"?state={state}"
        answer = await self.ada.rest("GET", f"/webhooks/{hook}/deliveries{query}")
        assert answer.status_code == 200, answer.text
        return list(answer.json()["items"])


def phones(receiver: Receiver) -> list[str]:
    """Returns the phones of the blocks whose events the receiver has accepted, in their order."""
    return [call.json["data"]["phone"] for call in receiver.taken]

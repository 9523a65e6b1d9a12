"""Calls that Meta makes about an account."""

import json
from typing import Any
from uuid import UUID

import httpx

from core.ids import uuid7
from runtime.services import Services
from tests.whatsapp_cloud.meta import Number, callback, signature

SHEENA = "16505551234"


_WAITING = """
INSERT INTO messenger_messages (id, account_id, outgoing, recipient, text, status, at)
VALUES ($1, $2, true, $3, 'our text', 'pending', now())
"""
_ACCEPT = "UPDATE messenger_messages SET provider_id = $2, thread = $3, status = 'server' WHERE id = $1"


class Hook:
    """An account, and the calls that Meta makes about it."""

    def __init__(self, client: httpx.AsyncClient, services: Services, id: UUID, number: Number) -> None:
        self.client, self.services, self.id, self.number = client, services, id, number

    async def body(self, body: bytes, secret: str | None = "an-app-secret", **headers: str) -> httpx.Response:
        signed = signature(body, secret) if secret is not None else {}
        return await self.client.post(
            f"/hooks/whatsapp-cloud/{self.id}", content=body,
            headers={"content-type": "application/json", **signed, **headers},
        )  # fmt: skip

    async def tell(self, *values: dict[str, Any], field: str = "messages") -> None:
        answer = await self.body(callback(*((field, change) for change in values)))
        assert (answer.status_code, answer.content) == (200, b""), answer.text

    async def rows(self) -> list[Any]:
        return await self.services.db.fetch(
            "SELECT * FROM messenger_messages WHERE account_id = $1 ORDER BY seq", self.id
        )

    async def events(self) -> list[dict[str, Any]]:
        """Returns the events that wait for webhooks."""
        rows = await self.services.db.fetch(
            "SELECT d.body FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id"
            " WHERE w.account_id = $1 ORDER BY d.seq",
            self.id,
        )
        return [json.loads(row.body) for row in rows]

    async def accepted(self, provider_id: str) -> UUID:
        """Makes a message of ours that Meta has accepted under this id; returns its item."""
        item = await self.waiting()
        await self.services.db.fetchval(_ACCEPT, item, provider_id, SHEENA)
        return item

    async def waiting(self) -> UUID:
        """A message of ours that Meta has not answered yet; its item."""
        id = uuid7()
        await self.services.db.fetchval(_WAITING, id, self.id, f"+{SHEENA}")
        return id

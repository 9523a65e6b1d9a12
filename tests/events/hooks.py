"""An engine that calls a user's hooks, signing with the reference library of Standard Webhooks."""

import time
from datetime import UTC, datetime
from typing import Any

import httpx
import orjson
from standardwebhooks import Webhook

from core.ids import uuid7
from tests.support.people import Person

ROTATE = "mutation{rotateHookSecret{secret hookSecret{uuid kind hint revokedAt}}}"
KEY = "mutation{createHookKey{secret hookSecret{uuid kind hint}}}"


async def secret(person: Person) -> str:
    return str((await person.data(ROTATE))["rotateHookSecret"]["secret"])


async def key(person: Person) -> str:
    return str((await person.data(KEY))["createHookKey"]["secret"])


def signed(secret: str, body: bytes, *, at: float | None = None, id: str | None = None) -> dict[str, str]:
    id, stamp = id or f"msg_{uuid7().hex}", int(time.time() if at is None else at)
    signature = Webhook(secret).sign(id, datetime.fromtimestamp(stamp, UTC), body.decode())
    return {"webhook-id": id, "webhook-timestamp": str(stamp), "webhook-signature": signature}


async def post(
    person: Person, event: Any, headers: dict[str, str] | None = None, path: str | None = None
) -> httpx.Response:
    """Posts to this person's delivery hook; without headers, with the person's token."""
    body = event if isinstance(event, bytes) else orjson.dumps(event)
    return await person.client.post(
        path or f"/delivery-hook/{person.id}",
        content=body,
        headers={"content-type": "application/json", **(person.headers if headers is None else headers)},
    )


async def counts(person: Person, *events: Any) -> tuple[int, int, int]:
    """accepted, duplicates, unknown."""
    answer = await post(person, {"events": list(events)})
    assert answer.status_code == 202, answer.text
    body = answer.json()
    return body["accepted"], body["duplicates"], body["unknown"]

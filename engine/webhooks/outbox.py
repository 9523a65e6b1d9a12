"""The outbox: events are stored in the transaction of the change, and delivered after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from core.json_text import dumps, instant
from engine.jobs import JobName, enqueue

LARGEST = 256 * 1024  # bytes of a body
OPT_IN_TYPES = frozenset({"message_deleted", "message_edited"})
"""Only webhooks that name these types get them: the vendor does not have them, and receivers may not know them."""
_TEXT_LIMIT = 16 * 1024  # characters that are kept of a text that must be cut

MAY_READ = """
(t.id IS NULL OR t.revoked_at IS NULL AND COALESCE(t.expires_at > now(), true))
  AND COALESCE('messengers:read' = ANY(COALESCE(t.scopes, w.query_scopes)), true)
  AND (w.saved_by IS NULL OR EXISTS (
    SELECT FROM memberships AS m WHERE m.owner_id = w.owner_id AND m.member_id = w.saved_by
  ))
"""
"""The condition under which the login that has saved a webhook `w` may still see messages: `t` is its API token, if
any.
"""

# A suspended owner's events wait like any others. A deleted owner's are dropped.
_LISTENING = f"""
SELECT w.id, w.events, now() AS now FROM webhooks AS w
JOIN users AS u ON u.id = w.owner_id AND u.status <> 'deleted' LEFT JOIN api_tokens AS t ON t.id = w.api_token_id
WHERE w.account_id = $1 AND w.enabled AND {MAY_READ}
"""  # noqa: S608  our own words
# Identity values are given in the order of the rows, so `seq` keeps the order of the events.
_PUT = """
INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, body, thread)
SELECT d.id, d.webhook_id, d.event_id, d.type, d.body, d.thread
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[])
  WITH ORDINALITY AS d (id, webhook_id, event_id, type, body, thread, place)
ORDER BY d.place
"""


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """An event for webhooks.

    `type`: `message`, `message_status`, `add_message_reaction`, `message_edited`, `message_deleted`,
    `state`. `body`: the vendor's
    fields, without `id`, `type` and `at`, which are added here. `thread`: events of one thread are delivered in
    order.
    """

    type: str
    body: Mapping[str, Any]
    thread: str | None = None


async def put(db: asyncpg.Connection, account_id: UUID, events: Sequence[OutboxEvent]) -> None:
    """Stores one delivery for each webhook of the account that wants the event, and queues a job that wakes a worker.

    Uses a fixed number of statements; nothing is written where no webhook wants it.
    """
    if not events:
        return
    listening = await db.fetch(_LISTENING, account_id)
    deliveries = []
    for event in events:
        if hooks := [hook["id"] for hook in listening if _wants(hook["events"], event.type)]:
            id = uuid7()
            written = body(id, event, listening[0]["now"])
            deliveries += [(uuid7(), hook, id, event.type, written, event.thread or "") for hook in hooks]
    if not deliveries:
        return
    await db.execute(_PUT, *map(list, zip(*deliveries, strict=True)))
    await enqueue(db, JobName.deliver_webhooks, account_id, unless_queued=True)


def _wants(events: Sequence[str], type: str) -> bool:
    """Returns whether a webhook with these named events wants the type.

    Without names it gets every type that is not in OPT_IN_TYPES.
    """
    return type in events if events else type not in OPT_IN_TYPES


def body(id: UUID, event: OutboxEvent, now: datetime) -> str:
    """Returns the exact body that is posted, at most LARGEST bytes. Every attempt posts the same bytes."""
    at = instant(now, "milliseconds")
    whole = {
        "hook_type": event.type,
        "time": int(now.timestamp()),
        **event.body,
        "id": str(id),
        "type": event.type,
        "at": at,
    }
    written = dumps(whole)
    if len(written) > LARGEST:
        written = dumps(_without_data(whole))
    if len(written) > LARGEST:
        written = dumps(_least(whole))
    return written.decode()


def _without_data(whole: dict[str, Any]) -> dict[str, Any]:
    """Removes the content of `data:` URLs; getChatMessageByItem returns it."""
    content = whole.get("content")
    parts = content if isinstance(content, list | tuple) else []
    trimmed = [
        {**part, "src": None} if str(part.get("src") or "").startswith("data:") else part
        for part in parts
        if isinstance(part, Mapping)
    ]
    return {**whole, "content": trimmed, "trimmed": "content"}


def _least(whole: dict[str, Any]) -> dict[str, Any]:
    """Keeps only the ids of the event; getChatMessageByItem returns the rest."""
    plain = {
        key: value
        for key, value in whole.items()
        if isinstance(value, int | float | bool | UUID) or (isinstance(value, str) and len(value) <= 1024)
    }
    text = str(whole.get("text") or "")[:_TEXT_LIMIT]
    return {**plain, "text": text, "content": [], "trimmed": "text"}

"""Stores replies of recipients with the message that they answer, and obeys stop words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import uuid7
from core.storable_text import storable
from db.address_keys import key_of
from engine.blocks import block, undo_stop_word
from engine.inbound.stop_words import is_start_word, is_stop_word
from engine.reports.refunds import Owed, refund
from shapes.addresses import address_keys, stored_key
from shapes.blocks import BlockReason

_LONGEST_BODY = 100_000


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply. `addresses`: the sender in every form that the table may have, the likeliest first.

    `channel` is None when it is not known.
    """

    addresses: Sequence[str]
    body: str
    channel: str | None = None
    provider: str | None = None
    provider_message_id: str | None = None
    at: datetime | None = None


# The newest message that may have reached the sender. `to` comes first in the index, and few messages go to one
# address.
_ANSWERED = f"""
SELECT id, project_id, recipient_id, channel, "to", account_uuid FROM message_records
WHERE {key_of('"to"')} = ANY($2) AND owner_id = $1 AND direction = 'outbound' AND ($3::text IS NULL OR channel = $3)
  AND status IN ('sending', 'unknown', 'sent', 'delivered', 'read')
  AND COALESCE(sent_at, handed_at) > now() - interval '30 days'
ORDER BY COALESCE(sent_at, handed_at) DESC, seq DESC LIMIT 1
"""  # noqa: S608  our own expression
_WAITING = f"""
SELECT m.id FROM message_records AS m JOIN sending_projects AS p ON p.id = m.project_id
WHERE {key_of('m."to"')} = ANY($2) AND m.owner_id = $1 AND m.direction = 'outbound' AND m.status = 'queued'
  AND ($3 OR p.stop_on_reply)
"""  # noqa: S608  our own expression
_LOCK = """
SELECT m.id, m.project_id, m.status, m.price, m.handed_at,
  (SELECT account_id FROM sending_projects WHERE id = m.project_id) AS account_id
FROM message_records AS m WHERE m.id = ANY($1) ORDER BY m.id FOR NO KEY UPDATE
"""
# A message that was handed over before and is queued again may have arrived: it becomes unknown, and stays charged.
_CLOSE = """
UPDATE message_records SET
  status = CASE WHEN handed_at IS NULL THEN $2 ELSE 'unknown' END, failure_code = $3, failure_reason = $4,
  price = CASE WHEN handed_at IS NULL THEN 0 ELSE price END
WHERE id = ANY($1)
"""
_REPLIED = """
UPDATE message_records SET replied_at = COALESCE(replied_at, GREATEST(LEAST($2, now()), sent_at)),
  unsubscribed_at = CASE WHEN $3 THEN COALESCE(unsubscribed_at, now()) ELSE unsubscribed_at END
WHERE id = $1 AND (replied_at IS NULL OR $3 AND unsubscribed_at IS NULL)
"""

# Like every row of a conversation the reply has the other side in `to`.
_KEEP = """
INSERT INTO message_records (id, project_id, owner_id, recipient_id, direction, channel, "to", address_key, body,
                             status, account_uuid, provider, provider_message_id, queued_at, delivered_at)
SELECT $1, $2, $3, $4, 'inbound', $5, $6, $12, $7, 'delivered', $8, $9, $10, LEAST($11, now()), LEAST($11, now())
WHERE NOT EXISTS (
  SELECT FROM message_records WHERE provider_message_id = $10 AND provider IS NOT DISTINCT FROM $9
    AND owner_id = $3 AND direction = 'inbound'
)
"""


async def receive(db: asyncpg.Connection, owner_id: UUID, reply: Reply, stop_words: Iterable[str]) -> bool:
    """Stores the reply next to the message that it answers, in the caller's transaction. Returns whether there is one.

    A stop word blocks the address, and nothing that is queued for it is sent (`skipped`, `opted_out`), even if no
    answered message is found. Any other reply cancels the messages that are queued for the address in projects that
    stop on a reply (`canceled`, `replied`). A start word undoes the changes of stop words in the block list.
    """
    addresses = [storable(address) or "" for address in reply.addresses]
    keys = address_keys(addresses)
    answered = await db.fetchrow(_ANSWERED, owner_id, keys, reply.channel)
    stop = is_stop_word(reply.body, stop_words, answered["channel"] if answered else reply.channel)
    waiting = [row["id"] for row in await db.fetch(_WAITING, owner_id, keys, stop)]
    # Locked at once, in the order in which all writers lock messages.
    rows = await db.fetch(_LOCK, [*waiting, *([answered["id"]] if answered else [])])
    if answered:
        await db.execute(_REPLIED, answered["id"], reply.at, stop)
        await _keep(db, owner_id, answered, reply)
    await _close(db, [row for row in rows if row["status"] == "queued"], stop=stop)
    for project in {row["project_id"] for row in rows}:
        change_events.project(owner_id, project)
    if stop and (address := answered["to"] if answered else next(iter(addresses), None)):
        await block(db, owner_id, address, BlockReason.optOut, by_stop_word=True)
    elif is_start_word(reply.body):
        await undo_stop_word(db, owner_id, keys)
    return answered is not None


async def undo_stop_word_without_reply(db: asyncpg.Connection, owner_id: UUID, address: str) -> None:
    """Undoes the stop words of this address for a user to whom the start word can't be assigned as a reply."""
    await undo_stop_word(db, owner_id, address_keys([storable(address) or ""]))


async def _close(db: asyncpg.Connection, queued: Sequence[Any], *, stop: bool) -> None:
    if not queued:
        return
    outcome = (
        ("skipped", "opted_out", "The recipient has unsubscribed.")
        if stop
        else (
            "canceled",
            "replied",
            "The recipient has replied, and this project stops sending to recipients who reply.",
        )
    )
    await refund(
        db,
        [
            Owed(row["account_id"], row["price"], project_id=row["project_id"])
            for row in queued
            if row["handed_at"] is None
        ],
    )
    await db.execute(_CLOSE, [row["id"] for row in queued], *outcome)


async def _keep(db: asyncpg.Connection, owner_id: UUID, answered: Any, reply: Reply) -> None:
    await db.execute(
        _KEEP,
        uuid7(),
        answered["project_id"],
        owner_id,
        answered["recipient_id"],
        answered["channel"],
        answered["to"],
        (storable(reply.body) or "")[:_LONGEST_BODY],
        answered["account_uuid"],
        reply.provider,
        storable(reply.provider_message_id),
        reply.at,
        stored_key(answered["to"]),
    )

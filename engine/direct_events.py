"""Stores what a user's engine reports about direct messages by its hook: statuses with their refunds, and replies.

`engine/project_receipts.py` is tried first, for messages of projects; reports that match none come here. A report about an
unknown message, or one that is still queued, is early: it is kept with those of projects, and `settle` applies it after
the commit that makes the message known.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from core.ids import uuid7
from core.storable_text import storable
from db.address_keys import key_of
from engine import outcomes
from engine.blocks import block
from engine.project_receipts import HARD_BOUNCES, StatusReport, as_uuid
from engine.replies import Reply
from shapes.addresses import keys_and_spellings, stored_key
from shapes.blocks import BlockReason
from shapes.messages import MessageChannel

_LONGEST_REASON = 500  # characters
_LONGEST_BODY = 100_000

# One row per message: of several reports at once the furthest counts. A direct message has no `read`. Rows are locked
# in the order of their ids. If a provider reuses its numbers, the newest message with the number is meant.
_APPLY = """
WITH reports AS (
  -- A report without a time, or with one in the future, gets the present time.
  SELECT s.place, s.code, s.reason, LEAST(s.at, now()) AS at, CASE s.status WHEN 'read' THEN 'delivered' ELSE s.status END AS state, COALESCE(
    (SELECT m.id FROM messages AS m WHERE m.id = s.message_id AND m.owner_id = $1 AND m.direction = 'outbound'),
    (SELECT m.id FROM messages AS m WHERE (m.provider_message_id = s.provider_message_id OR m.report_id = s.provider_message_id)
       AND m.owner_id = $1 AND m.direction = 'outbound' ORDER BY m.handed_at DESC NULLS LAST, m.id DESC LIMIT 1)
  ) AS id
  FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
    WITH ORDINALITY AS s (message_id, provider_message_id, status, code, reason, at, place)
), locked AS (
  SELECT id, state, handed_at FROM messages WHERE id IN (SELECT id FROM reports) ORDER BY id FOR NO KEY UPDATE
), latest AS (
  SELECT DISTINCT ON (s.id) s.id, s.state, s.code, s.reason, s.at FROM reports AS s JOIN locked ON locked.id = s.id
  WHERE (locked.state <> 'queued' OR locked.handed_at IS NOT NULL)
    AND (locked.handed_at IS NULL OR s.at >= locked.handed_at - interval '5 minutes')
  ORDER BY s.id, CASE s.state WHEN 'delivered' THEN 0 WHEN 'failed' THEN 1 ELSE 2 END, s.place
), moved AS (
  UPDATE messages AS m SET
    state = t.state, claim_id = NULL, updated_at = now(),
    failure_code = CASE WHEN t.state = 'failed' THEN COALESCE(t.code, 'rejected') END,
    failure_reason = CASE WHEN t.state = 'failed' THEN t.reason END,
    sent_at = COALESCE(m.sent_at, CASE WHEN t.state <> 'failed' THEN GREATEST(t.at, m.handed_at) END),
    delivered_at = CASE WHEN t.state = 'delivered' THEN GREATEST(t.at, m.sent_at, m.handed_at) ELSE m.delivered_at END
  -- What is queued here was handed over once, and its provider was to be asked again.
  FROM latest AS t WHERE m.id = t.id AND CASE t.state WHEN 'sent' THEN m.state IN ('queued', 'sending', 'unknown')
    ELSE m.state IN ('queued', 'sending', 'unknown', 'sent') END
  RETURNING m.id, m.owner_id, m.account_id, m.channel, m."to", m.state, m.price, m.failure_code
)
SELECT s.place, COALESCE(locked.state = 'queued' AND locked.handed_at IS NULL, true) AS early, moved.*
FROM reports AS s LEFT JOIN locked ON locked.id = s.id LEFT JOIN moved ON moved.id = s.id ORDER BY s.place
"""

_EARLY = """
WITH mine AS (
  SELECT id, owner_id, provider_message_id, report_id FROM messages
  WHERE id = ANY($1) AND direction = 'outbound' AND (state <> 'queued' OR handed_at IS NOT NULL)
), gone AS (
  DELETE FROM early_events AS e USING mine AS m
  WHERE e.user_id = m.owner_id AND e.key IN (m.id::text, m.provider_message_id, m.report_id)
  RETURNING e.id AS place, m.id, m.owner_id, e.event
)
SELECT id, owner_id, event::text AS event FROM gone ORDER BY place
"""
_FIND = """
SELECT id FROM messages
WHERE owner_id = $1 AND direction = 'outbound' AND (id = ANY($2) OR provider_message_id = ANY($3) OR report_id = ANY($3))
"""

# The newest direct message that reached this address lately: a reply belongs to its account.
_ANSWERED = f"""
SELECT account_id, channel, "to" FROM messages
WHERE channel = ANY($3) AND {key_of('"to"')} = ANY($2) AND owner_id = $1 AND direction = 'outbound'
  AND state IN ('sending', 'unknown', 'sent', 'delivered') AND handed_at > now() - interval '30 days'
ORDER BY id DESC LIMIT 1
"""  # noqa: S608  our own expression
_KEEP = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", address_key, sender, body, provider,
                      provider_message_id, delivered_at, sent_at)
SELECT $1, $2, $3, 'inbound', $4, 'delivered', $5, $10, $5, $6, $7, $8, now(), LEAST($9, now())
WHERE NOT EXISTS (
  SELECT FROM messages WHERE provider_message_id = $8 AND provider IS NOT DISTINCT FROM $7 AND owner_id = $2
    AND direction = 'inbound'
)
"""


async def receive(
    db: asyncpg.Connection, reports: Sequence[StatusReport], owner_id: UUID
) -> list[StatusReport]:
    """Applies what is about direct messages of `owner_id`, with the refunds; in the caller's transaction.

    Returns what is about none of them, or about one that is still queued.
    """
    if not reports:
        return []
    rows = await db.fetch(
        _APPLY,
        owner_id,
        [report.message_id or as_uuid(report.provider_message_id) for report in reports],
        [storable(report.provider_message_id) for report in reports],
        [report.status for report in reports],
        [storable(report.code) for report in reports],
        [(storable(report.reason) or "")[:_LONGEST_REASON] or None for report in reports],
        [report.at for report in reports],
    )
    moved = {row["id"]: row for row in rows if row["id"] is not None}
    outcomes.note([*moved.values()])
    await outcomes.refund(db, [*moved.values()])
    for row in moved.values():
        if row["channel"] == MessageChannel.email and row["failure_code"] in HARD_BOUNCES:
            await block(db, row["owner_id"], row["to"], BlockReason.hardBounce)
    return [report for report, row in zip(reports, rows, strict=True) if row["early"]]


async def settle(db: asyncpg.Connection, ids: Sequence[UUID]) -> None:
    """Applies what was said before these messages were handed over, or before their provider's ids were known.

    Call after the commit that made them so.
    """
    if not ids or not await db.fetchval("SELECT EXISTS (SELECT FROM early_events)"):
        return
    async with db.transaction():
        by_owner: dict[UUID, list[StatusReport]] = {}
        for row in await db.fetch(_EARLY, ids):
            by_owner.setdefault(row["owner_id"], []).append(_report(row["id"], orjson.loads(row["event"])))
        for owner_id, reports in by_owner.items():
            await receive(db, reports, owner_id)


async def settle_early(db: asyncpg.Connection, reports: Sequence[StatusReport], owner_id: UUID) -> None:
    """Runs `settle` for reports that were just kept."""
    ids = [id for report in reports if (id := report.message_id or as_uuid(report.provider_message_id))]
    numbers = [storable(report.provider_message_id) for report in reports if report.provider_message_id]
    if message_ids := [row["id"] for row in await db.fetch(_FIND, owner_id, ids, numbers)]:
        await settle(db, message_ids)


async def reply(db: asyncpg.Connection, owner_id: UUID, incoming: Reply) -> bool:
    """Stores a reply as an inbound message; returns whether it answers a direct message.

    In the caller's transaction.
    """
    channels = [incoming.channel] if incoming.channel else [channel.value for channel in MessageChannel]
    keys = keys_and_spellings(storable(address) or "" for address in incoming.addresses)
    answered = await db.fetchrow(_ANSWERED, owner_id, keys, channels)
    if answered is None:
        return False
    if (
        incoming.provider_message_id
    ):  # serializes two concurrent deliveries of one reply: the second finds the first
        await db.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            f"inbound:{owner_id}:{incoming.provider}:{storable(incoming.provider_message_id)}",
        )
    await db.execute(
        _KEEP,
        uuid7(),
        owner_id,
        answered["account_id"],
        answered["channel"],
        answered["to"],
        (storable(incoming.body) or "")[:_LONGEST_BODY],
        incoming.provider,
        storable(incoming.provider_message_id),
        incoming.at,
        stored_key(answered["to"]),
    )
    return True


def _report(id: UUID, event: dict[str, Any]) -> StatusReport:
    at = datetime.fromisoformat(event["at"]) if event["at"] else None
    return StatusReport(id, None, None, event["status"], event["code"], event["reason"], at)

"""Stores the results of messages: the outcomes of sending, delivery reports, and the refunds that follow from both."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg

from channels.port import Receipt, Result
from core import change_events
from core.storable_text import storable
from db import ledger
from shapes.messages import DeliveryState


@dataclass(frozen=True, slots=True)
class DirectState:
    """Holds what is stored of a direct message after a dispatch."""

    id: UUID
    state: DeliveryState
    attempts: int
    provider: str | None = None
    provider_message_id: str | None = None
    report_id: str | None = None
    code: str | None = None
    reason: str | None = None
    delay: timedelta = timedelta()
    uncertain: bool = False  # queued to be asked for again under its key: the provider may have it
    refused: bool = False  # failed, because its route refused it


# A holder that lost his claim writes nothing, but for one thing: what he learnt about a message that became
# `unknown` under his claim and that nobody has taken since.
_RECORD = """
UPDATE messages AS m SET
  state = r.state, attempts = r.attempts, claim_id = NULL, updated_at = now(),
  handed_at = CASE WHEN r.state = 'queued' AND NOT r.uncertain THEN NULL ELSE m.handed_at END,
  due_at = CASE WHEN r.state = 'queued' THEN now() + r.delay ELSE m.due_at END,
  provider = COALESCE(r.provider, m.provider),
  provider_message_id = COALESCE(r.provider_message_id, m.provider_message_id),
  report_id = CASE WHEN r.provider_message_id IS NULL THEN m.report_id ELSE r.report_id END,
  failure_code = r.code, failure_reason = r.reason, refused = NULLIF(r.refused, false),
  failed_attempts = CASE
    WHEN r.state = 'queued' AND NOT r.uncertain AND m.handed_at IS NOT NULL AND r.code IS NOT NULL
      AND (r.attempts > m.attempts OR r.code IS DISTINCT FROM m.failure_code)
    THEN postern_failed_attempts(m.failed_attempts, now(), r.code, r.reason, m.provider) ELSE m.failed_attempts END,
  sent_at = CASE WHEN r.state IN ('sent', 'delivered') THEN now() ELSE m.sent_at END,
  delivered_at = CASE WHEN r.state = 'delivered' THEN now() ELSE m.delivered_at END
FROM unnest($2::uuid[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::interval[], $11::bool[], $12::bool[])
  AS r (id, state, attempts, provider, provider_message_id, report_id, code, reason, delay, uncertain, refused)
WHERE m.id = r.id AND m.claim_id = $1 AND m.state IN ('sending', 'unknown')
RETURNING m.id, m.owner_id, m.account_id, m.channel, m.state, m.price
"""

# No status ever moves backwards: a report only counts for a message that is not yet that far. Providers begin
# their numbers anew (SMSCs do after a restart); a report is about the newest message that has the number.
_RECEIPTS = """
WITH reports AS (
  -- A report without a time, or with one in the future, gets the present time.
  SELECT r.provider_message_id, r.state, r.code, r.reason, LEAST(r.at, now()) AS at, (
    SELECT m.id FROM messages AS m WHERE provider = $1 AND (m.report_id = r.provider_message_id
      OR (m.provider_message_id = r.provider_message_id AND m.report_id IS NULL)) AND direction = 'outbound'
    ORDER BY handed_at DESC NULLS LAST, m.id DESC LIMIT 1
  ) AS id
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
    AS r (provider_message_id, state, code, reason, at)
), locked AS (
  SELECT id FROM messages WHERE id IN (SELECT id FROM reports) ORDER BY id FOR NO KEY UPDATE
)
UPDATE messages AS m SET
  state = r.state, claim_id = NULL, updated_at = now(),
  failure_code = CASE WHEN r.state = 'failed' THEN r.code END,
  failure_reason = CASE WHEN r.state = 'failed' THEN r.reason END,
  sent_at = COALESCE(m.sent_at, r.at),
  delivered_at = CASE WHEN r.state = 'delivered' THEN GREATEST(r.at, m.sent_at) ELSE m.delivered_at END
FROM reports AS r JOIN locked ON locked.id = r.id
WHERE m.id = r.id
  -- A report from before the hand-over is about an older message whose number the provider has used again.
  AND (m.handed_at IS NULL OR r.at >= m.handed_at - interval '5 minutes')
  AND (m.state IN ('sending', 'unknown') OR (m.state = 'sent' AND r.state <> 'sent')
    OR (m.state = 'queued' AND m.handed_at IS NOT NULL))  -- its provider was to be asked again
RETURNING m.id, m.owner_id, m.account_id, m.channel, m.state, m.price
"""

_FIND = """
SELECT DISTINCT r.id FROM unnest($2::text[]) AS r (id)
JOIN messages AS m ON m.report_id = r.id OR (m.provider_message_id = r.id AND m.report_id IS NULL)
WHERE m.provider = $1 AND m.direction = 'outbound'
"""

_KEEP = """
INSERT INTO early_receipts (provider, provider_message_id, result, code, reason, at)
SELECT $1, r.id, r.result, r.code, r.reason, LEAST(r.at, now())
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) AS r (id, result, code, reason, at)
"""

_EARLY = """
DELETE FROM early_receipts WHERE provider = $1 AND provider_message_id = ANY($2)
RETURNING provider_message_id, result, code, reason, at, id
"""

_STATES = {Result.sent: "sent", Result.delivered: "delivered", Result.refused: "failed"}
_ORDER = {"sent": 0, "failed": 1, "delivered": 2}


async def record(db: asyncpg.Connection, claim: UUID, verdicts: Sequence[DirectState]) -> list[Any]:
    """Stores the states of messages that this claim still has, and refunds what failed. In the caller's transaction."""
    columns = [
        (
            v.id,
            v.state.value,
            v.attempts,
            v.provider,
            v.provider_message_id,
            v.report_id,
            v.code,
            storable(v.reason),
            v.delay,
            v.uncertain,
            v.refused,
        )
        for v in verdicts
    ]
    rows = await db.fetch(_RECORD, claim, *map(list, zip(*columns, strict=True)))
    note(rows)
    await refund(db, rows)
    return list(rows)


async def receive(db: asyncpg.Connection, provider: str, receipts: Sequence[Receipt]) -> int:
    """Applies delivery reports; those of messages that we don't know yet are kept. How many counted."""
    async with db.transaction():
        # Looked for before anything is applied: a message that becomes known in between is then kept for, and
        # settled below; the other way round its report would be neither applied nor kept.
        asked = [receipt.provider_message_id for receipt in receipts]
        ids = {row["id"] for row in await db.fetch(_FIND, provider, asked)}
        early = [receipt for receipt in receipts if receipt.provider_message_id not in ids]
        counted = await _apply(
            db, provider, [receipt for receipt in receipts if receipt.provider_message_id in ids]
        )
        if early:
            await db.execute(_KEEP, provider, *_columns([(r, r.result.value) for r in early]))
    if early:
        # Our own commit may have come between the look and the keeping.
        counted += await settle(db, provider, [receipt.provider_message_id for receipt in early])
    return counted


async def settle(db: asyncpg.Connection, provider: str, ids: Sequence[str]) -> int:
    """Applies reports that came before we knew these messages. Call after the commit that made them known."""
    async with db.transaction():
        ids = [row["id"] for row in await db.fetch(_FIND, provider, list(ids))]
        rows = sorted(await db.fetch(_EARLY, provider, ids), key=lambda row: row["id"]) if ids else []
        receipts = [
            Receipt(row["provider_message_id"], Result(row["result"]), row["code"], row["reason"], row["at"])
            for row in rows
        ]
        return await _apply(db, provider, receipts)


async def _apply(db: asyncpg.Connection, provider: str, receipts: Sequence[Receipt]) -> int:
    # One report a message and statement: the one that says most.
    furthest: dict[str, Receipt] = {}
    for receipt in receipts:
        other = furthest.get(receipt.provider_message_id)
        if receipt.result in _STATES and (
            other is None or _ORDER[_STATES[receipt.result]] > _ORDER[_STATES[other.result]]
        ):
            furthest[receipt.provider_message_id] = receipt
    if not furthest:
        return 0
    rows = await db.fetch(_RECEIPTS, provider, *_columns([(r, _STATES[r.result]) for r in furthest.values()]))
    note(rows)
    await refund(db, rows)
    return len(rows)


def _columns(receipts: Sequence[tuple[Receipt, str]]) -> list[list[Any]]:
    rows = [(r.provider_message_id, state, r.code, storable(r.reason), r.at) for r, state in receipts]
    return [list(column) for column in zip(*rows, strict=True)]


def note(rows: Sequence[Any]) -> None:
    """Messages that have another state now, for whoever watches them."""
    for row in rows:
        change_events.message(row["owner_id"], row["id"], row["state"])


async def refund(db: asyncpg.Connection, rows: Sequence[Any]) -> None:
    """Gives back the price of those that failed, once each. In the caller's transaction."""
    failed = (row for row in rows if row["state"] == DeliveryState.failed and row["price"] > Decimal(0))
    await ledger.refund_many(db, [(row["account_id"], row["price"], row["id"], None) for row in failed])

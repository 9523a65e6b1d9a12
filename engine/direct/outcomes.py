"""Stores the outcomes of sending direct messages, with the refunds that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from core import change_events
from core.storable_text import storable
from engine.reports import refunds
from engine.reports.refunds import Owed
from shapes.messages import DeliveryState


@dataclass(frozen=True, slots=True)
class DirectState:
    """Holds the values that are stored of a direct message after a dispatch."""

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


# A worker that lost its claim writes only one thing: the outcome of a message that became `unknown` under its claim and
# that no worker has claimed since.
_RECORD = """
UPDATE messages AS m SET
  state = r.state, attempts = r.attempts, claim_id = NULL, updated_at = now(),
  handed_at = CASE WHEN r.state = 'queued' AND NOT r.uncertain THEN NULL ELSE m.handed_at END,
  due_at = CASE WHEN r.state = 'queued' THEN now() + r.delay ELSE m.due_at END,
  provider = COALESCE(r.provider, m.provider),
  provider_message_id = COALESCE(r.provider_message_id, m.provider_message_id),
  report_id = CASE WHEN r.provider_message_id IS NULL THEN m.report_id ELSE r.report_id END,
  failure_code = r.code, failure_reason = r.reason, refused = NULLIF(r.refused, false), failed_at = NULL,
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


async def record(db: asyncpg.Connection, claim: UUID, verdicts: Sequence[DirectState]) -> list[Any]:
    """Stores the states of messages that this claim still has, and refunds the failed ones. In the caller's
    transaction.
    """
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
    await refunds.refund(
        db,
        [
            Owed(row["account_id"], row["price"], row["id"])
            for row in rows
            if row["state"] == DeliveryState.failed
        ],
    )
    return list(rows)


def note(rows: Sequence[Any]) -> None:
    """Messages that have another state now, for their subscribers."""
    for row in rows:
        change_events.message(row["owner_id"], row["id"], row["state"])

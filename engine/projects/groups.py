"""A small group of one batch in one round trip: outcomes that change no price and no batch, and the next intents."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

import asyncpg

from engine.projects.batches import OF_INTENT, columns
from engine.projects.items import Item, RecordState
from engine.projects.may_send import conditions_of, may_send

# The batch's row first, then the project's, then the messages, as `batches.record` and `record_intents` do it.
# `updated_at` is set here, so that no trigger has to be called for each row.
_STORE_GROUP = f"""
WITH unit AS MATERIALIZED (
  SELECT id FROM sending_units WHERE id = $1 AND claim_id = $2 AND expires_at > now() FOR NO KEY UPDATE
), runs AS MATERIALIZED (
  SELECT id FROM sending_projects
  WHERE id = $3 AND status = 'running' AND content = $4 AND EXISTS (SELECT FROM unit) FOR KEY SHARE
), stored AS (
  UPDATE message_records AS m SET
    status = r.status, attempts = r.attempts, tries = r.tries,
    provider_message_id = COALESCE(r.provider_message_id, m.provider_message_id),
    report_id = CASE WHEN r.provider_message_id IS NULL THEN m.report_id ELSE r.report_id END,
    failure_code = r.code, failure_reason = r.reason, updated_at = now(),
    sent_at = CASE WHEN r.status IN ('sent', 'delivered') THEN now() ELSE m.sent_at END,
    delivered_at = CASE WHEN r.status = 'delivered' THEN now() ELSE m.delivered_at END
  FROM unnest($5::uuid[], $6::text[], $7::int[], $8::int[], $9::text[], $10::text[], $11::text[],
    $12::text[]) AS r (id, status, attempts, tries, provider_message_id, report_id, code, reason)
  WHERE m.id = r.id AND m.claim_id = $2 AND m.status IN ('sending', 'unknown') AND EXISTS (SELECT FROM unit)
), was AS (
  SELECT id, price FROM message_records
  WHERE id = ANY($14) AND unit_id IS NOT DISTINCT FROM $1
    AND (status = 'queued' OR (status = 'sending' AND claim_id = $2)) AND EXISTS (SELECT FROM runs)
    AND {may_send("$25", "$26")}
  ORDER BY id FOR NO KEY UPDATE
), intents AS (
  UPDATE message_records AS m SET
    status = 'sending', handed_at = COALESCE(m.handed_at, now()), claim_id = $2, provider = $13, attempts = r.attempts,
    tries = r.tries, price = r.price, content = r.content, variant = r.variant, account_uuid = r.account,
    sender = r.sender, price_prefix = r.prefix, price_version_id = r.version, parts = r.parts,
    updated_at = now()
  FROM was JOIN unnest($14::uuid[], $15::int[], $16::int[], $17::numeric[], $18::int[], $19::int[], $20::uuid[],
      $21::text[], $22::text[], $23::uuid[], $24::int[])
    AS r (id, attempts, tries, price, content, variant, account, sender, prefix, version, parts) ON r.id = was.id
  WHERE m.id = was.id
  RETURNING m.id, m.price - was.price AS cost
), spent AS (
  UPDATE sending_units SET held = held - (SELECT sum(cost) FROM intents)
  WHERE id = $1 AND claim_id = $2 AND (SELECT sum(cost) FROM intents) <> 0
)
SELECT EXISTS (SELECT FROM unit) AS ours, ARRAY(SELECT id FROM intents) AS ids
"""  # noqa: S608  our own condition

_OF_STORED = attrgetter(
    "id", "status", "attempts", "tries", "provider_message_id", "report_id", "code", "reason"
)


async def store(
    db: asyncpg.Connection,
    batch: UUID,
    claim: UUID,
    project: Any,
    states: Sequence[RecordState],
    provider: str,
    items: Sequence[Item],
) -> set[UUID] | None:
    """Stores states that change neither a price nor the batch, and intents, in one statement of its own.

    Returns the ids that may be dispatched; None if the claim is lost, and nothing is stored. It may be repeated.
    """
    stored = columns(_OF_STORED, states) if states else [[] for _ in range(8)]
    intents = columns(OF_INTENT, items) if items else [[] for _ in range(11)]
    row = await db.fetchrow(
        _STORE_GROUP,
        batch,
        claim,
        project["id"],
        project["content"],
        *stored,
        provider,
        *intents,
        *conditions_of(project),
    )
    return set(row["ids"]) if row["ours"] else None

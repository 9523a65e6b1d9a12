"""Claims of direct messages: a worker claims them before it sends them, and others recover them when it dies.

A claim is a row with an expiry; its id is the fencing token that every later write of its holder names. A
message of a dead claim goes back to `queued` when it was surely not dispatched, or when its provider drops
a second request with the same key; else it becomes `unknown`, and is never silently sent again.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from db.address_keys import key_of
from engine import blocks
from engine.direct.due_floor import ALWAYS
from engine.sending.port import Failure

_DUE = """SELECT id FROM messages WHERE state = 'queued' AND due_at BETWEEN $6 AND now() AND channel = $5
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED"""
# Whatever they wait for: a breaker that is open, a later attempt, a worker. What has waited for a day is found by
# the time at which it was due.
_EXPIRED = """SELECT id FROM soon UNION ALL SELECT id FROM old"""
# Two looks, each into its own index (ix_messages_expires_at, ix_messages_due): an OR would walk the whole queue.
_SOON_AND_OLD = """
soon AS MATERIALIZED (
  SELECT id FROM messages
  WHERE state = 'queued' AND expires_at IS NOT NULL AND expires_at <= now() AND channel = $5 AND handed_at IS NULL
  ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED
), old AS MATERIALIZED (
  SELECT id FROM messages
  WHERE state = 'queued' AND channel = $5 AND due_at <= now() - interval '24 hours' AND expires_at IS NULL
    AND created_at <= now() - interval '24 hours' AND handed_at IS NULL
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
), """
_CLAIM = f"""
WITH LOOKS picked AS (
  PICKED
), claim AS (
  INSERT INTO claims (id, worker, expires_at) SELECT $1, $2, now() + $4 WHERE EXISTS (SELECT FROM picked)
)
UPDATE messages AS m SET state = 'sending', claim_id = $1, updated_at = now()
FROM picked WHERE m.id = picked.id
RETURNING m.id, m.account_id, m.owner_id, m.channel, m."to", m.body, m.metadata, m.price, m.attempts, m.provider,
          m.handed_at, m.created_at, m.due_at, m.expires_at, m.send_at, m.failure_code, m.failure_reason, m.trial,
          m.category, m.chain_id, m.from_address, m.sender,
          (SELECT status FROM users WHERE id = m.owner_id) AS owner_status,
          (SELECT reason FROM blocked_phones
           WHERE owner_id = m.owner_id AND {blocks.KEY} = {key_of('m."to"')}
             AND {blocks.STOPS.format(category="m.category")}) AS blocked
"""  # noqa: S608  our own condition

# The intent, which is stored before every call to a provider. A worker that has lost the claim gets no row back. The
# time of the first dispatch stays while its outcome is uncertain: from then on the provider is asked for 24 hours.
_RECORD_INTENTS = """
UPDATE messages SET handed_at = COALESCE(handed_at, now()), provider = $3, provider_message_id = NULL,
  report_id = NULL, attempts = r.attempts,
  updated_at = now()
FROM unnest($1::uuid[], $4::int[]) AS r (id, attempts)
WHERE messages.id = r.id AND claim_id = $2 AND state = 'sending'
  AND EXISTS (SELECT FROM claims WHERE claims.id = $2 AND expires_at > now())
RETURNING messages.id
"""

# The provider surely did not accept these: another route may try, and nothing is unknown if the worker dies before
# that.
_WITHDRAW_INTENTS = """
UPDATE messages SET handed_at = NULL, attempts = r.attempts, updated_at = now(),
  -- the worker that has the claim knows more than the recovery
  state = CASE WHEN state = 'unknown' THEN 'queued' ELSE state END,
  claim_id = CASE WHEN state = 'unknown' THEN NULL ELSE claim_id END,
  failure_code = CASE WHEN state <> 'unknown' THEN COALESCE(r.code, failure_code) END,
  failure_reason = CASE WHEN state = 'unknown' THEN NULL WHEN r.code IS NULL THEN failure_reason ELSE r.reason END,
  failed_attempts = CASE WHEN r.code IS NULL THEN failed_attempts
    ELSE postern_failed_attempts(failed_attempts, now(), r.code, r.reason, provider) END
FROM unnest($1::uuid[], $3::int[], $4::text[], $5::text[]) AS r (id, attempts, code, reason)
WHERE messages.id = r.id AND claim_id = $2 AND state IN ('sending', 'unknown')
"""

_RENEW = "UPDATE claims SET expires_at = now() + $2 WHERE id = $1 AND expires_at > now() RETURNING id"

# Messages with an intent and without an outcome keep their claim: it expires, and `recover` decides about them.
# The claim is locked before its messages, as `_RECOVER` does it: in the other order the two could wait for each other.
# A claim that is gone was recovered, with all of its messages.
_RELEASE = """
WITH locked AS (SELECT id FROM claims WHERE id = $1 FOR UPDATE),
gone AS (
  DELETE FROM claims WHERE id = $1 AND NOT EXISTS (
    SELECT FROM messages WHERE claim_id = $1 AND state = 'sending' AND handed_at IS NOT NULL
  )
)
UPDATE messages SET state = 'queued', claim_id = NULL, updated_at = now()
WHERE claim_id = (SELECT id FROM locked) AND state = 'sending' AND handed_at IS NULL
"""

# The claim's id stays on messages that become unknown: if its worker lives after all, it may still store their
# outcomes. All conditions are those of the row that is updated: a worker that writes at this very moment is waited for,
# and what it wrote counts (a second look at the table would still show the row as it was).
_AGAIN = "(m.handed_at IS NULL OR m.channel || ':' || m.provider = ANY($1))"
_DEAD = "SELECT id FROM claims WHERE expires_at >= $1 AND expires_at < now()"
_RECOVER = f"""
WITH dead AS (
  DELETE FROM claims WHERE id IN (
    SELECT id FROM claims WHERE id = ANY($2) AND expires_at < now() FOR UPDATE SKIP LOCKED
  ) RETURNING id
)
UPDATE messages AS m SET
  state = CASE WHEN {_AGAIN} THEN 'queued' ELSE 'unknown' END,
  claim_id = CASE WHEN {_AGAIN} THEN NULL ELSE m.claim_id END,
  failure_code = CASE WHEN {_AGAIN} THEN m.failure_code ELSE 'worker_died' END,
  failure_reason = CASE WHEN {_AGAIN} THEN m.failure_reason
    ELSE 'The worker died between handing the message over and learning what became of it.' END,
  updated_at = now()
FROM dead WHERE m.claim_id = ANY($2) AND m.claim_id = dead.id AND m.state = 'sending'
RETURNING m.id, m.owner_id, m.channel, m.state
"""  # noqa: S608  our own condition


_CLAIM_DUE = _CLAIM.replace("LOOKS ", "").replace("PICKED", _DUE)
_CLAIM_EXPIRED = _CLAIM.replace("LOOKS ", _SOON_AND_OLD).replace("PICKED", _EXPIRED)


async def claim_due(
    db: asyncpg.Connection,
    claim: UUID,
    worker: str,
    channel: str,
    *,
    limit: int,
    lease: timedelta,
    since: datetime = ALWAYS,
) -> list[Any]:
    """Claims messages that became due at `since` or later, at most `limit` of one channel."""
    return list(await db.fetch(_CLAIM_DUE, claim, worker, limit, lease, channel, since))


async def claim_expired(
    db: asyncpg.Connection, claim: UUID, worker: str, channel: str, *, limit: int, lease: timedelta
) -> list[Any]:
    """Claims messages that were not dispatched in time, of one channel: at most `limit` that said how long they may
    wait, and as many that wait for a day.
    """
    return list(await db.fetch(_CLAIM_EXPIRED, claim, worker, limit, lease, channel))


async def record_intents(
    db: asyncpg.Connection, claim: UUID, provider: str, ids: Sequence[UUID], attempts: Sequence[int]
) -> set[UUID]:
    """Stores intents. Returns the ids that this claim may dispatch now; the others belong to another claim."""
    return {row["id"] for row in await db.fetch(_RECORD_INTENTS, ids, claim, provider, attempts)}


async def withdraw_intents(
    db: asyncpg.Connection,
    claim: UUID,
    ids: Sequence[UUID],
    attempts: Sequence[int],
    failures: Sequence[Failure] | None = None,
) -> None:
    """Withdraws the intents of messages that were surely not accepted. `failures`: why, for those that were
    dispatched.
    """
    failures = failures or [Failure()] * len(ids)
    codes, reasons = [failure.code for failure in failures], [failure.reason for failure in failures]
    await db.execute(_WITHDRAW_INTENTS, ids, claim, attempts, codes, reasons)


async def renew(db: asyncpg.Connection, claim: UUID, lease: timedelta) -> bool:
    return await db.fetchval(_RENEW, claim, lease) is not None


async def release(db: asyncpg.Connection, claim: UUID) -> None:
    """Ends the claim: messages without an intent are queued again."""
    await db.execute(_RELEASE, claim)


async def recover(db: asyncpg.Connection, idempotent: Sequence[str], since: datetime = ALWAYS) -> list[Any]:
    """Ends the claims that have expired at `since` or later, and queues their messages again or calls them unknown.
    Returns these.

    `idempotent`: the routes that drop a second request with the same key, as `channel:provider`.
    """
    dead = [row["id"] for row in await db.fetch(_DEAD, since)]
    return list(await db.fetch(_RECOVER, list(idempotent), dead)) if dead else []

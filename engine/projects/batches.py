"""Batches in the database: their claims, the money that they reserve of the account, and the results of their messages.

A batch is claimed by one UPDATE of its own row; its messages stay `queued` until their intents are recorded, when they
become `sending`. Every later write names the claim. A claim that is not renewed expires, and `recover` gives the batch
back: messages without an intent are as they were, those with one are asked for again under the same key where the
provider drops repeated requests, and `unknown` everywhere else.

Money: the cost of a batch is one ledger row, made before the first dispatch, and is reserved on the batch as `held`. An
intent moves the price from `held` to the message, a failure moves it back, and the rest of `held` at the end is one
refund. So at any moment an account's charges less its refunds are the prices of its messages and the reserved amounts.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from datetime import timedelta
from decimal import Decimal
from operator import attrgetter
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from db import ledger
from db.address_keys import key_of
from engine import blocks
from engine.address_hashes import AddressHasher
from engine.projects import jobs, lost_claims
from engine.projects.contact_audience import CONSENTS
from engine.projects.items import Item, NotHandedOver, RecordState
from engine.projects.may_send import conditions_of, may_send

_CLAIM = """
WITH unit AS (
  SELECT id FROM sending_units WHERE project_id = $1 AND due_at <= now() AND claim_id IS NULL
  ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE sending_units AS u SET claim_id = $2, worker = $3, expires_at = now() + $4 FROM unit
WHERE u.id = unit.id RETURNING u.id
"""
_MESSAGES = f"""
SELECT m.id, m."to", m.attempts, m.tries, m.handed_at, m.provider, m.price, m.price_prefix,
  m.price_version_id, m.content, m.variant, m.account_uuid, m.sender, m.queued_at, m.failure_reason,
  r.name, r.variables, r.timezone, r.contact_id, b.reason AS blocked,
  {CONSENTS.format(topics="$4", recipient="m.recipient_id", channel="m.channel")} AS subscribed
FROM message_records AS m
LEFT JOIN recipients AS r ON r.id = m.recipient_id
LEFT JOIN blocked_phones AS b ON b.owner_id = m.owner_id AND {key_of("b.phone")} = {key_of('m."to"')}
  AND {blocks.STOPS.format(category="$3")}
WHERE m.unit_id = $1 AND m.status = 'queued' ORDER BY m.seq LIMIT $2
"""  # noqa: S608  our own condition
_HAS_ERASED = """
SELECT EXISTS (SELECT FROM blocked_phones WHERE owner_id = $1 AND phone LIKE 'erased:%')
  OR EXISTS (SELECT FROM erasure_addresses WHERE owner_id = $1)
"""
_ERASED = f"""
SELECT n.id FROM unnest($2::uuid[], $3::text[]) AS n (id, hash)
WHERE {blocks.IS_ERASED.format(owner="$1::uuid", hash="n.hash", category="$4")}
"""  # noqa: S608  our own condition
_RENEW = """
UPDATE sending_units SET expires_at = now() + $2 WHERE claim_id = $1 AND expires_at > now() RETURNING id
"""

# The batch's row is locked, so that no take-over can come between the look at the claim and the intent.
# (IS NOT DISTINCT FROM, here and below: no index on the batch is to be tried for each of its five hundred ids.)
LOCK_CLAIMED = (
    "SELECT FROM sending_units WHERE id = $1 AND claim_id = $2 AND expires_at > now() FOR NO KEY UPDATE"
)
# So is the project's, against a stop (`project_moves.stop` takes FOR UPDATE): once that has committed, nothing is
# dispatched any more; nor is an old content of a project that was stopped, changed and started again. The weakest lock:
# intents come without a gap, and under a stronger one materializing the audience, which writes that row, would wait for
# ever.
_RUNS = "SELECT FROM sending_projects WHERE id = $1 AND status = 'running' AND content = $2 FOR KEY SHARE"
# The cost is read from the rows: an intent that is repeated, because its first answer was lost, costs nothing.
_RECORD_INTENTS = f"""
WITH was AS (
  SELECT id, price FROM message_records
  WHERE id = ANY($4) AND unit_id IS NOT DISTINCT FROM $1
    AND (status = 'queued' OR (status = 'sending' AND claim_id = $2))
    AND {may_send("$15", "$16")}
  ORDER BY id FOR NO KEY UPDATE
)
UPDATE message_records AS m SET
  status = 'sending', handed_at = COALESCE(m.handed_at, now()), claim_id = $2, provider = $3, attempts = r.attempts,
    tries = r.tries,
  price = r.price, content = r.content, variant = r.variant, account_uuid = r.account, sender = r.sender,
  price_prefix = r.prefix, price_version_id = r.version, parts = r.parts
FROM was JOIN unnest($4::uuid[], $5::int[], $6::int[], $7::numeric[], $8::int[], $9::int[], $10::uuid[], $11::text[],
    $12::text[], $13::uuid[], $14::int[])
  AS r (id, attempts, tries, price, content, variant, account, sender, prefix, version, parts) ON r.id = was.id
WHERE m.id = was.id
RETURNING m.id, m.price - was.price AS cost
"""  # noqa: S608  our own condition

# The usual case: all messages that are left of a batch, without a cost and with the same values for each.
_RECORD_ALL_INTENTS = f"""
UPDATE message_records SET status = 'sending', handed_at = COALESCE(handed_at, now()), claim_id = $2, provider = $3,
  content = $4, updated_at = now()
WHERE unit_id = $1 AND status = 'queued' AND {may_send("$5", "$6")}
"""  # noqa: S608  our own condition
_SPEND = "UPDATE sending_units SET held = held - $3 WHERE id = $1 AND claim_id = $2"

# A claim that was lost still stores the outcomes of messages that became `unknown` under it, and no others. This alone
# stores `refused`: the quicker statements store no failure, and a failed message has to be queued again
# (`audience._AGAIN`) before it is sent.
_RECORD = """
UPDATE message_records AS m SET
  status = r.status, attempts = r.attempts, tries = r.tries, price = r.price,
  refunded = CASE WHEN r.price < m.price THEN m.price ELSE m.refunded END,
  unit_id = COALESCE(r.unit_id, m.unit_id),
  handed_at = CASE WHEN r.status = 'queued' AND NOT r.uncertain THEN NULL ELSE m.handed_at END,
  provider_message_id = COALESCE(r.provider_message_id, m.provider_message_id),
  report_id = CASE WHEN r.provider_message_id IS NULL THEN m.report_id ELSE r.report_id END,
  failure_code = r.code, failure_reason = r.reason, refused = NULLIF(r.refused, false), failed_at = NULL,
  sent_at = CASE WHEN r.status IN ('sent', 'delivered') THEN now() ELSE m.sent_at END,
  delivered_at = CASE WHEN r.status = 'delivered' THEN now() ELSE m.delivered_at END
FROM unnest($2::uuid[], $3::text[], $4::int[], $5::int[], $6::numeric[], $7::uuid[], $8::text[], $9::text[],
  $10::text[],
            $11::text[], $12::bool[], $13::bool[])
  AS r (id, status, attempts, tries, price, unit_id, provider_message_id, report_id, code, reason, uncertain, refused)
WHERE m.id = r.id AND m.claim_id = $1 AND m.status IN ('sending', 'unknown')
RETURNING m.id
"""

# The usual case: all of them were taken, and nothing else is to be said.
_SENT = """
UPDATE message_records SET status = 'sent', sent_at = now(), updated_at = now(), failure_code = NULL,
  failure_reason = NULL
WHERE id = ANY($2) AND claim_id = $1 AND status IN ('sending', 'unknown')
"""

_ALL_SENT = """
UPDATE message_records SET status = 'sent', sent_at = now(), updated_at = now(), failure_code = NULL,
  failure_reason = NULL
WHERE unit_id = $1 AND claim_id = $2 AND status = 'sending'
"""

# Not handed over at all: skipped, or put off to another batch.
_SETTLE = """
UPDATE message_records AS m SET
  status = r.status, failure_code = r.code, failure_reason = r.reason, unit_id = COALESCE(r.unit_id, m.unit_id)
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[]) AS r (id, status, code, reason, unit_id)
WHERE m.id = r.id AND m.unit_id IS NOT DISTINCT FROM $1 AND m.status = 'queued'
  AND EXISTS (SELECT FROM sending_units WHERE id = $1 AND claim_id = $2)
"""
# Messages that are put off have waited for as long as the batch that they come from.
_FIRST = "COALESCE((SELECT first_due_at FROM sending_units WHERE id = $4), now())"
# The batch may be there already: others of the same second wait in it. Its row is locked then, so that no worker takes
# it away as empty meanwhile.
_LATER = """
INSERT INTO sending_units AS u (id, project_id, due_at, first_due_at) VALUES ($1, $2, now() + $3, FIRST)
ON CONFLICT (id) DO UPDATE SET due_at = GREATEST(u.due_at, EXCLUDED.due_at),
  first_due_at = LEAST(u.first_due_at, EXCLUDED.first_due_at)
""".replace("FIRST", _FIRST)

# A change of the project's window waits for this, or this for the change: none is put off by a window that is gone.
_WINDOW = "SELECT p.window FROM sending_projects AS p WHERE id = $1 FOR SHARE"
_UNTIL_IT_OPENS = """
INSERT INTO sending_units AS u (id, project_id, due_at, first_due_at, for_window)
VALUES ($1, $2, now() + $3, FIRST, true)
ON CONFLICT (id) DO UPDATE SET due_at = GREATEST(u.due_at, EXCLUDED.due_at),
  first_due_at = LEAST(u.first_due_at, EXCLUDED.first_due_at)
""".replace("FIRST", _FIRST)


_RELEASE = """
UPDATE sending_units SET claim_id = NULL, worker = NULL, expires_at = NULL, held = 0, due_at = now() + $3
WHERE id = $1 AND claim_id = $2
"""
_EMPTY = (
    "SELECT NOT EXISTS (SELECT FROM message_records WHERE unit_id = $1 AND status IN ('queued', 'sending'))"
)

_IN_FLIGHT = """
SELECT EXISTS (SELECT FROM message_records WHERE unit_id = $1 AND claim_id = $2 AND status = 'sending')
"""


async def claim(
    db: asyncpg.Connection, project: UUID, id: UUID, worker: str, lease: timedelta
) -> UUID | None:
    """Claims the batch that is due longest under the id `id`. Returns it, or None if none is due."""
    batch: UUID | None = await db.fetchval(_CLAIM, project, id, worker, lease)
    return batch


async def messages(
    db: asyncpg.Connection, batch: UUID, most: int, category: str, topics: list[UUID] | None
) -> list[Any]:
    """Returns at most `most` unsent messages of the batch, with their recipients and the blocks for `category`, and
    whether the recipients are subscribed to one of `topics`.
    """
    return list(await db.fetch(_MESSAGES, batch, most, category, topics))


async def without_erased(
    db: asyncpg.Connection, hasher: AddressHasher, owner: UUID, rows: list[Any], category: str
) -> list[Any]:
    """Returns the messages of `messages`; those to a person who is erased and blocked, or is being erased, are blocked.

    Most owners have erased no person, so that no address is hashed.
    """
    if not rows or not await db.fetchval(_HAS_ERASED, owner):
        return rows
    ids, hashes = [row["id"] for row in rows], hasher.hashes(row["to"] for row in rows)
    erased = {row["id"] for row in await db.fetch(_ERASED, owner, ids, hashes, category)}
    return [{**row, "blocked": "erased"} if row["id"] in erased else row for row in rows]


async def renew(db: asyncpg.Connection, claim: UUID, lease: timedelta) -> bool:
    return await db.fetchval(_RENEW, claim, lease) is not None


OF_INTENT = attrgetter(
    "id",
    "attempts",
    "tries",
    "price",
    "content",
    "variant",
    "sender",
    "sms_sender",
    "price_prefix",
    "price_version_id",
    "parts",
)
_OF_STATE = attrgetter(*(field.name for field in fields(RecordState)))
_OF_NOT_HANDED_OVER = attrgetter(*(field.name for field in fields(NotHandedOver)))


def columns(of: Callable[[Any], tuple[Any, ...]], messages: Sequence[Any]) -> list[list[Any]]:
    """Returns a list for each field, as `unnest` takes them."""
    return [*map(list, zip(*map(of, messages), strict=True))]


async def record_intents(
    db: asyncpg.Connection,
    batch: UUID,
    claim: UUID,
    project: Any,
    provider: str,
    items: Sequence[Item],
) -> set[UUID]:
    """Records the intents, in the caller's transaction.

    Returns the ids that may be dispatched: none if the claim is lost or the project does not run, and none of those
    who are not subscribed any more, or have been blocked since. It may be repeated.
    """
    if not await _may_record_intents(db, batch, claim, project):
        return set()
    marked = await db.fetch(
        _RECORD_INTENTS, batch, claim, provider, *columns(OF_INTENT, items), *conditions_of(project)
    )
    if cost := sum((row["cost"] for row in marked), Decimal(0)):
        await db.execute(_SPEND, batch, claim, cost)
    return {row["id"] for row in marked}


class _NotThose(Exception):
    """The batch has other messages than this worker knows."""


async def record_all_intents(
    db: asyncpg.Connection, batch: UUID, claim: UUID, project: Any, provider: str, content: int, count: int
) -> bool:
    """Records the intents of the `count` messages that the batch has left. Returns False if it has other messages: then
    nothing is stored.
    """
    try:
        async with db.transaction():
            if (
                not await _may_record_intents(db, batch, claim, project)
                or await db.execute(
                    _RECORD_ALL_INTENTS, batch, claim, provider, content, *conditions_of(project)
                )
                != f"UPDATE {count}"
            ):
                raise _NotThose
    except _NotThose:
        return False
    return True


async def _may_record_intents(db: asyncpg.Connection, batch: UUID, claim: UUID, project: Any) -> bool:
    if await db.fetchrow(LOCK_CLAIMED, batch, claim) is None:
        return False
    return await db.fetchrow(_RUNS, project["id"], project["content"]) is not None


async def record_all_sent(db: asyncpg.Connection, batch: UUID, claim: UUID, ids: Sequence[UUID]) -> None:
    """Works as `record_sent` does, for all messages of the batch that are `sending`."""
    try:
        async with db.transaction():
            if await db.execute(_ALL_SENT, batch, claim) != f"UPDATE {len(ids)}":
                raise _NotThose  # some are another's by now, or `unknown`
    except _NotThose:
        await record_sent(db, claim, ids)


async def record_sent(db: asyncpg.Connection, claim: UUID, ids: Sequence[UUID]) -> None:
    """Stores that these were accepted, and their provider's id is their own."""
    await db.execute(_SENT, claim, ids)


async def record(
    db: asyncpg.Connection,
    batch: UUID,
    claim: UUID,
    project: Any,
    states: Sequence[RecordState],
    later: dict[UUID, timedelta],
    returned: Callable[[set[UUID]], Decimal],
) -> None:
    """Stores the states of messages that this claim still has. In the caller's transaction.

    `later`: batches to be made for messages that are tried again, with the time until then. `returned(ids)`: the part
    of the price that comes back.
    """
    # The batch is locked first, as `record_intents` and `recover` do it: the second of two transactions waits here.
    ours = await db.fetchrow(LOCK_CLAIMED, batch, claim) is not None
    if not ours:
        states, later = await lost_claims.placed(db, claim, project["id"], states, later)
        if not states:
            return
    for id, delay in sorted(later.items()):
        await db.execute(_LATER, id, project["id"], delay, batch)
        await jobs.enqueue_cycle(db, project["id"], delay)
    written = {row["id"] for row in await db.fetch(_RECORD, claim, *columns(_OF_STATE, states))}
    if back := returned(written):
        if ours:
            await db.execute(_SPEND, batch, claim, -back)
        else:
            await db.execute(ledger.REFUND, project["account_id"], back, uuid7(), uuid7(), project["id"])


async def store_unsent(
    db: asyncpg.Connection,
    batch: UUID,
    claim: UUID,
    project: UUID,
    messages: Sequence[NotHandedOver],
    later: dict[UUID, timedelta],
    window: Any = None,
    *,
    for_window: bool = True,
) -> None:
    """Skips messages that were not dispatched, or puts them off until `window` opens or for another reason."""
    async with db.transaction():
        changed = bool(later) and for_window and await db.fetchval(_WINDOW, project) != window
        for id, delay in sorted(later.items()):
            wait = timedelta() if changed else delay
            await db.execute(_UNTIL_IT_OPENS if for_window else _LATER, id, project, wait, batch)
            await jobs.enqueue_cycle(db, project, wait)
        await db.execute(_SETTLE, batch, claim, *columns(_OF_NOT_HANDED_OVER, messages))


async def close(
    db: asyncpg.Connection, batch: UUID, claim: UUID, account: UUID, project: UUID, delay: timedelta
) -> bool:
    """Ends the claim: the batch is gone when nothing of it is left, due again in `delay` otherwise; the reserved rest
    goes back to the account. Returns False if the claim was lost.
    """
    async with db.transaction():
        reserved = await db.fetchval(
            "SELECT held FROM sending_units WHERE id = $1 AND claim_id = $2 FOR UPDATE", batch, claim
        )
        if reserved is None:
            return False
        if reserved:
            await db.execute(ledger.REFUND, account, reserved, uuid7(), claim, project)
        if await db.fetchval(
            _IN_FLIGHT, batch, claim
        ):  # the claim expires, and `recover` is honest about them
            await db.execute("UPDATE sending_units SET held = 0 WHERE id = $1", batch)
        elif await db.fetchval(_EMPTY, batch):
            await db.execute("DELETE FROM sending_units WHERE id = $1", batch)
        else:
            await db.execute(_RELEASE, batch, claim, delay)
    return True

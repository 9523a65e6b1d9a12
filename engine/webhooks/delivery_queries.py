"""The SQL of the deliveries of webhooks: reads the events that wait for a claimed webhook and stores their outcomes.

An accepted delivery is deleted even if the claim was lost meanwhile. The caller passes the present time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from db.query import Reads
from engine.webhooks.call import Answer
from engine.webhooks.claim_queries import ACTIVE, Claim

BYTES = 1024 * 1024
"""Bytes of bodies that one endpoint's delivery has in memory."""
LOGGED = 5
"""Accepted deliveries that are kept of each batch."""
# The endpoint is returned if the claim is ours and its owner is active; its event is NULL if none waits. The first event
# is returned whatever its size. `$3::timestamptz IS NOT NULL` is always true: it gives `$3` a type where `which` has none.
_LOOK = """
SELECT w.version, w.wakes, e.* FROM webhooks AS w LEFT JOIN LATERAL (
  SELECT * FROM (
    SELECT d.id, d.seq, d.thread, d.attempts, d.event_id, d.body, d.replayed,
      sum(octet_length(d.body)) OVER all_before AS size, row_number() OVER all_before AS number
    FROM (
      SELECT * FROM webhook_deliveries AS d WHERE d.webhook_id = $1 AND d.state = 'waiting' AND d.seq <> ALL($4::bigint[])
        AND d.thread <> ALL($5::text[]) AND {which}
      ORDER BY {order} LIMIT $6
    ) AS d WINDOW all_before AS (ORDER BY {order})
  ) AS d WHERE size <= $7 OR number = 1 ORDER BY {order}
) AS e ON true
WHERE w.id = $1 AND w.claim_id = $2 AND $3::timestamptz IS NOT NULL AND {active}
"""
_WAITING_THREADS = "SELECT waiting.thread FROM webhook_deliveries AS waiting WHERE waiting.webhook_id = $1 AND waiting.state = 'waiting' AND waiting.next_at {when}"
# Events that are not behind a failed event of their thread.
_READY = _LOOK.format(
    active=ACTIVE, order="d.seq", which=f"d.thread <> ALL(ARRAY({_WAITING_THREADS.format(when='> $3')}))"
)
# The probe of a failed endpoint: an untried event, since the failure may be due to that one event; else the one with
# the fewest attempts.
_PROBE_NEW = _LOOK.format(
    active=ACTIVE,
    order="d.seq",
    which=f"d.thread <> ALL(ARRAY({_WAITING_THREADS.format(when='IS NOT NULL')}))",
)
_PROBE_RETRY = _LOOK.format(active=ACTIVE, order="d.attempts, d.seq", which="d.next_at <= $3")
_FIRST_RETRY = "SELECT min(next_at) FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'waiting' AND next_at IS NOT NULL"

_WITH_NEW_EVENTS = """
SELECT s.id FROM unnest($1::uuid[], $2::bigint[]) AS s (id, seen) WHERE EXISTS (
  SELECT FROM webhook_deliveries AS d WHERE d.webhook_id = s.id AND d.state = 'waiting' AND d.seq > s.seen
)
"""
_STORE_ACCEPTED = """
WITH accepted AS (DELETE FROM webhook_deliveries WHERE id = ANY($1::uuid[]))
UPDATE webhook_deliveries AS d SET state = 'delivered', delivered_at = k.at, attempts = d.attempts + 1, next_at = NULL, dead_at = NULL,
  last_error = NULL, last_status = k.status, answer = k.answer, seconds = k.seconds
FROM unnest($2::uuid[], $3::timestamptz[], $4::int[], $5::text[], $6::float8[]) AS k (id, at, status, answer, seconds)
WHERE d.id = k.id AND d.state <> 'delivered'
"""
_STORE_SUCCESS = """
UPDATE webhooks SET failures = 0, next_at = NULL, last_error = NULL, last_status = $3, delivered_at = $4
WHERE id = $1 AND claim_id = $2
"""
_STORE_FAILURE = """
WITH mine AS (
  UPDATE webhooks SET failures = $3, next_at = $4, last_error = $5, last_status = $6,
    delivered_at = COALESCE($7, delivered_at), enabled = enabled AND $8::text IS NULL,
    disabled_reason = COALESCE($8, disabled_reason), quiet_until = NULL, claim_id = NULL, claimed_until = NULL
  WHERE id = $1 AND claim_id = $2 RETURNING id
)
UPDATE webhook_deliveries AS d SET attempts = f.attempts, next_at = f.next_at, last_error = f.error,
  last_status = f.status, answer = f.answer, seconds = f.seconds
FROM unnest($9::uuid[], $10::int[], $11::timestamptz[], $12::text[], $13::int[], $14::text[], $15::float8[])
  AS f (id, attempts, next_at, error, status, answer, seconds), mine
WHERE d.id = f.id AND d.state = 'waiting'
"""


@dataclass(frozen=True, slots=True)
class Item:
    """One event for one endpoint."""

    id: UUID  # the delivery's id
    seq: int
    thread: str
    attempts: int
    event_id: UUID
    body: bytes
    replayed: bool


@dataclass(frozen=True, slots=True)
class Look:
    """The endpoint's state and the events that wait."""

    version: int
    wakes: int
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Failed:
    """An event whose delivery failed."""

    item: Item
    attempts: int
    next_at: datetime
    answer: Answer


@dataclass(frozen=True, slots=True)
class Accepted:
    """Holds a delivery that its receiver has accepted, with the answer."""

    item: Item
    at: datetime
    answer: Answer


async def look(
    db: Reads,
    claim: Claim,
    now: datetime,
    *,
    in_memory: Sequence[int],
    full_threads: Sequence[str],
    most: int,
    size: int,
) -> Look | None:
    """Returns waiting events in order, except those in memory (`in_memory`) and those of `full_threads`, or
    None if the claim is gone.

    Returns at most `most` events and `size` bytes of bodies, but always the first event.
    """
    return _read(await db.fetch(_READY, claim.webhook_id, claim.id, now, in_memory, full_threads, most, size))


async def look_for_probe(db: Reads, claim: Claim, now: datetime) -> Look | None:
    """Returns the one event that is sent to a failed endpoint to see whether it works again."""
    for sql in (_PROBE_NEW, _PROBE_RETRY):
        look = _read(await db.fetch(sql, claim.webhook_id, claim.id, now, (), (), 1, BYTES))
        if look is None or look.items:
            break
    return look


def _read(rows: Sequence[Any]) -> Look | None:
    if not rows:
        return None
    items = [
        Item(
            row["id"],
            row["seq"],
            row["thread"],
            row["attempts"],
            row["event_id"],
            row["body"].encode(),
            row["replayed"],
        )
        for row in rows
        if row["id"] is not None
    ]
    return Look(rows[0]["version"], rows[0]["wakes"], items)


async def first_retry_at(db: Reads, claim: Claim) -> datetime | None:
    """Returns when the first failed event may be tried again, or None if none failed."""
    retry_at: datetime | None = await db.fetchval(_FIRST_RETRY, claim.webhook_id)
    return retry_at


async def webhooks_with_new_events(db: Reads, seen: Sequence[tuple[UUID, int]]) -> set[UUID]:
    """Returns the webhooks that got an event after the last one seen."""
    rows = await db.fetch(_WITH_NEW_EVENTS, [id for id, _ in seen], [seq for _, seq in seen])
    return {row["id"] for row in rows}


async def store_accepted(db: Reads, accepted: Sequence[Accepted]) -> None:
    """Deletes accepted deliveries; the first LOGGED of them stay, for who looks at them."""
    logged = accepted[:LOGGED]
    await db.fetch(
        _STORE_ACCEPTED,
        [delivery.item.id for delivery in accepted[LOGGED:]],
        [delivery.item.id for delivery in logged],
        [delivery.at for delivery in logged],
        [delivery.answer.status for delivery in logged],
        [delivery.answer.body for delivery in logged],
        [delivery.answer.seconds for delivery in logged],
    )


async def store_success(db: Reads, claim: Claim, status: int, now: datetime) -> None:
    """Stores that the endpoint works again."""
    await db.fetch(_STORE_SUCCESS, claim.webhook_id, claim.id, status, now)


async def store_failure(
    db: Reads,
    claim: Claim,
    failures: int,
    next_at: datetime,
    error: str,
    status: int | None,
    delivered_at: datetime | None,
    disabled_reason: str | None,
    deliveries: Sequence[Failed],
) -> None:
    """Stores the endpoint's retry time and the attempts of these events, and releases the claim."""
    await db.fetch(
        _STORE_FAILURE,
        claim.webhook_id,
        claim.id,
        min(failures, 32767),
        next_at,
        error,
        status,
        delivered_at,
        disabled_reason,
        [delivery.item.id for delivery in deliveries],
        [min(delivery.attempts, 32767) for delivery in deliveries],
        [delivery.next_at for delivery in deliveries],
        [delivery.answer.error for delivery in deliveries],
        [delivery.answer.status for delivery in deliveries],
        [delivery.answer.body for delivery in deliveries],
        [delivery.answer.seconds for delivery in deliveries],
    )

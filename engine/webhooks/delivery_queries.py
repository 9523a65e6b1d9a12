"""The SQL of the deliveries of webhooks: reads the events that wait for a claimed webhook and stores their outcomes.

The table is empty at one time and full at another, so statements that could walk over it are planned each time.

An accepted delivery is deleted even if the claim was lost meanwhile. The caller passes the present time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from db.query import Reads, fetch_planned
from engine.webhooks.call import Answer
from engine.webhooks.claim_queries import ACTIVE, EndpointClaim

BYTES = 1024 * 1024
"""Bytes of bodies that one endpoint's delivery has in memory."""
LOGGED = 5
"""Accepted deliveries that are kept of each batch."""
MOST_CHANGED = 5000
"""Deliveries of which one statement changes whether they are behind a failed one."""
# The endpoint is returned if the claim is ours and its owner is active; its event is NULL if none waits. The first
# event is returned whatever its size. An event is ready if no failed event of its thread waits: those of which that is
# known (`behind_failed`) are not in the index that `webhook_ready` reads, and those that it finds are returned without
# a body. `due` are failed events whose time has come, or whose wait was ended.
_LOOK = f"""
WITH ready AS MATERIALIZED (
  SELECT id, is_behind FROM webhook_ready($1, $4, $5, $6)
), due AS MATERIALIZED (
  SELECT id FROM webhook_due($1, $3, (SELECT waits_ended_at FROM webhooks WHERE id = $1), $5, $8)
), chosen AS (
  SELECT id, is_behind FROM ready UNION ALL SELECT id, false FROM due
)
SELECT w.version, w.wakes, (SELECT count(*) FROM ready) AS ready, (SELECT count(*) FROM due) AS due, e.*
FROM webhooks AS w LEFT JOIN LATERAL (
  SELECT * FROM (
    SELECT d.id, d.seq, d.thread, d.attempts, d.event_id, d.replayed, d.url, c.is_behind,
      CASE WHEN d.failed_at <= w.waits_ended_at THEN 0 ELSE d.failures END AS failures,
      CASE WHEN NOT c.is_behind THEN d.body END AS body,
      sum(CASE WHEN c.is_behind THEN 0 ELSE octet_length(d.body) END) OVER all_before AS size,
      count(*) FILTER (WHERE NOT c.is_behind) OVER all_before AS number
    FROM chosen AS c CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries WHERE id = c.id LIMIT 1) AS d
    WINDOW all_before AS (ORDER BY d.seq)
  ) AS d WHERE is_behind OR size <= $7 OR number = 1 ORDER BY seq
) AS e ON true
WHERE w.id = $1 AND w.claim_id = $2 AND {ACTIVE}
"""  # noqa: S608  our own words
_SET_BEHIND = """
UPDATE webhook_deliveries SET behind_failed = true
WHERE id = ANY(ARRAY(SELECT id FROM webhook_ready($1, $2, $3, $4) WHERE is_behind)) AND state = 'waiting'
  AND next_at IS NULL
"""
# The failed event with the earliest time, which a failed probe makes later: the failure may be due to one event.
_FAILED = f"""
SELECT w.version, w.wakes, 0 AS ready, 0 AS due, d.id, d.seq, d.thread, d.attempts, d.failures, d.event_id, d.replayed,
  d.url, d.body, false AS is_behind
FROM webhooks AS w LEFT JOIN LATERAL (
  SELECT * FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'waiting' AND next_at IS NOT NULL
  ORDER BY next_at LIMIT 1
) AS d ON true
WHERE w.id = $1 AND w.claim_id = $2 AND {ACTIVE}
"""  # noqa: S608  our own words
_FIRST_RETRY = """
SELECT least((SELECT min(next_at) FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'waiting'
  AND next_at IS NOT NULL), (
  SELECT min(d.failed_at) FROM webhook_deliveries AS d WHERE d.webhook_id = $1 AND d.state = 'waiting'
    AND d.next_at IS NOT NULL
    AND d.failed_at <= (SELECT waits_ended_at FROM webhooks WHERE id = $1)
))
"""

_WITH_NEW_EVENTS = """
SELECT s.id FROM unnest($1::uuid[], $2::bigint[]) AS s (id, seen) WHERE EXISTS (
  SELECT FROM webhook_deliveries AS d WHERE d.webhook_id = s.id AND d.state = 'waiting' AND d.seq > s.seen
)
"""
# The events behind a failed one that was accepted at last (`$7`: its thread) are ready. If they are very many, upkeep
# finds the others.
_STORE_ACCEPTED = f"""
WITH accepted AS (DELETE FROM webhook_deliveries WHERE id = ANY($1::uuid[])), ready AS (
  UPDATE webhook_deliveries SET behind_failed = false WHERE id = ANY(ARRAY(
    SELECT id FROM webhook_deliveries
    WHERE webhook_id = $8 AND thread = ANY($7::text[]) AND state = 'waiting' AND behind_failed
    ORDER BY thread, seq LIMIT {MOST_CHANGED}
  ))
)
UPDATE webhook_deliveries AS d SET state = 'delivered', delivered_at = k.at, attempts = d.attempts + 1,
  next_at = NULL, dead_at = NULL,
  last_error = NULL, last_status = k.status, answer = k.answer, seconds = k.seconds, failures = 0
FROM unnest($2::uuid[], $3::timestamptz[], $4::int[], $5::text[], $6::float8[]) AS k (id, at, status, answer, seconds)
WHERE d.id = k.id AND d.state <> 'delivered'
"""  # noqa: S608  our own words
_STORE_RECOVERED = """
UPDATE webhooks SET failures = 0, next_at = NULL, waits_ended_at = now(), last_error = NULL, last_status = $3,
  delivered_at = $4
WHERE id = $1 AND claim_id = $2
"""
_STORE_OUTCOMES = """
WITH mine AS (
  UPDATE webhooks SET failures = $3, last_error = $4, last_status = COALESCE($5, last_status),
    delivered_at = COALESCE($6, delivered_at)
  WHERE id = $1 AND claim_id = $2 RETURNING id
)
UPDATE webhook_deliveries AS d SET attempts = f.attempts, failures = f.failures, next_at = f.next_at, failed_at = now(),
  behind_failed = false, last_error = f.error, last_status = f.status, answer = f.answer, seconds = f.seconds,
  failed_attempts = CASE WHEN jsonb_array_length(d.failed_attempts) >= 20 THEN d.failed_attempts - 0
    ELSE COALESCE(d.failed_attempts, '[]') END || jsonb_build_array(
      jsonb_build_object('at', now(), 'status', f.status, 'error', f.error, 'seconds', f.seconds))
FROM unnest($7::uuid[], $8::int[], $9::int[], $10::timestamptz[], $11::text[], $12::int[], $13::text[], $14::float8[])
  AS f (id, attempts, failures, next_at, error, status, answer, seconds), mine
WHERE d.id = f.id AND d.state = 'waiting'
"""


@dataclass(frozen=True, slots=True)
class Item:
    """One event for one endpoint."""

    id: UUID  # the delivery's id
    seq: int
    thread: str
    attempts: int
    failures: int
    event_id: UUID
    body: bytes
    replayed: bool
    url: str | None = None  # of a status callback


@dataclass(frozen=True, slots=True)
class Look:
    """The endpoint's state and the events that wait."""

    version: int
    wakes: int
    items: Sequence[Item]
    ready: (
        int  # events that were found and had not failed, with those that turned out to be behind a failed one
    )
    due: int  # failed events that were found
    behind: int  # of those found, how many are behind a failed one


@dataclass(frozen=True, slots=True)
class Failed:
    """An event whose delivery failed."""

    item: Item
    failures: int  # after which `next_at` is computed
    next_at: datetime
    answer: Answer


@dataclass(frozen=True, slots=True)
class EndpointState:
    """The state of the endpoint after its last request."""

    failures: int
    error: str | None
    status: int | None
    delivered_at: datetime | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """Holds a delivery that its receiver has accepted, with the answer."""

    item: Item
    at: datetime
    answer: Answer


async def look(
    db: Reads,
    claim: EndpointClaim,
    now: datetime,
    *,
    in_memory: Sequence[int],
    without_threads: Sequence[str],
    most: int,
    due: int,
    size: int,
) -> Look | None:
    """Returns waiting events in order, except those in memory (`in_memory`) and those of `without_threads`, or None if
    the claim is gone.

    Returns at most `most` events that have not failed, `due` that have, and `size` bytes of bodies, but always the
    first event. Notes which events are behind a failed one, so that the next look does not find them.
    """
    rows = await fetch_planned(
        db, _LOOK, [claim.webhook_id, claim.id, now, in_memory, without_threads, most, size, due]
    )
    result = _read(rows)
    if result is not None and result.behind:
        limit = (
            MOST_CHANGED if result.behind > result.ready // 2 else result.ready
        )  # there may be many more behind these
        await fetch_planned(db, _SET_BEHIND, [claim.webhook_id, in_memory, without_threads, limit])
    return result


async def look_for_failed(db: Reads, claim: EndpointClaim) -> Look | None:
    """Returns the failed event that is sent to an endpoint that is down, if nothing else waits, whatever its time."""
    return _read(await db.fetch(_FAILED, claim.webhook_id, claim.id))


def _read(rows: Sequence[Any]) -> Look | None:
    if not rows:
        return None
    items = [
        Item(
            row["id"],
            row["seq"],
            row["thread"],
            row["attempts"],
            row["failures"],
            row["event_id"],
            row["body"].encode(),
            row["replayed"],
            row["url"],
        )
        for row in rows
        if row["id"] is not None and not row["is_behind"]
    ]
    first = rows[0]
    behind = sum(1 for row in rows if row["is_behind"])
    return Look(first["version"], first["wakes"], items, first["ready"], first["due"], behind)


async def first_retry_at(db: Reads, claim: EndpointClaim) -> datetime | None:
    """Returns when the first failed event may be tried again, or None if none failed."""
    retry_at: datetime | None = await db.fetchval(_FIRST_RETRY, claim.webhook_id)
    return retry_at


async def webhooks_with_new_events(db: Reads, seen: Sequence[tuple[UUID, int]]) -> set[UUID]:
    """Returns the webhooks that got an event after the last one seen."""
    rows = await fetch_planned(db, _WITH_NEW_EVENTS, [[id for id, _ in seen], [seq for _, seq in seen]])
    return {row["id"] for row in rows}


async def store_accepted(db: Reads, claim: EndpointClaim, accepted: Sequence[Accepted]) -> None:
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
        [delivery.item.thread for delivery in accepted if delivery.item.attempts],
        claim.webhook_id,
    )


async def store_recovered(db: Reads, claim: EndpointClaim, status: int | None, at: datetime) -> None:
    """Stores that an endpoint that was down works again. All failed events are tried again at once."""
    await db.fetch(_STORE_RECOVERED, claim.webhook_id, claim.id, status, at)


async def store_outcomes(
    db: Reads, claim: EndpointClaim, state: EndpointState, failed: Sequence[Failed]
) -> None:
    """Stores the endpoint's state, and when failed events are tried again."""
    arguments = [
        claim.webhook_id,
        claim.id,
        state.failures,
        state.error,
        state.status,
        state.delivered_at,
        [delivery.item.id for delivery in failed],
        [min(delivery.item.attempts + 1, 32767) for delivery in failed],
        [min(delivery.failures, 32767) for delivery in failed],
        [delivery.next_at for delivery in failed],
        [delivery.answer.error for delivery in failed],
        [delivery.answer.status for delivery in failed],
        [delivery.answer.body for delivery in failed],
        [delivery.answer.seconds for delivery in failed],
    ]
    await fetch_planned(db, _STORE_OUTCOMES, arguments)

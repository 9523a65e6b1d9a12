"""The statements of who delivers. `$now` is the injectable clock's; claims go by the database's own.

A claim is an id and an expiry on the webhook's row. Only its holder writes the retry clock. A delivery that was taken
is deleted whoever holds the claim by then: it was taken.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from db.ids import uuid7
from db.query import Reads

BYTES = 1024 * 1024
"""Of bodies that one look brings; one event is always brought."""

_SHOWN = "w.id, w.account_id, w.url, w.secret_encrypted, w.old_secret_encrypted, w.old_secret_until, w.failures, w.version, w.claim_id"
_FREE = "w.enabled AND (w.claimed_until IS NULL OR w.claimed_until <= now()) AND (w.next_at IS NULL OR w.next_at <= $1)"

# Each webhook that has any delivery at all is found by one look into the index, and whether one of them waits by another.
_SWEEP = f"""
WITH RECURSIVE named (id) AS (
  (SELECT webhook_id FROM messenger_deliveries ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT d.webhook_id FROM messenger_deliveries AS d WHERE d.webhook_id > named.id ORDER BY d.webhook_id LIMIT 1
  ) FROM named WHERE named.id IS NOT NULL
), due AS (
  SELECT w.id FROM messenger_webhooks AS w
  WHERE w.id IN (SELECT id FROM named) AND {_FREE} AND (w.quiet_until IS NULL OR w.quiet_until <= $1)
    AND (w.failures > 0) = $2
    AND EXISTS (SELECT FROM messenger_deliveries AS d WHERE d.webhook_id = w.id AND NOT d.dead)
  ORDER BY w.next_at NULLS FIRST LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE messenger_webhooks AS w SET claim_id = $4, claimed_until = now() + $5
FROM due WHERE w.id = due.id RETURNING {_SHOWN}
"""  # noqa: S608  our own words

# Whoever has the claim of one that he can't get learns by `wakes`, before he gives it back, to look again. The rows
# are locked in one order, so that two who do this don't wait for each other.
_WAKE = f"""
WITH woken AS (
  SELECT w.id FROM messenger_webhooks AS w WHERE w.account_id = ANY($2::uuid[]) AND w.enabled AND w.id <> ALL($3::uuid[])
  ORDER BY w.id FOR NO KEY UPDATE
)
UPDATE messenger_webhooks AS w SET wakes = w.wakes + 1,
  claim_id = CASE WHEN {_FREE} AND w.failures = 0 AND $4 THEN $5 ELSE w.claim_id END,
  claimed_until = CASE WHEN {_FREE} AND w.failures = 0 AND $4 THEN now() + $6 ELSE w.claimed_until END
FROM woken WHERE w.id = woken.id RETURNING {_SHOWN}
"""  # noqa: S608  our own words

_RENEW = """
WITH held AS (
  SELECT w.id FROM messenger_webhooks AS w
  JOIN unnest($1::uuid[], $2::uuid[]) AS h (id, claim_id) ON h.id = w.id AND h.claim_id = w.claim_id
  WHERE w.claimed_until > now() ORDER BY w.id FOR NO KEY UPDATE OF w
)
UPDATE messenger_webhooks AS w SET claimed_until = now() + $3 FROM held WHERE w.id = held.id
  AND w.claim_id = ANY($2::uuid[]) AND w.claimed_until > now() RETURNING w.id
"""
# One row with no event says that nothing waits; no row, that the claim is gone.
_LOOK = """
SELECT w.version, w.wakes, e.* FROM messenger_webhooks AS w LEFT JOIN LATERAL (
  SELECT * FROM (
    SELECT d.id, d.seq, d.thread, d.attempts, e.id AS event_id, e.body,
      sum(octet_length(e.body)) OVER (ORDER BY {order}) - octet_length(e.body) AS before
    FROM (
      SELECT * FROM messenger_deliveries AS d WHERE d.webhook_id = $1 AND NOT d.dead AND d.seq <> ALL($4::bigint[])
        AND d.thread <> ALL($5::text[]) AND {which}
      ORDER BY {order} LIMIT $6
    ) AS d JOIN messenger_events AS e ON e.id = d.event_id
  ) AS d WHERE before < $7 ORDER BY {order}
) AS e ON true
WHERE w.id = $1 AND w.claim_id = $2 AND $3::timestamptz IS NOT NULL
"""
_HELD = "SELECT h.thread FROM messenger_deliveries AS h WHERE h.webhook_id = $1 AND NOT h.dead AND h.next_at {when}"
# All that is not behind an event that failed and has to wait.
_ANY = _LOOK.format(order="d.seq", which=f"d.thread <> ALL(ARRAY({_HELD.format(when='> $3')}))")
# To try an endpoint that failed: what wasn't tried yet, for it may have been that one event; else the one tried least.
_UNTRIED = _LOOK.format(order="d.seq", which=f"d.thread <> ALL(ARRAY({_HELD.format(when='IS NOT NULL')}))")
_TRIED = _LOOK.format(order="d.attempts, d.seq", which="d.next_at <= $3")
_QUIET = (
    "SELECT min(next_at) FROM messenger_deliveries WHERE webhook_id = $1 AND NOT dead AND next_at IS NOT NULL"
)

_MORE = """
SELECT s.id FROM unnest($1::uuid[], $2::bigint[]) AS s (id, seen) WHERE EXISTS (
  SELECT FROM messenger_deliveries AS d WHERE d.webhook_id = s.id AND NOT d.dead AND d.seq > s.seen
)
"""
_TAKEN = """
WITH taken AS (DELETE FROM messenger_deliveries WHERE id = ANY($1::uuid[]) RETURNING event_id)
DELETE FROM messenger_events AS e USING taken WHERE e.id = taken.event_id AND NOT EXISTS (
  SELECT FROM messenger_deliveries AS d WHERE d.event_id = e.id AND d.id <> ALL($1::uuid[])
)
"""
_WORKS = """
UPDATE messenger_webhooks SET failures = 0, next_at = NULL, last_error = NULL, last_status = $3, delivered_at = $4
WHERE id = $1 AND claim_id = $2
"""
_FAILED = """
WITH mine AS (
  UPDATE messenger_webhooks SET failures = $3, next_at = $4, last_error = $5, last_status = $6,
    delivered_at = COALESCE($7, delivered_at), enabled = enabled AND $8::text IS NULL,
    disabled_reason = COALESCE($8, disabled_reason), quiet_until = NULL, claim_id = NULL, claimed_until = NULL
  WHERE id = $1 AND claim_id = $2 RETURNING id
)
UPDATE messenger_deliveries AS d SET attempts = f.attempts, next_at = f.next_at, last_error = f.error
FROM unnest($9::uuid[], $10::int[], $11::timestamptz[], $12::text[]) AS f (id, attempts, next_at, error), mine
WHERE d.id = f.id AND NOT d.dead
"""
_RELEASE = """
UPDATE messenger_webhooks SET claim_id = NULL, claimed_until = NULL, quiet_until = $4,
  delivered_at = COALESCE($5, delivered_at), last_status = COALESCE($6, last_status)
WHERE id = $1 AND claim_id = $2 AND ($3::bigint IS NULL OR wakes = $3) RETURNING id
"""


@dataclass(slots=True)
class Claim:
    """An endpoint that is ours to deliver to, for a while."""

    id: UUID  # of the claim
    webhook_id: UUID
    account_id: UUID
    url: str
    sealed: bytes
    old_sealed: bytes | None
    old_until: datetime | None
    failures: int
    version: int  # of all this


@dataclass(frozen=True, slots=True)
class Item:
    """One event for one endpoint."""

    id: UUID  # of the delivery
    seq: int
    thread: str
    attempts: int
    event_id: UUID
    body: bytes


@dataclass(frozen=True, slots=True)
class Look:
    version: int
    wakes: int
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Failed:
    item: Item
    attempts: int
    next_at: datetime
    error: str


async def sweep(db: Reads, now: datetime, lease: timedelta, *, failing: bool, most: int) -> Sequence[Claim]:
    """Claims endpoints for which something waits and whose time has come."""
    return [_claim(row) for row in await db.fetch(_SWEEP, now, failing, most, uuid7(), lease)]


async def wake(
    db: Reads,
    now: datetime,
    lease: timedelta,
    accounts: Collection[UUID],
    *,
    held: Collection[UUID],
    room: bool,
) -> Sequence[Claim]:
    """Claims what is free of these accounts' endpoints, if there is `room`; `held` are ours already."""
    claim = uuid7()
    rows = await db.fetch(_WAKE, now, list(accounts), list(held), room, claim, lease)
    return [_claim(row) for row in rows if row["claim_id"] == claim]


def _claim(row: Any) -> Claim:
    return Claim(
        row["claim_id"],
        row["id"],
        row["account_id"],
        row["url"],
        row["secret_encrypted"],
        row["old_secret_encrypted"],
        row["old_secret_until"],
        row["failures"],
        row["version"],
    )


async def renew(db: Reads, claims: Collection[Claim], lease: timedelta) -> set[UUID]:
    """The webhooks that are still ours."""
    rows = await db.fetch(_RENEW, [one.webhook_id for one in claims], [one.id for one in claims], lease)
    return {row["id"] for row in rows}


async def look(
    db: Reads, claim: Claim, now: datetime, *, hand: Sequence[int], full: Sequence[str], most: int
) -> Look | None:
    """What waits, in order, without what is in hand and the threads that have enough; None: the claim is gone."""
    return await _look(db, _ANY, claim, now, hand, full, most)


async def look_for_one(db: Reads, claim: Claim, now: datetime) -> Look | None:
    """The event to try an endpoint with that has failed."""
    found = await _look(db, _UNTRIED, claim, now, (), (), 1)
    return found if found is None or found.items else await _look(db, _TRIED, claim, now, (), (), 1)


async def _look(
    db: Reads, sql: str, claim: Claim, now: datetime, hand: Sequence[int], full: Sequence[str], most: int
) -> Look | None:
    rows = await db.fetch(sql, claim.webhook_id, claim.id, now, hand, full, most, BYTES)
    if not rows:
        return None
    items = [
        Item(row["id"], row["seq"], row["thread"], row["attempts"], row["event_id"], row["body"].encode())
        for row in rows
        if row["id"] is not None
    ]
    return Look(rows[0]["version"], rows[0]["wakes"], items)


async def quiet_until(db: Reads, claim: Claim) -> datetime | None:
    """When the first event that failed may be tried again; None where none failed."""
    found: datetime | None = await db.fetchval(_QUIET, claim.webhook_id)
    return found


async def more(db: Reads, seen: Sequence[tuple[UUID, int]]) -> set[UUID]:
    """Which of these webhooks got an event after the one seen last."""
    rows = await db.fetch(_MORE, [id for id, _ in seen], [seq for _, seq in seen])
    return {row["id"] for row in rows}


async def taken(db: Reads, ids: Sequence[UUID]) -> None:
    """These were taken: forgotten, and their events with the last of their deliveries."""
    await db.fetch(_TAKEN, ids)


async def works(db: Reads, claim: Claim, status: int, now: datetime) -> None:
    await db.fetch(_WORKS, claim.webhook_id, claim.id, status, now)


async def failed(
    db: Reads,
    claim: Claim,
    failures: int,
    next_at: datetime,
    error: str,
    status: int | None,
    delivered_at: datetime | None,
    disabled: str | None,
    deliveries: Sequence[Failed],
) -> None:
    """The endpoint's clock and the tries of these events; the claim is given back."""
    await db.fetch(
        _FAILED,
        claim.webhook_id,
        claim.id,
        min(failures, 32767),
        next_at,
        error,
        status,
        delivered_at,
        disabled,
        [one.item.id for one in deliveries],
        [min(one.attempts, 32767) for one in deliveries],
        [one.next_at for one in deliveries],
        [one.error for one in deliveries],
    )


async def release(
    db: Reads,
    claim: Claim,
    *,
    wakes: int | None,
    quiet: datetime | None,
    delivered_at: datetime | None,
    status: int | None,
) -> bool:
    """False: there was another wake since (or the claim is gone), so look again. `wakes` None: whatever came."""
    return (
        await db.fetchval(_RELEASE, claim.webhook_id, claim.id, wakes, quiet, delivered_at, status)
    ) is not None

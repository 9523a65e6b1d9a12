"""The SQL of the claims of webhooks.

A claim is an id and an expiry on the webhook's row. Only its holder writes retry times, and a user who ends them.
Nothing is delivered while the owner isn't active, or the member who has saved the webhook. The caller passes the
present time; the database's clock judges whether a claim has expired.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core.ids import uuid7
from db.query import Reads
from engine.feed.event_feed import LAST_POSITION
from engine.feed.inbox_floor import InboxFloors
from shapes.resend_events import FORMAT as RESEND

CLAIM_LIMIT = 50
"""Endpoints that one statement claims."""
MAX_RATIO = 3
"""An owner may use at most this many times the slots that stay free, so that the next owner finds some."""

_COLUMNS = (
    "w.id, w.owner_id, w.account_id, w.batch, w.query IS NOT NULL AS has_document, "
    f"COALESCE(w.query = '{RESEND}', false) AS of_resend, w.url, "
    "w.is_callback, w.secret_encrypted, w.old_secret_encrypted, w.old_secret_until, w.failures, w.version, w.claim_id"
)
MAKER_ACTIVE = """(w.saved_by IS NULL OR EXISTS (
  SELECT FROM users AS m WHERE m.id = w.saved_by AND m.status = 'active'
))"""
"""The condition that the member who has saved the webhook `w`, if there is one, is not suspended."""

_CLAIMABLE = (
    f"{MAKER_ACTIVE} AND w.enabled AND (w.claimed_until IS NULL OR w.claimed_until <= now())"
    " AND (w.next_at IS NULL OR w.next_at <= $1)"
)

# The owner with the fewest slots comes first, and of one owner's endpoints the one visited least recently.
# `owner_slots` are those that the owner would have with this one, `position` counts the rows up to this one. The first
# row without a slot is returned too.
_CLAIM = f"""
due AS (
  SELECT w.id, w.visited_at, w.owner_id AS due_owner_id, COALESCE(used.slots, 0)
    + row_number() OVER (PARTITION BY w.owner_id ORDER BY w.visited_at NULLS FIRST, w.id) AS owner_slots
  FROM webhooks AS w JOIN users AS u ON u.id = w.owner_id AND u.status = 'active'
  LEFT JOIN unnest($2::uuid[], $3::int[]) AS used (owner_id, slots) ON used.owner_id = w.owner_id
  WHERE {_CLAIMABLE} AND %s
), ranked AS (
  SELECT *, row_number() OVER (ORDER BY owner_slots, visited_at NULLS FIRST, id) AS position FROM due
), queue AS (
  SELECT *, position <= $4 AND (owner_slots = 1 OR owner_slots <= {MAX_RATIO} * ($4 - position)) AS fits FROM ranked
), next AS (
  SELECT w.id FROM webhooks AS w JOIN queue ON queue.id = w.id
  WHERE queue.fits AND queue.position <= {CLAIM_LIMIT} AND {_CLAIMABLE} ORDER BY w.id FOR NO KEY UPDATE OF w SKIP LOCKED
), claimed AS (
  UPDATE webhooks AS w SET claim_id = $5, claimed_until = now() + $6, visited_at = now()
  FROM next WHERE w.id = next.id RETURNING {_COLUMNS}
)
SELECT queue.due_owner_id, queue.fits, claimed.*, s.id AS callback_secret_id, s.secret_encrypted AS callback_secret,
  s.old_secret_encrypted AS old_callback_secret, s.old_secret_until AS old_callback_secret_until
FROM queue LEFT JOIN claimed ON claimed.id = queue.id
LEFT JOIN callback_secrets AS s ON claimed.is_callback AND s.owner_id = claimed.owner_id
ORDER BY queue.position LIMIT {CLAIM_LIMIT} + 1
"""  # noqa: S608  our own words
# A loose index scan: one index lookup per webhook that has waiting deliveries.
_WITH_DELIVERIES = """
with_deliveries (id) AS (
  (SELECT webhook_id FROM webhook_deliveries WHERE state = 'waiting' ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT d.webhook_id FROM webhook_deliveries AS d WHERE d.state = 'waiting' AND d.webhook_id > with_deliveries.id
    ORDER BY d.webhook_id LIMIT 1
  ) FROM with_deliveries WHERE with_deliveries.id IS NOT NULL
)
"""
# `$7` says whether failing endpoints are claimed, or working ones. Nothing wakes the host of status callbacks, so new
# ones are looked for while failed ones wait.
_DUE = """
(w.failures > 0) = $7 AND (
  w.id IN (SELECT id FROM with_deliveries) AND (
    w.quiet_until IS NULL OR w.quiet_until <= $1 OR w.is_callback AND EXISTS (
      SELECT FROM webhook_deliveries AS d
      WHERE d.webhook_id = w.id AND d.state = 'waiting' AND d.next_at IS NULL AND NOT d.behind_failed
    )
  )
  OR w.account_id IS NULL AND w.id IN (SELECT id FROM with_unread)
)
"""
# Webhooks of feeds that have events which they have not looked at. An event in the inbox gets its position by a look.
# The two arrays say up to which number the inboxes of these owners are empty for good.
_FEEDS = f"""
feeds AS MATERIALIZED (
  SELECT f.owner_id, {LAST_POSITION} AS last_position, EXISTS (
    SELECT FROM event_inbox AS i WHERE i.owner_id = f.owner_id AND i.seq > COALESCE(floor.seq, 0)
  ) AS is_unread
  FROM event_feeds AS f JOIN users AS u ON u.id = f.owner_id AND u.status = 'active'
  LEFT JOIN unnest(%s::uuid[], %s::bigint[]) AS floor (owner_id, seq) ON floor.owner_id = f.owner_id
  WHERE f.recording AND f.pending_xid IS NULL
    AND EXISTS (
      SELECT FROM webhooks AS w
      WHERE w.owner_id = f.owner_id AND w.account_id IS NULL AND NOT w.is_callback AND w.enabled
    )
)
"""  # noqa: S608  our own expression
_UNREAD = """
FROM webhooks AS w JOIN feeds AS f ON f.owner_id = w.owner_id
WHERE w.account_id IS NULL AND NOT w.is_callback AND w.enabled AND (w.fill_after IS NULL OR w.fill_after <= now())
  AND (f.last_position > w.position OR w.replay_position IS NOT NULL OR f.is_unread)
"""
_SWEEP = (
    f"WITH RECURSIVE {_WITH_DELIVERIES}, {_FEEDS % ('$8', '$9')}, with_unread AS (SELECT w.id {_UNREAD}),"
    f" {_CLAIM % _DUE}"
)
_WITH_UNREAD = f"""
WITH {_FEEDS % ("$3", "$4")} SELECT EXISTS (SELECT FROM feeds) AS any_feed, ARRAY(
  SELECT w.id {_UNREAD} AND (w.id = ANY($2::uuid[]) OR ({_CLAIMABLE} AND w.failures = 0))
) AS unread
"""  # noqa: S608  our own words
_CLAIM_WOKEN = f"WITH {_CLAIM % 'w.account_id = ANY($7::uuid[]) AND w.failures = 0'}"
_CLAIM_UNREAD = f"WITH {_CLAIM % 'w.id = ANY($7::uuid[]) AND w.failures = 0'}"

# The holder of the claim sees by `wakes`, before the release, that it must look again. The rows are locked in one order
# to avoid deadlocks.
_WAKE = f"""
WITH woken AS (
  SELECT w.id FROM webhooks AS w WHERE w.account_id = ANY($2::uuid[]) AND w.enabled AND w.id <> ALL($3::uuid[])
  ORDER BY w.id FOR NO KEY UPDATE
)
UPDATE webhooks AS w SET wakes = w.wakes + 1, quiet_until = NULL
FROM woken WHERE w.id = woken.id RETURNING {_CLAIMABLE} AND w.failures = 0 AS free
"""  # noqa: S608  our own words

ACTIVE = f"""EXISTS (
  SELECT FROM users AS u WHERE u.id = w.owner_id AND u.status = 'active'
) AND {MAKER_ACTIVE}"""
_RENEW = f"""
WITH held AS (
  SELECT w.id FROM webhooks AS w
  JOIN unnest($1::uuid[], $2::uuid[]) AS claims (id, claim_id) ON claims.id = w.id AND claims.claim_id = w.claim_id
  WHERE w.claimed_until > now() AND {ACTIVE} ORDER BY w.id FOR NO KEY UPDATE OF w
)
UPDATE webhooks AS w SET claimed_until = now() + $3 FROM held WHERE w.id = held.id
  AND w.claim_id = ANY($2::uuid[]) AND w.claimed_until > now() RETURNING w.id
"""  # noqa: S608  our own words
_RELEASE = """
UPDATE webhooks SET claim_id = NULL, claimed_until = NULL, quiet_until = $4,
  delivered_at = COALESCE($5, delivered_at), last_status = COALESCE($6, last_status)
WHERE id = $1 AND claim_id = $2 AND ($3::bigint IS NULL OR wakes = $3) RETURNING id
"""
# A user's change since the claim, such as an end of all waits, is newer than the failures that the holder counted.
_RELEASE_FAILED = """
UPDATE webhooks SET claim_id = NULL, claimed_until = NULL, quiet_until = NULL,
  delivered_at = COALESCE($5, delivered_at), last_status = COALESCE($6, last_status), last_error = $7,
  failures = CASE WHEN version = $8 THEN $3 ELSE failures END,
  next_at = CASE WHEN version = $8 THEN $4::timestamptz END,
  enabled = enabled AND (version <> $8 OR $9::text IS NULL),
  disabled_reason = CASE WHEN version = $8 THEN COALESCE($9, disabled_reason) ELSE disabled_reason END
WHERE id = $1 AND claim_id = $2
"""


@dataclass(slots=True)
class EndpointClaim:
    """An endpoint that this process may deliver to, until the claim expires."""

    id: UUID  # the claim's id
    webhook_id: UUID
    owner_id: UUID
    account_id: (
        UUID | None
    )  # the messenger account; None: the webhook is of its owner's event feed, or a callback's
    batch: int  # events of one request at most
    has_document: bool
    of_resend: bool  # its requests have Resend's form
    url: str
    is_callback: bool  # it is a host of status callbacks; each of them has a URL of its own
    callback_secret_id: UUID | None
    sealed: bytes | None
    old_sealed: bytes | None
    old_until: datetime | None
    failures: int
    version: int  # version of the endpoint's settings

    @property
    def of_feed(self) -> bool:
        """Returns whether the webhook is of its owner's event feed."""
        return self.account_id is None and not self.is_callback


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots of one process, of one kind: for working endpoints, or for failed ones."""

    free: int
    used: Mapping[UUID, int]  # slots in use, by owner


@dataclass(frozen=True, slots=True)
class Claimed:
    """The claimed endpoints."""

    claims: Sequence[EndpointClaim]
    waiting_owner_id: UUID | None  # the owner of the next endpoint, for which there is no slot


async def sweep(
    db: Reads, now: datetime, lease: timedelta, slots: Slots, floors: InboxFloors, *, failing: bool
) -> Claimed:
    """Claims endpoints with due events: at most CLAIM_LIMIT, and at most the fair share of each owner."""
    return await _claimed(db, _SWEEP, now, lease, slots, failing, *floors.arrays())


async def wake(db: Reads, now: datetime, accounts: Collection[UUID], *, own: Collection[UUID]) -> bool:
    """Tells other holders of these accounts' endpoints to look again; `own` are the endpoints that this process holds.

    Returns whether some are free to claim.
    """
    return any(row["free"] for row in await db.fetch(_WAKE, now, list(accounts), list(own)))


async def claim_woken(
    db: Reads, now: datetime, lease: timedelta, slots: Slots, accounts: Collection[UUID]
) -> Claimed:
    """Claims the endpoints that `wake` found free, as far as there are slots."""
    return await _claimed(db, _CLAIM_WOKEN, now, lease, slots, list(accounts))


async def with_unread(
    db: Reads, now: datetime, own: Collection[UUID], floors: InboxFloors
) -> tuple[bool, Collection[UUID]]:
    """Returns whether any feed has a webhook, and the webhooks whose feeds have events that they have not looked at:
    those of `own`, and those free to claim.
    """
    row = await db.fetchrow(_WITH_UNREAD, now, list(own), *floors.arrays())
    return row["any_feed"], row["unread"]


async def claim_unread(
    db: Reads, now: datetime, lease: timedelta, slots: Slots, webhooks: Collection[UUID]
) -> Claimed:
    """Claims those of these webhooks of feeds that work and are free, as far as there are slots."""
    return await _claimed(db, _CLAIM_UNREAD, now, lease, slots, list(webhooks))


async def _claimed(
    db: Reads, sql: str, now: datetime, lease: timedelta, slots: Slots, *which: Any
) -> Claimed:
    owner_ids, counts = list(slots.used), list(slots.used.values())
    rows = await db.fetch(sql, now, owner_ids, counts, max(slots.free, 0), uuid7(), lease, *which)
    waiting = next((row["due_owner_id"] for row in rows if not row["fits"]), None)
    return Claimed([_claim(row) for row in rows if row["id"] is not None], waiting)


def _claim(row: Any) -> EndpointClaim:
    return EndpointClaim(
        row["claim_id"],
        row["id"],
        row["owner_id"],
        row["account_id"],
        row["batch"],
        row["has_document"],
        row["of_resend"],
        row["url"],
        row["is_callback"],
        row["callback_secret_id"],
        *_secrets(row),
        row["failures"],
        row["version"],
    )


def _secrets(row: Any) -> tuple[bytes | None, bytes | None, datetime | None]:
    if row["is_callback"]:
        return row["callback_secret"], row["old_callback_secret"], row["old_callback_secret_until"]
    return row["secret_encrypted"], row["old_secret_encrypted"], row["old_secret_until"]


async def renew(db: Reads, claims: Collection[EndpointClaim], lease: timedelta) -> set[UUID]:
    """Renews the claims. Returns the webhooks that still belong to this process."""
    rows = await db.fetch(
        _RENEW, [claim.webhook_id for claim in claims], [claim.id for claim in claims], lease
    )
    return {row["id"] for row in rows}


async def release(
    db: Reads,
    claim: EndpointClaim,
    *,
    wakes: int | None,
    quiet_until: datetime | None,
    delivered_at: datetime | None,
    status: int | None,
) -> bool:
    """Releases the claim. Returns False if there was a wake since (look again), or the claim is gone. `wakes` None:
    releases in any case."""
    return (
        await db.fetchval(_RELEASE, claim.webhook_id, claim.id, wakes, quiet_until, delivered_at, status)
    ) is not None


async def release_failed(
    db: Reads,
    claim: EndpointClaim,
    *,
    failures: int,
    next_at: datetime,
    error: str | None,
    delivered_at: datetime | None,
    status: int | None,
    disabled_reason: str | None,
) -> None:
    """Releases the claim of an endpoint that has to wait, or is disabled. A change of its settings since the claim
    ends the wait.
    """
    await db.fetch(
        _RELEASE_FAILED, claim.webhook_id, claim.id, min(failures, 32767), next_at, delivered_at, status, error,
        claim.version, disabled_reason,
    )  # fmt: skip

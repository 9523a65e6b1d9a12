"""Stores what providers and engines report about messages of projects, with the refunds that follow.

`engine/outcomes.py` does this for direct messages. A message is found by its id, or by its provider's (which is its own
id where `provider_message_id` is NULL). A report about an unknown message, or one that is still `queued`, is early: it
is kept, and `settle` applies it after the commit that changes that.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

import asyncpg
import orjson
import structlog

from channels.port import Receipt
from core import change_events
from core.ids import uuid7
from core.storable_text import storable
from db import ledger
from engine import outcomes
from engine.blocks import block
from shapes.blocks import BlockReason
from shapes.message_records import RecordStatus
from shapes.sending_projects import ProjectChannel

log = structlog.get_logger("postern.engine")

ReportedStatus = Literal["sent", "delivered", "read", "failed"]

HARD_BOUNCES = frozenset({"invalid_recipient", "mailbox_unavailable", "hard_bounce", "user_unknown"})
"""Failures of an email after which no further email should go to that address."""

MOST_EARLY = 100_000
"""The most early events that are kept for one user."""

_LONGEST_REASON = 500  # characters


@dataclass(frozen=True, slots=True)
class StatusReport:
    """A report about a message, named by `message_id` or `provider_message_id`.

    `provider` is a route's label; None when the reporter does not know our labels.
    """

    message_id: UUID | None
    provider: str | None
    provider_message_id: str | None
    status: ReportedStatus
    code: str | None = None
    reason: str | None = None
    at: datetime | None = None


@dataclass(slots=True)
class Applied:
    """The result of applying reports."""

    changed: int = 0  # messages whose status changed
    matched: set[UUID] = field(default_factory=set)  # messages that were found, changed or not
    unknown: list[StatusReport] = field(default_factory=list)  # reports about unknown or queued messages


# One statement per batch. Rows are locked in the order of their ids, so that two batches never deadlock, and conditions
# see the newest version of a row. A status only moves forward: of several reports at once the furthest counts, and each
# sets its time. If a provider reuses its numbers, the newest message with the number is meant, direct ones included. A
# report from before the hand-over belongs to an earlier attempt.
_MINE = """
  m.direction = 'outbound' AND ($8::uuid IS NULL OR m.owner_id = $8)
  AND (s.provider IS NULL OR m.provider IS NULL OR m.provider = s.provider)
"""
# A channel's report has the id in the form of reports: another message may have the same id in the form of answers. The
# reporter of a hook, which names no route, may have read either form from us.
_NUMBER = """(m.report_id = s.provider_message_id
  OR (m.provider_message_id = s.provider_message_id AND (m.report_id IS NULL OR s.provider IS NULL)))"""
_APPLY = f"""
WITH reports AS (
  -- A report without a time, or with one in the future, gets the present time.
  SELECT s.place, s.status, s.code, s.reason, LEAST(s.at, now()) AS at, COALESCE(
    (SELECT m.id FROM message_records AS m WHERE m.id = s.message_id AND {_MINE}),
    (SELECT m.id FROM message_records AS m WHERE {_NUMBER} AND {_MINE}
       AND NOT EXISTS (
         SELECT FROM messages AS d WHERE d.provider = s.provider
           AND (d.report_id = s.provider_message_id OR (d.provider_message_id = s.provider_message_id AND d.report_id IS NULL))
           AND d.direction = 'outbound' AND d.handed_at > m.handed_at
       )
     ORDER BY m.handed_at DESC NULLS LAST, m.seq DESC LIMIT 1)
  ) AS id
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
    WITH ORDINALITY AS s (message_id, provider, provider_message_id, status, code, reason, at, place)
), locked AS (
  SELECT id, status, price, handed_at FROM message_records WHERE id IN (SELECT id FROM reports)
  ORDER BY id FOR NO KEY UPDATE
), latest AS (
  SELECT s.id,
    CASE WHEN bool_or(s.status = 'read') THEN 'read' WHEN bool_or(s.status = 'delivered') THEN 'delivered'
      WHEN bool_or(s.status = 'failed') THEN 'failed' ELSE 'sent' END AS status,
    min(s.at) FILTER (WHERE s.status = 'sent') AS sent_at,
    min(s.at) FILTER (WHERE s.status = 'delivered') AS delivered_at,
    min(s.at) FILTER (WHERE s.status = 'read') AS read_at,
    (array_agg(s.code ORDER BY s.place) FILTER (WHERE s.status = 'failed'))[1] AS code,
    (array_agg(s.reason ORDER BY s.place) FILTER (WHERE s.status = 'failed'))[1] AS reason
  FROM reports AS s JOIN locked ON locked.id = s.id
  WHERE (locked.status <> 'queued' OR locked.handed_at IS NOT NULL)
    AND (locked.handed_at IS NULL OR s.at >= locked.handed_at - interval '5 minutes')
  GROUP BY s.id
), moved AS (
  UPDATE message_records AS m SET
    status = t.status, claim_id = NULL,
    price = CASE WHEN t.status = 'failed' THEN 0 ELSE m.price END,
    attempts = CASE WHEN t.status = 'failed' THEN m.attempts + 1 ELSE m.attempts END,
    failure_code = CASE WHEN t.status = 'failed' THEN COALESCE(t.code, 'rejected') END,
    failure_reason = CASE WHEN t.status = 'failed' THEN t.reason END,
    sent_at = COALESCE(m.sent_at, CASE WHEN COALESCE(t.sent_at, t.delivered_at, t.read_at) IS NOT NULL
      THEN GREATEST(COALESCE(t.sent_at, t.delivered_at, t.read_at), m.handed_at) END),
    delivered_at = COALESCE(m.delivered_at, CASE WHEN t.status IN ('delivered', 'read')
      THEN GREATEST(COALESCE(t.delivered_at, t.read_at), t.sent_at, m.sent_at, m.handed_at) END),
    read_at = COALESCE(m.read_at, CASE WHEN t.status = 'read'
      THEN GREATEST(t.read_at, t.delivered_at, m.delivered_at, t.sent_at, m.sent_at, m.handed_at) END)
  FROM latest AS t JOIN locked ON locked.id = t.id
  -- What is queued here was handed over once, and its provider was to be asked again.
  WHERE m.id = t.id AND CASE t.status
    WHEN 'read' THEN m.status IN ('queued', 'sending', 'unknown', 'sent', 'delivered')
    WHEN 'sent' THEN m.status IN ('queued', 'sending', 'unknown')
    ELSE m.status IN ('queued', 'sending', 'unknown', 'sent') END
  RETURNING m.id, m.owner_id, m.project_id, m.channel, m."to", m.status, m.failure_code, locked.price,
    (SELECT account_id FROM sending_projects WHERE id = m.project_id) AS account_id
)
SELECT s.place, s.id AS found, COALESCE(locked.status = 'queued' AND locked.handed_at IS NULL, true) AS early, moved.*
FROM reports AS s LEFT JOIN locked ON locked.id = s.id LEFT JOIN moved ON moved.id = s.id
ORDER BY s.place
"""  # noqa: S608  our own condition

# JSON as text: a session's connection has other codecs than a pool's.
_KEEP = f"""
WITH room AS MATERIALIZED (
  SELECT user_id FROM (SELECT DISTINCT user_id FROM unnest($1::uuid[]) AS u (user_id)) AS users
  WHERE {MOST_EARLY} > (
    SELECT count(*) FROM (SELECT FROM early_events AS e WHERE e.user_id = users.user_id LIMIT {MOST_EARLY}) AS few
  )
)
INSERT INTO early_events (user_id, key, event)
SELECT r.user_id, r.key, r.event::jsonb
FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS r (user_id, key, event, place)
JOIN room ON room.user_id = r.user_id ORDER BY r.place
"""  # noqa: S608  our own number

_EARLY = """
WITH mine AS (
  SELECT id, owner_id, provider_message_id, report_id FROM message_records
  WHERE id = ANY($1) AND direction = 'outbound' AND (status <> 'queued' OR handed_at IS NOT NULL)
), picked AS (
  SELECT e.id AS place, m.id, m.owner_id, e.event FROM mine AS m
  JOIN early_events AS e ON e.user_id = m.owner_id AND e.key = m.id::text
  UNION ALL
  SELECT e.id, m.id, m.owner_id, e.event FROM mine AS m
  JOIN early_events AS e ON e.user_id = m.owner_id AND e.key IN (m.provider_message_id, m.report_id)
), gone AS (
  DELETE FROM early_events WHERE id IN (SELECT place FROM picked) RETURNING id
)
SELECT picked.id, picked.owner_id, picked.event::text AS event FROM picked JOIN gone ON gone.id = picked.place
ORDER BY picked.place
"""

# Receipts that matched neither direct messages nor projects' (see `receipts`).
_EARLY_RECEIPTS = """
WITH mine AS (
  SELECT id, owner_id, provider, COALESCE(report_id, provider_message_id, id::text) AS number FROM message_records
  WHERE id = ANY($1) AND direction = 'outbound' AND (status <> 'queued' OR handed_at IS NOT NULL)
), picked AS (
  SELECT e.id AS place, m.id, m.owner_id, e.result, e.code, e.reason, e.at FROM mine AS m
  JOIN early_receipts AS e ON e.provider = m.provider AND e.provider_message_id = m.number
), gone AS (
  DELETE FROM early_receipts WHERE id IN (SELECT place FROM picked) RETURNING id
)
SELECT picked.* FROM picked JOIN gone ON gone.id = picked.place ORDER BY picked.place
"""

_FIND = """
SELECT id FROM message_records
WHERE (id = ANY($1) OR provider_message_id = ANY($2) OR report_id = ANY($2)) AND direction = 'outbound'
  AND ($3::uuid IS NULL OR owner_id = $3)
"""

_WORDS: dict[str, ReportedStatus] = {"sent": "sent", "delivered": "delivered", "refused": "failed"}


async def apply(
    db: asyncpg.Connection, reports: Sequence[StatusReport], owner_id: UUID | None = None
) -> Applied:
    """Moves the messages forward, refunds failed ones, and blocks bounced addresses, in one transaction.

    `owner_id`: only messages of this user. Keeps no early reports: the caller keeps `unknown` (see `receive`).
    """
    if not reports:
        return Applied()
    columns = [
        (
            report.message_id or as_uuid(report.provider_message_id),
            report.provider,
            storable(report.provider_message_id),
            report.status,
            storable(report.code),
            (storable(report.reason) or "")[:_LONGEST_REASON] or None,
            report.at,
        )
        for report in reports
    ]
    async with db.transaction():
        rows = await db.fetch(_APPLY, *map(list, zip(*columns, strict=True)), owner_id)
        moved = {row["id"]: row for row in rows if row["id"] is not None}
        for row in moved.values():
            change_events.project(row["owner_id"], row["project_id"])
        failed = [row for row in moved.values() if row["status"] == RecordStatus.failed]
        await refund(db, ((row["account_id"], row["project_id"], row["price"]) for row in failed))
        await _block_bounced(db, failed)
    return Applied(
        changed=len(moved),
        matched={row["found"] for row in rows if not row["early"]},
        unknown=[report for report, row in zip(reports, rows, strict=True) if row["early"]],
    )


async def refund(db: asyncpg.Connection, owed: Iterable[tuple[UUID, UUID, Decimal]]) -> None:
    """Writes one ledger entry per account and project: rows of (account, project, amount).

    The caller sets the price of those messages to 0 in the same transaction.
    """
    sums: dict[tuple[UUID, UUID], Decimal] = {}
    for account, project, amount in owed:
        if amount > 0:
            sums[account, project] = sums.get((account, project), Decimal(0)) + amount
    await ledger.refund_many(
        db, [(account, amount, uuid7(), project) for (account, project), amount in sorted(sums.items())]
    )


async def receive(db: asyncpg.Connection, reports: Sequence[StatusReport], owner_id: UUID) -> Applied:
    """Applies the reports of a user's engine and keeps early ones, in the caller's transaction.

    After the commit the caller runs `settle_early(db, applied.unknown, owner_id)`: the engine's own commit may have
    come in between.
    """
    applied = await apply(db, reports, owner_id)
    await keep(db, [(owner_id, report) for report in applied.unknown])
    return applied


async def settle(db: asyncpg.Connection, ids: Sequence[UUID]) -> int:
    """Applies reports that came before these messages were handed over, or before their provider's ids were known.

    Call it after the commit that changed that. Returns how many messages moved.
    """
    async with db.transaction():
        early = [
            (row["owner_id"], _report(row["id"], orjson.loads(row["event"])))
            for row in await db.fetch(_EARLY, ids)
        ]
        early += [
            (row["owner_id"], StatusReport(row["id"], None, None, _WORDS[row["result"]], row["code"], row["reason"], row["at"]))
            for row in await db.fetch(_EARLY_RECEIPTS, ids)
            if row["result"] in _WORDS
        ]  # fmt: skip
        applied = await apply(db, [report for _, report in early])
        if applied.unknown:  # queued again meanwhile: the reports stay early
            left = set(applied.unknown)
            await keep(db, [(owner, report) for owner, report in early if report in left])
    return applied.changed


async def settle_early(
    db: asyncpg.Connection, reports: Iterable[StatusReport], owner_id: UUID | None = None
) -> int:
    """Runs `settle` for reports that were just kept."""
    reports = list(reports)
    if not reports:
        return 0
    ids = [id for report in reports if (id := report.message_id or as_uuid(report.provider_message_id))]
    numbers = [storable(report.provider_message_id) for report in reports if report.provider_message_id]
    message_ids = [row["id"] for row in await db.fetch(_FIND, ids, numbers, owner_id)]
    return await settle(db, message_ids) if message_ids else 0


async def receipts(db: asyncpg.Connection, provider: str, incoming: Sequence[Receipt]) -> int:
    """Applies a channel's delivery reports to messages of projects and direct ones. Returns how many counted.

    An unmatched report is kept once, among the early receipts: `outcomes.settle` takes those of direct messages
    from there, `settle` those of projects.
    """
    reports = [
        StatusReport(
            None,
            provider,
            item.provider_message_id,
            _WORDS[item.result.value],
            item.code,
            item.reason,
            item.at,
        )
        if item.result.value in _WORDS
        else None
        for item in incoming
    ]
    applied = await apply(db, [item for item in reports if item is not None])
    unknown = set(applied.unknown)
    rest = [item for item, meant in zip(incoming, reports, strict=True) if meant is None or meant in unknown]
    counted = applied.changed
    if rest:
        counted += await outcomes.receive(db, provider, rest)
        # The engine's commit may have come between the lookup and the keeping.
        counted += await settle_early(db, unknown)
    return counted


async def keep(db: asyncpg.Connection, early: Sequence[tuple[UUID, StatusReport]]) -> None:
    """Stores early reports by owner; `settle` here and in engine/direct_events.py takes them from there."""
    rows = [
        (owner, key, orjson.dumps(asdict(report)).decode())
        for owner, report in (
            (
                owner,
                replace(
                    report,
                    code=storable(report.code),
                    reason=storable(report.reason),
                    provider_message_id=storable(report.provider_message_id),
                ),
            )
            for owner, report in early
        )
        for key in {str(report.message_id) if report.message_id else None, report.provider_message_id}
        if key
    ]
    if rows:
        done = await db.execute(_KEEP, *map(list, zip(*rows, strict=True)))
        if done != f"INSERT 0 {len(rows)}":
            log.warning("a user has too many early events", kept=done, of=len(rows))


def _report(id: UUID, event: dict[str, Any]) -> StatusReport:
    at = datetime.fromisoformat(event["at"]) if event["at"] else None
    return StatusReport(id, None, None, event["status"], event["code"], event["reason"], at)


async def _block_bounced(db: asyncpg.Connection, failed: Iterable[Any]) -> None:
    bounced = {
        (row["owner_id"], row["to"])
        for row in failed
        if row["channel"] == ProjectChannel.email and row["failure_code"] in HARD_BOUNCES
    }
    for owner, address in sorted(bounced):
        await block(db, owner, address, BlockReason.hardBounce)


def as_uuid(text: str | None) -> UUID | None:
    """Returns a provider's id as the message's own id, or None."""
    if text is None or len(text) not in (32, 36):
        return None
    try:
        return UUID(text)
    except ValueError:
        return None

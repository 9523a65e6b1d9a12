"""Reports about messages: what providers and engines say became of them, in whatever order and however often it comes.

A report comes by a channel (`receive_receipts`), by a user's hook (`receive`), or about a chat message that a project
sent (`engine/messengers/project_links.py`). The same rules hold for all:

- A status only moves forward (`RANKS`). What failed, was canceled or was skipped stays so.
- A failed message gets its price back, once, and an email address that does not exist is blocked.
- No time is before the hand-over. A report without a time, or with one in the future, gets the time at which it came;
  one from more than five minutes before the hand-over is about an older message whose number was used again.
- A report about an unknown message, or one that was not handed over yet, is early: `engine/early_reports.py` keeps it,
  and `settle` applies it after the commit that changes that.

A message is found by its id, or by its provider's, which is its own where `provider_message_id` is NULL.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import asyncpg

from channels.port import Receipt
from core import change_events
from core.storable_text import storable
from engine import early_reports, refunds
from engine.blocks import block
from engine.early_reports import EarlyReport
from engine.jobs import every
from runtime.services import Services
from shapes.blocks import BlockReason

ReportedStatus = Literal["sent", "delivered", "read", "failed"]

RANKS: Final[dict[ReportedStatus, int]] = {"sent": 1, "failed": 2, "delivered": 3, "read": 4}
"""A status moves to one of a higher rank only; a message that was handed over has 0 before its first report."""

SETTLED_AT_ONCE: Final = 1000
"""Early reports whose messages are looked for again at once."""

LONGEST_REASON: Final = 500
"""The most characters of a reported reason that are stored."""

HARD_BOUNCES: Final = frozenset({"invalid_recipient", "mailbox_unavailable", "hard_bounce", "user_unknown"})
"""Failures of an email after which no further email should go to that address."""

_OF_RECEIPTS: Final[dict[str, ReportedStatus]] = {
    "sent": "sent",
    "delivered": "delivered",
    "refused": "failed",
}


@dataclass(frozen=True, slots=True)
class Report:
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

    def early(self, owner_id: UUID | None) -> list[EarlyReport]:
        """Returns what is kept while the message is unknown: one entry for each name of the message."""
        event = {
            "status": self.status, "code": storable(self.code), "reason": stored_reason(self.reason), "at": self.at,
        }  # fmt: skip
        keys = {
            key
            for key in (self.message_id and str(self.message_id), storable(self.provider_message_id))
            if key
        }
        scope = early_reports.scope_of(owner_id, self.provider)
        return [EarlyReport(scope, key, event) for key in sorted(keys)]


@dataclass(slots=True)
class Applied:
    """The result of applying reports."""

    changed: int = 0  # messages whose status changed
    matched: set[UUID] = field(default_factory=set)  # messages that were found, changed or not
    unknown: list[Report] = field(default_factory=list)  # reports about unknown or queued messages


@dataclass(frozen=True, slots=True)
class Table:
    """Names a table of sent messages, and what differs between the two in a report's statement."""

    name: str
    status: str  # its column with the status
    newest: str  # the order of messages that have the same provider's number
    has_read: bool  # whether it knows that a message was read; else it was delivered
    may_lack_route: bool  # whether a route may report a message that has no route stored
    only: str  # a condition for messages that are found by number
    changes: str  # columns that change beside those of both tables
    returning: str


# One statement per table and batch. Rows are locked in the order of their ids, so that two batches never deadlock, and
# conditions see the newest version of a row. Of several reports at once the furthest counts, and each sets its time. If
# a provider uses a number again, the newest message with the number is meant. A channel's report has the id in the form
# of reports: another message may have the same id in the form of answers. A hook names no route, and may have read
# either.
_APPLY = """
WITH reports AS (
  SELECT s.place, {reported} AS status, s.code, s.reason, LEAST(s.at, now()) AS at, COALESCE(
    (SELECT m.id FROM {name} AS m WHERE m.id = s.message_id AND {mine}),
    (SELECT m.id FROM {name} AS m WHERE (m.report_id = s.number
        OR (m.provider_message_id = s.number AND (m.report_id IS NULL OR s.provider IS NULL))) AND {mine} AND {only}
     ORDER BY {newest} LIMIT 1)
  ) AS id
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
    WITH ORDINALITY AS s (message_id, provider, number, status, code, reason, at, place)
), locked AS (
  SELECT id, {status} AS status, price, handed_at FROM {name} WHERE id IN (SELECT id FROM reports)
  ORDER BY id FOR NO KEY UPDATE
), furthest AS (
  SELECT s.id,
    (array_agg(s.status ORDER BY {rank_of_reported} DESC))[1] AS status,
    min(s.at) FILTER (WHERE s.status = 'sent') AS sent_at,
    min(s.at) FILTER (WHERE s.status = 'delivered') AS delivered_at,
    min(s.at) FILTER (WHERE s.status = 'read') AS read_at,
    (array_agg(s.code ORDER BY s.place) FILTER (WHERE s.status = 'failed'))[1] AS code,
    (array_agg(s.reason ORDER BY s.place) FILTER (WHERE s.status = 'failed'))[1] AS reason
  FROM reports AS s JOIN locked ON locked.id = s.id
  -- What is queued here was handed over once, and its provider was to be asked again.
  WHERE (locked.status <> 'queued' OR locked.handed_at IS NOT NULL)
    AND (locked.handed_at IS NULL OR s.at >= locked.handed_at - interval '5 minutes')
  GROUP BY s.id
), moved AS (
  UPDATE {name} AS m SET
    {status} = t.status, claim_id = NULL,
    failure_code = CASE WHEN t.status = 'failed' THEN COALESCE(t.code, 'rejected') END,
    failure_reason = CASE WHEN t.status = 'failed' THEN t.reason END,
    sent_at = COALESCE(m.sent_at, CASE WHEN COALESCE(t.sent_at, t.delivered_at, t.read_at) IS NOT NULL
      THEN GREATEST(COALESCE(t.sent_at, t.delivered_at, t.read_at), m.handed_at) END),
    delivered_at = COALESCE(m.delivered_at, CASE WHEN t.status IN ('delivered', 'read')
      THEN GREATEST(COALESCE(t.delivered_at, t.read_at), t.sent_at, m.sent_at, m.handed_at) END),
    {changes}
  FROM furthest AS t JOIN locked ON locked.id = t.id
  WHERE m.id = t.id AND {rank_of_furthest} > {rank_of_stored}
  RETURNING m.id, m.owner_id, m.channel, m."to", m.{status} AS status, m.failure_code, locked.price, {returning}
)
SELECT s.place, s.id AS found, COALESCE(locked.status = 'queued' AND locked.handed_at IS NULL, true) AS early, moved.*
FROM reports AS s LEFT JOIN locked ON locked.id = s.id LEFT JOIN moved ON moved.id = s.id
ORDER BY s.place
"""
_MINE = """m.direction = 'outbound' AND ($8::uuid IS NULL OR m.owner_id = $8)
  AND (s.provider IS NULL OR {any_route} OR m.provider = s.provider)"""
_RANK_OF_REPORTED = " ".join(f"WHEN '{status}' THEN {rank}" for status, rank in RANKS.items())

PROJECTS = Table(
    name="message_records",
    status="status",
    newest="m.handed_at DESC NULLS LAST, m.seq DESC",
    has_read=True,
    may_lack_route=True,
    # A direct message that has the number since is meant.
    only="""NOT EXISTS (
      SELECT FROM messages AS d WHERE d.provider = s.provider AND d.direction = 'outbound' AND d.handed_at > m.handed_at
        AND (d.report_id = s.number OR (d.provider_message_id = s.number AND d.report_id IS NULL))
    )""",
    changes="""price = CASE WHEN t.status = 'failed' THEN 0 ELSE m.price END,
    attempts = CASE WHEN t.status = 'failed' THEN m.attempts + 1 ELSE m.attempts END,
    read_at = COALESCE(m.read_at, CASE WHEN t.status = 'read'
      THEN GREATEST(t.read_at, t.delivered_at, m.delivered_at, t.sent_at, m.sent_at, m.handed_at) END)""",
    returning="m.project_id, (SELECT account_id FROM sending_projects WHERE id = m.project_id) AS account_id",
)
"""Messages of projects. A failed one costs nothing from then on."""

DIRECT = Table(
    name="messages",
    status="state",
    newest="m.handed_at DESC NULLS LAST, m.id DESC",
    has_read=False,
    may_lack_route=False,
    only="true",
    changes="updated_at = now()",
    returning="NULL::uuid AS project_id, m.account_id",
)
"""Direct messages."""


def rank_of(column: str, *, failed: int = 5) -> str:
    """Returns SQL for the rank of a stored status; `failed`: the rank of one that nothing may follow."""
    ranks = {**RANKS, "failed": failed}
    words = " ".join(f"WHEN '{status}' THEN {rank}" for status, rank in ranks.items())
    return f"CASE {column} WHEN 'queued' THEN 0 WHEN 'sending' THEN 0 WHEN 'unknown' THEN 0 {words} ELSE {failed} END"


def _statement(table: Table) -> str:
    """Returns the statement that applies reports to a table."""
    return _APPLY.format(
        name=table.name,
        status=table.status,
        newest=table.newest,
        only=table.only,
        changes=table.changes,
        returning=table.returning,
        mine=_MINE.format(any_route="m.provider IS NULL" if table.may_lack_route else "false"),
        reported="s.status"
        if table.has_read
        else "CASE s.status WHEN 'read' THEN 'delivered' ELSE s.status END",
        rank_of_reported=f"CASE s.status {_RANK_OF_REPORTED} END",
        rank_of_furthest=f"CASE t.status {_RANK_OF_REPORTED} END",
        rank_of_stored=rank_of(f"m.{table.status}"),
    )


STATEMENTS: Final = {table.name: _statement(table) for table in (PROJECTS, DIRECT)}
"""By table. Arguments: message ids, routes, provider's ids, statuses, codes, reasons, times, and the owner or NULL."""

_FIND = """
SELECT id FROM {name}
WHERE (id = ANY($1) OR provider_message_id = ANY($2) OR report_id = ANY($2)) AND direction = 'outbound'
  AND ($3::uuid IS NULL OR owner_id = $3)
"""
FIND: Final = {table.name: _FIND.format(name=table.name) for table in (PROJECTS, DIRECT)}
"""By table. Arguments: message ids, provider's ids, and the owner or NULL."""


async def apply(db: asyncpg.Connection, reports: Sequence[Report], owner_id: UUID | None = None) -> Applied:
    """Moves messages forward, refunds failed ones, and blocks bounced addresses, in one transaction.

    `owner_id`: only messages of this user. Keeps no early reports: the caller keeps `unknown` (see `receive`).
    """
    applied = Applied(unknown=list(reports))
    if not reports:
        return applied
    async with db.transaction():
        moved: dict[UUID, Any] = {}
        for table in (PROJECTS, DIRECT):
            if not applied.unknown:
                break
            rows = await db.fetch(STATEMENTS[table.name], *_columns(applied.unknown), owner_id)
            moved |= {row["id"]: row for row in rows if row["id"] is not None}
            applied.matched |= {row["found"] for row in rows if not row["early"]}
            applied.unknown = [
                report for report, row in zip(applied.unknown, rows, strict=True) if row["early"]
            ]
        for row in moved.values():
            if row["project_id"] is None:
                change_events.message(row["owner_id"], row["id"], row["status"])
            else:
                change_events.project(row["owner_id"], row["project_id"])
        failed = [row for row in moved.values() if row["status"] == "failed"]
        # After both tables: a worker that stores outcomes locks messages, and then their accounts.
        await refunds.refund(db, [refunds.of_row(row) for row in failed])
        await _block_bounced(db, failed)
    applied.changed = len(moved)
    return applied


def _columns(reports: Sequence[Report]) -> list[list[Any]]:
    rows = [
        (
            report.message_id or as_uuid(report.provider_message_id),
            report.provider,
            storable(report.provider_message_id),
            report.status,
            storable(report.code),
            stored_reason(report.reason),
            report.at,
        )
        for report in reports
    ]
    return [list(column) for column in zip(*rows, strict=True)]


async def receive(db: asyncpg.Connection, reports: Sequence[Report], owner_id: UUID) -> Applied:
    """Applies the reports of a user's engine and keeps early ones, in the caller's transaction.

    After the commit the caller runs `settle_early(db, applied.unknown, owner_id)`: our own commit of a message may have
    come in between.
    """
    applied = await apply(db, reports, owner_id)
    await early_reports.keep(db, [early for report in applied.unknown for early in report.early(owner_id)])
    return applied


async def receive_receipts(db: asyncpg.Connection, provider: str, receipts: Sequence[Receipt]) -> int:
    """Applies a channel's delivery reports, and keeps early ones. Returns how many counted."""
    reports = [
        Report(
            None,
            provider,
            item.provider_message_id,
            _OF_RECEIPTS[item.result],
            item.code,
            item.reason,
            item.at,
        )
        for item in receipts
        if item.result in _OF_RECEIPTS
    ]
    async with db.transaction():
        applied = await apply(db, reports)
        await early_reports.keep(db, [early for report in applied.unknown for early in report.early(None)])
    # Our own commit may have come between the lookup and the keeping.
    return applied.changed + await settle_early(db, applied.unknown)


async def settle(db: asyncpg.Connection, table: Table, ids: Sequence[UUID]) -> int:
    """Applies reports that came before these messages were handed over, or before their provider's ids were known.

    Call it after the commit that changed that. Returns how many messages moved.
    """
    async with db.transaction():
        early = await early_reports.take(db, table.name, ids)
        reports = [
            Report(
                stored.message_id,
                None,
                None,
                stored.event["status"],
                stored.event["code"],
                stored.event["reason"],
                stored.at,
            )
            for stored in early
        ]
        applied = await apply(db, reports)
        if applied.unknown:  # queued again meanwhile: they stay early
            left = set(applied.unknown)
            await early_reports.keep(
                db, [stored.entry for stored, report in zip(early, reports, strict=True) if report in left]
            )
    return applied.changed


async def settle_early(
    db: asyncpg.Connection, reports: Iterable[Report], owner_id: UUID | None = None
) -> int:
    """Runs `settle` for the messages of reports that were just kept."""
    reports = list(reports)
    if not reports:
        return 0
    ids = [id for report in reports if (id := report.message_id or as_uuid(report.provider_message_id))]
    numbers = [storable(report.provider_message_id) for report in reports if report.provider_message_id]
    changed = 0
    for table in (PROJECTS, DIRECT):
        if matched := [row["id"] for row in await db.fetch(FIND[table.name], ids, numbers, owner_id)]:
            changed += await settle(db, table, matched)
    return changed


async def _block_bounced(db: asyncpg.Connection, failed: Iterable[Any]) -> None:
    bounced = {
        (row["owner_id"], row["to"])
        for row in failed
        if row["channel"] == "email" and row["failure_code"] in HARD_BOUNCES
    }
    for owner, address in sorted(bounced):
        await block(db, owner, address, BlockReason.hardBounce)


def stored_reason(reason: str | None) -> str | None:
    """Returns a reason as it is stored: at most LONGEST_REASON characters, None if it is empty."""
    return (storable(reason) or "")[:LONGEST_REASON] or None


def as_uuid(text: str | None) -> UUID | None:
    """Returns a provider's id as the message's own id, or None."""
    if text is None or len(text) not in (32, 36):
        return None
    try:
        return UUID(text)
    except ValueError:
        return None


@every(60)
async def settle_again(services: Services) -> None:
    """Applies early reports of the last minutes once more, and what processes of the release before have kept.

    While processes of both releases run, each keeps early reports in a table of its own, and looks in no other.
    """
    async with services.db.reading() as db:
        await _settle_keys(db, await early_reports.recent_keys(db, SETTLED_AT_ONCE))
        moved = [""]
        while moved and not services.stopping.is_set():
            # Together: if this fails, the reports are where the next round looks.
            async with db.transaction():
                moved = await early_reports.move_old(db, SETTLED_AT_ONCE)
                await _settle_keys(db, moved)


async def _settle_keys(db: asyncpg.Connection, keys: Sequence[str]) -> None:
    await settle_early(db, [Report(None, None, key, "sent") for key in keys])

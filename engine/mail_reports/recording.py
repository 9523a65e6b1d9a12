"""Applies reports about emails: the one transaction in which a report is stored and has its effects.

    received ──► the messages' rows are locked ──► mail_reports: what is stored already changes nothing
                                                       │ new
        engine/reports: fails, refund, blocked ◄───────┤ a bounce   (a message that waits: early_reports)
        bounced_at, complained_at              ◄───────┤
        address_health: soft bounces           ◄───────┤ five in thirty days ──► a block that ends
        blocked_phones                         ◄───────┘ hard bounces, complaints

A report counts once, however often and in whatever order it comes: its source, its name there and its message are
unique. A status moves by engine/reports alone. Bounces because of content or policy never count against an address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg
import structlog

from core import change_events
from core.ids import uuid7
from core.settings import Settings
from core.storable_text import storable
from db.address_keys import key_of
from engine.blocks import ERASED, block_each, block_until
from engine.faultpoints import fault_point
from engine.mail_reports import effects
from engine.mail_reports.report import RecipientReport
from engine.reports import early, report_writer
from engine.reports.report import Report
from runtime.retry import despite_conflicts
from runtime.services import Services
from shapes.addresses import address_key
from shapes.blocks import BlockReason
from shapes.mail_reports import MailReportClass, MailReportOutcome, MailReportType
from shapes.verifications import METADATA_KEY

log = structlog.get_logger("postern.mail_reports")

_TRIES: Final = 5

RESTS_FOR: Final = timedelta(days=90)
"""The time for which an address of many soft bounces gets no promotional messages."""

# The order in which engine/reports locks them. It finds the rows that are locked here.
_LOCK = (
    """
SELECT id, owner_id, project_id, "to", status AS state, way_status, handed_at, bounced_at, complained_at,
  false AS has_code
FROM message_records
WHERE id = ANY($1) AND direction = 'outbound' ORDER BY id FOR NO KEY UPDATE
""",
    f"""
SELECT id, owner_id, NULL::uuid AS project_id, "to", state, way_status, handed_at, bounced_at, complained_at,
  metadata ? '{METADATA_KEY}' AS has_code
FROM messages
WHERE id = ANY($1) AND direction = 'outbound' ORDER BY id FOR NO KEY UPDATE
""",  # noqa: S608  our own key
)
_STORE = """
INSERT INTO mail_reports (id, owner_id, message_id, kind, type, class, source, source_id, address, domain, status, code,
  diagnostic, outcome)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::text[], $11::text[], $12::int[], $13::text[], $14::text[])
ON CONFLICT (source, source_id, message_id) DO NOTHING RETURNING id
"""
_STORED = """
SELECT s.place::int FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS s (source, source_id, id, place)
JOIN mail_reports AS r ON r.source = s.source AND r.source_id = s.source_id AND r.message_id = s.id
"""
_STORE_MAILS = "INSERT INTO mail_report_mails (report_id, mail) SELECT * FROM unnest($1::uuid[], $2::bytea[])"
_SET_TIMES = """
UPDATE {table} AS m SET bounced_at = COALESCE(m.bounced_at, s.bounced_at),
  complained_at = COALESCE(m.complained_at, s.complained_at), updated_at = now()
FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS s (id, bounced_at, complained_at) WHERE m.id = s.id
"""
_TIMES = {False: _SET_TIMES.format(table="messages"), True: _SET_TIMES.format(table="message_records")}

# The rows are locked first, so that the statement after it sees the counts of others.
_LOCK_HEALTH = """
INSERT INTO address_health AS h (owner_id, address, soft_bounces, last_soft_at)
SELECT owner_id, address, '{}', max(at)
FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS s (owner_id, address, at)
GROUP BY owner_id, address ORDER BY owner_id, address
ON CONFLICT (owner_id, address) DO UPDATE SET last_soft_at = GREATEST(h.last_soft_at, excluded.last_soft_at)
"""
_DELIVERED = f"""(
    SELECT max(delivered_at) FROM {{table}} AS m WHERE m.owner_id = h.owner_id AND {key_of('m."to"')} = h.address
      AND m.direction = 'outbound' AND m.bounced_at IS NULL AND (m.way_status IS NULL OR m.way_status = 'delivered')
  )"""  # noqa: S608  our own expression
# A delivery begins the count anew: only later bounces are kept. (A message that was delivered and came back is no
# delivery, nor is one that only the owner's hook calls delivered.) The first bounce of an address costs no search for
# one.
_COUNT_SOFT = f"""
WITH soft AS (
  SELECT owner_id, address, array_agg(at) AS times
  FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS s (owner_id, address, at) GROUP BY owner_id, address
), known AS (
  SELECT s.owner_id, s.address, h.soft_bounces || s.times AS times, CASE WHEN h.soft_bounces <> '{{}}' THEN
    GREATEST({_DELIVERED.format(table="messages")}, {_DELIVERED.format(table="message_records")})
  END AS delivered_at
  FROM soft AS s JOIN address_health AS h ON h.owner_id = s.owner_id AND h.address = s.address
)
UPDATE address_health AS h SET soft_bounces = ARRAY(
  SELECT at FROM unnest(k.times) AS t (at)
  WHERE at > now() - $4::interval AND at > COALESCE(k.delivered_at, '-infinity') ORDER BY at DESC LIMIT $5
)
FROM known AS k WHERE h.owner_id = k.owner_id AND h.address = k.address
RETURNING h.owner_id, h.address, cardinality(h.soft_bounces) AS count
"""  # noqa: S608  our own expressions


@dataclass(frozen=True, slots=True)
class Rules:
    """The operator's rules for soft bounces, and whether the mails are kept."""

    soft_bounces: int = 5
    soft_days: int = 30
    keeps_mails: bool = True

    @classmethod
    def of(cls, settings: Settings) -> "Rules":
        """Returns the rules that the settings say."""
        count, _, days = settings.soft_bounces.partition("/")
        return cls(int(count), int(days), settings.report_raw_days > 0)


@dataclass(frozen=True, slots=True)
class Received:
    """A report that was received, about the message that its token names."""

    message_id: UUID
    recipients: tuple[RecipientReport, ...]  # at least one
    source: str
    source_id: str
    at: datetime
    mail: bytes = b""
    by_hook: bool = False  # the owner's delivery hook says so, and no mail or provider: no money moves


@dataclass(slots=True)
class Recorded:
    """The result of recording reports."""

    new: int = 0
    repeated: int = 0  # that were stored before
    gone: int = 0  # about messages that are deleted
    waiting: list[Report] = field(default_factory=list)  # for `report_writer.retry_early`, after the commit


@dataclass(slots=True)
class _New:
    """A report that was not stored before, and its message as it is at that point."""

    id: UUID
    received: Received
    report: RecipientReport
    message: Any
    effect: effects.Effect

    @property
    def owner_id(self) -> UUID:
        owner: UUID = self.message["owner_id"]
        return owner


async def record(db: asyncpg.Connection, received: Sequence[Received], rules: Rules) -> Recorded:
    """Stores reports and applies them, in one transaction. Those that were stored before change nothing.

    After the commit the caller runs `report_writer.retry_early(db, recorded.waiting)`.
    """
    recorded = Recorded()
    async with db.transaction():
        ids = sorted({item.message_id for item in received})
        messages = {row["id"]: row for statement in _LOCK for row in await db.fetch(statement, ids)}
        # No report about an erased person is stored any more.
        gone = {id for id, message in messages.items() if message["to"] == ERASED}
        about = [item for item in received if item.message_id in messages and item.message_id not in gone]
        unique = {(item.source, item.source_id, item.message_id): item for item in reversed(about)}
        matching = [*reversed(unique.values())]
        recorded.gone = len(received) - len(about)
        stored = await _stored(db, matching)
        new = _effects([item for index, item in enumerate(matching) if index not in stored], messages)
        if new:
            new = await _store(db, new, rules)
            recorded.waiting = await _fail(db, new)
            soft = await _set_times(db, new)
            await _block(db, new, soft, rules)
        fault_point("report.recorded")
        recorded.new, recorded.repeated = len(new), len(about) - len(new)
    return recorded


async def commit(services: Services, received: Sequence[Received], rules: Rules) -> Recorded:
    """Records reports in a transaction of their own, again after a conflict, and publishes the changes."""

    async def once() -> Recorded:
        with services.change_events.emitting():
            async with services.db.reading() as db:
                recorded = await record(db, received, rules)
                fault_point("report.committed")
                try:
                    await report_writer.retry_early(db, recorded.waiting)
                except Exception as error:  # a round of engine/reports tries again
                    log.warning("early reports have to wait", error=error)
                return recorded

    return await despite_conflicts(once, _TRIES)


async def _stored(db: asyncpg.Connection, received: Sequence[Received]) -> set[int]:
    """Returns the places of those that are stored. None is added meanwhile, since the messages are locked."""
    columns = [[item.source for item in received], [item.source_id for item in received]]
    rows = await db.fetch(_STORED, *columns, [item.message_id for item in received])
    return {row["place"] - 1 for row in rows}


def _effects(received: Sequence[Received], messages: Mapping[UUID, Any]) -> list[_New]:
    """Returns the effects of each report. Of several bounces of a message only the first one moves it."""
    new, failed = list[_New](), set[UUID]()
    for item in received:
        message = messages[item.message_id]
        report = effects.own_first(item.recipients, message["to"])[0]
        state = message["state"] if item.by_hook else message["way_status"] or message["state"]
        state = "failed" if item.message_id in failed else state
        effect = effects.effect(report, state, handed=message["handed_at"] is not None)
        if effect.outcome in (MailReportOutcome.fails, MailReportOutcome.waits):
            failed.add(item.message_id)
        new.append(_New(uuid7(), item, report, message, effect))
    return new


async def _store(db: asyncpg.Connection, new: Sequence[_New], rules: Rules) -> list[_New]:
    """Stores reports, and returns those that were new."""
    rows = [
        (
            item.id,
            item.owner_id,
            item.received.message_id,
            "direct" if item.message["project_id"] is None else "project",
            item.report.type.value,
            item.report.klass and item.report.klass.value,
            item.received.source,
            item.received.source_id,
            storable(item.report.address),
            storable((item.report.address or "").rpartition("@")[2].lower() or None),
            storable(item.report.status),
            item.report.code,
            storable(item.report.diagnostic),
            item.effect.outcome.value,
        )
        for item in new
    ]
    stored = {row["id"] for row in await db.fetch(_STORE, *map(list, zip(*rows, strict=True)))}
    new = [item for item in new if item.id in stored]
    # A mail that came back quotes the message, and a code must not be stored.
    mails = [
        (item.id, item.received.mail) for item in new if item.received.mail and not item.message["has_code"]
    ]
    if mails and rules.keeps_mails:
        await db.execute(_STORE_MAILS, *map(list, zip(*mails, strict=True)))
    return new


async def _fail(db: asyncpg.Connection, new: Sequence[_New]) -> list[Report]:
    """Moves the messages that bounced, and keeps the reports about those that were not handed over yet."""
    failing = {
        item.received.message_id: item
        for item in new
        if item.effect.outcome in (MailReportOutcome.fails, MailReportOutcome.waits)
    }
    applied = await report_writer.apply(db, [_failure(item) for item in failing.values()])
    entries = [
        entry
        for report in applied.unknown
        if report.message_id is not None
        for entry in report.early(failing[report.message_id].owner_id)
    ]
    await early.keep(db, entries)
    return applied.unknown


def _failure(item: _New) -> Report:
    """Returns the bounce as engine/reports applies it. Its time keeps it from a later hand-over of the message."""
    code = effects.FAILURE_CODES[item.report.klass or MailReportClass.unknown]
    return Report(
        item.received.message_id,
        None,
        None,
        "failed",
        code,
        item.report.diagnostic,
        item.received.at,
        by_hook=item.received.by_hook,
        by_bounce=True,
    )


async def _set_times(db: asyncpg.Connection, new: Sequence[_New]) -> list[_New]:
    """Stores when messages bounced and were complained about. Returns the first soft bounce of each message."""
    times_of: dict[UUID, list[datetime | None]] = {}
    soft: list[_New] = []
    for item in new:
        id, message = item.received.message_id, item.message
        bounced, complained = times_of.get(id, [None, None])
        if item.report.type is MailReportType.bounce and message["bounced_at"] is None and bounced is None:
            bounced = item.received.at
            if item.report.klass in effects.SOFT:
                soft.append(item)
        elif item.report.type is MailReportType.complaint and message["complained_at"] is None:
            complained = complained or item.received.at
        if bounced or complained:
            times_of[id] = [bounced, complained]
    of_projects = {item.received.message_id: item.message["project_id"] is not None for item in new}
    for is_project in (True, False):  # the order of the locks
        rows = [(id, *times_of[id]) for id in sorted(times_of) if of_projects[id] is is_project]
        if rows:
            await db.execute(_TIMES[is_project], *map(list, zip(*rows, strict=True)))
    for item in new:
        if item.effect.outcome is MailReportOutcome.fails:
            continue  # engine/reports has recorded the change
        if item.message["project_id"] is None:
            change_events.message(item.owner_id, item.received.message_id, item.message["state"])
        else:
            change_events.project(item.owner_id, item.message["project_id"])
    return soft


async def _block(db: asyncpg.Connection, new: Sequence[_New], soft: Sequence[_New], rules: Rules) -> None:
    """Blocks the addresses of hard bounces, complaints, and of too many soft bounces."""
    # engine/reports has blocked the address of a message that failed by a hard bounce.
    blocked = {
        (item.owner_id, item.message["to"], item.effect.block)
        for item in new
        if item.effect.block is not None and item.effect.outcome is not MailReportOutcome.fails
    }
    if blocked:
        await block_each(db, [*blocked])
    if not soft:
        return
    addresses = {(item.owner_id, address_key(item.message["to"])): item.message["to"] for item in soft}
    rows = [(item.owner_id, address_key(item.message["to"]), item.received.at) for item in soft]
    owner_ids, keys, times = map(list, zip(*rows, strict=True))
    await db.execute(_LOCK_HEALTH, owner_ids, keys, times)
    window = timedelta(days=rules.soft_days)
    counts = await db.fetch(_COUNT_SOFT, owner_ids, keys, times, window, rules.soft_bounces)
    until = max(times) + RESTS_FOR
    for row in sorted(counts, key=lambda row: (row["owner_id"], row["address"])):
        if row["count"] >= rules.soft_bounces:
            address = addresses[row["owner_id"], row["address"]]
            await block_until(db, row["owner_id"], address, BlockReason.softBounce, until)

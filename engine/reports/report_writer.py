"""Applies reports to messages, and keeps those that came early; the rules are in engine/reports/__init__.py."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final
from uuid import UUID

import asyncpg

from channels.port import Receipt
from core import change_events
from core.storable_text import storable
from engine.blocks import block_each, end_blocks_of_failures
from engine.jobs import every
from engine.reports import early, event_keys, references, refunds
from engine.reports.report import (
    HARD_BOUNCES,
    Applied,
    Delivered,
    Report,
    ReportedStatus,
    as_uuid,
    stored_reason,
)
from engine.reports.statements import DIRECT, FIND, POP, PROJECTS, STATEMENTS, Table
from runtime.services import Services
from shapes.blocks import BlockReason

RETRIED_AT_ONCE: Final = 1000
"""Early reports whose messages are looked for again at once."""

_OF_RECEIPTS: Final[dict[str, ReportedStatus]] = {
    "sent": "sent",
    "delivered": "delivered",
    "refused": "failed",
}


async def apply(db: asyncpg.Connection, reports: Sequence[Report], owner_id: UUID | None = None) -> Applied:
    """Moves messages forward, refunds failed ones, and blocks bounced addresses, in one transaction.

    `owner_id`: only messages of this user. Keeps no early reports: the caller keeps `unknown` (see `receive`).
    """
    applied = Applied()
    if not reports:
        return applied
    async with db.transaction():
        for by_hook in (False, True):
            if same := [report for report in reports if report.by_hook is by_hook]:
                part = await _apply(db, same, owner_id, by_hook=by_hook)
                applied.add(part)
                applied.matched |= part.matched
                applied.unknown += part.unknown
    return applied


async def _apply(
    db: asyncpg.Connection, reports: Sequence[Report], owner_id: UUID | None, *, by_hook: bool
) -> Applied:
    """Applies reports of hooks, or of the ways that took the messages. A hook's report is shown, and moves no money.
    In the caller's transaction.
    """
    applied = Applied(unknown=list(reports))
    moved: dict[UUID, Any] = {}
    reported_by_route: set[UUID] = set()
    bounced: set[UUID] = set()
    for table in (PROJECTS, DIRECT):
        if not applied.unknown:
            break
        rows = await db.fetch(STATEMENTS[table.name], *_columns(applied.unknown), owner_id, by_hook)
        moved |= {row["id"]: row for row in rows if row["id"] is not None}
        applied.matched |= {row["found"] for row in rows if not row["early"]}
        pairs = list(zip(applied.unknown, rows, strict=True))
        reported_by_route |= {row["found"] for report, row in pairs if report.provider is not None}
        bounced |= {row["found"] for report, row in pairs if report.by_bounce}
        applied.delivered += _delivered(pairs)
        applied.unknown = [report for report, row in pairs if row["early"]]
    for row in moved.values():
        if row["project_id"] is None:
            change_events.message(row["owner_id"], row["id"], row["status"])
        else:
            change_events.project(row["owner_id"], row["project_id"])
    failed = [row for row in moved.values() if row["status"] == "failed"]
    # After both tables: a worker that stores outcomes locks messages, and then their accounts.
    if not by_hook:
        revived = [row for row in moved.values() if row["revived"]]
        await refunds.settle(db, [*map(refunds.of_row, failed)], [*map(refunds.taken_of_row, revived)])
        reached = [row for row in moved.values() if row["is_reached"]]
        await end_blocks_of_failures(db, [(row["owner_id"], row["to"], row["id"]) for row in reached])
    # A direct message's address is blocked only if the user's own engine says that it does not exist.
    await _block_bounced(
        db, [row for row in failed if row["project_id"] or row["id"] not in reported_by_route], bounced
    )
    applied.changed = len(moved)
    return applied


def _delivered(pairs: Sequence[tuple[Report, Any]]) -> Iterable[Delivered]:
    """Returns the messages that a channel's reports have moved to `delivered`, each once."""
    moved = {
        row["id"]: Delivered(row["owner_id"], report.provider, row["channel"], row["to"])
        for report, row in pairs
        if report.provider is not None and row["id"] is not None and row["status"] == "delivered"
    }
    return moved.values()


def _columns(reports: Sequence[Report]) -> list[list[Any]]:
    rows = [
        (
            report.message_id or as_uuid(report.provider_message_id),
            report.provider,
            report.channel,
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

    After the commit the caller runs `retry_early(db, applied.unknown, owner_id)`: our own commit of a message may have
    come in between.
    """
    applied = await apply(db, reports, owner_id)
    await early.keep(db, [entry for report in applied.unknown for entry in report.early(owner_id)])
    return applied


async def receive_receipts(
    db: asyncpg.Connection, provider: str, receipts: Sequence[Receipt], channel: str | None = None
) -> Applied:
    """Applies the delivery reports of a route, and keeps early ones. `channel`: the channel of the route.

    A report with a key counts once in 72 hours.
    """
    async with db.transaction():
        receipts = await _not_repeated(db, provider, channel, receipts)
        reports = _reports(provider, channel, receipts)
        applied = await apply(db, reports)
        if learned := await references.learn(db, applied.unknown):
            later = await apply(db, learned)
            applied.add(later)
            applied.unknown = [report for report in applied.unknown if report not in learned] + later.unknown
        await early.keep(db, [entry for report in applied.unknown for entry in report.early(None)])
    # Our own commit may have come between the lookup and the keeping.
    applied.add(await retry_early(db, applied.unknown))
    return applied


async def _not_repeated(
    db: asyncpg.Connection, provider: str, channel: str | None, receipts: Sequence[Receipt]
) -> Sequence[Receipt]:
    """Returns the receipts without those whose key was seen before."""
    keys = [receipt.key for receipt in receipts if receipt.key is not None]
    if not keys:
        return receipts
    new = await event_keys.store_new(db, event_keys.of_route(provider, channel), keys)
    first: list[Receipt] = []
    for receipt in receipts:
        if receipt.key is None or receipt.key in new:
            new.discard(receipt.key or "")
            first.append(receipt)
    return first


def _reports(provider: str, channel: str | None, receipts: Sequence[Receipt]) -> list[Report]:
    return [
        Report(
            None,
            provider,
            item.provider_message_id,
            _OF_RECEIPTS[item.result],
            item.code,
            item.reason,
            item.at,
            channel,
            reference=item.reference,
        )
        for item in receipts
        if item.result in _OF_RECEIPTS
    ]


async def apply_early(
    db: asyncpg.Connection, table: Table, ids: Sequence[UUID], *, lost: bool = False
) -> Applied:
    """Applies reports that came before these messages were handed over, or before their provider's ids were known.

    Call it after the commit that changed that. `lost`: the answers to some of them were.
    """
    if not ids:
        return Applied()
    async with db.transaction():
        if lost:
            await references.learn_early(db, RETRIED_AT_ONCE)
        popped = await early.pop(db, POP[table.name], ids)
        reports = [
            Report(
                stored.message_id,
                stored.route,
                None,
                stored.event["status"],
                stored.event["code"],
                stored.event["reason"],
                stored.at,
                stored.event.get("channel"),
                stored.entry.by_hook,
                stored.event.get("bounce", False),
            )
            for stored in popped
        ]
        applied = await apply(db, reports)
        if applied.unknown:  # queued again meanwhile: they stay early
            left = set(applied.unknown)
            await early.keep(
                db, [stored.entry for stored, report in zip(popped, reports, strict=True) if report in left]
            )
    return applied


async def retry_early(
    db: asyncpg.Connection, reports: Iterable[Report], owner_id: UUID | None = None
) -> Applied:
    """Runs `apply_early` for the messages of reports that were just kept."""
    applied, reports = Applied(), list(reports)
    if not reports:
        return applied
    ids = [id for report in reports if (id := report.message_id or as_uuid(report.provider_message_id))]
    numbers = [storable(report.provider_message_id) for report in reports if report.provider_message_id]
    for table in (PROJECTS, DIRECT):
        if matched := [row["id"] for row in await db.fetch(FIND[table.name], ids, numbers, owner_id)]:
            applied.add(await apply_early(db, table, matched))
    return applied


async def _block_bounced(db: asyncpg.Connection, failed: Iterable[Any], bounced: Collection[UUID]) -> None:
    """Blocks addresses that do not exist. The block of a failure that is no bounce ends if that failure was wrong."""
    hard = [row for row in failed if row["channel"] == "email" and row["failure_code"] in HARD_BOUNCES]
    if hard:
        await block_each(
            db,
            [(row["owner_id"], row["to"], BlockReason.hardBounce) for row in hard],
            failures=[None if row["id"] in bounced else row["id"] for row in hard],
        )


@every(60)
async def retry_recent(services: Services) -> None:
    """Applies early reports of the last minutes once more: a process may have ended between the commit that they waited
    for and its `apply_early`.
    """
    async with services.db.reading() as db:
        await references.learn_early(db, RETRIED_AT_ONCE)
        keys = await early.recent_keys(db, RETRIED_AT_ONCE)
        await retry_early(db, [Report(None, None, key, "sent") for key in keys])

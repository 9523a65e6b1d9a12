"""Stores the events that engines post to a user's hooks, in one transaction per request; each event counts once."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from db.session import Database
from engine.hooks import complaints, mail_events
from engine.hooks.bodies import Event
from engine.inbound import direct_replies, replies
from engine.mail_reports.recording import Rules
from engine.reports import event_keys, report_writer
from engine.reports.report import Report
from runtime.retry import despite_conflicts

_TRIES = 5

# The newest event counts. A deleted source account has no token any more, and no engine restores it.
_FOLLOW = """
WITH known AS (
  SELECT id FROM source_accounts WHERE owner_id = $1 AND source = $2 AND login = $3 ORDER BY id FOR NO KEY UPDATE
), changed AS (
  UPDATE source_accounts AS a SET status = $4, status_at = LEAST($5, now()), updated_at = now()
  FROM known WHERE a.id = known.id AND (a.status_at IS NULL OR a.status_at < LEAST($5, now()))
    AND a.token_encrypted <> ''
  RETURNING a.id
)
SELECT (SELECT count(*) FROM known) AS known, array(SELECT id FROM changed) AS changed
"""
_LOOK_AGAIN = """
UPDATE sending_projects SET resume_at = now() WHERE id IN (
  SELECT id FROM sending_projects
  WHERE owner_id = $1 AND status = 'paused' AND status_reason = 'no_sender_online' AND account_uuids && $2::uuid[]
  ORDER BY id FOR NO KEY UPDATE
)
"""


@dataclass(slots=True)
class Counts:
    """Counts the events that were accepted, were repeated, or were about an unknown message."""

    accepted: int = 0
    duplicates: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A new status of a sender identity."""

    key: str | None
    status: str  # one of SenderStatus
    source: str
    login: str
    at: datetime | None


async def receive(
    db: Database,
    owner_id: UUID,
    events: Sequence[Event | None],
    stop_words: Sequence[str],
    rules: Rules,
) -> Counts:
    """Applies the new events. An event about an unknown message is counted as `unknown`; a report of it is kept."""
    early: list[Report] = []

    async def work(connection: asyncpg.Connection) -> Counts:
        counts, applied = await _apply(connection, owner_id, events, stop_words, rules)
        early[:] = applied
        return counts

    counts = await _in_transaction(db, work)
    if early:  # the engine's commit may have come between the lookup and the keeping
        await _on_connection(db, lambda connection: report_writer.retry_early(connection, early, owner_id))
    return counts


async def _apply(
    db: asyncpg.Connection,
    owner_id: UUID,
    events: Sequence[Event | None],
    stop_words: Sequence[str],
    rules: Rules,
) -> tuple[Counts, list[Report]]:
    counts = Counts(unknown=sum(event is None for event in events))
    understood = [event for event in events if event is not None]
    new = await event_keys.store_new(db, owner_id, [event.key for event in understood if event.key])
    fresh: list[Event] = []
    for event in understood:
        if event.key is None or event.key in new:
            new.discard(event.key or "")
            fresh.append(event)
        else:
            counts.duplicates += 1
    mails, recorded = await mail_events.record(
        db, owner_id, [(event.mail, event.key) for event in fresh if event.mail], rules
    )
    reports = [event.report for event in fresh if event.report and event.mail not in mails]
    applied = await report_writer.receive(db, reports, owner_id)
    counts.unknown += len(applied.unknown)
    unheard: list[str | None] = []
    for event in fresh:
        if event.reply and not (
            await replies.receive(db, owner_id, event.reply, stop_words)
            or await direct_replies.receive(db, owner_id, event.reply)
        ):
            counts.unknown += 1
        if event.complaint and not await complaints.receive(db, owner_id, event.complaint):
            counts.unknown += 1
            unheard.append(event.key)
    if unheard:  # a complaint is not kept, so its repetition must count
        await event_keys.forget(db, owner_id, [key for key in unheard if key])
    counts.accepted = len(events) - counts.unknown - counts.duplicates
    return counts, [*applied.unknown, *recorded.waiting]


async def follow(db: Database, owner_id: UUID, change: Change) -> Counts:
    """Updates the source accounts of that login, unless a newer event was applied.

    Paused projects are checked again.
    """

    async def work(connection: asyncpg.Connection) -> Counts:
        if change.key and not await event_keys.store_new(connection, owner_id, [change.key]):
            return Counts(duplicates=1)
        row = await connection.fetchrow(
            _FOLLOW, owner_id, change.source, change.login, change.status, change.at
        )
        if row["changed"]:
            await look_again(connection, owner_id, row["changed"])
        return Counts(accepted=1) if row["known"] else Counts(unknown=1)

    return await _in_transaction(db, work)


async def look_again(db: asyncpg.Connection, owner_id: UUID, senders: Sequence[UUID]) -> None:
    """Resumes projects that waited for one of these senders, if it is connected."""
    await db.execute(_LOOK_AGAIN, owner_id, senders)


async def _in_transaction(db: Database, work: Callable[[asyncpg.Connection], Awaitable[Counts]]) -> Counts:
    """Runs the work in a transaction, again after a deadlock: an engine that gets an error may not repeat the event."""

    async def once() -> Counts:
        async with db.transaction() as connection:
            return await work(connection)

    return await despite_conflicts(once, _TRIES)


async def _on_connection(db: Database, work: Callable[[asyncpg.Connection], Awaitable[Any]]) -> None:
    async def once() -> None:
        async with db.reading() as connection:
            await work(connection)

    await despite_conflicts(once, _TRIES)

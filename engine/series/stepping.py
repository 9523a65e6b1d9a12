"""Begins the steps of series: a page of people whose time has come is decided about in one transaction.

Beginning a step is a recipient of the step's project and the entry's new `step`, written together: a worker that dies
between them has done neither. The rest is the project's: window, consent, blocks, money, limits, reports.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import uuid7
from db.address_keys import key_of
from engine import blocks
from engine.address_hashes import address_hasher
from engine.faultpoints import fault_point
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from engine.projects import batches
from engine.projects.audience import message_ids
from engine.projects.audience_contacts import VARIABLES
from engine.projects.series_gate import REPLIED
from engine.series import membership
from engine.series.decide import SOON, Decision, Delay, Progress, decide
from runtime.leases import JobLease
from runtime.services import Services
from shapes.series import DelayFrom, EntryState

PAGE: Final = 1000
_BUDGET_SECONDS: Final = 1.0  # seconds of work until others have their turn
_ENDED: Final = timedelta(minutes=1)  # after the last step: then its message may have been sent

_WAITING: Final = """
SELECT s.owner_id, s.id FROM series AS s JOIN users AS u ON u.id = s.owner_id AND u.status = 'active'
WHERE s.status = 'running' AND EXISTS (
  SELECT FROM series_entries AS e WHERE e.series_id = s.id AND e.due_at IS NOT NULL AND e.due_at <= now())
UNION ALL
SELECT s.owner_id, s.id FROM series AS s WHERE s.status = 'archived' AND EXISTS (
  SELECT FROM series_entries AS e WHERE e.series_id = s.id AND e.state = 'waiting')
"""
_SERIES: Final = """
SELECT s.id, s.owner_id, s.status, s.category, s.topic_id, s.segment_id, s.channel, s.steps, s.project_ids,
  s.stop_on_reply, s.stop_on_leave, s.conditions, s.max_entries, s.begun, t.max_recipients_per_project AS most_of_tariff
FROM series AS s JOIN users AS u ON u.id = s.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE s.id = $1 AND s.status IN ('running', 'archived') FOR NO KEY UPDATE OF s
"""
# Entries that a withdrawal has locked wait for the next round.
_DUE: Final = """
SELECT id, contact_id, step, entered_at, begun_at, recipient_id FROM series_entries
WHERE series_id = $1 AND due_at IS NOT NULL AND due_at <= now() ORDER BY due_at, id LIMIT $2
FOR NO KEY UPDATE SKIP LOCKED
"""
_ADDRESS: Final = """
  SELECT address, address_key FROM contact_addresses WHERE contact_id = {contact} AND channel = {channel}
  ORDER BY "primary" DESC, id LIMIT 1
"""
_PROGRESS: Final = f"""
SELECT n.id, n.contact_id, n.channel, a.address AS "to", a.address_key,
  CASE WHEN m.id IS NOT NULL THEN m.status END AS status, COALESCE(m.sent_at, m.handed_at) AS sent_at,
  $6::uuid IS NULL OR EXISTS (
    SELECT FROM topic_subscriptions AS t WHERE t.contact_id = n.contact_id AND t.topic_id = $6
      AND t.channel = $7 AND t.state = 'active' OFFSET 0) AS subscribed,
  $6::uuid IS NULL OR EXISTS (
    SELECT FROM topic_subscriptions AS t WHERE t.contact_id = n.contact_id AND t.topic_id = $6
      AND t.channel = n.channel AND t.state = 'active' OFFSET 0) AS agreed,
  $8 AND {REPLIED.format(contact="n.contact_id", since="n.entered_at")} AS replied,
  CASE WHEN a.address IS NOT NULL AND {
    blocks.IS_BLOCKED_SINGLY.format(owner="$9::uuid", key=key_of("a.address"), category="$10")
} THEN 'blocked' END AS blocked
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[])
  AS n (id, contact_id, channel, entered_at, message_id)
LEFT JOIN message_records AS m ON m.id = n.message_id
LEFT JOIN LATERAL ({_ADDRESS.format(contact="n.contact_id", channel="n.channel")}) AS a ON true
"""  # noqa: S608  our own conditions
_ADD: Final = f"""
INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone, contact_id)
SELECT n.id, $1, n.address, n.key, NULLIF(c.name, ''), {VARIABLES}, c.timezone, c.id
FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS n (id, contact_id, address, key, place)
JOIN contacts AS c ON c.id = n.contact_id ORDER BY n.place
ON CONFLICT DO NOTHING RETURNING id
"""  # noqa: S608  our own expression
_STORE: Final = """
UPDATE series_entries AS e SET state = n.state, stop_reason = n.reason, step = n.step, due_at = n.due_at,
  begun_at = CASE WHEN n.step > e.step THEN now() ELSE e.begun_at END,
  recipient_id = CASE WHEN n.step > e.step THEN n.recipient_id ELSE e.recipient_id END,
  ended_at = CASE WHEN n.state <> 'waiting' THEN now() END, updated_at = now()
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::timestamptz[], $6::uuid[])
  AS n (id, state, reason, step, due_at, recipient_id)
WHERE e.id = n.id
"""
# As the materializing of recipients does, which must not pass recipients that are not committed yet.
_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended('prepare:' || $1, 0))"
_PREPARE: Final = """
UPDATE sending_projects SET preparation = COALESCE(preparation, 'freeze'), updated_at = now()
WHERE id = $1 AND status IN ('running', 'paused') RETURNING id
"""
_COUNT: Final = "UPDATE series SET begun = begun + $2 WHERE id = $1"
_FULL: Final = """
UPDATE series SET status = 'paused', status_reason = 'full', updated_at = now() WHERE id = $1
"""
_END_ARCHIVED: Final = f"""
UPDATE series_entries SET state = 'stopped', stop_reason = 'archived', due_at = NULL, ended_at = now(),
  updated_at = now()
WHERE id IN (SELECT id FROM series_entries WHERE series_id = $1 AND state = 'waiting' LIMIT {5 * PAGE}
  FOR NO KEY UPDATE SKIP LOCKED)
"""  # noqa: S608  our own number
_UNDER_WAY: Final = frozenset({"queued", "sending"})


@dataclass(slots=True)
class _Move:
    """The next row of an entry."""

    entry: Any
    decision: Decision
    address: tuple[str, str | None] | None = None  # of the step that begins; None: it has no message
    recipient: UUID | None = None


@fairly(JobName.step_series, "preparing", waiting=_WAITING, share=2)
async def step(services: Services, series: UUID, lease: JobLease) -> None:
    """Goes on after the last page, for a second."""
    until = time.monotonic() + _BUDGET_SECONDS
    while not services.stopping.is_set() and lease.valid:
        async with services.db.transaction() as db:
            done = await _step_page(services, db, series)
            fault_point("series.stepped")
        fault_point("series.committed")
        change_events.emit()
        if done or time.monotonic() > until:
            return


async def _step_page(services: Services, db: asyncpg.Connection, id: UUID) -> bool:
    """Decides about one page of people. Returns whether no further one waits."""
    series = await db.fetchrow(_SERIES, id)
    if series is None:
        return True
    if series["status"] == "archived":
        return bool(await db.execute(_END_ARCHIVED, id) == "UPDATE 0")
    entries = await db.fetch(_DUE, id, PAGE)
    if not entries:
        return True
    now = await db.fetchval("SELECT now()")
    delays = [Delay(each["delay"], DelayFrom(each["after"])) for each in series["steps"]]
    moves = await _decided(services, db, series, entries, delays, now)
    begun = await _begin(db, series, [move for move in moves if move.decision == Decision()])
    fault_point("series.begun")
    left = {move.entry["id"] for move in moves if move.decision == Decision()} - begun
    await _store(db, [move for move in moves if move.entry["id"] not in left], delays, now)
    if left:
        await db.execute(_FULL, id)
        return True
    return len(entries) < PAGE


async def _decided(
    services: Services,
    db: asyncpg.Connection,
    series: Any,
    entries: Sequence[Any],
    delays: list[Delay],
    now: datetime,
) -> list[_Move]:
    last = len(delays)
    rows = await db.fetch(
        _PROGRESS,
        [entry["id"] for entry in entries],
        [entry["contact_id"] for entry in entries],
        [series["steps"][min(entry["step"], last - 1)]["channel"] for entry in entries],
        [entry["entered_at"] for entry in entries],
        [_message_of(series, entry) for entry in entries],
        series["topic_id"],
        series["channel"],
        series["stop_on_reply"],
        series["owner_id"],
        series["category"],
    )
    reached = [row for row in rows if row["to"] is not None]
    hasher = await address_hasher(services)
    reached = await batches.without_erased(db, hasher, series["owner_id"], reached, series["category"])
    by_entry = {row["id"]: row for row in rows} | {row["id"]: row for row in reached}
    stays = await membership.members(db, series, [entry["contact_id"] for entry in entries])
    moves = []
    for entry in entries:
        row = by_entry[entry["id"]]
        under_way = row["status"] in _UNDER_WAY or (
            entry["recipient_id"] is not None and row["status"] is None
        )
        decision = decide(
            Progress(
                entry["step"],
                entry["entered_at"],
                entry["begun_at"],
                row["sent_at"],
                is_under_way=under_way,
                is_subscribed=row["subscribed"],
                has_replied=row["replied"],
                has_left=stays is not None and entry["contact_id"] not in stays,
                is_blocked=row["blocked"] is not None,
            ),
            delays,
            now,
        )
        has_message = row["to"] is not None and row["agreed"]
        moves.append(_Move(entry, decision, (row["to"], row["address_key"]) if has_message else None))
    return moves


def _message_of(series: Any, entry: Any) -> UUID | None:
    """Returns the id of the message of the newest step; None: it has none."""
    if entry["recipient_id"] is None or entry["step"] == 0:
        return None
    return message_ids(series["project_ids"][entry["step"] - 1], [entry["recipient_id"]])[0]


async def _begin(db: asyncpg.Connection, series: Any, moves: Sequence[_Move]) -> set[UUID]:
    """Adds the recipients of steps that begin. Returns the entries whose step has begun: of the others the series has
    as many people as it may have.
    """
    begun = set[UUID]()
    by_step: dict[int, list[_Move]] = {}
    for move in moves:
        by_step.setdefault(move.entry["step"], []).append(move)
    projects: Mapping[int, UUID] = {number: series["project_ids"][number] for number in by_step}
    for project in sorted(projects.values()):
        await db.execute(_ALONE, str(project))
    for number, of_step in sorted(by_step.items()):
        chosen = of_step if number > 0 else of_step[: _room(series)]
        if number == 0:
            await db.execute(_COUNT, series["id"], len(chosen))
        begun |= {move.entry["id"] for move in chosen}
        added = [(uuid7(), move) for move in chosen if move.address is not None]
        if not added:
            continue
        ids = {
            row["id"]
            for row in await db.fetch(
                _ADD,
                projects[number],
                [id for id, _ in added],
                [move.entry["contact_id"] for _, move in added],
                [move.address[0] for _, move in added if move.address],
                [move.address[1] for _, move in added if move.address],
            )
        }
        for id, move in added:
            move.recipient = id if id in ids else None  # another contact has the same address
        if ids and await db.fetchval(_PREPARE, projects[number]) is not None:
            await enqueue(db, JobName.prepare_project, projects[number])
            change_events.project(series["owner_id"], projects[number])
    return begun


def _room(series: Any) -> int:
    """Returns how many more people may begin the series."""
    limits = [limit for limit in (series["max_entries"], series["most_of_tariff"]) if limit is not None]
    return max(int(min(limits)) - int(series["begun"]), 0)


async def _store(
    db: asyncpg.Connection, moves: Sequence[_Move], delays: Sequence[Delay], now: datetime
) -> None:
    rows: list[tuple[UUID, str, str | None, int, datetime | None, UUID | None]] = []
    for move in moves:
        entry, decision = move.entry, move.decision
        if decision.stop is not None:
            rows.append(
                (entry["id"], EntryState.stopped.value, decision.stop.value, entry["step"], None, None)
            )
        elif decision.finished:
            rows.append((entry["id"], EntryState.finished.value, None, entry["step"], None, None))
        elif decision.waits_until is not None:
            due_at: datetime | None = decision.waits_until
            rows.append((entry["id"], EntryState.waiting.value, None, entry["step"], due_at, None))
        else:
            number = entry["step"] + 1
            due_at = now + _ENDED
            if number < len(delays):
                due_at = max(delays[number].ends_at(entry["entered_at"], now), now + SOON)
            rows.append((entry["id"], EntryState.waiting.value, None, number, due_at, move.recipient))
    if rows:
        await db.execute(_STORE, *map(list, zip(*rows, strict=True)))

"""Makes the recipients of a project that follows another one: those whom the messages of that project did not reach.

    begin ── follow_due_at ──► follow: pages of messages of the followed project, each a transaction
              reached, or the person's own decision ──► nothing
              failed, or `within` is over           ──► a recipient here, whose message is made as any other
              else                                  ──► looked at again in the next round
    the followed project is over, and no message waits ──► closed: the project may finish

`follow_settled_to` is the last message before the first that waits, so a round begins there. A message that is
followed is named by its recipient (`follows_message_id`), so a page that is read twice adds nobody twice.
"""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import uuid7
from engine import blocks
from engine.faultpoints import fault_point
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from engine.projects import progress
from engine.projects.followed import addressed
from engine.tariffs import recipients_beyond
from runtime.leases import JobLease
from runtime.services import Services
from shapes.addresses import stored_key
from shapes.pauses import PauseReason

PAGE = 5000
SUPERSEDED: Final = "superseded"
"""The code of a message that is not sent, because the message that it follows has arrived meanwhile."""
SUPERSEDED_REASON: Final = "The message of the project that this one follows has reached its recipient."
_BUDGET_SECONDS: Final = 1.0  # seconds of work until others have their turn
_ROUND_SECONDS: Final = 5.0  # between two rounds, and a second more for every `_A_SECOND` messages of a round
_A_SECOND: Final = 20_000
_LONGEST_PAUSE: Final = 60.0

_REACHED: Final = """(m.replied_at IS NOT NULL OR m.complained_at IS NOT NULL
  OR m.status IN ('sent', 'delivered', 'read') AND CASE {until} WHEN 'accepted' THEN true
    WHEN 'delivered' THEN m.status <> 'sent' ELSE m.status = 'read' END)"""
"""The SQL condition under which a message `m` has reached its recipient; `until` is an expression."""

# A person who has withdrawn, or whom a block protects, is not written to by another channel instead. An address that
# does not exist says nothing about the person.
_DECIDED: Final = f"""(m.failure_code IN ('not_subscribed', 'changed_after_plan', '{SUPERSEDED}')
  OR m.failure_code = 'blocked' AND m.failure_reason IS DISTINCT FROM 'The address is blocked (hardBounce).')"""
_STATE: Final = f"""CASE
  WHEN m.status IN ('queued', 'sending') THEN 'waits'
  WHEN m.status = 'canceled' OR m."to" = '{blocks.ERASED}' OR {_REACHED.format(until="$3")} THEN 'over'
  WHEN m.status = 'skipped' AND {_DECIDED} THEN 'over'
  WHEN m.status IN ('failed', 'skipped') THEN 'due'
  WHEN COALESCE(m.sent_at, m.handed_at, m.queued_at) + $4 <= now() THEN 'due' ELSE 'waits' END"""
_MESSAGES: Final = f"""
SELECT m.id, m.seq, {_STATE} AS state FROM message_records AS m
WHERE m.project_id = $1 AND m.seq > $2 AND m.direction = 'outbound' ORDER BY m.seq LIMIT $5
"""  # noqa: S608  our own conditions
_DUE: Final = """
SELECT m.id AS message_id, m."to" AS address, r.name, r.variables, r.timezone, r.contact_id
FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id
WHERE m.id = ANY($2) AND NOT EXISTS (
  SELECT FROM recipients AS x WHERE x.project_id = $1 AND x.follows_message_id = m.id)
ORDER BY m.seq
"""
_ADD: Final = """
INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone, contact_id, follows_message_id)
SELECT n.id, $1, n.address, n.key, r.name, r.variables, r.timezone, r.contact_id, n.message
FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS n (id, message, address, key, place)
JOIN message_records AS m ON m.id = n.message JOIN recipients AS r ON r.id = m.recipient_id ORDER BY n.place
ON CONFLICT DO NOTHING
"""
# As the materializing of recipients does, which must not pass recipients that are not committed yet.
_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended('prepare:' || $1, 0))"
_PROJECT: Final = """
SELECT p.id, p.owner_id, p.channel, p.status, p.follows_uuid, p.audience -> 'follows' AS rule, p.follow_read_to,
  p.follow_settled_to, t.max_recipients_per_project AS most,
  (SELECT l.at_most_recipients FROM project_plans AS l WHERE l.id = p.plan_id) AS at_most,
  f.channel AS followed_channel, COALESCE(f.status IN ('finished', 'deleted'), true) AS is_over
FROM sending_projects AS p JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN sending_projects AS f ON f.id = p.follows_uuid
WHERE p.id = $1 AND p.follow_due_at <= now() AND p.status IN ('running', 'paused') FOR NO KEY UPDATE OF p
"""
_MOVE: Final = """
UPDATE sending_projects SET follow_read_to = $2, follow_settled_to = $3, follow_due_at = now() + $4, updated_at = now(),
  preparation = CASE WHEN $5 THEN COALESCE(preparation, 'freeze') ELSE preparation END
WHERE id = $1
"""
_CLOSE: Final = """
UPDATE sending_projects SET follow_due_at = NULL, audience_read_at = now(), updated_at = now(),
  preparation = CASE WHEN $2 THEN COALESCE(preparation, 'freeze') ELSE preparation END
WHERE id = $1
"""
_TOO_MANY: Final = """
UPDATE sending_projects SET status = 'paused', status_reason = $2, resume_at = NULL, updated_at = now(),
  recipients_error = $3
WHERE id = $1
"""
_WAITING: Final = """
SELECT owner_id, id FROM sending_projects WHERE follow_due_at <= now() AND (status = 'running'
  OR status = 'paused' AND status_reason NOT IN ('over_approved', 'recipients_failed'))
"""
_BEGIN: Final = """
UPDATE sending_projects SET follow_due_at = now(), follow_read_to = follow_settled_to
WHERE id = $1 AND follows_uuid IS NOT NULL AND audience_read_at IS NULL RETURNING id
"""
_ARRIVED: Final = f"""
SELECT n.id FROM message_records AS n JOIN recipients AS r ON r.id = n.recipient_id
JOIN message_records AS m ON m.id = r.follows_message_id
WHERE n.id = ANY($1) AND (m."to" = '{blocks.ERASED}' OR {_REACHED.format(until="$2")})
"""  # noqa: S608  our own condition


async def begin(connection: Any, id: UUID) -> None:
    """Leaves the reading of the followed project's messages to a worker, in the transaction that starts the project."""
    if await connection.fetchval(_BEGIN, id) is not None:
        await enqueue(connection, JobName.follow_project, id)


async def arrived(db: Any, messages: Sequence[UUID], rule: Any) -> set[UUID]:
    """Returns which of these messages of a project follow messages that have reached their recipients meanwhile."""
    return {row["id"] for row in await db.fetch(_ARRIVED, messages, rule["until"])}


@fairly(JobName.follow_project, "preparing", waiting=_WAITING)
async def follow(services: Services, project: UUID, lease: JobLease) -> None:
    """Goes on after the last page, for a second."""
    until = time.monotonic() + _BUDGET_SECONDS
    while not services.stopping.is_set() and lease.valid:
        async with services.db.transaction() as db:
            await db.execute(_ALONE, str(project))
            done = await _follow_page(services, db, project)
        fault_point("followed")
        change_events.emit()
        if done:
            await progress.finish(services.db, project)
            return
        if time.monotonic() > until:
            return


async def _follow_page(services: Services, db: asyncpg.Connection, id: UUID) -> bool:
    """Follows one page of messages. Returns whether the round is over."""
    project = await db.fetchrow(_PROJECT, id)
    if project is None:
        return True  # the next start goes on with it
    change_events.project(project["owner_id"], id)
    rule, read_to, settled_to = project["rule"], project["follow_read_to"], project["follow_settled_to"]
    within = timedelta(seconds=rule["within"])
    rows = await db.fetch(_MESSAGES, project["follows_uuid"], read_to, rule["until"], within, PAGE)
    due = [row["id"] for row in rows if row["state"] == "due"]
    more = False
    if due:
        followed = await db.fetch(_DUE, id, due)
        spelled = await addressed(
            db, services.settings.default_region, project["channel"], project["followed_channel"], followed
        )
        if await _are_too_many(db, project, len(spelled)):
            return True
        messages, addresses = [row["message_id"] for row, _ in spelled], [to for _, to in spelled]
        ids, keys = [uuid7() for _ in spelled], [stored_key(to) for to in addresses]
        more = await db.execute(_ADD, id, ids, messages, addresses, keys) != "INSERT 0 0"
    if settled_to == read_to:  # no message before this page waits
        waits = next((index for index, row in enumerate(rows) if row["state"] == "waits"), len(rows))
        settled_to = rows[waits - 1]["seq"] if waits else settled_to
    read_to = rows[-1]["seq"] if rows else read_to
    is_last = len(rows) < PAGE
    if is_last and project["is_over"] and settled_to == read_to:
        await db.execute(_CLOSE, id, more)
    else:
        pause = min(_ROUND_SECONDS + (read_to - settled_to) / _A_SECOND, _LONGEST_PAUSE) if is_last else 0.0
        await db.execute(
            _MOVE, id, settled_to if is_last else read_to, settled_to, timedelta(seconds=pause), more
        )
    if more:
        await enqueue(db, JobName.prepare_project, id)
    return is_last


async def _are_too_many(db: asyncpg.Connection, project: Any, count: int) -> bool:
    """Returns whether the project would have more recipients than its plan or the tariff allows; then it is paused."""
    limits = [limit for limit in (project["at_most"], project["most"]) if limit is not None]
    there = await recipients_beyond(db, project["id"], count, min(limits))
    if there is None:
        return False
    if project["at_most"] is not None and there + count > project["at_most"]:
        await db.execute(_TOO_MANY, project["id"], PauseReason.over_approved.value, None)
        return True
    error = f"Your tariff allows {project['most']} recipients a project, and its audience has more."
    await db.execute(_TOO_MANY, project["id"], PauseReason.recipients_failed.value, error)
    return True

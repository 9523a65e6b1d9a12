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
from core.errors import BadRequest, Conflict
from core.ids import uuid7
from db.address_keys import key_of
from engine.address_hashes import address_hasher
from engine.faultpoints import fault_point
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from engine.projects import batches, progress
from engine.projects.follow_states import ARRIVED, BLOCKED, ENDED, STATE
from engine.projects.followed import addressed, require_reported
from engine.tariffs import recipients_beyond
from runtime.leases import JobLease
from runtime.services import Services
from shapes.addresses import address_key, stored_key
from shapes.pauses import PauseReason

PAGE = 5000
SUPERSEDED_REASON: Final = "The message of the project that this one follows has reached its recipient."
_BUDGET_SECONDS: Final = 1.0  # seconds of work until others have their turn
_ROUND_SECONDS: Final = 5.0  # between two rounds, and a second more for every `_A_SECOND` messages of a round
_A_SECOND: Final = 20_000
_A_TRY: Final = 10  # messages whose reading takes as long as one whose recipient has no address
_LONGEST_PAUSE: Final = 300.0

_MESSAGES: Final = f"""
SELECT m.id, m.seq, {STATE.format(until="$3", within="$4")} AS state FROM message_records AS m
WHERE m.project_id = $1 AND m.seq > $2 AND m.direction = 'outbound' ORDER BY m.seq LIMIT $5
"""  # noqa: S608  our own conditions
_DUE: Final = f"""
SELECT m.id, m."to", m."to" AS address, m.status, r.name, r.variables, r.timezone, r.contact_id
FROM message_records AS m JOIN recipients AS r ON r.id = m.recipient_id
WHERE m.id = ANY($2) AND NOT {BLOCKED.format(category="$3")} AND NOT EXISTS (
  SELECT FROM recipients AS x WHERE x.project_id = $1 AND x.follows_message_id = m.id)
ORDER BY m.seq
"""  # noqa: S608  our own conditions
# Two people may have one address. The recipient names the message that will hardly arrive any more.
_ADD: Final = f"""
INSERT INTO recipients AS there (id, project_id, address, address_key, name, variables, timezone, contact_id,
  follows_message_id)
SELECT n.id, $1, n.address, n.key, r.name, r.variables, r.timezone, r.contact_id, n.message
FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS n (id, message, address, key, place)
JOIN message_records AS m ON m.id = n.message JOIN recipients AS r ON r.id = m.recipient_id ORDER BY n.place
ON CONFLICT (project_id, {key_of("address")}) DO UPDATE SET follows_message_id = excluded.follows_message_id
WHERE there.follows_message_id IS NOT NULL
  AND EXISTS (SELECT FROM message_records WHERE id = excluded.follows_message_id AND status = 'failed')
  AND NOT EXISTS (SELECT FROM message_records WHERE id = there.follows_message_id AND status = 'failed')
"""  # noqa: S608  our own expression
# As the materializing of recipients does, which must not pass recipients that are not committed yet.
_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended('prepare:' || $1, 0))"
_PROJECT: Final = """
SELECT p.id, p.owner_id, p.channel, p.category, p.status, p.follows_uuid, p.audience -> 'follows' AS rule,
  p.follow_read_to, p.follow_settled_to, p.follow_looked, t.max_recipients_per_project AS most,
  (SELECT l.at_most_recipients FROM project_plans AS l WHERE l.id = p.plan_id) AS at_most,
  f.channel AS followed_channel, COALESCE(f.status IN ('finished', 'deleted'), true) AS is_over
FROM sending_projects AS p JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
LEFT JOIN sending_projects AS f ON f.id = p.follows_uuid
WHERE p.id = $1 AND p.follow_due_at <= now() AND p.status IN ('running', 'paused') FOR NO KEY UPDATE OF p
"""
_MOVE: Final = """
UPDATE sending_projects SET follow_read_to = $2, follow_settled_to = $3, follow_looked = $4,
  follow_due_at = now() + $5, updated_at = now(),
  preparation = CASE WHEN $6 THEN COALESCE(preparation, 'freeze') ELSE preparation END
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
# The messages before a message in its chain, each with the state by which the next project follows it.
_OVERTAKEN: Final = f"""
WITH RECURSIVE before (id, message, until) AS (
  SELECT n.id, r.follows_message_id, p.audience -> 'follows' ->> 'until' FROM message_records AS n
  JOIN recipients AS r ON r.id = n.recipient_id JOIN sending_projects AS p ON p.id = n.project_id
  WHERE n.id = ANY($1) AND r.follows_message_id IS NOT NULL
  UNION ALL
  SELECT b.id, r.follows_message_id, p.audience -> 'follows' ->> 'until' FROM before AS b
  JOIN message_records AS n ON n.id = b.message JOIN recipients AS r ON r.id = n.recipient_id
  JOIN sending_projects AS p ON p.id = n.project_id WHERE r.follows_message_id IS NOT NULL
)
SELECT b.id FROM before AS b JOIN message_records AS m ON m.id = b.message
WHERE {ENDED} OR {ARRIVED.format(until="b.until")} OR {BLOCKED.format(category="$2")}
UNION SELECT n.id FROM message_records AS n WHERE n.id = ANY($1)
  AND NOT EXISTS (SELECT FROM recipients AS r WHERE r.id = n.recipient_id)
"""  # noqa: S608  our own conditions
# The projects that a project follows, the nearest first.
_CHAIN: Final = """
WITH RECURSIVE followed (id, place) AS (
  SELECT follows_uuid, 1 FROM sending_projects WHERE id = $1
  UNION ALL
  SELECT p.follows_uuid, f.place + 1 FROM followed AS f JOIN sending_projects AS p ON p.id = f.id WHERE f.place < 10
)
SELECT p.id, p.channel, p.status, p.audience, p.messages_deleted_at, p.recipients_pending > 0
  OR EXISTS (SELECT FROM recipient_additions WHERE project_id = p.id) AS is_pending
FROM followed AS f JOIN sending_projects AS p ON p.id = f.id ORDER BY f.place
"""
_LOCK: Final = "SELECT FROM sending_projects WHERE id = $1 FOR SHARE"
_IS_FOLLOWED: Final = """
SELECT EXISTS (
  SELECT FROM sending_projects WHERE follows_uuid = $1 AND status IN ('scheduled', 'running', 'paused'))
"""
_AGAIN: Final = """
UPDATE sending_projects SET follow_read_to = 0, follow_settled_to = 0
WHERE follows_uuid = $1 AND follow_due_at IS NOT NULL
"""


async def admit(services: Services, connection: Any, project: Any) -> None:
    """Checks that a project may begin to follow: what it follows has begun, so that its recipients are decided on.

    `project`: id, category, audience and follows_uuid. The followed project stays locked until the commit.
    Raises Conflict (`followed_is_draft`, `still_copying`, `messages_deleted`), BadRequest (`bad_chain`, `no_topic`).
    """
    await connection.execute(_LOCK, project["follows_uuid"])
    chain = await connection.fetch(_CHAIN, project["id"])
    first = chain[0] if chain else None
    if first is None or first["status"] in ("draft", "deleted"):
        raise Conflict(
            "The project that this one follows is not started. Start or schedule that one first, since it decides who"
            " the recipients are.",
            code="followed_is_draft",
        )
    if first["messages_deleted_at"] is not None:
        raise Conflict(
            "The messages of the project that this one follows were deleted, because this installation keeps them no"
            " longer.",
            code="messages_deleted",
        )
    if first["is_pending"]:
        raise Conflict(
            "Recipients are still being added to the project that this one follows. Start this one when the"
            " recipientsPending of that one is 0.",
            code="still_copying",
        )
    require_reported(services.routes, first["channel"], project["audience"]["follows"]["until"])
    contacts = any(
        row["audience"] and (row["audience"]["topicUuids"] or row["audience"].get("segmentUuids"))
        for row in chain
    )
    if project["category"] == "promotional" and contacts and not project["audience"]["topicUuids"]:
        raise BadRequest(
            "A promotional project that follows one for contacts needs a topic in its audience, because that is what"
            " people have agreed to. Add topicUuids with PATCH.",
            code="no_topic",
        )


async def require_unfollowed(connection: Any, project: UUID) -> None:
    """Raises Conflict (`is_followed`) if a project that has begun follows this one: its recipients, and who may decide
    about them, were decided on by what this one is. The caller has locked the project.
    """
    if await connection.fetchval(_IS_FOLLOWED, project):
        raise Conflict(
            "A project that is scheduled, running or paused follows this one, and goes to its recipients. Stop that one"
            " first.",
            code="is_followed",
        )


async def read_again(connection: Any, project: UUID) -> None:
    """Has the messages of a project that is retried read again by those that follow it, in the caller's transaction."""
    await connection.execute(_AGAIN, project)


async def begin(connection: Any, id: UUID) -> None:
    """Leaves the reading of the followed project's messages to a worker, in the transaction that starts the project."""
    if await connection.fetchval(_BEGIN, id) is not None:
        await enqueue(connection, JobName.follow_project, id)


async def overtaken(db: Any, messages: Sequence[UUID], category: str) -> set[UUID]:
    """Returns which of these messages of a project need not be sent, or must not: a message before them in their chain
    has reached its recipient meanwhile, or the recipient has decided against messages of this category.
    """
    return {row["id"] for row in await db.fetch(_OVERTAKEN, messages, category)}


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
    more, looked = False, project["follow_looked"] + len(rows)
    if due:
        chosen, tried = await _choose(services, db, project, due)
        if chosen and await _are_too_many(db, project, len(chosen)):
            return True
        looked += _A_TRY * (tried - len(chosen))  # they are tried again in each round
        ids = [uuid7() for _ in chosen]
        messages, to = [row["id"] for row, _ in chosen], [address for _, address in chosen]
        keys = [stored_key(address) for address in to]
        more = bool(chosen) and await db.execute(_ADD, id, ids, messages, to, keys) != "INSERT 0 0"
    if settled_to == read_to:  # no message before this page waits
        waits = next((index for index, row in enumerate(rows) if row["state"] == "waits"), len(rows))
        settled_to = rows[waits - 1]["seq"] if waits else settled_to
    read_to = rows[-1]["seq"] if rows else read_to
    is_last = len(rows) < PAGE
    if is_last and project["is_over"] and settled_to == read_to:
        await db.execute(_CLOSE, id, more)
    else:
        pause = timedelta(seconds=min(_ROUND_SECONDS + looked / _A_SECOND, _LONGEST_PAUSE) if is_last else 0)
        begins_at = settled_to if is_last else read_to
        await db.execute(_MOVE, id, begins_at, settled_to, 0 if is_last else looked, pause, more)
    if more:
        await enqueue(db, JobName.prepare_project, id)
    return is_last


async def _choose(
    services: Services, db: asyncpg.Connection, project: Any, messages: Sequence[UUID]
) -> tuple[list[tuple[Any, str]], int]:
    """Returns which of the messages are followed, with the address of each recipient, and how many were tried."""
    rows = await db.fetch(_DUE, project["id"], messages, project["category"])
    hasher = await address_hasher(services)
    rows = [
        row
        for row in await batches.without_erased(db, hasher, project["owner_id"], rows, project["category"])
        if row.get("blocked") is None
    ]
    region, channels = services.settings.default_region, (project["channel"], project["followed_channel"])
    chosen: dict[str, tuple[Any, str]] = {}
    for row, address in await addressed(db, region, *channels, rows):
        key = address_key(address)
        if key not in chosen or row["status"] == "failed":
            chosen[key] = row, address
    return [*chosen.values()], len(rows)


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

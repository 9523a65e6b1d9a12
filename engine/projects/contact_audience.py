"""Makes the recipients of a project whose audience are contacts: the subscribers of topics, and those in segments.

    begin ── recipients_pending, a job ──► read: pages of contacts, each a transaction that moves `audience_to`
                                             └─ after the last one the messages are made, as of any other project

It is read once, at the first start: who subscribes later is not in it, and who withdraws later is skipped, since the
statement that records the intent to send asks again (`CONSENTS`). The conditions of the segments are stored at the
start, with its time, so that all pages ask the same.
"""

import time
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import asyncpg

from core import change_events
from core.errors import BadRequest
from core.ids import milliseconds
from engine.faultpoints import fault_point
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from engine.projects.audience_contacts import NOBODY, READ, SAMPLE, SIZE, TAGS, Audience, Reach
from runtime.leases import JobLease
from runtime.services import Services

PAGE = 5000
_FEWEST = 50  # contacts of a page whose segments take long
_BUDGET_SECONDS = 1.0  # seconds of work until others have their turn

CONSENTS = """({topics}::uuid[] IS NULL OR EXISTS (
    SELECT FROM topic_subscriptions AS s
    WHERE s.contact_id = (
        SELECT COALESCE((SELECT g.contact_id FROM contact_merges AS g WHERE g.id = r.contact_id), r.contact_id)
        FROM recipients AS r WHERE r.id = {recipient})
      AND s.topic_id = ANY({topics}::uuid[]) AND s.channel = {channel} AND s.state = 'active'
    OFFSET 0
  ))"""
"""The condition under which a recipient is subscribed to one of the topics; without topics it holds for everybody.

A contact that was merged into another one since has the subscriptions of that one. The contact is a subquery and not
joined: while PostgreSQL has no statistics of a topic that was just filled, it joins by reading all of its subscriptions
for each message. OFFSET 0 keeps it from reading all subscriptions into a table of its own for a few messages.
"""

CODE = "not_subscribed"
REASON = "The recipient is not subscribed to a topic of this project any more."

_FILTERS = """(
  SELECT COALESCE(jsonb_agg(s.filter ORDER BY s.id), '[]') FROM segments AS s
  WHERE s.owner_id = {owner} AND s.id::text IN (SELECT jsonb_array_elements_text({audience} -> '{name}'))
)"""
_ASKED = f"""jsonb_build_object('at', now(),
  'segments', {_FILTERS.format(owner="{owner}", audience="{audience}", name="segmentUuids")},
  'except', {_FILTERS.format(owner="{owner}", audience="{audience}", name="exceptSegmentUuids")})"""
_NOW = f"SELECT {_ASKED.format(owner='$1', audience='$2::jsonb')}"
_PROJECT = """
SELECT id, owner_id, status, channel, audience, audience_segments, audience_to, (
    SELECT l.created_at FROM project_plans AS l
    WHERE l.id = p.plan_id AND l.document #> '{content,audience,fields}' <> '[]'
  ) AS planned_at
FROM sending_projects AS p WHERE id = $1 AND audience IS NOT NULL AND follows_uuid IS NULL AND audience_read_at IS NULL
FOR NO KEY UPDATE
"""
_WAITING = """
SELECT owner_id, id FROM sending_projects WHERE preparation IS NOT NULL AND status IN ('running', 'paused')
  AND audience IS NOT NULL AND follows_uuid IS NULL AND audience_read_at IS NULL
  AND status_reason IS DISTINCT FROM 'recipients_failed'
"""
# The worker counts them: a million take seconds, for which the rows of the project and its owner would be locked.
_EXPECT = f"""
UPDATE sending_projects AS p SET recipients_pending = 1, audience_segments = CASE
    WHEN started_at IS NOT NULL THEN audience_segments
    WHEN audience -> 'segmentUuids' <> '[]' OR audience -> 'exceptSegmentUuids' <> '[]'
    THEN {_ASKED.format(owner="p.owner_id", audience="p.audience")} END
WHERE id = $1 AND audience IS NOT NULL AND follows_uuid IS NULL AND audience_read_at IS NULL RETURNING id
"""  # noqa: S608  our own words
_UNCOUNTED = """
SELECT p.owner_id, p.channel, p.audience, p.audience_segments, p.audience_to, t.max_recipients_per_project AS most
FROM sending_projects AS p JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.id = $1 AND p.audience_read_at IS NULL AND p.recipients_pending = 1 AND p.status IN ('running', 'paused')
"""
_BEING_READ = "audience_read_at IS NULL AND recipients_pending > 0 AND status IN ('running', 'paused')"
_COUNTED = f"""
UPDATE sending_projects SET recipients_pending = $2, updated_at = now()
WHERE id = $1 AND {_BEING_READ} RETURNING owner_id
"""  # noqa: S608  our own condition
_FAILED = f"""
UPDATE sending_projects SET status = 'paused', status_reason = 'recipients_failed', resume_at = NULL,
  recipients_error = $2, recipients_pending = 0, updated_at = now()
WHERE id = $1 AND {_BEING_READ} RETURNING owner_id
"""  # noqa: S608  our own condition
_MOVE = """
UPDATE sending_projects SET audience_to = $2, recipients_pending = GREATEST(recipients_pending - $3, 1),
  updated_at = now()
WHERE id = $1
"""
# More people than the plan allows are written to by none: a person must decide.
_ALL_READ = """
UPDATE sending_projects AS p SET audience_read_at = now(), recipients_pending = 0, updated_at = now(),
  status = CASE WHEN is_over THEN 'paused' ELSE status END,
  status_reason = CASE WHEN is_over THEN 'over_approved' ELSE NULLIF(status_reason, 'recipients_pending') END,
  resume_at = CASE WHEN NOT is_over THEN resume_at END, preparation = COALESCE(preparation, 'freeze')
FROM (
  SELECT COALESCE((SELECT count(*) FROM recipients WHERE project_id = $1) > (
    SELECT l.at_most_recipients FROM project_plans AS l JOIN sending_projects AS s ON s.plan_id = l.id WHERE s.id = $1
  ), false) AS is_over
) AS compared
WHERE p.id = $1
"""


NOTHING: Final[Any] = {"at": "1970-01-01T00:00:00+00:00", "segments": [], "except": []}
"""The question of an audience without segments."""


def followed_by(audience: Any) -> UUID | None:
    """Returns the project whose recipients an audience follows; None: it consists of contacts."""
    rule = audience.get("follows")
    return None if rule is None else UUID(rule["projectUuid"])


def topics_of(project: Any) -> list[UUID] | None:
    """Returns the topics of a project's audience; None if it has none, so that nobody's consent is asked."""
    audience = project["audience"]
    return [UUID(id) for id in audience["topicUuids"]] or None if audience is not None else None


async def size(
    db: Any,
    owner_id: UUID,
    channel: str,
    audience: Any,
    *,
    category: str = "",
    after: UUID | None = None,
    asked: Any = None,
) -> tuple[int, int]:
    """Returns how many people an audience has now, and how many of them are blocked for messages of `category`.

    `after`: only those whose contact comes later. `asked`: the conditions of its segments; None: the present ones.
    Raises BadRequest.
    """
    chosen = Audience.of(audience, asked or await conditions(db, owner_id, audience))
    (row,) = await chosen.read(db, SIZE, Reach(owner_id, channel, category), after=after)
    return row["contacts"], row["blocked"]


async def languages(
    db: Any, owner_id: UUID, channel: str, audience: Any, variable: str, locales: list[str]
) -> list[Any]:
    """Returns how many people of an audience have each of the languages, and how many none. Raises BadRequest."""
    chosen = Audience.of(audience, await conditions(db, owner_id, audience))
    return await chosen.read(db, TAGS, Reach(owner_id, channel), more=(variable, locales))


async def sample(db: Any, owner_id: UUID, channel: str, audience: Any, category: str, most: int) -> list[Any]:
    """Returns the first people of an audience who are not blocked, as the recipients that they would be.

    Without segments they are taken of the first `most` contacts that are subscribed. Raises BadRequest.
    """
    chosen = Audience.of(audience, await conditions(db, owner_id, audience))
    at_once = bool(chosen.narrowed or chosen.but_filters)
    return await chosen.read(db, SAMPLE, Reach(owner_id, channel, category), most=most, at_once=at_once)


async def conditions(db: Any, owner_id: UUID, audience: Any) -> Any:
    """Returns the present conditions of the segments of an audience."""
    if not any(audience.get(name) for name in ("segmentUuids", "exceptSegmentUuids")):
        return NOTHING
    return await db.fetchval(_NOW, owner_id, audience)


async def expect(connection: asyncpg.Connection | Any, id: UUID) -> None:
    """Leaves the reading of a project's audience to a worker, in the transaction that starts the project."""
    if await connection.fetchval(_EXPECT, id) is not None:
        await enqueue(connection, JobName.read_audience, id)


@fairly(JobName.read_audience, "preparing", waiting=_WAITING)
async def read_audience(services: Services, project: UUID, lease: JobLease) -> None:
    """Goes on after the last page, for a second."""
    until, most = time.monotonic() + _BUDGET_SECONDS, PAGE
    try:
        if not await _count(services, project):
            return
        while not services.stopping.is_set() and lease.valid:
            try:
                async with services.db.transaction() as db:
                    done = await _read_page(db, project, most)
            except asyncpg.QueryCanceledError:
                if most <= _FEWEST:
                    raise BadRequest(
                        "It takes too long to find its contacts: look back fewer days."
                    ) from None
                most = max(most // 10, _FEWEST)
                continue
            fault_point("audience.read")
            change_events.emit()
            if done or time.monotonic() > until:
                return
    except BadRequest as refused:
        await _note(services, project, _FAILED, f"A segment of the audience can't be read. {refused.message}")


async def _count(services: Services, id: UUID) -> bool:
    """Counts the people who are left to read, unless that is known. Returns whether they may be read: the tariff may
    allow fewer. Raises BadRequest.

    No row is locked meanwhile. A list that takes too long to count is read without the number of the rest.
    """
    project = await services.db.fetchrow(_UNCOUNTED, id)
    if project is None:
        return True
    left = 1
    with suppress(asyncpg.QueryCanceledError):
        left, _ = await size(
            services.db,
            project["owner_id"],
            project["channel"],
            project["audience"],
            after=project["audience_to"],
            asked=project["audience_segments"],
        )
    if project["audience_to"] is None and left > project["most"]:
        error = f"Your tariff allows {project['most']} recipients a project, and its audience has {left}."
        await _note(services, id, _FAILED, error)
        return False
    await _note(services, id, _COUNTED, max(left, 1))
    return True


async def _note(services: Services, id: UUID, statement: str, value: Any) -> None:
    async with services.db.transaction() as db:
        owner = await db.fetchval(statement, id, value)
        if owner is not None:
            change_events.project(owner, id)
    change_events.emit()


async def _read_page(db: asyncpg.Connection, id: UUID, most: int | None = None) -> bool:
    """Adds the recipients of one page of `most` contacts; None: `PAGE`. Returns whether there is nothing more to do.

    Raises BadRequest.
    """
    most = most or PAGE
    project = await db.fetchrow(_PROJECT, id)
    if project is None or project["status"] not in ("running", "paused"):
        return True  # the next start goes on with it
    owner = project["owner_id"]
    chosen = Audience.of(project["audience"], project["audience_segments"] or NOTHING)
    sql, values = await chosen.statement(db, owner, READ, 11, at_once=False)
    now = f"{milliseconds():012x}"
    page = await db.fetchrow(
        sql,
        id,
        owner,
        chosen.topics,
        project["channel"],
        project["audience_to"] or NOBODY,
        most,
        chosen.but_topics,
        chosen.but_projects,
        f"{now[:8]}-{now[8:]}-7",
        project["planned_at"],
        *values,
    )
    done: bool = page["members"] < most
    if done:
        await db.execute(_ALL_READ, id)
        if project["status"] == "running":
            await enqueue(db, JobName.prepare_project, id)
    else:
        await db.execute(_MOVE, id, page["last"], page["added"])
    change_events.project(owner, id)
    return done

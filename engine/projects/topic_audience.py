"""Makes the recipients of a project whose audience are the subscribers of topics.

    begin ── recipients_pending, a job ──► read: pages of contacts, each a transaction that moves `audience_to`
                                             └─ after the last one the messages are made, as of any other project

It is read once, at the first start: who subscribes later is not in it, and who withdraws later is skipped, since the
statement that records the intent to send asks again (`CONSENTS`).
"""

import time
from contextlib import suppress
from typing import Any
from uuid import UUID

import asyncpg

from core import change_events
from core.ids import milliseconds
from db.address_keys import KEYED, key_of
from engine import blocks
from engine.faultpoints import fault_point
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from runtime.leases import JobLease
from runtime.services import Services

PAGE = 5000
_BUDGET_SECONDS = 1.0  # seconds of work until others have their turn
_NOBODY = UUID(int=0)  # comes before all contacts

CONSENTS = """({topics}::uuid[] IS NULL OR EXISTS (
    SELECT FROM recipients AS r JOIN topic_subscriptions AS s
      ON s.contact_id = COALESCE((SELECT g.contact_id FROM contact_merges AS g WHERE g.id = r.contact_id), r.contact_id)
    WHERE r.id = {recipient} AND s.topic_id = ANY({topics}::uuid[]) AND s.channel = {channel} AND s.state = 'active'
    OFFSET 0
  ))"""
"""The condition under which a recipient is subscribed to one of the topics; without topics it holds for everybody.

A contact that was merged into another one since has the subscriptions of that one. OFFSET 0 keeps PostgreSQL from
reading all subscriptions into a table of its own for a few messages.
"""

CODE = "not_subscribed"
REASON = "The recipient is not subscribed to a topic of this project any more."

# OFFSET 0: each contact is looked up by an index. A join would be planned without knowing how many contacts there are.
_CONDITIONS = f"""
  AND NOT EXISTS (
    SELECT FROM topic_subscriptions AS x WHERE x.contact_id = c.id AND x.topic_id = ANY({{but_topics}}::uuid[])
      AND x.channel = {{channel}} AND x.state = 'active' OFFSET 0)
  AND NOT EXISTS (
    SELECT FROM unnest({{but_projects}}::uuid[]) AS b (id) JOIN recipients AS x ON x.project_id = b.id
    WHERE {key_of("x.address")} = {key_of("a.address")} OFFSET 0)
"""  # noqa: S608  our own expressions
_ADDRESS = """
CROSS JOIN LATERAL (
  SELECT address, address_key FROM contact_addresses WHERE contact_id = c.id AND channel = {channel}
  ORDER BY "primary" DESC, id LIMIT 1
) AS a
"""
# Each topic is read in the order of the contacts, and as far as the page may reach.
_MEMBERS = """
  SELECT contact_id FROM unnest($3::uuid[]) AS t (id) CROSS JOIN LATERAL (
    SELECT s.contact_id FROM topic_subscriptions AS s
    WHERE s.topic_id = t.id AND s.channel = $4 AND s.state = 'active' AND s.contact_id > $5
    ORDER BY s.contact_id LIMIT $6
  ) AS subscribed GROUP BY contact_id ORDER BY contact_id LIMIT $6
"""
_VARIABLES = (
    "jsonb_strip_nulls(jsonb_build_object('locale', c.locale, 'externalId', c.external_id)) || c.fields"
)
_BLOCKED = blocks.IS_BLOCKED.format(owner="c.owner_id", key=key_of("a.address"), category="{category}")
_READ = f"""
WITH members AS MATERIALIZED ({_MEMBERS}), added AS (
  INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone, contact_id)
  SELECT overlay(gen_random_uuid()::text PLACING $9 FROM 1 FOR 15)::uuid, $1, a.address, a.address_key,
    NULLIF(c.name, ''), {_VARIABLES}, c.timezone, c.id
  FROM members AS m JOIN contacts AS c ON c.id = m.contact_id AND c.owner_id = $2
  {_ADDRESS.format(channel="$4")}, {KEYED}
  WHERE true {_CONDITIONS.format(channel="$4", but_topics="$7", but_projects="$8")} ORDER BY c.id
  ON CONFLICT DO NOTHING
)
SELECT count(*)::int AS members, (SELECT contact_id FROM members ORDER BY contact_id DESC LIMIT 1) AS last FROM members
"""  # noqa: S608  our own conditions
_SAMPLE = f"""
WITH members AS MATERIALIZED ({_MEMBERS})
SELECT c.id, a.address, NULLIF(c.name, '') AS name, {_VARIABLES} AS variables, c.timezone, c.id AS contact_id
FROM members AS m JOIN contacts AS c ON c.id = m.contact_id AND c.owner_id = $1
{_ADDRESS.format(channel="$4")}
WHERE NOT {_BLOCKED.format(category="$2")}
{_CONDITIONS.format(channel="$4", but_topics="$7", but_projects="$8")} ORDER BY c.id
"""  # noqa: S608  our own conditions
_SIZE = f"""
WITH m AS MATERIALIZED (
  SELECT DISTINCT contact_id FROM topic_subscriptions
  WHERE topic_id = ANY($2::uuid[]) AND channel = $3 AND state = 'active' AND contact_id > $4
)
SELECT count(*) AS contacts, count(*) FILTER (WHERE {_BLOCKED.format(category="$7")}) AS blocked FROM m
JOIN contacts AS c ON c.id = m.contact_id AND c.owner_id = $1
{_ADDRESS.format(channel="$3")}
WHERE true {_CONDITIONS.format(channel="$3", but_topics="$5", but_projects="$6")}
"""  # noqa: S608  our own conditions

_PROJECT = """
SELECT id, owner_id, status, channel, audience, audience_to FROM sending_projects
WHERE id = $1 AND audience IS NOT NULL AND audience_read_at IS NULL
FOR NO KEY UPDATE
"""
_WAITING = """
SELECT owner_id, id FROM sending_projects WHERE preparation IS NOT NULL AND status IN ('running', 'paused')
  AND audience IS NOT NULL AND audience_read_at IS NULL AND status_reason IS DISTINCT FROM 'recipients_failed'
"""
# The worker counts them: a million take seconds, for which the rows of the project and its owner would be locked.
_EXPECT = """
UPDATE sending_projects SET recipients_pending = 1
WHERE id = $1 AND audience IS NOT NULL AND audience_read_at IS NULL RETURNING id
"""
_UNCOUNTED = """
SELECT p.owner_id, p.channel, p.audience, p.audience_to, t.max_recipients_per_project AS most
FROM sending_projects AS p JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.id = $1 AND p.audience_read_at IS NULL AND p.recipients_pending = 1 AND p.status IN ('running', 'paused')
"""
_BEING_READ = "audience_read_at IS NULL AND recipients_pending > 0 AND status IN ('running', 'paused')"
_COUNTED = f"""
UPDATE sending_projects SET recipients_pending = $2, updated_at = now() WHERE id = $1 AND {_BEING_READ}
"""  # noqa: S608  our own condition
_TOO_MANY = f"""
UPDATE sending_projects SET status = 'paused', status_reason = 'recipients_failed', resume_at = NULL,
  recipients_error = $2, recipients_pending = 0, updated_at = now()
WHERE id = $1 AND {_BEING_READ}
"""  # noqa: S608  our own condition
_MOVE = """
UPDATE sending_projects SET audience_to = $2, recipients_pending = GREATEST(recipients_pending - $3, 1),
  updated_at = now()
WHERE id = $1
"""
_ALL_READ = """
UPDATE sending_projects SET audience_read_at = now(), recipients_pending = 0, updated_at = now(),
  status_reason = NULLIF(status_reason, 'recipients_pending'), preparation = COALESCE(preparation, 'freeze')
WHERE id = $1
"""


def topics_of(project: Any) -> list[UUID] | None:
    """Returns the topics of a project's audience; None if it has no audience of topics."""
    audience = project["audience"]
    return [UUID(id) for id in audience["topicUuids"]] if audience is not None else None


async def size(
    db: Any, owner_id: UUID, channel: str, audience: Any, *, category: str = "", after: UUID | None = None
) -> tuple[int, int]:
    """Returns how many people an audience has now, and how many of them are blocked for messages of `category`.

    `after`: only those whose contact comes later.
    """
    topics, *but = _ids(audience)
    row = await db.fetchrow(_SIZE, owner_id, topics, channel, after or _NOBODY, *but, category)
    return row["contacts"], row["blocked"]


async def sample(db: Any, owner_id: UUID, channel: str, audience: Any, category: str, most: int) -> list[Any]:
    """Returns the first people of an audience who are not blocked, as the recipients that they would be.

    They are taken of the first `most` contacts that are subscribed.
    """
    topics, *but = _ids(audience)
    rows: list[Any] = await db.fetch(_SAMPLE, owner_id, category, topics, channel, _NOBODY, most, *but)
    return rows


async def expect(connection: asyncpg.Connection | Any, id: UUID) -> None:
    """Leaves the reading of a project's audience to a worker, in the transaction that starts the project."""
    if await connection.fetchval(_EXPECT, id) is not None:
        await enqueue(connection, JobName.read_audience, id)


@fairly(JobName.read_audience, "preparing", waiting=_WAITING)
async def read_audience(services: Services, project: UUID, lease: JobLease) -> None:
    """Goes on after the last page, for a second."""
    until = time.monotonic() + _BUDGET_SECONDS
    if not await _count(services, project):
        return
    while not services.stopping.is_set() and lease.valid:
        async with services.db.transaction() as db:
            done = await _read_page(db, project)
        fault_point("audience.read")
        change_events.emit()
        if done or time.monotonic() > until:
            return


async def _count(services: Services, id: UUID) -> bool:
    """Counts the people who are left to read, unless that is known. Returns whether they may be read: the tariff may
    allow fewer.

    No row is locked meanwhile. A list that takes too long to count is read without a number of what is left.
    """
    project = await services.db.fetchrow(_UNCOUNTED, id)
    if project is None:
        return True
    asked = (project["owner_id"], project["channel"], project["audience"])
    left = 1
    with suppress(asyncpg.QueryCanceledError):
        left, _ = await size(services.db, *asked, after=project["audience_to"])
    allowed: bool = project["audience_to"] is not None or left <= project["most"]
    error = f"Your tariff allows {project['most']} recipients a project, and the topics have {left}."
    async with services.db.transaction() as db:
        await (db.execute(_COUNTED, id, max(left, 1)) if allowed else db.execute(_TOO_MANY, id, error))
        change_events.project(project["owner_id"], id)
    change_events.emit()
    return allowed


async def _read_page(db: asyncpg.Connection, id: UUID) -> bool:
    """Adds the recipients of one page. Returns whether there is nothing more to do."""
    project = await db.fetchrow(_PROJECT, id)
    if project is None or project["status"] not in ("running", "paused"):
        return True  # the next start goes on with it
    topics, *but = _ids(project["audience"])
    now = f"{milliseconds():012x}"
    page = await db.fetchrow(
        _READ,
        id,
        project["owner_id"],
        topics,
        project["channel"],
        project["audience_to"] or _NOBODY,
        PAGE,
        *but,
        f"{now[:8]}-{now[8:]}-7",
    )
    done: bool = page["members"] < PAGE
    if done:
        await db.execute(_ALL_READ, id)
        if project["status"] == "running":
            await enqueue(db, JobName.prepare_project, id)
    else:
        await db.execute(_MOVE, id, page["last"], page["members"])
    change_events.project(project["owner_id"], id)
    return done


def _ids(audience: Any) -> tuple[list[UUID], list[UUID], list[UUID]]:
    """Returns the topics of an audience, and the topics and projects whose people are left out."""
    names = ("topicUuids", "exceptTopicUuids", "exceptProjectUuids")
    topics, but_topics, but_projects = ([UUID(id) for id in audience.get(name, ())] for name in names)
    return topics, but_topics, but_projects

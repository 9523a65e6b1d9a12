"""Reads the people of a segment, again and again, and those of a topic once if they are to enter at the start.

Nobody tells when a contact comes into a segment, so its contacts are read in pages, each a transaction that also moves
`read_to`. Who is there already is left as it is by the unique key of series_entries.
"""

import time
from typing import Any, Final
from uuid import UUID

import asyncpg

from core.errors import BadRequest
from engine.faultpoints import fault_point
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from engine.projects.audience_contacts import CHOSEN, MEMBERS, NOBODY, Audience
from engine.projects.contact_audience import NOTHING, PAGE
from runtime.leases import JobLease
from runtime.services import Services

_FEWEST: Final = 50  # contacts of a page whose segment takes long
_BUDGET_SECONDS: Final = 1.0  # seconds of work until others have their turn
_WAITING: Final = """
SELECT s.owner_id, s.id FROM series AS s JOIN users AS u ON u.id = s.owner_id AND u.status = 'active'
WHERE s.status = 'running' AND s.read_due_at <= now()
"""
_SERIES: Final = """
SELECT id, owner_id, channel, topic_id, segment_id, conditions, read_to, read_excludes,
  jsonb_build_object('at', now()) AS present
FROM series WHERE id = $1 AND status = 'running' AND read_due_at <= now() FOR NO KEY UPDATE
"""
# Parameters as contact_audience has them: $2 the owner, $3 topics, $4 the channel, $5 the contact before, $6 the most
# rows, $7 and $8 nothing that is left out.
# Subscriptions are locked and asked for again: a withdrawal that is not committed yet is waited for, and a later one
# waits for this page, so that its trigger sees the entry. Rows of contacts that are in the series stay untouched.
_ENTER: Final = f"""
{{queries}}, chosen AS MATERIALIZED (
  SELECT c.id {MEMBERS} {CHOSEN}
  AND NOT EXISTS (SELECT FROM series_entries AS e WHERE e.series_id = $1 AND e.contact_id = c.id OFFSET 0)
), agreed AS MATERIALIZED (
  SELECT n.id FROM (SELECT id FROM chosen ORDER BY id) AS n CROSS JOIN LATERAL (
    SELECT FROM topic_subscriptions AS t
    WHERE t.contact_id = n.id AND t.topic_id = ANY($3) AND t.channel = $4 AND t.state = 'active' FOR SHARE
  ) AS t
), entered AS (
  INSERT INTO series_entries (id, owner_id, series_id, contact_id, state, due_at)
  SELECT postern_uuid7(), $2, $1, id, CASE WHEN $9 THEN 'excluded' ELSE 'waiting' END,
    CASE WHEN NOT $9 THEN now() + (SELECT first_delay FROM series WHERE id = $1) * interval '1 second' END
  FROM chosen WHERE cardinality($3::uuid[]) = 0 OR id IN (SELECT id FROM agreed) ORDER BY id
  ON CONFLICT (series_id, contact_id) DO NOTHING RETURNING id
)
SELECT count(*)::int AS members, (SELECT contact_id FROM members ORDER BY contact_id DESC LIMIT 1) AS last,
  (SELECT count(*)::int FROM entered) AS entered FROM members
"""  # noqa: S608  our own conditions
_MOVE: Final = "UPDATE series SET read_to = $2, read_begun_at = COALESCE(read_begun_at, now()) WHERE id = $1"
# A round that took long is followed by a longer pause: a segment is read for a tenth of the time at most.
_END_ROUND: Final = """
UPDATE series SET read_to = NULL, read_begun_at = NULL, read_excludes = false,
  read_due_at = CASE WHEN segment_id IS NOT NULL THEN
    now() + GREATEST(interval '1 minute', 10 * (now() - COALESCE(read_begun_at, now()))) END
WHERE id = $1
"""
_FAILED: Final = """
UPDATE series SET status = 'paused', status_reason = 'segment_failed', updated_at = now()
WHERE id = $1 AND status = 'running'
"""


def audience_of(series: Any) -> dict[str, list[str]]:
    """Returns the audience of which the people enter, as a project has it."""
    topic, segment = series["topic_id"], series["segment_id"]
    return {
        "topicUuids": [] if topic is None else [str(topic)],
        "exceptTopicUuids": [],
        "segmentUuids": [] if segment is None else [str(segment)],
        "exceptSegmentUuids": [],
        "exceptProjectUuids": [],
    }


@fairly(JobName.enter_series, "preparing", waiting=_WAITING, share=2)
async def enter(services: Services, series: UUID, lease: JobLease) -> None:
    """Goes on after the last page, for a second."""
    until, most = time.monotonic() + _BUDGET_SECONDS, PAGE
    while not services.stopping.is_set() and lease.valid:
        try:
            async with services.db.transaction() as db:
                done = await _enter_page(db, series, most)
                fault_point("series.entered")
        except asyncpg.QueryCanceledError:
            if most <= _FEWEST:
                await _pause(services, series)
                return
            most = max(most // 10, _FEWEST)
            continue
        except BadRequest:
            await _pause(services, series)
            return
        if done or time.monotonic() > until:
            return


async def _pause(services: Services, series: UUID) -> None:
    async with services.db.transaction() as db:
        await db.execute(_FAILED, series)


async def _enter_page(db: asyncpg.Connection, id: UUID, most: int) -> bool:
    """Lets the people of one page enter. Returns whether the round is over. Raises BadRequest."""
    series = await db.fetchrow(_SERIES, id)
    if series is None:
        return True
    conditions = series["conditions"] or NOTHING
    # Days are counted from this round on; what the segment asks for stays as it was at the start.
    chosen = Audience.of(audience_of(series), {**conditions, **series["present"]})
    sql, values = await chosen.statement(db, series["owner_id"], _ENTER, 10, at_once=False)
    page = await db.fetchrow(
        sql,
        id,
        series["owner_id"],
        chosen.topics,
        series["channel"],
        series["read_to"] or NOBODY,
        most,
        chosen.but_topics,
        chosen.but_projects,
        series["read_excludes"],
        *values,
    )
    done: bool = page["members"] < most
    await (db.execute(_END_ROUND, id) if done else db.execute(_MOVE, id, page["last"]))
    if page["entered"] and not series["read_excludes"]:
        await enqueue(db, JobName.step_series, id, unless_queued=True)
    return done

"""Rounds of a worker over the event feeds: the progress of projects, and the deletion of events that are too old or too
many.
"""

from datetime import timedelta
from uuid import UUID

import asyncpg
import structlog

from db.session import Database
from engine.feed import event_feed
from engine.feed.event_feed import LAST_POSITION
from engine.feed.inbox_floor import InboxFloor, inbox_floors
from engine.feed.stored_events import GROUP
from engine.jobs import every
from runtime.database_errors import translate
from runtime.services import Services

log = structlog.get_logger("postern.events")

UNUSED = timedelta(days=30)
"""A feed that was not read for so long is not recorded any more."""

NEARLY_FULL = 0.8
"""The share of the limit at which the owner is told."""

_BATCHES = 100  # that a round moves or deletes of one feed, before the next feed has its turn
_FEEDS = 1000  # of one round

_NEARLY_FULL_UNTIL = 0.72  # the share of the limit at which it is not nearly full any more
# Of a feed that is not recorded.
_FORGET = """
WITH last AS MATERIALIZED (
  SELECT max(position) AS position FROM (
    SELECT position FROM events WHERE owner_id = $1 ORDER BY position LIMIT $2
  ) AS oldest
), gone AS (
  DELETE FROM message_events WHERE owner_id = $1 AND seq = ANY(ARRAY(
    SELECT seq FROM events WHERE owner_id = $1 AND position <= (SELECT position FROM last) AND seq IS NOT NULL
  ))
)
DELETE FROM events WHERE owner_id = $1 AND position <= (SELECT position FROM last)
"""
_NEARLY_FULL_EVENT = """
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
VALUES ($1, 'feed.nearlyFull', 'feed', $1, jsonb_build_object('count', $2::bigint, 'limit', $3::bigint))
"""
_SET_NEARLY_FULL = "UPDATE event_feeds SET nearly_full = $2 WHERE owner_id = $1"
# Counts of a transaction that began before the last look and has committed since are found by the overlap of a second.
_PROGRESS = """
WITH feeds AS MATERIALIZED (
  SELECT owner_id, progress_at FROM event_feed_progress AS l
  WHERE progress_at <= now() - interval '1 second'
    AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = l.owner_id AND f.recording)
    AND EXISTS (SELECT FROM sending_projects AS p WHERE p.owner_id = l.owner_id AND p.status = 'running')
  FOR NO KEY UPDATE SKIP LOCKED
), looked AS (
  UPDATE event_feed_progress AS l SET progress_at = now() FROM feeds WHERE l.owner_id = feeds.owner_id
)
INSERT INTO event_inbox (owner_id, type, subject, subject_id, project_id, account_id, data)
SELECT p.owner_id, 'project.progressed', 'sendingProject', p.id, p.id, p.account_id, postern_project_data(p)
FROM feeds JOIN sending_projects AS p ON p.owner_id = feeds.owner_id AND p.status = 'running'
WHERE EXISTS (
  SELECT FROM sending_counters AS c
  WHERE c.project_id = p.id AND c.updated_at > feeds.progress_at - interval '1 second'
)
FOR SHARE OF p SKIP LOCKED  -- no other event of the project may be recorded meanwhile: it would come before this
"""
# Feeds that need maintenance: $1: limit, $2: retention, $3: UNUSED, $4 and $5: up to which number the inboxes of these
# owners are empty for good.
_NEED_MAINTENANCE = f"""
SELECT f.owner_id FROM event_feeds AS f
LEFT JOIN unnest($4::uuid[], $5::bigint[]) AS floor (owner_id, seq) ON floor.owner_id = f.owner_id
CROSS JOIN LATERAL (SELECT {LAST_POSITION} AS position) AS last
WHERE pending_xid IS NOT NULL
  OR EXISTS (SELECT FROM event_inbox AS i WHERE i.owner_id = f.owner_id AND i.seq > COALESCE(floor.seq, 0))
  OR CASE WHEN recording THEN
    (used_at < now() - $3::interval
      AND NOT EXISTS (SELECT FROM webhooks AS w WHERE w.owner_id = f.owner_id AND w.account_id IS NULL
        AND NOT w.is_callback)
      AND NOT EXISTS (SELECT FROM event_sink_cursors AS c WHERE c.owner_id = f.owner_id))
    OR last.position - pruned_position > $1
    OR nearly_full <> (last.position - pruned_position >= {NEARLY_FULL} * $1)
    OR EXISTS (SELECT FROM events AS e WHERE e.owner_id = f.owner_id AND e.position > f.pruned_position + 1 - {GROUP}
               AND e.position <= f.pruned_position + 1 AND e.position + e.count - 1 > f.pruned_position
               AND e.at < now() - $2::interval)
  ELSE EXISTS (SELECT FROM events AS e WHERE e.owner_id = f.owner_id) END
ORDER BY random() LIMIT {_FEEDS}
"""  # noqa: S608  our own words
_UNUSED = """
SELECT recording AND used_at < now() - $2::interval
  AND NOT EXISTS (SELECT FROM webhooks AS w WHERE w.owner_id = $1 AND w.account_id IS NULL AND NOT w.is_callback)
  AND NOT EXISTS (SELECT FROM event_sink_cursors AS c WHERE c.owner_id = $1)
FROM event_feeds WHERE owner_id = $1
"""


@every(1, due="EXISTS (SELECT FROM sending_projects WHERE status = 'running')")
async def record_progress(services: Services) -> None:
    """Records how far running projects are, for owners who have a feed."""
    await services.db.fetch(_PROGRESS)


@every(10, due="EXISTS (SELECT FROM event_feeds)")
async def maintain(services: Services) -> None:
    """Gives positions to events that are not read, deletes events that are too old or too many, and ends unused feeds.

    A feed that can't be looked after now does not hold up the others.
    """
    limits, floors = event_feed.bounds(services), inbox_floors(services)
    for row in await services.db.fetch(
        _NEED_MAINTENANCE, limits.limit, limits.retention, UNUSED, *floors.arrays()
    ):
        if services.stopping.is_set():
            return
        try:
            await _maintain_feed(services.db, floors.of(row["owner_id"]), row["owner_id"], limits)
        except Exception as error:
            log.warning(
                "an event feed has to wait",
                owner=str(row["owner_id"]),
                error=error,
                exc_info=translate(error) is None,
            )


async def _maintain_feed(db: Database, floor: InboxFloor, owner_id: UUID, limits: event_feed.Bounds) -> None:
    for _ in range(_BATCHES):
        async with db.transaction() as connection:
            feed = await event_feed.try_lock(connection, owner_id)
            if feed is None:
                return
            if await connection.fetchval(_UNUSED, owner_id, UNUSED):
                await event_feed.stop(connection, owner_id)
                continue
            if not feed.recording:
                more = (
                    await connection.execute(_FORGET, owner_id, event_feed.BATCH)
                    == f"DELETE {event_feed.BATCH}"
                )
                more |= (
                    await connection.execute(event_feed.FORGET_INBOX, owner_id, event_feed.BATCH)
                    == f"DELETE {event_feed.BATCH}"
                )
            elif feed.pending and not await event_feed.make_ready(connection, feed):
                return
            else:
                assert feed.horizon is not None
                after = await floor.look(connection, owner_id, feed.horizon)
                more = await event_feed.store_positions(connection, feed, after)
                await _record_nearly_full(connection, feed, limits.limit)
                more |= await event_feed.prune(connection, feed, limits)
        if not more:
            return


async def _record_nearly_full(db: asyncpg.Connection, feed: event_feed.Feed, limit: int) -> None:
    """Records once that the feed is nearly full."""
    nearly_full = feed.count >= (_NEARLY_FULL_UNTIL if feed.nearly_full else NEARLY_FULL) * limit
    if nearly_full == feed.nearly_full:
        return
    feed.nearly_full = nearly_full
    await db.execute(_SET_NEARLY_FULL, feed.owner_id, nearly_full)
    if nearly_full:
        await db.execute(_NEARLY_FULL_EVENT, feed.owner_id, feed.count, limit)

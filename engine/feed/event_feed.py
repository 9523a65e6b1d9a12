"""The event feed: opens it, gives events their positions, and deletes the oldest.

change ── same transaction, by a trigger ──► event_inbox ──► store_positions ──► events ──► prune
                                       │     number taken      one at a time      without gaps, by owner
                                       │     before the commit  a feed, after it
                                       └──► message_events: those of messages, which are written once and stay there

A trigger takes an event's number while its transaction runs, so a smaller number may be committed later than a larger
one. A position is given after the commit, under the lock of the feed's row. So a reader that has read up to a position
has read every position before it. Of two changes of one object the second waits for the commit of the first and takes
its number after that; so both get their positions in the order in which they happened.

A transaction that is under way when a feed is opened may have looked for the feed before. So a feed is ready only when
all of these have ended (`make_ready`): their changes are in the tables then, and later ones are in the feed.
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from core.errors import Unavailable
from core.ids import uuid7
from db.lists.cursor import write_cursor
from db.session import Database
from engine.feed.event_data import complete
from engine.feed.inbox_floor import Horizon, inbox_floors
from engine.feed.stored_events import COLUMNS, EVENTS, GROUP
from runtime.services import Services
from shapes.event_feed import Event

BATCH = 5000
"""Events that one statement moves or deletes."""

CURSOR_ORDER = "events"
"""The name of the feed's order in cursors."""

READY_SECONDS = 5.0
"""Seconds for which a request waits until a feed is ready."""

_LOOK_SECONDS = 0.02

# A feed's row is read by every change that may be an event, so it is not updated for each new position: PostgreSQL
# would keep all versions while a snapshot is held, and each reader would pass them. The stored one counts only
# if the events up to it are deleted.
LAST_POSITION = f"""GREATEST(f.last_position, (
  SELECT e.position + e.count - 1 FROM events AS e
  WHERE e.owner_id = f.owner_id AND e.position > f.last_position - {GROUP} ORDER BY e.position DESC LIMIT 1
))"""  # noqa: S608  our own number
"""The SQL expression of the last position of a feed `f`."""
_COLUMNS = f"""
f.owner_id, f.recording, f.recording_since, f.pending_xid IS NOT NULL, f.epoch, {LAST_POSITION}, f.pruned_position,
f.nearly_full
"""
_FEED = f"SELECT {_COLUMNS} FROM event_feeds AS f WHERE f.owner_id = $1"  # noqa: S608  our own columns
_LOCK = "SELECT FROM event_feeds WHERE owner_id = $1 FOR NO KEY UPDATE"
_TRY_LOCK = f"""
SELECT {_COLUMNS}, (SELECT last_value FROM event_inbox_seq_seq), clock_timestamp(),
  pg_current_xact_id()::text::bigint, now(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint
FROM event_feeds AS f WHERE f.owner_id = $1 FOR NO KEY UPDATE SKIP LOCKED
"""  # noqa: S608  our own columns
# The feed's row is locked for each page, so the time of use is written once a minute.
USED = """
UPDATE event_feeds SET used_at = now() WHERE owner_id = ANY($1) AND used_at < now() - interval '1 minute'
"""
# A new epoch: cursors from before the recording are of another feed.
_RECORD = """
WITH progress AS (INSERT INTO event_feed_progress (owner_id) VALUES ($1) ON CONFLICT DO NOTHING)
INSERT INTO event_feeds AS f (owner_id, pending_xid) VALUES ($1, 0)
ON CONFLICT (owner_id) DO UPDATE SET recording = true, used_at = now(), recording_since = now(),
  pending_xid = 0, epoch = excluded.epoch, pruned_position = f.last_position, nearly_full = false
WHERE NOT f.recording
"""
# After the commit: every transaction that has not seen the feed has a smaller id than the next one.
_TAKE_XID = """
UPDATE event_feeds SET pending_xid = pg_snapshot_xmax(pg_current_snapshot())::text::bigint
WHERE owner_id = $1 AND pending_xid = 0 RETURNING true
"""
# An id of the future is from before a backup was restored.
_READY = """
SELECT pg_snapshot_xmin(now.snapshot)::text::bigint >= pending_xid
  OR pending_xid > pg_snapshot_xmax(now.snapshot)::text::bigint
FROM event_feeds, pg_current_snapshot() AS now (snapshot) WHERE owner_id = $1
"""
_MAKE_READY = "UPDATE event_feeds SET pending_xid = NULL WHERE owner_id = $1"
_STOP = f"""
UPDATE event_feeds AS f SET recording = false, pending_xid = NULL, last_position = last.position,
  pruned_position = last.position
FROM (SELECT {LAST_POSITION} AS position FROM event_feeds AS f WHERE f.owner_id = $1) AS last
WHERE f.owner_id = $1
"""  # noqa: S608  our own expression
# These tables are often empty when PostgreSQL takes their statistics, and full soon after. A range is read in one pass
# then, too; the rows of `seq IN (SELECT …)` were compared one by one, which took 12 s for 5,000 of 40,000.
FORGET_INBOX = """
WITH last AS MATERIALIZED (
  SELECT max(seq) AS seq FROM (SELECT seq FROM event_inbox WHERE owner_id = $1 ORDER BY seq LIMIT $2) AS oldest
), gone AS (
  DELETE FROM message_events WHERE owner_id = $1 AND seq = ANY(ARRAY(
    SELECT seq FROM event_inbox WHERE owner_id = $1 AND seq <= (SELECT seq FROM last) AND type IS NULL
  ))
)
DELETE FROM event_inbox WHERE owner_id = $1 AND seq <= (SELECT seq FROM last)
"""
# Another holder of the lock may have given positions after the statement that locked the feed began, so the last one is
# read here again.
_MOVE = f"""
WITH last AS MATERIALIZED (
  SELECT GREATEST($2::bigint, (
    SELECT position + count - 1 FROM events WHERE owner_id = $1 AND position > $2::bigint - {GROUP}
    ORDER BY position DESC LIMIT 1
  )) AS position
), moved AS (
  DELETE FROM event_inbox WHERE owner_id = $1 AND seq > $4 AND seq <= (
    SELECT max(seq) FROM (
      SELECT seq, sum(count) OVER (ORDER BY seq) - count AS before FROM (
        SELECT seq, count FROM event_inbox WHERE owner_id = $1 AND seq > $4 ORDER BY seq LIMIT $3
      ) AS oldest
    ) AS counted WHERE before < $3
  ) RETURNING *
), stored AS (
  INSERT INTO events (owner_id, position, id, type, subject, subject_id, project_id, account_id, at, data, seq, count)
  SELECT owner_id, last.position + sum(count) OVER (ORDER BY seq) - count + 1, id, type, subject, subject_id,
    project_id, account_id, at, data, CASE WHEN type IS NULL THEN seq END, count
  FROM moved CROSS JOIN last RETURNING count
), total AS (SELECT COALESCE(sum(count), 0)::bigint AS moved FROM stored)
SELECT last.position + total.moved AS last_position, total.moved FROM last CROSS JOIN total
"""  # noqa: S608  our own number
# The oldest of the feed, up to the first that is young enough and not too many: so no gap arises.
# A row of several events may lose a part of them; it is deleted with its last one.
_PRUNE = f"""
WITH oldest AS (
  SELECT position, position + count - 1 AS last, at FROM (
    SELECT position, count, at, sum(left_over) OVER (ORDER BY position) - left_over AS before FROM (
      SELECT position, count, at, LEAST(count, position + count - 1 - $2::bigint) AS left_over FROM events
      WHERE owner_id = $1 AND position > $2::bigint - {GROUP} AND position + count - 1 > $2::bigint
      ORDER BY position LIMIT $3
    ) AS first
  ) AS counted WHERE before < $3
), last AS (
  SELECT COALESCE(min(GREATEST(position - 1, $5)) FILTER (WHERE at >= now() - $4::interval AND last > $5),
    max(last)) AS position
  FROM oldest
), gone AS (
  DELETE FROM events WHERE owner_id = $1 AND position > $2::bigint - {GROUP}
    AND position + count - 1 <= (SELECT position FROM last) RETURNING seq
), forgotten AS (
  DELETE FROM message_events WHERE owner_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM gone WHERE seq IS NOT NULL))
)
UPDATE event_feeds AS f SET pruned_position = last.position, last_position = GREATEST(f.last_position, last.position)
FROM last WHERE f.owner_id = $1 AND last.position > $2
RETURNING f.pruned_position
"""  # noqa: S608  our own number
_READ = f"""
SELECT {COLUMNS} FROM {EVENTS} WHERE $4::text[] IS NULL OR type = ANY($4) ORDER BY first, position LIMIT $5
"""  # noqa: S608  our own columns


@dataclass(slots=True)
class Feed:
    """The state of a feed."""

    owner_id: UUID
    recording: bool
    recording_since: datetime | None
    pending: bool  # transactions from before it was opened may be under way
    epoch: int
    last_position: int
    pruned_position: int
    nearly_full: bool
    horizon: Horizon | None = None  # of `try_lock`

    @property
    def count(self) -> int:
        """Returns how many events it has."""
        return self.last_position - self.pruned_position


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits the number of events in a feed, and the time for which they stay there."""

    limit: int
    retention: timedelta


def bounds(services: Services) -> Bounds:
    """Returns the bounds that the settings name."""
    settings = services.settings
    return Bounds(settings.event_limit, timedelta(days=settings.event_retention_days))


async def get(db: asyncpg.Connection, owner_id: UUID) -> Feed | None:
    """Returns a feed. Returns None if the user never had one."""
    return _feed(await db.fetchrow(_FEED, owner_id))


async def lock(db: asyncpg.Connection, owner_id: UUID) -> Feed | None:
    """Locks a feed until the end of the transaction. Returns None if the user never had one."""
    await db.execute(_LOCK, owner_id)
    # A statement of its own sees the changes of the last holder of the lock.
    return await get(db, owner_id)


async def try_lock(db: asyncpg.Connection, owner_id: UUID) -> Feed | None:
    """Locks a feed, if no other transaction has it locked. Returns None if it is not locked now.

    Its last position may be older than the lock, until `store_positions` has read it again.
    """
    row = await db.fetchrow(_TRY_LOCK, owner_id)
    if row is None:
        return None
    *columns, taken, read_at, transaction, begun_at, oldest = row
    feed = Feed(*columns)
    feed.horizon = Horizon(taken, read_at, transaction, begun_at, oldest)
    return feed


def _feed(row: Any) -> Feed | None:
    return None if row is None else Feed(*row)


async def record(db: asyncpg.Connection, owner_id: UUID) -> None:
    """Begins to record the events of a user. The feed is not ready before `make_ready` says so."""
    await db.execute(_RECORD, owner_id)


async def open_feed(db: Database, owner_id: UUID) -> Feed:
    """Begins to record the events of a user, and waits until the feed is ready. Returns it. Raises Unavailable."""
    async with db.transaction() as connection:
        await record(connection, owner_id)
    until = time.monotonic() + READY_SECONDS
    while True:
        async with db.transaction() as connection:
            feed = await lock(connection, owner_id)
            assert feed is not None
            if not feed.pending or await make_ready(connection, feed):
                return feed
        if time.monotonic() > until:
            raise Unavailable(
                "The event feed is not ready: transactions from before it was opened are still running. Try again.",
                code="feed_not_ready",
            )
        await asyncio.sleep(_LOOK_SECONDS)


async def make_ready(db: asyncpg.Connection, feed: Feed) -> bool:
    """Makes a locked feed ready, if all transactions from before it was opened have ended. Returns whether it is."""
    if await db.fetchval(_TAKE_XID, feed.owner_id) or not await db.fetchval(_READY, feed.owner_id):
        return False
    # Events that are there already are in the tables that its owner reads from now on; some of it may be of an earlier
    # recording.
    while await db.execute(FORGET_INBOX, feed.owner_id, BATCH) == f"DELETE {BATCH}":
        pass
    await db.execute(_MAKE_READY, feed.owner_id)
    feed.pending = False
    return True


async def stop(db: asyncpg.Connection, owner_id: UUID) -> None:
    """Ends the recording. The events can't be read any more, and `maintain` deletes them."""
    await db.execute(_STOP, owner_id)


async def store_positions(db: asyncpg.Connection, feed: Feed, after: int = 0) -> bool:
    """Gives positions to a batch of events that are committed, of those with numbers behind `after`. The feed is
    locked. Returns whether there may be more.
    """
    row = await db.fetchrow(_MOVE, feed.owner_id, feed.last_position, BATCH, after)
    feed.last_position = row["last_position"]
    return bool(row["moved"] >= BATCH)


async def advance(db: asyncpg.Connection, services: Services, owner_id: UUID) -> tuple[Feed | None, bool]:
    """Gives positions to new events, unless another reader has the feed locked. Returns it, and whether there may be
    more.
    """
    feed = await try_lock(db, owner_id)
    if feed is None:
        return await get(db, owner_id), True
    if not feed.recording or feed.pending:
        return feed, False
    assert feed.horizon is not None
    after = await inbox_floors(services).of(owner_id).look(db, owner_id, feed.horizon)
    unread = await store_positions(db, feed, after)
    limits = bounds(services)
    if feed.count > limits.limit + limits.limit // 100:  # a round deletes a smaller excess
        await prune(db, feed, limits)
    await db.execute(USED, [owner_id])
    return feed, unread


async def newest(db: Database, owner_id: UUID) -> Feed:
    """Opens the feed if it is not recorded, and gives positions to all that is committed. Returns it. Raises
    Unavailable.
    """
    await open_feed(db, owner_id)
    while True:
        async with db.transaction() as connection:
            feed = await lock(connection, owner_id)
            assert feed is not None
            if not await store_positions(connection, feed):
                return feed


def cursor_of(owner_id: UUID, epoch: int, position: int) -> str:
    """Returns the cursor of a position."""
    return write_cursor(CURSOR_ORDER, [owner_id, epoch, position])


def event_of(row: Any, epoch: int) -> Event:
    """Returns the event of a row."""
    return Event.model_construct(
        id=row["id"],
        cursor=cursor_of(row["owner_id"], epoch, row["position"]),
        type=row["type"],
        at=row["at"],
        subject=row["subject"],
        subject_id=row["subject_id"],
        sending_project_uuid=row["project_id"],
        account_id=row["account_id"],
        data=complete(row),
    )


def sample(type: str, subject: str, subject_id: UUID, now: datetime) -> Event:
    """Returns an event whose type is not in the catalogue, for a test of a webhook or a sink."""
    return Event.model_construct(
        id=uuid7(),
        cursor="",
        type=type,
        at=now,
        subject=subject,
        subject_id=subject_id,
        sending_project_uuid=None,
        account_id=None,
        data={},
    )


async def prune(db: asyncpg.Connection, feed: Feed, bounds: Bounds) -> bool:
    """Deletes a batch of events that are too old or too many. The feed is locked. Returns whether there may be more."""
    excess = feed.last_position - bounds.limit
    pruned = await db.fetchval(_PRUNE, feed.owner_id, feed.pruned_position, BATCH, bounds.retention, excess)
    if pruned is None:
        return False
    deleted, feed.pruned_position = pruned - feed.pruned_position, pruned
    return bool(deleted >= BATCH)


async def read(
    db: asyncpg.Connection, feed: Feed, after: int, to: int, types: list[str] | None, limit: int
) -> list[Any]:
    """Returns the rows of events behind `after` up to `to`, at most `limit`."""
    return list(await db.fetch(_READ, feed.owner_id, after, to, types, limit))

"""The event feed: gives events their positions, and deletes the oldest.

change ── same transaction, by a trigger ──► event_inbox ──► store_positions ──► events ──► prune
                                             number taken      one at a time      without gaps, by owner
                                             before the commit  a feed, after it

A trigger takes an event's number while its transaction runs, so a smaller number may be committed later than a larger
one. A position is given after the commit, under the lock of the feed's row. So whoever has read up to a position has
seen every position before it. Of two changes of one object the second waits for the commit of the first and takes its
number after that; so both get their positions in the order in which they happened.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from db.session import Database
from engine.jobs import every
from runtime.services import Services

BITE = 5000
"""Events that one statement moves or deletes."""

_BITES = 10  # in one transaction

UNUSED = timedelta(days=30)
"""A feed that nobody has read for so long is not recorded any more."""

NEARLY_FULL = 0.8
"""The share of the limit at which the owner is told."""

_FEED = """
SELECT recording, recording_since, last_position, pruned_position, nearly_full FROM event_feeds
WHERE owner_id = $1 FOR NO KEY UPDATE
"""
_NEXT_FEED = """
SELECT owner_id, recording, recording_since, last_position, pruned_position, nearly_full FROM event_feeds
WHERE owner_id > $1 ORDER BY owner_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
"""
# Whoever reads a feed locks its row for a moment, so the time of use is written once a minute.
_USED = "UPDATE event_feeds SET used_at = now() WHERE owner_id = $1 AND used_at < now() - interval '1 minute'"
# A cursor from before the recording is older than `pruned_position`: what happened meanwhile is not in the feed.
_RECORD = """
INSERT INTO event_feeds AS f (owner_id, last_position, pruned_position) VALUES ($1, 1, 1)
ON CONFLICT (owner_id) DO UPDATE SET
  recording = true, used_at = now(), nearly_full = CASE WHEN f.recording THEN f.nearly_full ELSE false END,
  recording_since = CASE WHEN f.recording THEN f.recording_since ELSE now() END,
  last_position = CASE WHEN f.recording THEN f.last_position ELSE f.last_position + 1 END,
  pruned_position = CASE WHEN f.recording THEN f.pruned_position ELSE f.last_position + 1 END
"""
_STOP = """
UPDATE event_feeds SET recording = false, pruned_position = last_position WHERE owner_id = $1 AND recording
"""
_FORGET_INBOX = "DELETE FROM event_inbox WHERE owner_id = $1"
_FORGET = "DELETE FROM events WHERE owner_id = $1"
_MOVE = """
WITH moved AS (
  DELETE FROM event_inbox WHERE seq IN (SELECT seq FROM event_inbox WHERE owner_id = $1 ORDER BY seq LIMIT $3)
  RETURNING *
)
INSERT INTO events (owner_id, position, id, type, subject, subject_id, project_id, account_id, at, data)
SELECT owner_id, $2 + row_number() OVER (ORDER BY seq), id, type, subject, subject_id, project_id, account_id, at, data
FROM moved
"""
_MOVED_TO = "UPDATE event_feeds SET last_position = $2 WHERE owner_id = $1"
# The oldest of the feed, up to the first that is young enough: so no gap arises.
_PRUNE = """
WITH oldest AS (
  SELECT position, at FROM events WHERE owner_id = $1 AND position > $2 ORDER BY position LIMIT $3
), last AS (
  SELECT COALESCE(min(position) FILTER (WHERE at >= now() - $4::interval AND position > $5) - 1, max(position)) AS position
  FROM oldest
), gone AS (
  DELETE FROM events WHERE owner_id = $1 AND position <= (SELECT position FROM last)
)
UPDATE event_feeds SET pruned_position = last.position FROM last WHERE owner_id = $1 AND last.position > $2
RETURNING event_feeds.pruned_position
"""
_NEARLY_FULL_EVENT = """
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
VALUES ($1, 'feed.nearlyFull', 'feed', $1, jsonb_build_object('count', $2::bigint, 'limit', $3::bigint))
"""
_SET_NEARLY_FULL = "UPDATE event_feeds SET nearly_full = $2 WHERE owner_id = $1"
_UNUSED = "SELECT used_at < now() - $2::interval FROM event_feeds WHERE owner_id = $1"
_READ = """
SELECT owner_id, position, id, type, at, subject, subject_id, project_id, account_id, data FROM events
WHERE owner_id = $1 AND position > $2 AND position <= $3 AND ($4::text[] IS NULL OR type = ANY($4))
ORDER BY position LIMIT $5
"""


@dataclass(slots=True)
class Feed:
    """A feed whose row is locked."""

    owner_id: UUID
    recording: bool
    recording_since: Any
    last_position: int
    pruned_position: int
    nearly_full: bool

    @property
    def count(self) -> int:
        """Returns how many events it has."""
        return self.last_position - self.pruned_position


async def lock(db: asyncpg.Connection, owner_id: UUID) -> Feed | None:
    """Locks a feed until the end of the transaction. Returns None if the user never had one."""
    row = await db.fetchrow(_FEED, owner_id)
    return None if row is None else Feed(owner_id, *row)


async def record(db: asyncpg.Connection, owner_id: UUID) -> None:
    """Begins to record the events of a user. A feed that is recorded already is left as it is."""
    await db.execute(_RECORD, owner_id)


async def stop(db: asyncpg.Connection, owner_id: UUID) -> None:
    """Ends the recording, and deletes all events."""
    await db.execute(_STOP, owner_id)
    await db.execute(_FORGET_INBOX, owner_id)
    await db.execute(_FORGET, owner_id)


async def store_positions(db: asyncpg.Connection, feed: Feed) -> bool:
    """Gives positions to events that are committed. Returns whether there may be more."""
    for _ in range(_BITES):
        status = await db.execute(_MOVE, feed.owner_id, feed.last_position, BITE)
        if moved := int(status.rpartition(" ")[2]):
            feed.last_position += moved
            await db.execute(_MOVED_TO, feed.owner_id, feed.last_position)
        if moved < BITE:
            return False
    return True


async def read(
    db: asyncpg.Connection, feed: Feed, after: int, to: int, types: list[str] | None, limit: int
) -> list[Any]:
    """Returns the rows of events behind `after` up to `to`, at most `limit`, and notes that the feed is used."""
    await db.execute(_USED, feed.owner_id)
    return list(await db.fetch(_READ, feed.owner_id, after, to, types, limit))


@every(10)
async def keep(services: Services) -> None:
    """Gives positions to the events that nobody reads, deletes what is too old or too much, and ends unused feeds."""
    settings = services.settings
    keeping = timedelta(days=settings.event_retention_days)
    owner: UUID | None = UUID(int=0)
    while owner is not None and not services.stopping.is_set():
        owner = await _keep_next(services.db, owner, keeping, settings.event_limit)


async def _keep_next(db: Database, owner: UUID, keeping: timedelta, limit: int) -> UUID | None:
    """Looks after the feed that follows the one of `owner`. Returns whose it was; None if there is none."""
    more = True
    feed = None
    async with db.transaction() as connection:
        row = await connection.fetchrow(_NEXT_FEED, owner)
        if row is None:
            return None
        feed = Feed(*row)
        if await connection.fetchval(_UNUSED, feed.owner_id, UNUSED):
            await stop(connection, feed.owner_id)
            return feed.owner_id
        await store_positions(connection, feed)
        await _record_nearly_full(connection, feed, limit)
    while more:
        async with db.transaction() as connection:
            feed = await lock(connection, feed.owner_id)
            if feed is None:
                break
            pruned = await connection.fetchval(
                _PRUNE, feed.owner_id, feed.pruned_position, BITE, keeping, feed.last_position - limit
            )
            more = pruned is not None and pruned - feed.pruned_position >= BITE
            more |= await store_positions(connection, feed)
    return row["owner_id"]  # type: ignore[no-any-return]


async def _record_nearly_full(db: asyncpg.Connection, feed: Feed, limit: int) -> None:
    """Tells the owner once that the feed is nearly full."""
    nearly_full = feed.count >= NEARLY_FULL * limit
    if nearly_full == feed.nearly_full or (not nearly_full and feed.count > NEARLY_FULL * limit * 0.9):
        return
    await db.execute(_SET_NEARLY_FULL, feed.owner_id, nearly_full)
    if nearly_full:
        await db.execute(_NEARLY_FULL_EVENT, feed.owner_id, feed.count, limit)

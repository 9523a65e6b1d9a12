"""The SQL of sinks: those that have something to publish, their progress, and the state after a failure.

A worker writes under the lease of the sink: each statement checks it, so that a process which was frozen and has lost
its lease moves no cursor.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from db.session import Database
from engine.feed.event_feed import LAST_POSITION
from runtime.leases import JobLease

LEASE: Final = "event_sinks:"
"""The name of a sink's lease, before its id."""
APART: Final = "event_sinks"
"""The name of the lease of a process that publishes to sinks and does nothing else: engine/sinks/apart.py."""
IS_APART: Final = f"EXISTS (SELECT FROM leases WHERE name = '{APART}' AND expires_at > now())"
"""The SQL condition that such a process runs."""
FAILING_AFTER: Final = 3
"""Failures in a row after which the owner is told, once; and that it works again, when it does."""
MOST_DUE: Final = 200
"""Sinks that one look finds, and cursors that one sink works at before it looks again."""

_MAKER_ACTIVE = """(s.saved_by IS NULL OR EXISTS (
  SELECT FROM users AS m WHERE m.id = s.saved_by AND m.status = 'active'
))"""  # the user who has made the sink `s` is not suspended
_BEHIND = f"""
f.recording AND f.pending_xid IS NULL
  AND ({LAST_POSITION} > c.position OR f.epoch <> c.epoch OR c.replay_position IS NOT NULL)
"""
# $1: sinks that this process works at, $2: whether to look at those of the installation, $3 and $4: up to which number
# the inboxes of these owners are empty for good (engine/feed/inbox_floor.py), $5: whether this process is apart.
_DUE: Final = f"""
SELECT s.id, s.owner_id, s.failures > 0 AS failing
FROM event_sinks AS s LEFT JOIN users AS u ON u.id = s.owner_id
WHERE s.enabled AND (s.next_at IS NULL OR s.next_at <= now()) AND s.id <> ALL($1::uuid[])
  AND {_MAKER_ACTIVE} AND ($5 OR NOT {IS_APART})
  AND NOT EXISTS (SELECT FROM leases AS l WHERE l.name = '{LEASE}' || s.id AND l.expires_at > now())
  AND CASE WHEN s.owner_id IS NULL THEN $2 AND (
    EXISTS (
      SELECT FROM event_inbox AS i JOIN event_sink_cursors AS c ON c.sink_id = s.id AND c.owner_id = i.owner_id
    ) OR EXISTS (
      SELECT FROM event_sink_cursors AS c JOIN event_feeds AS f ON f.owner_id = c.owner_id
      WHERE c.sink_id = s.id AND {_BEHIND}
    )
  ) ELSE u.status = 'active' AND EXISTS (
    SELECT FROM event_sink_cursors AS c JOIN event_feeds AS f ON f.owner_id = c.owner_id
    LEFT JOIN unnest($3::uuid[], $4::bigint[]) AS floor (owner_id, seq) ON floor.owner_id = f.owner_id
    WHERE c.sink_id = s.id AND (({_BEHIND}) OR EXISTS (
      SELECT FROM event_inbox AS i WHERE i.owner_id = f.owner_id AND i.seq > COALESCE(floor.seq, 0)
    ))
  ) END
ORDER BY random() LIMIT {MOST_DUE}
"""  # noqa: S608  our own words
# $2: whether this process is apart.
_SOURCE: Final = f"""
SELECT s.*, u.roles, COALESCE(t.scopes, s.query_scopes) AS token_scopes,
  t.revoked_at IS NOT NULL OR COALESCE(t.expires_at <= now(), false) AS token_ended,
  s.saved_by IS NOT NULL AND s.owner_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM memberships AS m WHERE m.owner_id = s.owner_id AND m.member_id = s.saved_by
  ) AS member_left
FROM event_sinks AS s LEFT JOIN users AS u ON u.id = s.owner_id
LEFT JOIN api_tokens AS t ON t.id = s.api_token_id
WHERE s.id = $1 AND s.enabled AND (s.next_at IS NULL OR s.next_at <= now())
  AND (s.owner_id IS NULL OR u.status = 'active') AND {_MAKER_ACTIVE} AND ($2 OR NOT {IS_APART})
"""  # noqa: S608  our own words
_OF_OWNER: Final = "SELECT * FROM event_sink_cursors WHERE sink_id = $1"
_OF_INSTALLATION: Final = f"""
SELECT c.* FROM event_sink_cursors AS c JOIN event_feeds AS f ON f.owner_id = c.owner_id
WHERE c.sink_id = $1 AND f.recording AND f.pending_xid IS NULL
  AND (({_BEHIND}) OR EXISTS (SELECT FROM event_inbox AS i WHERE i.owner_id = c.owner_id))
ORDER BY c.updated_at LIMIT {MOST_DUE}
"""  # noqa: S608  our own words
# $1 and $2: the lease; $3 sink, $4 owner, $5 the position that was reached, $6 where it began, $7 events published, $8
# the version of the sink that they were read for: other settings, or another replay, begin where this one began.
_STORE = """
WITH moved AS (
  UPDATE event_sink_cursors SET {moved}, published = published + $7,
    rate = rate * exp(-LEAST(EXTRACT(epoch FROM now() - updated_at), 600)::float8 / 60.0) + $7 / 60.0,
    updated_at = now()
  WHERE sink_id = $3 AND owner_id = $4 AND {begin} = $6
    AND EXISTS (SELECT FROM leases WHERE name = $1 AND holder = $2 AND expires_at > now())
    AND EXISTS (SELECT FROM event_sinks AS s WHERE s.id = $3 AND s.version = $8 AND s.enabled)
  RETURNING sink_id
), noted AS (
  UPDATE event_sinks AS s SET published_at = now() FROM moved
  WHERE s.id = moved.sink_id AND $7 > 0
    AND (s.published_at IS NULL OR s.published_at < now() - interval '1 second')
)
SELECT sink_id FROM moved
"""
_STORE_NEW: Final = _STORE.format(
    moved="position = $5, epoch = $9, missed = missed + $10::bigint", begin="position"
)
_STORE_REPLAYED: Final = _STORE.format(
    moved="replay_position = CASE WHEN $5 < replay_to THEN $5 END", begin="replay_position"
)
_LEASED = "EXISTS (SELECT FROM leases WHERE name = $1 AND holder = $2 AND expires_at > now())"
_EVENT = """
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
SELECT changed.owner_id, $4, 'eventSink', changed.id, jsonb_build_object('uuid', changed.id, 'name', changed.name,
  'kind', changed.kind, 'url', changed.url_visible, 'stream', changed.stream, 'failures', {failures},
  'failingSince', postern_utc({since}), 'lastError', {error})
FROM changed JOIN event_feeds AS f ON f.owner_id = changed.owner_id AND f.recording WHERE {told}
"""
_FAILED: Final = f"""
WITH changed AS (
  UPDATE event_sinks SET failures = failures + 1, failing_since = COALESCE(failing_since, now()), last_error = $5,
    next_at = now() + $6::interval
  WHERE id = $3 AND version = $7 AND {_LEASED} RETURNING *
)
{
    _EVENT.format(
        failures="changed.failures",
        since="changed.failing_since",
        error="changed.last_error",
        told=f"changed.failures = {FAILING_AFTER}",
    )
}
"""  # noqa: S608  our own words
_RECOVERED: Final = f"""
WITH earlier AS (
  SELECT id, failures, failing_since FROM event_sinks WHERE id = $3 AND (failures > 0 OR last_error IS NOT NULL)
  FOR NO KEY UPDATE
), changed AS (
  UPDATE event_sinks AS s SET failures = 0, failing_since = NULL, last_error = NULL, next_at = NULL
  FROM earlier WHERE s.id = earlier.id AND {_LEASED}
  RETURNING s.*, earlier.failures AS before, earlier.failing_since AS since
)
{_EVENT.format(failures="0", since="NULL::timestamptz", error="NULL::text", told=f"changed.before >= {FAILING_AFTER}")}
"""  # noqa: S608  our own words
_WAIT: Final = f"""
UPDATE event_sinks SET next_at = now() + $4::interval, last_error = $5 WHERE id = $3 AND version = $6 AND {_LEASED}
"""  # noqa: S608  our own words
_DISABLE: Final = f"""
UPDATE event_sinks SET enabled = false, disabled_reason = $4, last_error = $4, version = version + 1,
  updated_at = now()
WHERE id = $3 AND version = $5 AND {_LEASED}
"""  # noqa: S608  our own words


@dataclass(frozen=True, slots=True)
class DueSink:
    """A sink that has something to publish."""

    id: UUID
    owner_id: UUID | None
    failing: bool


@dataclass(slots=True)
class Cursor:
    """A row of event_sink_cursors, as this process has read or stored it."""

    sink_id: UUID
    owner_id: UUID
    epoch: int
    position: int
    replay_position: int | None
    replay_to: int | None
    replay_since: datetime | None
    replay_types: list[str] | None


async def due(
    db: Database, without: Collection[UUID], floors: dict[UUID, int], *, installation: bool, apart: bool
) -> list[DueSink]:
    """Returns sinks that have something to publish, and no worker. None, if a process apart publishes, and
    this one is not `apart`.
    """
    rows = await db.fetch(_DUE, list(without), installation, list(floors), list(floors.values()), apart)
    return [DueSink(row["id"], row["owner_id"], row["failing"]) for row in rows]


async def source(db: Database, sink_id: UUID, *, apart: bool = False) -> Any:
    """Returns the row of a sink, with the rights of who has saved it; None if nothing is to be published now, or by
    another process that is apart.
    """
    return await db.fetchrow(_SOURCE, sink_id, apart)


async def of_sink(db: Database, sink_id: UUID, *, installation: bool) -> list[Cursor]:
    """Returns the cursor of an owner's sink, or those of the installation's that have something to do."""
    rows = await db.fetch(_OF_INSTALLATION if installation else _OF_OWNER, sink_id)
    return [
        Cursor(
            row["sink_id"], row["owner_id"], row["epoch"], row["position"], row["replay_position"],
            row["replay_to"], row["replay_since"], row["replay_types"],
        )
        for row in rows
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reached:
    """Says how far a part of a feed is published."""

    begin: int
    position: int
    published: int
    epoch: int
    missed: int = 0
    is_replay: bool = False


async def store(db: Database, lease: JobLease, cursor: Cursor, reached: Reached, version: int) -> bool:
    """Stores the position that was reached. Returns False if the sink or the cursor was changed meanwhile, or the lease
    is lost.
    """
    arguments = (
        lease.name, lease.holder, cursor.sink_id, cursor.owner_id, reached.position, reached.begin, reached.published,
        version,
    )  # fmt: skip
    if reached.is_replay:
        if await db.fetchval(_STORE_REPLAYED, *arguments) is None:
            return False
        is_over = cursor.replay_to is None or reached.position >= cursor.replay_to
        cursor.replay_position = None if is_over else reached.position
        return True
    if await db.fetchval(_STORE_NEW, *arguments, reached.epoch, reached.missed) is None:
        return False
    cursor.position, cursor.epoch = reached.position, reached.epoch
    return True


async def failed(db: Database, lease: JobLease, row: Any, reason: str, pause: timedelta) -> None:
    """Stores a failure, after which the sink waits. The owner is told at the third in a row."""
    await db.fetch(_FAILED, lease.name, lease.holder, row.id, "sink.failing", reason, pause, row.version)


async def recovered(db: Database, lease: JobLease, sink_id: UUID) -> None:
    """Forgets the failures of a sink, which works again. The owner is told if they were told of the failures."""
    await db.fetch(_RECOVERED, lease.name, lease.holder, sink_id, "sink.recovered")


async def wait(db: Database, lease: JobLease, row: Any, pause: timedelta, reason: str) -> None:
    """Publishes nothing for a time, which is no failure."""
    await db.fetch(_WAIT, lease.name, lease.holder, row.id, pause, reason, row.version)


async def disable(db: Database, lease: JobLease, row: Any, reason: str) -> None:
    """Switches a sink off until its owner saves it again."""
    await db.fetch(_DISABLE, lease.name, lease.holder, row.id, reason, row.version)

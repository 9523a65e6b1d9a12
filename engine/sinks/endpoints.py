"""The sinks of event feeds, for resolvers: tried, begun, replayed, described, removed.

Resolvers check the permission.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
import orjson

import sinks
from core.errors import BadRequest, Conflict, Unavailable
from core.vault import Sealed
from db.query import Reads
from engine.feed import event_feed
from engine.feed.event_feed import LAST_POSITION
from engine.webhooks.feed import plain
from runtime.services import Services
from sinks import addresses, subjects
from sinks.port import SinkAddress, SinkEvent, SinkFailed, StreamStatus

MOST = 10
"""Sinks of one owner, and of the whole installation."""

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('event_sinks:' || COALESCE($1::uuid::text, ''), 0))"
_COUNT = "SELECT count(*) FROM event_sinks WHERE owner_id IS NOT DISTINCT FROM $1"
_OWNER = "SELECT owner_id FROM event_sinks WHERE id = $1"
_BEGIN = """
INSERT INTO event_sink_cursors (sink_id, owner_id, epoch, position) VALUES ($1, $2, $3, $4)
"""
# Those of users without a feed follow in engine/sinks/upkeep.py.
_BEGIN_ALL = f"""
INSERT INTO event_sink_cursors (sink_id, owner_id, epoch, position)
SELECT $1, f.owner_id, f.epoch, {LAST_POSITION}
FROM event_feeds AS f JOIN users AS u ON u.id = f.owner_id AND u.status = 'active' WHERE f.recording
ON CONFLICT DO NOTHING
"""  # noqa: S608  our own expression
# Events behind `position` are published for the first time.
_REPLAY = """
UPDATE event_sink_cursors AS c SET replay_position = part.begin, replay_to = c.position, replay_since = $3,
  replay_types = $4
FROM (
  SELECT c.owner_id, GREATEST(f.pruned_position, $2::bigint) AS begin
  FROM event_sink_cursors AS c JOIN event_feeds AS f ON f.owner_id = c.owner_id AND f.epoch = c.epoch
  WHERE c.sink_id = $1
) AS part
WHERE c.sink_id = $1 AND c.owner_id = part.owner_id AND part.begin < c.position
RETURNING c.replay_to - c.replay_position AS count
"""
_NO_REPLAY = """
UPDATE event_sink_cursors SET replay_position = NULL, replay_to = NULL, replay_since = NULL, replay_types = NULL
WHERE sink_id = $1 AND replay_position IS NOT NULL
"""
_STATUS = f"""
SELECT c.sink_id, sum(CASE WHEN f.recording
    THEN GREATEST({LAST_POSITION} - GREATEST(c.position, f.pruned_position), 0) ELSE 0 END)::bigint AS lag,
  sum(c.rate * exp(-LEAST(EXTRACT(epoch FROM now() - c.updated_at), 600)::float8 / 60.0)) AS rate,
  sum(c.published)::bigint AS published, sum(c.missed)::bigint AS missed,
  bool_or(c.replay_position IS NOT NULL) AS replaying
FROM event_sink_cursors AS c LEFT JOIN event_feeds AS f ON f.owner_id = c.owner_id
WHERE c.sink_id = ANY($1) GROUP BY c.sink_id
"""  # noqa: S608  our own expression
# The version ends an attempt that is under way: it has read the row as it was before.
_WAKE = "UPDATE event_sinks SET next_at = NULL, version = version + 1 WHERE id = $1"
_REMOVE = ("DELETE FROM event_sink_cursors WHERE sink_id = $1", "DELETE FROM event_sinks WHERE id = $1")


@dataclass(frozen=True, slots=True)
class TestResult:
    """Shows the broker's answer to an event of the type `sink.test`."""

    acknowledged: bool
    subject: str
    seconds: float
    error: str | None = None  # why it has not stored the event, and the remedy
    code: str | None = None
    sequence: int | None = None  # the event's number in the stream


@dataclass(frozen=True, slots=True)
class SinkStatus:
    """Says how far a sink is."""

    lag: int = 0  # positions of its feeds behind its cursors
    rate_per_second: float = 0.0  # about the last minute
    published: int = 0
    missed: int = 0
    replaying: bool = False


def vault_context(id: UUID) -> str:
    """Returns the vault's context of a sink's address."""
    return f"event_sinks.url:{id}"


def seal(services: Services, id: UUID, url: str, credentials: str | None) -> bytes:
    """Returns the stored form of an address and its credentials."""
    secret = orjson.dumps({"url": url, "credentials": credentials}).decode()
    return services.vault.seal(secret, vault_context(id))


def address_of(services: Services, row: Any) -> SinkAddress:
    """Returns the address of a row of event_sinks. Raises BadRequest `sink_unreadable` if no key opens it."""
    try:
        secret = orjson.loads(services.vault.open(row.url_encrypted, vault_context(row.id)))
    except (Sealed, ValueError):
        raise BadRequest(
            "The address of the sink can't be decrypted: POSTERN_SECRET_KEY has changed. Save the address again.",
            code="sink_unreadable",
        ) from None
    return SinkAddress(
        kind=row.kind,
        url=secret["url"],
        credentials=secret["credentials"],
        stream=row.stream,
        subject=row.subject,
        make_stream=row.make_stream,
        replicas=row.replicas,
        duplicate_window_seconds=row.duplicate_window_seconds,
    )


def visible(url: str) -> str:
    """Returns an address without user, password and token. Raises BadRequest `sink_url_invalid`."""
    try:
        return addresses.parse(url).visible
    except addresses.BadAddress as error:
        raise BadRequest(str(error), code="sink_url_invalid") from None


async def probe(services: Services, address: SinkAddress) -> StreamStatus:
    """Connects, looks for the stream or makes it, and publishes nothing. Call it before the transaction.

    Raises BadRequest: `sink_url_invalid`, `sink_url_refused`, `bad_sink_subject`, `broker_away`, `broker_refused`,
    `stream_missing`, `stream_refused`, `sink_subject_not_in_stream`.
    """
    try:
        sink = sinks.connect(address, services.guard)
        try:
            return await sink.check()
        finally:
            await sink.close()
    except SinkFailed as error:
        raise BadRequest(str(error), code=error.code) from None


async def test(services: Services, row: Any) -> TestResult:
    """Publishes one event of the type `sink.test`, and waits for the acknowledgement. It does not raise for a failure
    of the broker.
    """
    begun = time.monotonic()
    owner_id = row.owner_id or UUID(int=0)
    subject = subjects.render(row.subject, owner_id, "sink.test", "eventSink")
    sample = event_feed.sample("sink.test", "eventSink", row.id, services.db.now())
    event = SinkEvent(sample.id, subject, ("eventSink", row.id), plain(sample))
    error = code = sequence = None
    try:
        sink = sinks.connect(address_of(services, row), services.guard)
        try:
            await sink.check()
            sequence = (await sink.publish([event]))[0].sequence
        finally:
            await sink.close()
    except (SinkFailed, BadRequest) as failure:
        error, code = str(failure), failure.code
    return TestResult(sequence is not None, subject, time.monotonic() - begun, error, code, sequence)


async def begin(db: asyncpg.Connection, sink_id: UUID) -> None:
    """Puts the cursors of a new sink at the ends of its feeds. Call `event_feed.newest` before the transaction for the
    sink of an owner. Raises Unavailable `feed_not_ready`.
    """
    owner_id = await db.fetchval(_OWNER, sink_id)
    if owner_id is None:
        await db.execute(_BEGIN_ALL, sink_id)
        return
    feed = await event_feed.lock(db, owner_id)
    if feed is None or not feed.recording or feed.pending:
        raise Unavailable("The event feed was disabled at the same time. Try again.", code="feed_not_ready")
    await db.execute(_BEGIN, sink_id, owner_id, feed.epoch, feed.last_position)


async def room(db: asyncpg.Connection, owner_id: UUID | None) -> None:
    """Locks the owner's sinks until the end of the transaction. Raises Conflict `too_many_sinks`."""
    await db.execute(_LOCK, owner_id)
    if await db.fetchval(_COUNT, owner_id) >= MOST:
        raise Conflict(f"There may be at most {MOST} sinks. Delete one first.", code="too_many_sinks")


async def replay(
    db: asyncpg.Connection,
    sink_id: UUID,
    from_position: int | None = None,
    since: datetime | None = None,
    types: Sequence[str] | None = None,
) -> int:
    """Publishes the events again that are behind a position of the owner's feed, or from a time on, beside new ones.

    It ends an earlier replay. Returns how many positions it looks at. The broker drops those that are still in its
    duplicate window.
    """
    await db.execute(_NO_REPLAY, sink_id)
    rows = await db.fetch(_REPLAY, sink_id, from_position or 0, since, None if types is None else list(types))
    return sum(row["count"] for row in rows)


async def status(db: Reads, sink_ids: Sequence[UUID]) -> dict[UUID, SinkStatus]:
    """Returns how far each of these sinks is; one without a cursor is at its beginning."""
    statuses = {id: SinkStatus() for id in sink_ids}
    for row in await db.fetch(_STATUS, list(statuses)):
        statuses[row["sink_id"]] = SinkStatus(
            row["lag"], row["rate"], row["published"], row["missed"], row["replaying"]
        )
    return statuses


async def wake(db: asyncpg.Connection, sink_id: UUID) -> None:
    """Ends the waits of a sink, and makes a worker read its row again. Call it after each change of the row."""
    await db.execute(_WAKE, sink_id)


async def remove(db: asyncpg.Connection, sink_id: UUID) -> None:
    """Deletes a sink with its cursors. The stream stays."""
    for statement in _REMOVE:
        await db.execute(statement, sink_id)

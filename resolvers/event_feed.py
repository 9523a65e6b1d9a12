"""The event feed: what happened to the caller's objects, in an order that never changes."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg

from core.errors import BadRequest, Gone
from db.lists.cursor import read_cursor, write_cursor
from db.session import Database
from engine import event_feed
from engine.event_feed import Feed
from engine.event_watch import watch_of
from resolvers.read_retry import retry_read
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.services import Services
from shapes.event_feed import (
    CATALOGUE,
    MOST_EVENTS,
    MOST_TYPES,
    TYPES,
    Event,
    EventFeed,
    EventPage,
    EventType,
)

_ORDER = "events"
_SPAN = 50_000  # positions that are searched for the types of one page
_FOLLOWED = 100  # events that are read at once for a subscription


@operation(Permission.events_read, "outside")
async def page(
    op: Op,
    after: str | None = None,
    types: Sequence[str] | None = None,
    first: int = 100,
    most: int = MOST_EVENTS,
) -> EventPage:
    """Returns the events behind the cursor `after`, or the oldest there are. The first call begins the recording.

    `first`: how many, at most `most`.

    Raises BadRequest (bad_cursor, unknown_event_type, bad_first), Gone if events behind the cursor are missing.
    """
    requested = _types(types)
    if not 1 <= first <= most:
        raise BadRequest(f"`first` must be between 1 and {most}.", code="bad_first")
    position = None if after is None else _position(op.viewer.id, after)
    batch = await _read(op.db, op.viewer.id, position, requested, first)
    return EventPage.model_construct(
        events=[_event(row) for row in batch.rows],
        next=_cursor(op.viewer.id, batch.last),
        more=batch.more,
    )


@operation(Permission.events_read, "outside")
async def follow(
    op: Op, after: str | None = None, types: Sequence[str] | None = None
) -> AsyncIterator[Event]:
    """Yields the events behind the cursor `after`, or from now on, as they happen. It begins the recording.

    Raises BadRequest (bad_cursor, unknown_event_type), Gone if events behind the cursor are missing: at once, or when
    the caller has read so slowly that they were deleted.
    """
    requested, owner_id = _types(types), op.viewer.id
    async with op.db.transaction() as db:
        feed = await _recorded(db, owner_id)
        await event_feed.store_positions(db, feed)
    position = feed.last_position if after is None else _position(owner_id, after)
    batch = await _read(op.db, owner_id, position, requested, _FOLLOWED)
    return _follow(op.services, owner_id, batch, requested)


async def _follow(
    services: Services, owner_id: UUID, batch: "_Batch", requested: list[str] | None
) -> AsyncIterator[Event]:
    watch = watch_of(services)
    while True:
        for row in batch.rows:
            yield _event(row)
        if not batch.more:
            await watch.wait(owner_id, batch.last)
        batch = await retry_read(partial(_read, services.db, owner_id, batch.last, requested, _FOLLOWED))


@operation(Permission.events_read, "sql")
async def state(op: Op) -> EventFeed:
    """Returns the state of the caller's feed."""
    return _state(op, await event_feed.lock(op.connection, op.viewer.id))


@operation(Permission.events_write, "sql")
async def enable(op: Op) -> EventFeed:
    """Begins to record the caller's events. Repeating it is no error."""
    return _state(op, await _recorded(op.connection, op.viewer.id))


@operation(Permission.events_write, "sql")
async def disable(op: Op) -> None:
    """Ends the recording, and deletes the caller's events. Repeating it is no error."""
    await event_feed.stop(op.connection, op.viewer.id)


@operation(Permission.public, "read")
async def types(op: Op) -> Sequence[EventType]:
    """Returns the catalogue of event types."""
    return CATALOGUE


@dataclass(frozen=True, slots=True)
class _Batch:
    """Rows of events, the position up to which there are no others of the types, and whether there are more behind it."""

    rows: list[Any]
    last: int
    more: bool


async def _read(
    db: Database, owner_id: UUID, position: int | None, types: list[str] | None, limit: int
) -> _Batch:
    """Returns events behind the position, or the oldest there are. Raises Gone."""
    rows: list[Any] = []
    # An expired cursor is refused after the commit: from then on the caller misses nothing.
    async with db.transaction() as connection:
        feed = await _recorded(connection, owner_id)
        unread = await event_feed.store_positions(connection, feed)
        begin = feed.pruned_position if position is None else position
        to = min(feed.last_position, begin + _SPAN)
        if exists := feed.pruned_position <= begin <= feed.last_position:
            rows = await event_feed.read(connection, feed, begin, to, types, limit)
    if not exists:  # deleted; or, behind the last position, from before a backup was restored
        raise Gone(
            "Events behind this cursor are deleted, or were never recorded. Read the present state with"
            " `updatedSince`, and go on with the cursor in `details.oldest`.",
            code="cursor_expired",
            details={"oldest": _cursor(owner_id, feed.pruned_position)},
        )
    last = rows[-1]["position"] if len(rows) == limit else to
    return _Batch(rows, last, unread or last < feed.last_position)


async def _recorded(db: asyncpg.Connection, owner_id: UUID) -> Feed:
    """Returns the user's feed, locked and recorded."""
    feed = await event_feed.lock(db, owner_id)
    if feed is None or not feed.recording:
        await event_feed.record(db, owner_id)
        feed = await event_feed.lock(db, owner_id)
    assert feed is not None
    return feed


def _types(types: Sequence[str] | None) -> list[str] | None:
    if types is None:
        return None
    if len(types) > MOST_TYPES:
        raise BadRequest(f"Ask for at most {MOST_TYPES} types.", code="unknown_event_type")
    for name in types:
        if name not in TYPES:
            raise BadRequest(
                f"There is no event type {name[:64]!r}. The query `eventTypes` and docs/events.md list all of them.",
                code="unknown_event_type",
            )
    return list(types)


def _cursor(owner_id: UUID, position: int) -> str:
    return write_cursor(_ORDER, [owner_id, position])


def _position(owner_id: UUID, after: str) -> int:
    """Returns the position of a cursor. Raises BadRequest."""
    owner, position = read_cursor(after, _ORDER, [UUID, int])
    if owner != owner_id:
        raise BadRequest(
            "The cursor is of another user's feed. Start again without a cursor.", code="bad_cursor"
        )
    return int(position)


def _event(row: Any) -> Event:
    return Event.model_construct(
        id=row["id"],
        cursor=_cursor(row["owner_id"], row["position"]),
        type=row["type"],
        at=row["at"],
        subject=row["subject"],
        subject_id=row["subject_id"],
        sending_project_uuid=row["project_id"],
        account_id=row["account_id"],
        data=row["data"],
    )


def _state(op: Op, feed: Feed | None) -> EventFeed:
    settings = op.services.settings
    feed = feed or Feed(op.viewer.id, False, None, 0, 0, False)
    return EventFeed.model_construct(
        recording=feed.recording,
        recording_since=feed.recording_since if feed.recording else None,
        count=feed.count,
        limit=settings.event_limit,
        nearly_full=feed.nearly_full,
        retention_days=settings.event_retention_days,
        oldest=_cursor(feed.owner_id, feed.pruned_position),
        newest=_cursor(feed.owner_id, feed.last_position),
    )

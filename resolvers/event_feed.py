"""The event feed: what happened to the caller's objects, in an order that never changes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from core.errors import BadRequest, Conflict, Gone
from db.lists.cursor import read_cursor
from engine.feed import event_feed
from engine.feed.event_feed import Feed
from engine.feed.event_watch import watch_of
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

_SEARCHED_POSITIONS = 50_000  # positions that are searched for the types of one page
_SUBSCRIPTION_BATCH = 100  # events that are read at once for a subscription
_HAS_WEBHOOKS = (
    "SELECT EXISTS (SELECT FROM webhooks WHERE owner_id = $1 AND account_id IS NULL AND NOT is_callback)"
)
_HAS_SINKS = "SELECT EXISTS (SELECT FROM event_sinks WHERE owner_id = $1)"
_IS_IN_SINK_OF_ALL = "SELECT EXISTS (SELECT FROM event_sinks WHERE owner_id IS NULL)"
_LOCKED_SECONDS = 0.05  # until a subscription looks again whose feed another reader has locked


@operation(Permission.events_read, "outside")
async def page(
    op: Op,
    after: str | None = None,
    types: Sequence[str] | None = None,
    first: int = 100,
    most: int = MOST_EVENTS,
) -> EventPage:
    """Returns what happened to your messages, projects and accounts, oldest first. The first call begins the recording.

    `first`: the number of events behind the cursor `after`, at most `most`. Raises BadRequest (bad_cursor,
    unknown_event_type, bad_first), Gone if events behind the cursor are missing, Unavailable.
    """
    requested = _types(types)
    if not 1 <= first <= most:
        raise BadRequest(f"`first` must be between 1 and {most}.", code="bad_first")
    position = None if after is None else _position(op.viewer.id, after)
    batch = await _read(op.services, op.viewer.id, position, requested, first)
    return EventPage.model_construct(
        events=[event_feed.event_of(row, batch.epoch) for row in batch.rows],
        next=event_feed.cursor_of(op.viewer.id, batch.epoch, batch.last),
        more=batch.more,
    )


@operation(Permission.events_read, "outside")
async def follow(
    op: Op, after: str | None = None, types: Sequence[str] | None = None
) -> AsyncIterator[Event]:
    """Emits your events as they happen: those behind `after`, or from now on. After a lost connection, go on with the
    cursor of the last event: nothing is missed. An error `cursor_expired` ends it if events were deleted before you
    have read them.

    It begins the recording. Raises BadRequest (bad_cursor, unknown_event_type), Gone if events behind the cursor are
    missing: at once, when the caller has read so slowly that they were deleted, or when the recording has ended.
    """
    requested, owner_id = _types(types), op.viewer.id
    if after is None:
        feed = await event_feed.newest(op.db, owner_id)
        after = _cursor(feed, feed.last_position)
    batch = await _read(op.services, owner_id, _position(owner_id, after), requested, _SUBSCRIPTION_BATCH)
    return _follow(op.services, owner_id, batch, requested)


async def _follow(
    services: Services, owner_id: UUID, batch: "_Batch", requested: list[str] | None
) -> AsyncIterator[Event]:
    watch = watch_of(services)
    while True:
        for row in batch.rows:
            yield event_feed.event_of(row, batch.epoch)
        if not batch.more:
            await watch.wait(owner_id, batch.last)
        elif not batch.rows:  # another reader has the feed
            await asyncio.sleep(_LOCKED_SECONDS)
        position = batch.epoch, batch.last
        reading = partial(_read, services, owner_id, position, requested, _SUBSCRIPTION_BATCH, opens=False)
        batch = await retry_read(reading)


@operation(Permission.events_read, "outside")
async def state(op: Op) -> EventFeed:
    """Returns the state of your event feed."""
    async with op.db.reading() as db:
        return _state(op, await event_feed.get(db, op.viewer.id))


@operation(Permission.events_write, "outside")
async def enable(op: Op) -> EventFeed:
    """Begins to record your events. Repeating it is not an error. Raises Unavailable."""
    return _state(op, await event_feed.open_feed(op.db, op.viewer.id))


@operation(Permission.events_write, "sql")
async def disable(op: Op) -> None:
    """Ends the recording, and deletes your events. Repeating it is not an error. Raises Conflict if webhooks or event
    sinks need it.
    """
    await event_feed.lock(op.connection, op.viewer.id)
    if await op.connection.fetchval(_HAS_WEBHOOKS, op.viewer.id):
        raise Conflict("Your webhooks need the event feed. Delete them first.", code="webhooks_exist")
    if await op.connection.fetchval(_HAS_SINKS, op.viewer.id):
        raise Conflict("Your event sinks need the event feed. Delete them first.", code="sinks_exist")
    if await op.connection.fetchval(_IS_IN_SINK_OF_ALL):
        raise Conflict(
            "The operator publishes the events of all users, so they are recorded. Ask the operator to delete that"
            " event sink.",
            code="sinks_exist",
        )
    await event_feed.stop(op.connection, op.viewer.id)


@operation(Permission.public, "read")
async def types(op: Op) -> Sequence[EventType]:
    """Lists all types of events: the catalogue in docs/events.md."""
    return CATALOGUE


@dataclass(frozen=True, slots=True)
class _Batch:
    """Holds events, the position up to which there are no others of their types, and whether there are more behind
    it.
    """

    rows: list[Any]
    epoch: int
    last: int
    more: bool


async def _read(
    services: Services,
    owner_id: UUID,
    cursor: tuple[int, int] | None,
    types: list[str] | None,
    limit: int,
    *,
    opens: bool = True,
) -> _Batch:
    """Returns events behind the cursor, or the oldest there are. Raises Gone, Unavailable.

    `opens`: a feed that is not recorded is opened.
    """
    async with services.db.transaction() as db:
        feed, unread = await event_feed.advance(db, services, owner_id)
        if ready := feed is not None and feed.recording and not feed.pending:
            assert feed is not None
            begin = feed.pruned_position if cursor is None else cursor[1]
            to = max(begin, min(feed.last_position, begin + _SEARCHED_POSITIONS))
            rows = await event_feed.read(db, feed, begin, to, types, limit)
            # Another reader may have it locked, and may have deleted events before they were read here.
            now = await event_feed.get(db, owner_id)
    # What follows may raise, and the positions stay.
    if ready:
        assert feed is not None
        assert now is not None
        is_of_feed = cursor is None or cursor[0] == now.epoch
        if not (is_of_feed and now.pruned_position <= begin <= feed.last_position):
            raise _expired(now)
        last = rows[-1]["position"] if len(rows) == limit else to
        return _Batch(rows, now.epoch, last, unread or last < feed.last_position)
    if not opens:
        raise _expired(feed)
    # From then on the caller of an expired cursor misses nothing.
    feed = await event_feed.open_feed(services.db, owner_id)
    if cursor is not None:
        raise _expired(feed)
    return _Batch([], feed.epoch, feed.last_position, more=False)


def _expired(feed: Feed | None) -> Gone:
    return Gone(
        "Events behind this cursor are deleted, or were never recorded. Read the present state with `updatedSince`, and"
        " go on with the cursor in `details.oldest`.",
        code="cursor_expired",
        details=None if feed is None else {"oldest": _cursor(feed, feed.pruned_position)},
    )


def _types(types: Sequence[str] | None) -> list[str] | None:
    if types is None:
        return None
    if not types:
        raise BadRequest(
            "`types` names no type. Leave it out to get events of all types.", code="unknown_event_type"
        )
    if len(types) > MOST_TYPES:
        raise BadRequest(f"Ask for at most {MOST_TYPES} types.", code="unknown_event_type")
    for name in types:
        if name not in TYPES:
            raise BadRequest(
                f"There is no event type {name[:64]!r}. The query `eventTypes` and docs/events.md list all of them.",
                code="unknown_event_type",
            )
    return list(types)


def _cursor(feed: Feed, position: int) -> str:
    return event_feed.cursor_of(feed.owner_id, feed.epoch, position)


def _position(owner_id: UUID, after: str) -> tuple[int, int]:
    """Returns the epoch and the position of a cursor. Raises BadRequest."""
    owner, epoch, position = read_cursor(after, event_feed.CURSOR_ORDER, [UUID, int, int])
    if owner != owner_id:
        raise BadRequest(
            "The cursor is of another user's feed. Start again without a cursor.", code="bad_cursor"
        )
    return epoch, position


def _state(op: Op, feed: Feed | None) -> EventFeed:
    settings = op.services.settings
    feed = feed or Feed(op.viewer.id, False, None, False, 0, 0, 0, False)
    return EventFeed.model_construct(
        recording=feed.recording,
        recording_since=feed.recording_since if feed.recording else None,
        count=feed.count,
        limit=settings.event_limit,
        nearly_full=feed.nearly_full,
        retention_days=settings.event_retention_days,
        oldest=_cursor(feed, feed.pruned_position),
        newest=_cursor(feed, feed.last_position),
    )

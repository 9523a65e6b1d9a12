"""Event sinks: brokers that the events of a feed are published to. engine/sinks publishes them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

import asyncpg

from core.errors import BadRequest, Conflict, Gone, NotFound
from core.ids import uuid7
from core.rate_limits import Limit
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.cursor import read_cursor
from db.query import p, returning
from engine.feed import event_feed
from engine.sinks import endpoints
from resolvers.event_sinks import sink_input
from resolvers.webhooks import webhook_selection
from runtime import audit
from runtime.operation import Op, operation, require
from runtime.permissions import Permission
from shapes.event_sinks import (
    EventSinkPatch,
    EventSinkReplay,
    EventSinkStatus,
    EventSinkTested,
    NewEventSink,
)

_ROW: Final = models.EventSink
_COLUMNS: Final = returning(_ROW, "event_sinks")
_LISTS: Final = Listing(_ROW, descending=False, without=("url_encrypted", "version"))
_MY: Final = _ROW.owner_id == p("owner_id")
_CONNECTIONS: Final = Limit("event_sinks", 20, 60)
_MINE: Final = f"""
SELECT {_COLUMNS} FROM event_sinks WHERE id = $1 AND ($2 OR owner_id = $3)
"""  # noqa: S608  our own column names
_SEEN: Final = "SELECT id FROM event_sinks WHERE id = ANY($1) AND ($2 OR owner_id = $3)"


@operation(Permission.events_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.EventSink]:
    """Lists your event sinks, oldest first; administrators get those of all users, and those of the installation."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MY), owner_id=op.viewer.id)


@operation(Permission.events_read, "read")
async def get(op: Op, id: UUID) -> models.EventSink:
    """Returns one event sink. Raises NotFound."""
    return await _sink_of(op, id)


@operation(Permission.events_read, "read")
async def statuses(op: Op, ids: Sequence[UUID]) -> Sequence[EventSinkStatus | None]:
    """Returns how far each sink is; None for one that the caller may not see."""
    rows = await op.db.fetch(_SEEN, [*ids], op.viewer.admin, op.viewer.id)
    seen = {row["id"] for row in rows}
    statuses = await _statuses(op, [id for id in dict.fromkeys(ids) if id in seen])
    return [statuses.get(id) for id in ids]


@operation(Permission.events_read, "read")
async def status(op: Op, id: UUID) -> EventSinkStatus:
    """Returns how far a sink is: its lag, its rate, and what it has published and missed. Raises NotFound."""
    await _sink_of(op, id)
    return (await _statuses(op, [id]))[id]


async def _prepare_new(op: Op, input: NewEventSink) -> None:
    if input.whole_installation:
        require(op.viewer, Permission.users_admin)
    await _check_events(op, input.types, input.query, whole=input.whole_installation)
    await _limit(op)
    await endpoints.probe(op.services, sink_input.new_address(input))
    if not input.whole_installation:
        await event_feed.newest(op.db, op.viewer.id)


@operation(Permission.events_write, "sql", before=_prepare_new)
async def create(op: Op, input: NewEventSink) -> models.EventSink:
    """Makes a sink of your event feed, after a test of the connection: it publishes what happens from now on. The feed
    is recorded from then on. Raises BadRequest (unknown_event_type, bad_document, and the codes of `endpoints.probe`),
    Forbidden (a user asks for the whole installation), Conflict (too_many_sinks, event_sink_exists), RateLimited,
    Unavailable.
    """
    id, db = uuid7(), op.connection
    owner_id = None if input.whole_installation else op.viewer.id
    await endpoints.room(db, owner_id)
    columns = sink_input.columns_of(op, id, input, sink_input.new_address(input))
    columns |= await sink_input.maker_columns(op, input, whole_installation=input.whole_installation)
    values = {"id": id, "owner_id": owner_id, "kind": input.kind.value, **columns}
    parameters = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    statement = (
        f"INSERT INTO event_sinks ({', '.join(values)}) VALUES ({parameters})"  # noqa: S608  our own names
        f" RETURNING {_COLUMNS}"
    )
    row: models.EventSink = await _stored(db, input.name, statement, values)
    await endpoints.begin(db, id)
    return row


async def _prepare_update(op: Op, id: UUID, input: EventSinkPatch) -> int:
    """Returns the version of the settings whose connection was tested."""
    row, changed = await _sink_of(op, id), input.model_fields_set
    if {"types", "query"} & changed:
        types = row.types if input.types is None else input.types
        query = input.query if "query" in changed else row.query
        await _check_events(op, types, query, whole=row.owner_id is None)
    if sink_input.CONNECTS & changed:
        await _limit(op)
        await endpoints.probe(op.services, sink_input.changed_address(op, row, input))
    return int(row.version)


@operation(Permission.events_write, "sql", before=_prepare_update)
async def update(op: Op, id: UUID, input: EventSinkPatch) -> models.EventSink:
    """Changes an event sink; after a change of its address, stream or subject the connection is tested first. Enabling
    it ends the waits after failures. Raises NotFound, BadRequest (as `create` does, and sink_unreadable), Conflict
    (event_sink_exists, concurrent_change), RateLimited.
    """
    is_whole = (await _sink_of(op, id)).owner_id is None
    maker = await sink_input.maker_columns(op, input, whole_installation=is_whole)
    row, db = await _sink_of(op, id, lock=True), op.connection
    if sink_input.CONNECTS & input.model_fields_set and row.version != op.prepared:
        raise Conflict(
            "Another request has changed the sink while its connection was tested. Try again.",
            code="concurrent_change",
        )
    is_moved = bool({"url", "credentials"} & input.model_fields_set)
    address = sink_input.changed_address(op, row, input) if is_moved else None
    columns = {**sink_input.columns_of(op, id, input, address), **maker}
    if input.enabled is not None:
        columns |= {"enabled": input.enabled, "disabled_reason": None if input.enabled else "switched off"}
    sets = "".join(f"{name} = ${number}, " for number, name in enumerate(columns, 2))
    statement = f"UPDATE event_sinks SET {sets}updated_at = now() WHERE id = $1"  # noqa: S608  our own names
    await _stored(db, input.name, statement, {"id": id, **columns})
    await endpoints.wake(db, id)
    return await _sink_of(op, id)


@operation(Permission.events_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes an event sink. The stream stays at the broker with the events that are in it. Raises NotFound."""
    await _sink_of(op, id, lock=True)
    await endpoints.remove(op.connection, id)


@operation(Permission.events_write, "outside")
async def test(op: Op, id: UUID) -> EventSinkTested:
    """Publishes an event of the type `sink.test`, and returns whether the broker has stored it.

    If the broker stores it, the waits after failures end. Raises NotFound, BadRequest `sink_unreadable`, RateLimited.
    """
    row = await _sink_of(op, id)
    await _limit(op)
    result = await endpoints.test(op.services, row)
    if result.acknowledged:
        async with op.db.transaction() as db:
            await endpoints.wake(db, id)
    return EventSinkTested(**asdict(result))


@operation(Permission.events_write, "sql")
async def replay(op: Op, id: UUID, input: EventSinkReplay) -> int:
    """Publishes events again that are still in the feed, beside new ones; it ends an earlier replay. They have the ids
    that they had, so a stream drops those that it has stored within its duplicate window. Returns how many events the
    replay looks at. Raises NotFound, BadRequest (unknown_event_type, bad_document, bad_cursor, cursor_of_installation),
    Conflict (event_sink_disabled), Gone if events behind the cursor are deleted.
    """
    row = await _sink_of(op, id, lock=True)
    if not row.enabled:
        raise Conflict(
            "The sink is disabled. Enable it first with updateEventSink(enabled: true).",
            code="event_sink_disabled",
        )
    if input.types is not None:
        await webhook_selection.check(op, input.types, row.query)
    position = None if input.after is None else await _position(op, row.owner_id, input.after)
    count = await endpoints.replay(op.connection, id, position, input.since, input.types)
    await endpoints.wake(op.connection, id)
    if count:
        await audit.record(op.connection, row.owner_id, "eventSink", id, {"replayed": [0, count]})
    return count


async def _check_events(op: Op, types: Sequence[str], query: str | None, *, whole: bool) -> None:
    """Checks types and a document. Raises BadRequest `unknown_event_type` | `bad_document`."""
    if whole and query is not None:
        raise BadRequest(
            "A sink of the whole installation has no document: it would read each user's data with permissions that"
            " fit nobody. Leave `query` out.",
            code="bad_document",
        )
    await webhook_selection.check(op, types, query)


async def _position(op: Op, owner_id: UUID | None, after: str) -> int:
    """Returns the position of a cursor of the sink's feed. Raises BadRequest, Gone."""
    owner, epoch, position = read_cursor(after, event_feed.CURSOR_ORDER, [UUID, int, int])
    if owner_id is None:
        raise BadRequest(
            "A cursor is of one user's feed, and this sink reads those of all users. Give a time (`since`).",
            code="cursor_of_installation",
        )
    if owner != owner_id:
        raise BadRequest(
            "The cursor is of another user's feed. Take one of the feed of the sink's owner.",
            code="bad_cursor",
        )
    feed = await event_feed.get(op.connection, owner_id)
    if feed is None or epoch != feed.epoch or not feed.pruned_position <= position <= feed.last_position:
        oldest = None if feed is None else event_feed.cursor_of(owner_id, feed.epoch, feed.pruned_position)
        raise Gone(
            "Events behind this cursor are deleted, or were never recorded. Go on with the cursor in `details.oldest`.",
            code="cursor_expired",
            details=None if oldest is None else {"oldest": oldest},
        )
    return int(position)


async def _statuses(op: Op, ids: Sequence[UUID]) -> dict[UUID, EventSinkStatus]:
    statuses = await endpoints.status(op.db, ids)
    return {id: EventSinkStatus.model_construct(**asdict(status)) for id, status in statuses.items()}


async def _stored(db: asyncpg.Connection, name: str | None, statement: str, values: Mapping[str, Any]) -> Any:
    try:
        return await db.fetchrow(statement, *values.values())
    except asyncpg.UniqueViolationError as error:
        raise Conflict(
            f"There is a sink called {name!r} already. Change that one, or choose another name.",
            code="event_sink_exists",
        ) from error


async def _limit(op: Op) -> None:
    await op.services.limiter.enforce(_CONNECTIONS, str(op.viewer.id), "connections of event sinks")


async def _sink_of(op: Op, id: UUID, *, lock: bool = False) -> models.EventSink:
    """Returns a sink of the caller, or anyone's for an administrator. Raises NotFound."""
    sql = f"{_MINE} FOR NO KEY UPDATE" if lock else _MINE
    row: models.EventSink | None = await op.reads.fetchrow(sql, id, op.viewer.admin, op.viewer.id)
    if row is None:
        raise NotFound(
            "There is no such event sink among yours. Check its id, or make one with createEventSink.",
            code="event_sink_not_found",
        )
    return row

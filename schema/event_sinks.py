"""Event sinks in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import event_sinks, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import event_sinks as types
from shapes.event_sinks import (
    EventSinkPatch,
    EventSinkReplay,
    EventSinkStatus,
    EventSinkTested,
    EventSinkWhere,
    NewEventSink,
)

if TYPE_CHECKING:
    from schema.users import User

for part in (NewEventSink, EventSinkPatch, EventSinkReplay, EventSinkWhere):
    graphql.input(part, description=part.__doc__)
for shape in (EventSinkStatus, EventSinkTested):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node("EventSink", row=models.EventSink, read=event_sinks.get, description=types.EventSink.__doc__)
class EventSink(types.EventSink):
    @relation("its progress: lag, rate, and what it has published and missed")
    async def status(rows: Any, info: Info) -> list[EventSinkStatus | None]:
        return as_type(await event_sinks.statuses(info.context, [row.id for row in rows]))

    @relation("the user whose events it publishes; null: those of all users", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


def _local(id: ID) -> UUID:
    return local_id(id, "EventSink")


@strawberry.type
class Query:
    @connection(where=EventSinkWhere)
    async def event_sinks(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[EventSink] | None:
        return as_type(await event_sinks.page(info.context, page_args, where))

    @graphql.query()
    async def event_sink(self, info: Info, id: ID) -> EventSink | None:
        return EventSink.of(await event_sinks.get(info.context, _local(id)))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_event_sink(self, info: Info, input: NewEventSink) -> EventSink | None:
        return EventSink.of(await event_sinks.create(info.context, input))

    @graphql.mutation()
    async def update_event_sink(self, info: Info, id: ID, input: EventSinkPatch) -> EventSink | None:
        return EventSink.of(await event_sinks.update(info.context, _local(id), input))

    @graphql.mutation()
    async def delete_event_sink(self, info: Info, id: ID) -> bool | None:
        await event_sinks.delete(info.context, _local(id))
        return True

    @graphql.mutation()
    async def test_event_sink(self, info: Info, id: ID) -> EventSinkTested | None:
        return await event_sinks.test(info.context, _local(id))

    @graphql.mutation()
    async def replay_event_sink(self, info: Info, id: ID, input: EventSinkReplay) -> int | None:
        return await event_sinks.replay(info.context, _local(id), input)

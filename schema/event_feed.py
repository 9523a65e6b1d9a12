"""The event feed in GraphQL."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers import accounts, event_feed, message_records, messages, sending_projects
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.cost_factors import PAGE
from schema.frame.graphql import Info
from schema.frame.loaders import relation
from shapes import event_feed as types
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.accounts import Account
    from schema.message_records import MessageRecord
    from schema.messages import Message
    from schema.sending_projects import SendingProject

Types = Annotated[list[str] | None, graphql.argument("only events of these types; `eventTypes` lists them")]
AfterEvent = Annotated[
    str | None, graphql.argument("the cursor of the last event that you have; none: from now on")
]

Paying = Annotated["Account", strawberry.lazy("schema.accounts")]
Direct = Annotated["Message", strawberry.lazy("schema.messages")]
Record = Annotated["MessageRecord", strawberry.lazy("schema.message_records")]
Project = Annotated["SendingProject", strawberry.lazy("schema.sending_projects")]

graphql.type(types.EventFeed, name="EventFeed", description=types.EventFeed.__doc__)
graphql.type(types.EventType, name="EventType", description=types.EventType.__doc__)


@graphql.type(name="Event", description=types.Event.__doc__)
class Event(types.Event):
    @relation("the message as it is now, if the event is about a direct message", "subject", "subject_id")
    async def message(rows: Any, info: Info) -> list[Direct | None]:
        return as_type(await messages.by_ids(info.context, _ids(rows, "message"), info.columns))

    @relation(
        "the message as it is now, if the event is about a message of a project", "subject", "subject_id"
    )
    async def message_record(rows: Any, info: Info) -> list[Record | None]:
        return as_type(await message_records.by_ids(info.context, _ids(rows, "messageRecord"), info.columns))

    @relation("the project as it is now; null if there is none", "sending_project_uuid")
    async def sending_project(rows: Any, info: Info) -> list[Project | None]:
        ids = [row.sending_project_uuid for row in rows]
        return as_type(await sending_projects.by_ids(info.context, ids, info.columns))

    @relation("the account that pays as it is now; null if there is none", "account_id")
    async def account(rows: Any, info: Info) -> list[Paying | None]:
        return as_type(await accounts.by_ids(info.context, [row.account_id for row in rows], info.columns))


def _ids(rows: Any, subject: str) -> list[Any]:
    return [row.subject_id if row.subject == subject else None for row in rows]


@graphql.type(name="EventPage", description=types.EventPage.__doc__)
class EventPage(types.EventPage):
    # The same field, but with relations in the items.
    events: Annotated[  # type: ignore[assignment]
        list[Event], strawberry.field(description="the events, oldest first")
    ]


@strawberry.type
class Query:
    @graphql.query()
    async def events(
        self,
        info: Info,
        after: Annotated[
            str | None,
            graphql.argument(
                "`next` of the last page, or the cursor of an event; none: the oldest there are"
            ),
        ] = None,
        types: Types = None,
        first: Annotated[int, graphql.argument("the most events that are returned, 1 to 100")] = 20,
    ) -> EventPage | None:
        return as_type(await event_feed.page(info.context, after, types, first, PAGE))

    @graphql.query()
    async def event_feed(self, info: Info) -> types.EventFeed | None:
        return await event_feed.state(info.context)

    @graphql.query(cost=Cost(most=100))
    async def event_types(self, info: Info) -> list[types.EventType] | None:
        return as_type(await event_feed.types(info.context))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def enable_events(self, info: Info) -> types.EventFeed | None:
        return await event_feed.enable(info.context)

    @graphql.mutation()
    async def disable_events(self, info: Info) -> bool | None:
        await event_feed.disable(info.context)
        return True


@strawberry.type
class Subscription:
    @graphql.subscription()
    async def events(self, info: Info, after: AfterEvent = None, types: Types = None) -> AsyncIterator[Event]:
        events = await event_feed.follow(info.context, after, types)
        return _typed(events)

    @graphql.subscription(
        "Emits the events of the type `message.received` as they happen: incoming messages, "
        "and replies to projects. It goes on"
        " behind `after`, as `events` does."
    )
    async def message_received(self, info: Info, after: AfterEvent = None) -> AsyncIterator[Event]:
        events = await event_feed.follow(info.context, after, ["message.received"])
        return _typed(events)

    @graphql.subscription(
        "Emits the events of the type `chat.received` as they happen: messages that come in at your "
        "messenger accounts. It"
        " goes on behind `after`, as `events` does."
    )
    async def chat_message_received(self, info: Info, after: AfterEvent = None) -> AsyncIterator[Event]:
        events = await event_feed.follow(info.context, after, ["chat.received"])
        return _typed(events)


def _typed(events: AsyncIterator[types.Event]) -> AsyncIterator[Event]:
    return (as_type(event) async for event in events)

"""Subscriptions to topics, and what has happened to them, in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import contacts, topic_subscriptions, topics
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import consents
from shapes import topic_subscriptions as types
from shapes.consents import ConsentEntryWhere
from shapes.topic_subscriptions import (
    SubscribeContacts,
    SubscribedContacts,
    TopicSubscriptionWhere,
    UnsubscribeContacts,
    UnsubscribedContacts,
)

if TYPE_CHECKING:
    from schema.contacts import Contact
    from schema.topics import Topic

for part in (SubscribeContacts, UnsubscribeContacts, TopicSubscriptionWhere, ConsentEntryWhere):
    graphql.input(part, description=part.__doc__)
for answer in (types.InvalidSubscription, SubscribedContacts, UnsubscribedContacts):
    graphql.type(answer, description=answer.__doc__)

Person = Annotated["Contact", strawberry.lazy("schema.contacts")]
Subject = Annotated["Topic", strawberry.lazy("schema.topics")]


@graphql.node(
    "TopicSubscription",
    row=models.TopicSubscription,
    read=topic_subscriptions.get,
    description=types.TopicSubscription.__doc__,
)
class TopicSubscription(types.TopicSubscription):
    @relation("the contact", "contact_id")
    async def contact(rows: Any, info: Info) -> list[Person | None]:
        return as_type(await contacts.by_ids(info.context, [row.contact_id for row in rows], info.columns))

    @relation("the topic", "topic_id")
    async def topic(rows: Any, info: Info) -> list[Subject | None]:
        return as_type(await topics.by_ids(info.context, [row.topic_id for row in rows], info.columns))


@graphql.node(
    "ConsentEntry",
    row=models.ConsentEntry,
    read=topic_subscriptions.entry,
    description=consents.ConsentEntry.__doc__,
)
class ConsentEntry(consents.ConsentEntry):
    @relation("the contact; null if it was deleted, or merged into another one", "contact_id")
    async def contact(rows: Any, info: Info) -> list[Person | None]:
        return as_type(await contacts.by_ids(info.context, [row.contact_id for row in rows], info.columns))

    @relation("the topic; null if it was deleted", "topic_id")
    async def topic(rows: Any, info: Info) -> list[Subject | None]:
        return as_type(await topics.by_ids(info.context, [row.topic_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=TopicSubscriptionWhere)
    async def topic_subscriptions(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[TopicSubscription] | None:
        return as_type(await topic_subscriptions.page(info.context, page_args, where))

    @graphql.query()
    async def topic_subscription(self, info: Info, id: ID) -> TopicSubscription | None:
        row = await topic_subscriptions.get(info.context, local_id(id, "TopicSubscription"))
        return TopicSubscription.of(row)

    @graphql.query()
    async def consent_entry(self, info: Info, id: ID) -> ConsentEntry | None:
        return ConsentEntry.of(await topic_subscriptions.entry(info.context, local_id(id, "ConsentEntry")))

    @connection(where=ConsentEntryWhere)
    async def consent_entries(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[ConsentEntry] | None:
        return as_type(await topic_subscriptions.entries(info.context, page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def subscribe_contacts(self, info: Info, input: SubscribeContacts) -> SubscribedContacts | None:
        return await topic_subscriptions.subscribe(info.context, input)

    @graphql.mutation()
    async def unsubscribe_contacts(
        self, info: Info, input: UnsubscribeContacts
    ) -> UnsubscribedContacts | None:
        return await topic_subscriptions.unsubscribe(info.context, input)

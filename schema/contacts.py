"""Contacts in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import chats, contacts, message_records, messages, topic_subscriptions, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from schema.topic_subscriptions import ConsentEntry, TopicSubscription
from shapes import contacts as types
from shapes.chats import ChatWhere
from shapes.consents import ConsentEntryWhere
from shapes.contacts import (
    ContactAddress,
    ContactOrder,
    ContactPatch,
    ContactWhere,
    MergeContact,
    UpsertContact,
    UpsertContacts,
)
from shapes.message_records import MessageRecordWhere
from shapes.messages import MessageWhere
from shapes.shape import Cost
from shapes.topic_subscriptions import TopicSubscriptionWhere

if TYPE_CHECKING:
    from schema.chats import Chat
    from schema.message_records import MessageRecord
    from schema.messages import Message
    from schema.users import User

for part in (
    types.NewContactAddress,
    types.ContactValues,
    UpsertContact,
    UpsertContacts,
    ContactPatch,
    MergeContact,
    types.ContactFieldCondition,
    ContactWhere,
    ContactOrder,
):
    graphql.input(part, description=part.__doc__)
for shape in (ContactAddress, types.InvalidContact, types.UpsertedContacts):
    graphql.type(shape, name=shape.__name__, description=shape.__doc__)

Conversation = Annotated["Chat", strawberry.lazy("schema.chats")]
Direct = Annotated["Message", strawberry.lazy("schema.messages")]
Record = Annotated["MessageRecord", strawberry.lazy("schema.message_records")]
Owner = Annotated["User", strawberry.lazy("schema.users")]


@graphql.node("Contact", row=models.Contact, read=contacts.get, description=types.Contact.__doc__)
class Contact(types.Contact):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""

    @graphql.computed(
        "addresses, in the order of adding",
        "addresses",
        name="addresses",
        cost=Cost(most=types.MOST_ADDRESSES),
    )
    def typed_addresses(self: Any) -> list[ContactAddress]:
        return [ContactAddress.model_validate(address) for address in self.addresses]

    @relation("the topics that it is or was subscribed to, newest first", where=TopicSubscriptionWhere)
    async def subscriptions(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[TopicSubscription] | None]:
        return as_type(
            await topic_subscriptions.of_contacts(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("what has happened to its subscriptions, newest first", where=ConsentEntryWhere)
    async def consent_entries(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[ConsentEntry] | None]:
        return as_type(
            await topic_subscriptions.entries_of(info.context, [row.id for row in rows], page_args, where)
        )

    @relation("the single messages to its addresses, newest first", where=MessageWhere)
    async def messages(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Direct] | None]:
        return as_type(await messages.of_contacts(info.context, [row.id for row in rows], page_args, where))

    @relation(
        "the messages of projects to its addresses and the replies to them, newest first",
        where=MessageRecordWhere,
    )
    async def message_records(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Record] | None]:
        ids = [row.id for row in rows]
        return as_type(await message_records.of_contacts(info.context, ids, page_args, where))

    @relation(
        "the chats with its phones and user names, the one with the newest message first", where=ChatWhere
    )
    async def chats(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Conversation] | None]:
        return as_type(await chats.of_contacts(info.context, [row.id for row in rows], page_args, where))

    @relation("the user whose contact it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=ContactWhere, order=ContactOrder)
    async def contacts(
        self, info: Info, page_args: PageArgs, where: Conditions
    ) -> Connection[Contact] | None:
        return as_type(await contacts.page(info.context, page_args, where))

    @graphql.query()
    async def contact(self, info: Info, id: ID) -> Contact | None:
        return Contact.of(await contacts.get(info.context, local_id(id, "Contact")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def upsert_contact(self, info: Info, input: UpsertContact) -> Contact | None:
        return Contact.of(await contacts.upsert(info.context, input))

    @graphql.mutation()
    async def upsert_contacts(self, info: Info, input: UpsertContacts) -> types.UpsertedContacts | None:
        return await contacts.upsert_many(info.context, input)

    @graphql.mutation()
    async def update_contact(self, info: Info, id: ID, input: ContactPatch) -> Contact | None:
        return Contact.of(await contacts.update(info.context, local_id(id, "Contact"), input))

    @graphql.mutation()
    async def merge_contacts(self, info: Info, id: ID, input: MergeContact) -> Contact | None:
        return Contact.of(await contacts.merge(info.context, local_id(id, "Contact"), input))

    @graphql.mutation()
    async def delete_contact(self, info: Info, id: ID) -> bool | None:
        await contacts.delete(info.context, local_id(id, "Contact"))
        return True

"""Senders in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from pydantic import Field

from db import models
from db.lists import Conditions, PageArgs
from resolvers import senders, users
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import senders as types
from shapes.senders import NewSender, SenderChoice, SenderDecision, SenderPatch, SenderWhere

if TYPE_CHECKING:
    from schema.users import User

for part in (NewSender, SenderPatch, SenderDecision, SenderWhere):
    graphql.input(part, description=part.__doc__)
graphql.type(SenderChoice, name="SenderChoice", description=SenderChoice.__doc__)

Owner = Annotated["User", strawberry.lazy("schema.users")]
To = Annotated[str, Field(min_length=1, max_length=320), graphql.argument("a phone or an email address")]
AskedSender = Annotated[
    str | None,
    Field(max_length=320),
    graphql.argument("the sender that the message would name; none: it names none"),
]


@graphql.node("Sender", row=models.Sender, read=senders.get, description=types.Sender.__doc__)
class Sender(types.Sender):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""

    @relation("the user whose sender it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return as_type(await users.by_ids(info.context, [row.owner_id for row in rows], info.columns))


@strawberry.type
class Query:
    @connection(where=SenderWhere)
    async def senders(self, info: Info, page_args: PageArgs, where: Conditions) -> Connection[Sender] | None:
        return as_type(await senders.page(info.context, page_args, where))

    @graphql.query()
    async def sender(self, info: Info, id: ID) -> Sender | None:
        return Sender.of(await senders.get(info.context, local_id(id, "Sender")))

    @graphql.query()
    async def sender_choice(self, info: Info, to: To, sender: AskedSender = None) -> SenderChoice | None:
        return await senders.choice(info.context, to, sender)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def request_sender(self, info: Info, input: NewSender) -> Sender | None:
        return Sender.of(await senders.request(info.context, input))

    @graphql.mutation()
    async def update_sender(self, info: Info, id: ID, input: SenderPatch) -> Sender | None:
        return Sender.of(await senders.update(info.context, local_id(id, "Sender"), input))

    @graphql.mutation()
    async def decide_sender(self, info: Info, id: ID, input: SenderDecision) -> Sender | None:
        return Sender.of(await senders.decide(info.context, local_id(id, "Sender"), input))

    @graphql.mutation()
    async def delete_sender(self, info: Info, id: ID) -> bool | None:
        await senders.delete(info.context, local_id(id, "Sender"))
        return True

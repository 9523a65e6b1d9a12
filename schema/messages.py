"""Messages in GraphQL."""

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db.keyset import Conditions, Cut
from resolvers import accounts, messages, users
from schema import graphql
from schema.accounts import Account
from schema.connections import Connection, connection, shown
from schema.graphql import ID, JSON, Info, local_id
from schema.loaders import relation
from schema.types import messages as types
from schema.types.messages import DeliveryState, MessageWhere, SendMessage
from schema.types.shape import Timestamp

if TYPE_CHECKING:
    from schema.users import User

Owner = Annotated["User", strawberry.lazy("schema.users")]

graphql.input(SendMessage, description=SendMessage.__doc__)
graphql.input(MessageWhere, description=MessageWhere.__doc__)
graphql.type(types.StatusReport, name="StatusReport", description=types.StatusReport.__doc__)


@graphql.node("Message", description=types.Message.__doc__)
class Message(types.Message):
    """What REST shows, and what only a rich graph has room for."""

    state: Annotated[
        DeliveryState,
        strawberry.field(
            name="deliveryState", description="where it really is; status shows only four states"
        ),
    ]
    sender: Annotated[str | None, strawberry.field(description="who wrote, of a message that came in")]
    meta: Annotated[JSON, strawberry.field(name="metadata", description="what was sent along")]
    price: Annotated[Decimal, strawberry.field(description="what it cost, in the account's currency")]
    segments: Annotated[int, strawberry.field(description="SMS parts that were charged")]
    attempts: Annotated[int, strawberry.field(description="hand-overs that failed for sure")]
    provider: Annotated[str | None, strawberry.field(description="the driver that took it")]
    failure_code: Annotated[str | None, strawberry.field(description="why it failed, for programs")]
    failure_reason: Annotated[str | None, strawberry.field(description="why it failed, for people")]
    sent_at: Annotated[Timestamp | None, strawberry.field(description="when the provider took it")]
    delivered_at: Annotated[Timestamp | None, strawberry.field(description="when it arrived")]

    @relation("whose it is", "owner_id")
    async def owner(rows: Any, info: Info) -> list[Owner | None]:
        return shown(await users.named(info.context, [row.owner_id for row in rows], info.wanted))

    @relation("who pays", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        return shown(await accounts.named(info.context, [row.account_id for row in rows], info.wanted))


@strawberry.type
class Query:
    @graphql.query("One message.")
    async def message(self, info: Info, id: ID) -> Message | None:
        return Message.of(await messages.get(info.context, local_id(id, "Message")))

    @graphql.query("Where one message is.")
    async def message_status(self, info: Info, id: ID) -> types.StatusReport | None:
        return await messages.status(info.context, local_id(id, "Message"))

    @connection("Your messages, newest first; all, for administrators.", where=MessageWhere)
    async def messages(self, info: Info, cut: Cut, where: Conditions) -> Connection[Message] | None:
        return shown(await messages.slice(info.context, cut, where))


@strawberry.type
class Mutation:
    @graphql.mutation("Charges the account and queues the message.")
    async def send_message(self, info: Info, input: SendMessage) -> Message | None:
        return Message.of(await messages.send(info.context, input))

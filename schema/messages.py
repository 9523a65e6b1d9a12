"""Messages in GraphQL."""

from decimal import Decimal
from typing import Annotated

import strawberry

from db import models
from resolvers import messages
from schema import graphql, loaders
from schema.accounts import Account
from schema.graphql import ID, JSON, Info, local_id
from schema.types import messages as types
from schema.types.messages import DeliveryState, MessageChannel, MessageStatus, SendMessage
from schema.types.page import Meta
from schema.types.shape import Timestamp

graphql.input(SendMessage, description=SendMessage.__doc__)
graphql.type(types.StatusReport, name="StatusReport", description=types.StatusReport.__doc__)


@graphql.type(name="Message", description=types.Message.__doc__)
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
    updated_at: Annotated[Timestamp, strawberry.field(description="when it last changed")]
    sent_at: Annotated[Timestamp | None, strawberry.field(description="when the provider took it")]
    delivered_at: Annotated[Timestamp | None, strawberry.field(description="when it arrived")]

    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("Message", self.id)

    @graphql.field(description="who pays")
    async def account(self, info: Info) -> Account | None:
        account = await loaders.by_id(info.context, models.Account).load(self.account_id)
        viewer = await info.context.viewer()
        # An account may have passed to somebody else since.
        seen = account is not None and (viewer.admin or account.owner_id == viewer.id)
        return Account.of(account) if seen else None


@strawberry.type(description="A page of messages.")
class MessagePage:
    items: list[Message] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("One message.")
    async def message(self, info: Info, id: ID) -> Message | None:
        return Message.of(await messages.get(info.context, local_id(id, "Message")))

    @graphql.query("Where one message is.")
    async def message_status(self, info: Info, id: ID) -> types.StatusReport | None:
        return await messages.status(info.context, local_id(id, "Message"))

    @graphql.query("Your messages, newest first.")
    async def messages(
        self,
        info: Info,
        page: int = 1,
        limit: int = 20,
        status: MessageStatus | None = None,
        channel: MessageChannel | None = None,
        account_id: ID | None = None,
    ) -> MessagePage | None:
        account = local_id(account_id, "Account") if account_id else None
        return graphql.page(
            MessagePage, await messages.list(info.context, page, limit, status, channel, account)
        )


@strawberry.type
class Mutation:
    @graphql.mutation("Charges the account and queues the message.")
    async def send_message(self, info: Info, input: SendMessage) -> Message | None:
        return Message.of(await messages.send(info.context, input))

"""Area C in GraphQL: chats."""

from typing import TYPE_CHECKING, Annotated, cast
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from db import models
from postern.context import Context
from resolvers import chats
from schema import graphql, loaders
from schema.graphql import ID, Info, local_id
from schema.types import chats as types
from schema.types.chats import DEFAULT_LIMIT, NewChatMessage, SendContent
from schema.types.page import Meta

if TYPE_CHECKING:
    from schema.messenger_accounts import MessengerAccount

Account = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]

graphql.input(SendContent, name="NewMessengerContent", description=SendContent.__doc__)
graphql.input(NewChatMessage, name="NewMessengerMessage", description=NewChatMessage.__doc__)
graphql.type(types.ContentShown, name="MessengerContent", description=types.ContentShown.__doc__)
graphql.type(types.ReactionShown, name="MessengerReaction", description=types.ReactionShown.__doc__)
graphql.type(types.ChatUser, name="MessengerUser", description=types.ChatUser.__doc__)


@graphql.type(name="MessengerMessage", description=types.ChatMessage.__doc__)
class ChatMessage(types.ChatMessage):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("MessengerMessage", self.id)

    @graphql.field(description="the messenger account")
    async def account(self, info: Info) -> Account | None:
        return await _account(info.context, self.account_id)


@graphql.type(name="MessengerChat", description=types.Chat.__doc__)
class Chat(types.Chat):
    @graphql.field(name="id", description="Relay's global id")
    def global_id(self) -> ID:
        return graphql.global_id("MessengerChat", self.id)

    @graphql.field(description="the messenger account")
    async def account(self, info: Info) -> Account | None:
        return await _account(info.context, self.account_id)

    @graphql.field(description="its newest messages that we have, at most 100, the oldest of them first")
    async def messages(self, info: Info, limit: int = 20) -> list[ChatMessage]:
        return [ChatMessage.of(one) for one in await _latest(info.context, limit).load(self.id)]


@strawberry.type(name="MessengerChatPage", description="A page of chats.")
class ChatPage:
    items: list[Chat] = strawberry.field(description="the rows of this page")
    meta: Meta = strawberry.field(description="where it stands")


@strawberry.type
class Query:
    @graphql.query("The chats of a messenger account, the last written first.")
    async def chats(self, info: Info, account_id: ID, page: int = 1, limit: int = 20) -> ChatPage | None:
        return graphql.page(
            ChatPage, await chats.list(info.context, local_id(account_id, "MessengerAccount"), page, limit)
        )

    @graphql.query(
        "The newest messages of a chat (older than `before`), the oldest of them first; the chat is named by `to` (a"
        " phone, a @username) or by its thread. Where we have fewer, the messenger is asked."
    )
    async def messenger_messages(
        self,
        info: Info,
        account_id: ID,
        to: str | None = None,
        thread: str | None = None,
        limit: int = DEFAULT_LIMIT,
        before: ID | None = None,
    ) -> list[ChatMessage] | None:
        found = await chats.messages(
            info.context,
            local_id(account_id, "MessengerAccount"),
            to,
            thread,
            limit,
            local_id(before, "MessengerMessage") if before else None,
        )
        return [ChatMessage.of(one) for one in found]

    @graphql.query("One message, of that messenger account or of any of yours.")
    async def messenger_message(
        self, info: Info, item: ID, account_id: ID | None = None
    ) -> ChatMessage | None:
        account = local_id(account_id, "MessengerAccount") if account_id else None
        return ChatMessage.of(await chats.message(info.context, account, local_id(item, "MessengerMessage")))

    @graphql.query("Whom the messenger knows by a phone, a @username or a thread.")
    async def messenger_user(self, info: Info, account_id: ID, to: str) -> types.ChatUser | None:
        return await chats.user(info.context, local_id(account_id, "MessengerAccount"), to)


@strawberry.type
class Mutation:
    @graphql.mutation("Sends a message; it has been taken when this answers.")
    async def send_messenger_message(
        self, info: Info, account_id: ID, input: NewChatMessage
    ) -> ChatMessage | None:
        sent = await chats.send(info.context, local_id(account_id, "MessengerAccount"), input)
        return ChatMessage.of(sent.message)


async def _account(ctx: Context, id: UUID) -> Account | None:
    found = loaders.by_id(ctx, models.MessengerAccount)
    return cast("MessengerAccount", await found.load(id))


def _latest(ctx: Context, limit: int) -> "DataLoader[UUID, list[types.ChatMessage]]":
    """One statement for all chats of a page."""
    limit = max(1, min(limit, 100))
    name = f"MessengerChat.messages.{limit}"
    if name not in ctx.loaders:

        async def load(keys: list[UUID]) -> list[list[types.ChatMessage]]:
            found = await chats.latest(ctx.services, keys, limit)
            return [list(found[key]) for key in keys]

        ctx.loaders[name] = DataLoader(load_fn=load, max_batch_size=1000)
    loader: DataLoader[UUID, list[types.ChatMessage]] = ctx.loaders[name]
    return loader

"""The inbox in GraphQL: the chats of all messenger accounts."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import inbox
from schema.chats import Chat, ChatMessage
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes.chats import ChatWhere


@strawberry.type
class Query:
    @connection(where=ChatWhere)
    async def messenger_chats(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        account_id: Annotated[
            ID | None, graphql.argument("only chats of this messenger account: its id or uuid")
        ] = None,
    ) -> Connection[Chat] | None:
        return as_type(await inbox.page(info.context, _account(account_id), page_args, where))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def read_messenger_chat(
        self,
        info: Info,
        id: ID,
        up_to: Annotated[
            ID | None,
            graphql.argument(
                "the last message that was seen: its id or its uuid; messages after it stay unread; "
                "default: the newest one"
            ),
        ] = None,
    ) -> Chat | None:
        last = local_id(up_to, "MessengerMessage") if up_to else None
        return Chat.of(await inbox.read(info.context, local_id(id, "MessengerChat"), last))

    @graphql.mutation()
    async def close_messenger_chat(
        self,
        info: Info,
        id: ID,
        up_to: Annotated[
            ID | None,
            graphql.argument(
                "the last message that was seen: its id or its uuid; the chat stays open if one has come in after it"
            ),
        ] = None,
    ) -> Chat | None:
        last = local_id(up_to, "MessengerMessage") if up_to else None
        return Chat.of(await inbox.close(info.context, local_id(id, "MessengerChat"), last))

    @graphql.mutation()
    async def reopen_messenger_chat(self, info: Info, id: ID) -> Chat | None:
        return Chat.of(await inbox.reopen(info.context, local_id(id, "MessengerChat")))


@strawberry.type
class Subscription:
    @graphql.subscription()
    async def messenger_message_changed(
        self,
        info: Info,
        account_id: Annotated[
            ID | None, graphql.argument("only this messenger account: its id or uuid; omitted: all of yours")
        ] = None,
    ) -> AsyncIterator[ChatMessage]:
        messages = await inbox.changes(info.context, _account(account_id))
        return (ChatMessage.of(row) async for row in messages)


def _account(id: str | None) -> Any:
    return local_id(id, "MessengerAccount") if id else None

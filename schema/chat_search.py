"""Search in the messages of chats, in GraphQL."""

from typing import Annotated

import strawberry

from db.lists import Conditions, PageArgs
from resolvers import chat_search
from schema.chats import ChatMessage
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from shapes.chats import ChatMessageWhere


@strawberry.type
class Query:
    @connection(where=ChatMessageWhere)
    async def messenger_message_search(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        text: Annotated[
            str,
            graphql.argument(
                "words that the message contains, at most 8; the last one may be the beginning of a word"
            ),
        ],
        account_id: Annotated[
            ID | None, graphql.argument("only chats of this messenger account: its id or uuid")
        ] = None,
    ) -> Connection[ChatMessage] | None:
        account = local_id(account_id, "MessengerAccount") if account_id else None
        return as_type(await chat_search.page(info.context, text, account, page_args, where))

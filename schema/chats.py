"""Area C in GraphQL: chats."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from db.lists import Conditions, PageArgs
from resolvers import chat_labels, chat_notes, chats, message_records, messenger_relations
from schema.frame import graphql
from schema.frame.connections import Connection, as_type, connection
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import chats as types
from shapes.chat_labels import MOST_LABELS_OF_CHAT
from shapes.chat_notes import ChatNoteWhere
from shapes.chat_requests import ChatTemplate, NewChatMessage, SendContent
from shapes.chats import ChatMessageWhere, ChatWhere
from shapes.shape import Cost

if TYPE_CHECKING:
    from schema.chat_labels import ChatLabel
    from schema.chat_notes import ChatNote
    from schema.message_records import MessageRecord
    from schema.messenger_accounts import MessengerAccount

Account = Annotated["MessengerAccount", strawberry.lazy("schema.messenger_accounts")]
Record = Annotated["MessageRecord", strawberry.lazy("schema.message_records")]
Label = Annotated["ChatLabel", strawberry.lazy("schema.chat_labels")]
Note = Annotated["ChatNote", strawberry.lazy("schema.chat_notes")]
Conversation = Annotated["Chat", strawberry.lazy("schema.chats")]

graphql.input(SendContent, name="NewMessengerContent", description=SendContent.__doc__)
graphql.input(ChatTemplate, name="NewMessengerTemplate", description=ChatTemplate.__doc__)
graphql.input(NewChatMessage, name="NewMessengerMessage", description=NewChatMessage.__doc__)
graphql.input(ChatWhere, name="MessengerChatWhere", description=ChatWhere.__doc__)
graphql.input(ChatMessageWhere, name="MessengerMessageWhere", description=ChatMessageWhere.__doc__)
graphql.type(types.ContentShown, name="MessengerContent", description=types.ContentShown.__doc__)
graphql.type(types.ReactionShown, name="MessengerReaction", description=types.ReactionShown.__doc__)
graphql.type(types.ChatUser, name="MessengerUser", description=types.ChatUser.__doc__)


@graphql.node(
    "MessengerMessage",
    row=models.ChatMessage,
    read=lambda ctx, item: chats.message(ctx, None, item),
    description=types.ChatMessage.__doc__,
)
class ChatMessage(types.ChatMessage):
    @relation("the messenger account", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        ids = [row.account_id for row in rows]
        return as_type(await messenger_relations.by_ids(info.context, ids, info.columns))

    @relation("the chat of the message; null until the messenger has reported it", "chat_id")
    async def chat(rows: Any, info: Info) -> list[Conversation | None]:
        return as_type(await chats.by_ids(info.context, [row.chat_id for row in rows], info.columns))

    @relation(
        "the Sending Project message that was sent as this chat message; null for any other chat message",
        "record_id",
    )
    async def message_record(rows: Any, info: Info) -> list[Record | None]:
        return as_type(
            await message_records.by_ids(info.context, [row.record_id for row in rows], info.columns)
        )


@graphql.node("MessengerChat", row=models.Chat, read=chats.get, description=types.Chat.__doc__)
class Chat(types.Chat):
    @relation("the messenger account", "account_id")
    async def account(rows: Any, info: Info) -> list[Account | None]:
        ids = [row.account_id for row in rows]
        return as_type(await messenger_relations.by_ids(info.context, ids, info.columns))

    @relation("its stored messages, newest first", where=ChatMessageWhere)
    async def messages(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[ChatMessage] | None]:
        return as_type(await chats.of_chats(info.context, [row.id for row in rows], page_args, where))

    @relation("its labels, in the order of their names", cost=Cost(most=MOST_LABELS_OF_CHAT))
    async def labels(rows: Any, info: Info) -> list[list[Label] | None]:
        return as_type(await chat_labels.of_chats(info.context, [row.id for row in rows]))

    @relation("the notes about it, newest first; they are shown in Postern alone", where=ChatNoteWhere)
    async def notes(
        rows: Any, info: Info, page_args: PageArgs, where: Conditions
    ) -> list[Connection[Note] | None]:
        return as_type(await chat_notes.of_chats(info.context, [row.id for row in rows], page_args, where))


@strawberry.type
class Query:
    @graphql.query()
    async def messenger_chat(self, info: Info, id: ID) -> Chat | None:
        return Chat.of(await chats.get(info.context, local_id(id, "MessengerChat")))

    @connection(where=ChatWhere)
    async def chats(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        account_id: ID,
    ) -> Connection[Chat] | None:
        return as_type(await chats.page(info.context, _local(account_id), page_args, where))

    @connection(where=ChatMessageWhere)
    async def messenger_messages(
        self,
        info: Info,
        page_args: PageArgs,
        where: Conditions,
        account_id: ID,
        to: Annotated[
            str | None, graphql.argument("the other side: a phone, a @username or a thread")
        ] = None,
        thread: Annotated[str | None, graphql.argument("the chat's thread, in place of `to`")] = None,
    ) -> Connection[ChatMessage] | None:
        account = _local(account_id)
        return as_type(await chats.written(info.context, account, to, thread, page_args, where))

    @graphql.query()
    async def messenger_message(
        self,
        info: Info,
        item: Annotated[ID, graphql.argument("item (id) or uuid of the message")],
        account_id: ID | None = None,
    ) -> ChatMessage | None:
        account = _local(account_id) if account_id else None
        return ChatMessage.of(await chats.message(info.context, account, local_id(item, "MessengerMessage")))

    @graphql.query()
    async def messenger_user(
        self,
        info: Info,
        account_id: ID,
        to: Annotated[str, graphql.argument("the other side: a phone, a @username or a thread")],
    ) -> types.ChatUser | None:
        return await chats.user(info.context, _local(account_id), to)


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def send_messenger_message(
        self, info: Info, account_id: ID, input: NewChatMessage
    ) -> ChatMessage | None:
        sent = await chats.send(info.context, _local(account_id), input)
        return ChatMessage.of(sent.message)


def _local(id: str) -> Any:
    return local_id(id, "MessengerAccount")

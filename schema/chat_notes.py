"""Notes about chats in GraphQL."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db import models
from resolvers import chat_notes, chats, users
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import ID, Info, local_id
from schema.frame.loaders import relation
from shapes import chat_notes as types
from shapes.chat_notes import ChatNoteWhere, NewChatNote

if TYPE_CHECKING:
    from schema.chats import Chat
    from schema.users import User

Author = Annotated["User", strawberry.lazy("schema.users")]
Conversation = Annotated["Chat", strawberry.lazy("schema.chats")]

graphql.input(ChatNoteWhere, description=ChatNoteWhere.__doc__)
graphql.input(NewChatNote, description=NewChatNote.__doc__)


@graphql.node("ChatNote", row=models.ChatNote, read=chat_notes.get, description=types.ChatNote.__doc__)
class ChatNote(types.ChatNote):
    @relation("the user who wrote it; null if the caller may not see that user", "author_id")
    async def author(rows: Any, info: Info) -> list[Author | None]:
        return as_type(await users.by_ids(info.context, [row.author_id for row in rows], info.columns))

    @relation("the chat", "chat_id")
    async def chat(rows: Any, info: Info) -> list[Conversation | None]:
        return as_type(await chats.by_ids(info.context, [row.chat_id for row in rows], info.columns))


@strawberry.type
class Query:
    @graphql.query()
    async def chat_note(self, info: Info, id: ID) -> ChatNote | None:
        return ChatNote.of(await chat_notes.get(info.context, local_id(id, "ChatNote")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_chat_note(
        self,
        info: Info,
        chat_id: Annotated[ID, graphql.argument("id or uuid of the chat")],
        input: NewChatNote,
    ) -> ChatNote | None:
        chat = local_id(chat_id, "MessengerChat")
        return ChatNote.of(await chat_notes.create(info.context, chat, input))

    @graphql.mutation()
    async def delete_chat_note(self, info: Info, id: ID) -> bool | None:
        await chat_notes.delete(info.context, local_id(id, "ChatNote"))
        return True

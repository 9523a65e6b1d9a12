"""Labels of chats in GraphQL."""

from typing import Annotated

import strawberry

from db import models
from resolvers import chat_labels
from schema.chats import Chat
from schema.frame import graphql
from schema.frame.connections import as_type
from schema.frame.graphql import ID, Info, local_id
from shapes import chat_labels as types
from shapes.chat_labels import MOST_LABELS, ChatLabelPatch, NewChatLabel
from shapes.shape import Cost

graphql.input(NewChatLabel, description=NewChatLabel.__doc__)
graphql.input(ChatLabelPatch, description=ChatLabelPatch.__doc__)


Labels = Annotated[
    list[ID], graphql.argument("ids or uuids of the labels; those that are not named are taken off")
]


@graphql.node("ChatLabel", row=models.ChatLabel, read=chat_labels.get, description=types.ChatLabel.__doc__)
class ChatLabel(types.ChatLabel):
    """A node: its `id` is Relay's, and REST's id is its `uuid`."""


@strawberry.type
class Query:
    @graphql.query(cost=Cost(most=MOST_LABELS))
    async def chat_labels(self, info: Info) -> list[ChatLabel] | None:
        return as_type(await chat_labels.list(info.context))

    @graphql.query()
    async def chat_label(self, info: Info, id: ID) -> ChatLabel | None:
        return ChatLabel.of(await chat_labels.get(info.context, local_id(id, "ChatLabel")))


@strawberry.type
class Mutation:
    @graphql.mutation()
    async def create_chat_label(self, info: Info, input: NewChatLabel) -> ChatLabel | None:
        return ChatLabel.of(await chat_labels.create(info.context, input))

    @graphql.mutation()
    async def update_chat_label(self, info: Info, id: ID, input: ChatLabelPatch) -> ChatLabel | None:
        return ChatLabel.of(await chat_labels.update(info.context, local_id(id, "ChatLabel"), input))

    @graphql.mutation()
    async def delete_chat_label(self, info: Info, id: ID) -> bool | None:
        await chat_labels.delete(info.context, local_id(id, "ChatLabel"))
        return True

    @graphql.mutation()
    async def set_messenger_chat_labels(self, info: Info, id: ID, labels: Labels) -> Chat | None:
        ids = [local_id(label, "ChatLabel") for label in labels]
        return Chat.of(await chat_labels.put(info.context, local_id(id, "MessengerChat"), ids))

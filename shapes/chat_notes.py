"""Notes about chats: what colleagues tell each other. They are never sent."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field, StringConstraints

from shapes.shape import Created, Id, Shape, Text
from shapes.where import Ids, TimeSpan, Where

MOST_NOTES = 1000  # of one chat

NoteText = Annotated[
    Text,
    StringConstraints(strip_whitespace=True),
    Field(min_length=1, max_length=4000, description="text of the note", examples=["Calls back on Monday."]),
]


class ChatNote(Shape):
    """A note about a chat, which only those who see the chat here can read."""

    id: Id
    chat_id: Annotated[UUID, Field(description="id of the chat")]
    author_id: Annotated[UUID, Field(description="id of the user who wrote the note")]
    text: Annotated[str, Field(description="text of the note", examples=["Calls back on Monday."])]
    created_at: Created


class NewChatNote(Shape):
    """A note to write."""

    text: NoteText


class ChatNoteWhere(Where):
    """Filter for notes about a chat."""

    kinds: ClassVar = {"id": "ChatNote"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of creation")] = None

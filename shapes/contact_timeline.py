"""The timeline of a contact: what was written to it and by it, over all channels."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.messages import Direction
from shapes.sending_projects import ProjectChannel
from shapes.shape import Shape, Timestamp
from shapes.where import Choice, Where

PREVIEW = 200  # characters of a text


class TimelineKind(DescribedEnum):
    """Kind of an entry of a timeline."""

    message = "message", "a single message"
    record = "record", "a message of a project, or a reply to one"
    chat = "chat", "a chat of a messenger account, at the time of its newest message"


class TimelineEntry(Shape):
    """Something that happened with a contact. Its kind says of what `objectUuid` is the id."""

    kind: Annotated[TimelineKind, Field(description="what it is")]
    object_uuid: Annotated[
        UUID, Field(description="uuid of the message, of the project's message, or of the chat")
    ]
    at: Annotated[
        Timestamp, Field(description="when it was queued or came in; of a chat: its newest message")
    ]
    channel: Annotated[ProjectChannel, Field(description="the channel")]
    address: Annotated[
        str | None, Field(description="the contact's address; null if a chat has neither phone nor user name")
    ]
    direction: Annotated[Direction | None, Field(description="who wrote it; null for a chat")]
    status: Annotated[
        str | None, Field(description="state of the message; null for a chat", examples=["delivered"])
    ]
    text: Annotated[
        str | None,
        Field(
            description=f"beginning of the text, at most {PREVIEW} characters; null for what a project sends, whose "
            "text is shown with the message, and for a chat"
        ),
    ]
    project_uuid: Annotated[UUID | None, Field(description="the project that the message is of, if any")]
    account_uuid: Annotated[UUID | None, Field(description="of a chat: its messenger account")]


class TimelineWhere(Where):
    """Filter for entries of a timeline."""

    kind: Annotated[Choice[TimelineKind] | None, Field(description="filter by the kind of entry")] = None

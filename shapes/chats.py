"""Chats of messenger accounts: what was written, by whom, and how far it got (contract §4)."""

from typing import Annotated, Any, ClassVar
from uuid import UUID

import strawberry
from pydantic import AliasChoices, Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import Cost, Id, Shape, Timestamp
from shapes.vendor import Answer
from shapes.where import Choice, Contains, Flag, Ids, TimeSpan, Where

MOST_CONTENT = 10  # of a message that is sent
LONGEST_TEXT = 65_536  # characters; messengers take less, and say so


class ChatMessageStatus(DescribedEnum):
    """The progress of an outgoing message, in the vendor API's words; `server` is one tick, `has_seen` means read."""

    pending = "pending", "not yet accepted by the messenger"
    server = "server", "accepted by the messenger: one tick"
    delivered = "delivered", "delivered to the recipient's device: two ticks"
    has_seen = "has_seen", "read by the recipient"
    errored = "errored", "failed; it will not be delivered"


class ContentKind(DescribedEnum):
    """Type of a message's content."""

    image = "image", "an image"
    video = "video", "a video"
    audio = "audio", "an audio file, played like music"
    voice = "voice", "a voice message"
    file = "file", "any file, shown as a download"


class ChatKind(DescribedEnum):
    """The kind of a chat, by the people who take part in it."""

    user = "user", "a chat with one person"
    group = "group", "a group chat"
    channel = "channel", "a broadcast channel"


class ChatState(DescribedEnum):
    """The state of a chat: it is open until it is closed, and a message that comes in opens it again."""

    open = "open", "it waits for an answer, or for the other side"
    closed = "closed", "closed by a person; a message that comes in opens it again"


class ContentShown(Shape):
    """A file or media item of a message."""

    type: Annotated[ContentKind, Field(description="type of the content: how it is displayed")]
    src: Annotated[
        str | None, Field(description="URL of the file; links to this service are valid for one week")
    ]
    filename: Annotated[str | None, Field(description="file name")] = None
    mime: Annotated[str | None, Field(description="media type of the file")] = None
    size: Annotated[
        int | None,
        Field(description="size in bytes; null if the messenger does not report it"),
        strawberry.field(graphql_type=float | None),
    ] = None


class ReactionShown(Shape):
    """A user's reaction to a message."""

    sender: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("sender", "from"),
            serialization_alias="from",
            description="who reacted: a phone (E.164), a username, or the messenger's id",
        ),
        strawberry.field(name="from"),
    ]
    emoji: Annotated[str, Field(description="the emoji")]
    at: Annotated[Timestamp, Field(description="time of the reaction")]


class ChatMessage(Shape):
    """A message in a chat, inbound or outbound."""

    id: Annotated[
        UUID,
        Field(
            validation_alias=AliasChoices("id", "item"),
            serialization_alias="item",
            description="id of the message; it never changes",
        ),
        strawberry.field(name="uuid", description="the id that REST calls `item`"),
    ]
    account_id: Annotated[UUID, Field(exclude=True), strawberry.Private]
    thread: Annotated[
        str | None,
        Field(
            description="the messenger's id of the chat; null until the messenger has accepted the message"
        ),
    ]
    sender: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("sender", "from"),
            serialization_alias="from",
            description="sender: a phone (E.164), a username, or the messenger's id",
        ),
        strawberry.field(name="from"),
    ]
    recipient: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("recipient", "to"),
            serialization_alias="to",
            description="recipient: a phone (E.164), a username, or the messenger's id",
        ),
        strawberry.field(name="to"),
    ]
    name: Annotated[str | None, Field(description="name of the sender, as the messenger shows it")]
    time: Annotated[
        int, Field(description="time of the message, in seconds since 1970 (Unix time)"), strawberry.Private
    ]
    at: Annotated[Timestamp, Field(description="time of the message")]
    edited_at: Annotated[
        Timestamp | None, Field(description="when its sender last edited it; null if it was not edited")
    ]
    deleted_at: Annotated[
        Timestamp | None,
        Field(
            description="when it was deleted at the messenger, and its text and files were deleted here; null: not "
            "deleted"
        ),
    ]
    text: Annotated[str, Field(description="text of the message; empty if it has only content")]
    details: Annotated[
        dict[str, Any] | None,
        Field(
            description="what a message of WhatsApp Cloud says beside its text: `button` or `list` (the `id` or "
            "`payload` of what was pressed), `flow` (the `response` of a form), `order`, `product`, `referral` (the "
            "advertisement), `template` (of an outgoing one), `unsupported`; null: nothing"
        ),
        strawberry.field(graphql_type=JSON | None),
    ]
    outgoing: Annotated[
        bool, Field(description="true if the account sent it, from here or from another device")
    ]
    reply_to: Annotated[
        UUID | None, Field(description="item of the message that this one replies to; null: not a reply")
    ]
    content: Annotated[list[ContentShown], Field(description="files or media items"), Cost(most=MOST_CONTENT)]
    reactions: Annotated[
        list[ReactionShown],
        Field(description="the latest reaction of each user; at most the 50 newest"),
        Cost(most=50),
    ]
    status: Annotated[
        ChatMessageStatus,
        Field(description="how far an outgoing message got; inbound messages are always `delivered`"),
    ]
    failure_code: Annotated[
        str | None,
        Field(description="why the message is `errored`, as a code for programs; null if it is not"),
    ]
    failure_reason: Annotated[
        str | None, Field(description="why the message is `errored`, as a sentence; null if it is not")
    ]


class ChatMessages(Answer):
    """Messages of one chat, oldest first."""

    messages: Annotated[list[ChatMessage], Field(description="the messages, oldest first")]


class ChatMessageAnswer(Answer):
    """Returns one message."""

    message: Annotated[ChatMessage, Field(description="the message")]


class SentMessage(Shape):
    """The ids of a sent message."""

    item: Annotated[UUID, Field(description="id of the message; it never changes")]
    thread: Annotated[str, Field(description="the messenger's id of the chat")]
    timestamp: Annotated[
        int, Field(description="when the messenger accepted the message, in seconds since 1970 (Unix time)")
    ]


class SendResult(Shape):
    """The vendor API's wrapper of one sent message."""

    result: Annotated[SentMessage, Field(description="the ids of the message")]


class SendAnswer(Answer):
    """The message that was sent."""

    results: Annotated[list[SendResult], Field(description="one entry, for the message that was sent")]


class ChatUser(Shape):
    """A user of the messenger."""

    id: Annotated[
        str | None,
        Field(description="the messenger's own id of the user"),
        strawberry.field(name="messengerId"),
    ]
    phone: Annotated[str | None, Field(description="phone in E.164 format, if the messenger shows it")]
    username: Annotated[str | None, Field(description="username without @; null if there is none")]
    name: Annotated[str | None, Field(description="first and last name")]
    avatar: Annotated[
        str | None, Field(description="URL of the profile picture (http(s) or data:); null if not known")
    ]
    exists: Annotated[bool, Field(description="whether the messenger has such a user")]
    last_seen: Annotated[
        Timestamp | None, Field(description="when the user was last online, if the messenger shows it")
    ] = None


class UserAnswer(Answer):
    """A user of the messenger."""

    user: Annotated[ChatUser, Field(description="the user, as the messenger reports it")]


class Chat(Shape):
    """A chat of a messenger account."""

    id: Id
    account_id: Annotated[UUID, Field(description="id of the messenger account")]
    thread: Annotated[str, Field(description="the messenger's id of the chat, unique within the account")]
    kind: Annotated[ChatKind, Field(description="who takes part")]
    name: Annotated[
        str | None, Field(description="name of the chat, as the messenger shows it; null if not known")
    ]
    phone: Annotated[
        str | None, Field(description="phone of the other side in E.164 format; null if not known")
    ]
    username: Annotated[
        str | None, Field(description="username of the other side, without @; null if there is none")
    ]
    unread: Annotated[
        int,
        Field(description="number of messages received since the account last wrote or read in this chat"),
    ]
    last_at: Annotated[
        Timestamp | None, Field(description="time of the newest message; null: no message yet")
    ]
    last_incoming_at: Annotated[
        Timestamp | None,
        Field(
            description="time of the newest message that came in; null: not known. For 24 hours from then on a person"
            " may be written to without a template through WhatsApp Cloud"
        ),
    ] = None
    closed_at: Annotated[
        Timestamp | None,
        Field(description="when it was closed; null: it is open. A message that comes in opens it again"),
    ]


class ReadChat(Shape):
    """Says up to which message a chat was read."""

    up_to: Annotated[
        UUID | None, Field(description="item of the last message that was read; default: the newest one")
    ] = None


class CloseChat(Shape):
    """Says up to which message a chat was read when a user closed it."""

    up_to: Annotated[
        UUID | None,
        Field(
            description="item of the last message that was read: if another one has come in since, the chat stays "
            "open; default: it is closed anyway"
        ),
    ] = None


class ChatWhere(Where):
    """Filter for chats."""

    kinds: ClassVar = {"id": "MessengerChat", "label": "ChatLabel"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    kind: Annotated[Choice[ChatKind] | None, Field(description="filter by kind")] = None
    unread: Annotated[Flag | None, Field(description="filter by whether they have unread messages")] = None
    state: Annotated[
        Choice[ChatState] | None, Field(description="filter by whether they are open or closed")
    ] = None
    label: Annotated[Ids | None, Field(description="only chats with this label, or with one of these")] = None
    text: Annotated[
        Contains | None, Field(description="filter by a part of the name, the phone or the username")
    ] = None
    last_at: Annotated[TimeSpan | None, Field(description="filter by the time of the newest message")] = None


class ChatMessageWhere(Where):
    """Filter for messages of a chat."""

    kinds: ClassVar = {"id": "MessengerMessage"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    at: Annotated[TimeSpan | None, Field(description="filter by the time of the message")] = None
    outgoing: Annotated[
        Flag | None, Field(description="filter by direction: true for messages that the account sent")
    ] = None
    status: Annotated[Choice[ChatMessageStatus] | None, Field(description="filter by status")] = None

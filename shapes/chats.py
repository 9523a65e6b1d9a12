"""Chats of messenger accounts: what was written, by whom, and how far it got (contract §4)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

import strawberry
from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from shapes.shape import NO_CONTROLS, Id, Shape, Text, Timestamp
from shapes.vendor import Answer, Call
from shapes.where import Choice, Contains, Flag, Ids, TimeSpan, Where

MOST_CONTENT = 10  # of a message that is sent
DEFAULT_LIMIT = 50
LONGEST_TEXT = 65_536  # characters; messengers take less, and say so


class ChatMessageStatus(StrEnum):
    """The progress of an outgoing message, in the vendor API's words; `server` is one tick, `has_seen` means read."""

    pending = "pending"
    server = "server"
    delivered = "delivered"
    has_seen = "has_seen"
    errored = "errored"


class ContentKind(StrEnum):
    """Type of a message's content."""

    image = "image"
    video = "video"
    audio = "audio"
    voice = "voice"
    file = "file"


class ChatKind(StrEnum):
    """The kind of a chat, by the people who take part in it."""

    user = "user"
    group = "group"
    channel = "channel"


def _as_text(value: Any) -> Any:
    """The vendor's clients write phones and texts as numbers too."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


To = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=256,
        pattern=NO_CONTROLS,
        description="a phone in international format, with or without +; a @username; or a thread of the account",
        examples=["14155550101"],
    ),
    BeforeValidator(_as_text),
]
Key = Annotated[
    str,
    Field(
        min_length=1,
        max_length=255,
        pattern=NO_CONTROLS,
        description="makes a request safe to repeat: the same key with the same message sends it only once",
    ),
    BeforeValidator(_as_text),
]
Limit = Annotated[int, Field(ge=1, le=100, description="maximum number of messages")]


class SendContent(Shape):
    """A file or media item to send with a message."""

    model_config = ConfigDict(extra="ignore", str_max_length=4_000_000)

    type: Annotated[ContentKind, Field(description="type of the content: how it is displayed")]
    src: Annotated[
        Text,
        Field(
            min_length=1,
            repr=False,
            description="a public http(s) URL, a data: URL, or file:<uuid> of a file that you uploaded; at most 50 "
            "MiB",
            examples=["https://example.com/picture.jpg"],
        ),
    ]
    filename: Annotated[
        str | None,
        Field(max_length=255, pattern=NO_CONTROLS, description="file name to show to the recipient"),
    ] = None


class NewChatMessage(Shape):
    """A message to send: a text, content, or both."""

    to: To
    text: Annotated[
        Text,
        BeforeValidator(_as_text),
        Field(max_length=LONGEST_TEXT, examples=["Hello!"], description="text of the message"),
    ] = ""
    content: Annotated[
        list[SendContent],
        Field(default_factory=list, max_length=MOST_CONTENT, description="files or media items"),
    ]
    reply_to: Annotated[UUID | None, Field(description="item of the message to reply to")] = None
    idempotency_key: Key | None = None


class _Sent(NewChatMessage):
    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _lenient(cls, value: Any) -> Any:
        """Drops fields that are null or empty. Content of the type `text` goes into the text."""
        if not isinstance(value, dict):
            return value
        fields = {k: v for k, v in value.items() if v not in (None, "")}
        if isinstance(content := fields.get("content"), list):
            texts = [text for part in content if (text := _text_of(part)) is not None]
            fields["content"] = [part for part in content if _text_of(part) is None]
            if texts and isinstance(first := _as_text(fields.get("text", "")), str):
                fields["text"] = "\n".join(dict.fromkeys(text for text in (first, *texts) if text))
        return fields


def _text_of(content: Any) -> str | None:
    """Returns the text of `{"type": "text", "text": …}`, or of the same with `src`; None for everything else."""
    if not isinstance(content, Mapping) or content.get("type") != "text":
        return None
    text = _as_text(content.get("text") or content.get("src") or "")
    return text if isinstance(text, str) else None


class SendChatMessage(Call):
    """A message to send, in flat form (`msg_to`, `msg_text`) or nested form (`msg`)."""

    msg_to: Annotated[To | None, Field(alias="msg_to")] = None
    msg_text: Annotated[
        Text | None,
        BeforeValidator(_as_text),
        Field(alias="msg_text", max_length=LONGEST_TEXT, description="text of the message"),
    ] = None
    msg: Annotated[
        _Sent,
        Field(
            description="the message as an object, in place of `msg_to` and `msg_text`; `to` may be given in either "
            "form"
        ),
    ]
    idempotency_key: Key | None = None

    @model_validator(mode="before")
    @classmethod
    def _unify(cls, body: Any) -> Any:
        """The flat form goes into `msg`, whose own fields count more."""
        if not isinstance(body, Mapping):
            return body
        fields = {key: value for key, value in body.items() if value is not None}
        flat = {
            "to": fields.get("msg_to"),
            "text": fields.get("msg_text"),
            "idempotencyKey": fields.get("idempotencyKey"),
        }
        nested = fields.get("msg", {})
        if isinstance(nested, Mapping):
            nested_fields = {key: value for key, value in nested.items() if value not in (None, "")}
            fields["msg"] = {
                **{key: value for key, value in flat.items() if value is not None},
                **nested_fields,
            }
        return fields


class GetChatMessages(Call):
    """The chat, and the range of messages to return."""

    to: To | None = None
    thread: Annotated[
        To | None,
        Field(
            validation_alias=AliasChoices("thread", "uniq"), description="the chat's thread, in place of `to`"
        ),
    ] = None
    limit: Limit = DEFAULT_LIMIT
    before: Annotated[UUID | None, Field(description="an item: only messages older than this one")] = None

    @model_validator(mode="before")
    @classmethod
    def _lenient(cls, value: Any) -> Any:
        """Drops fields that are null or empty."""
        return {k: v for k, v in value.items() if v not in (None, "")} if isinstance(value, dict) else value


class GetChatMessageByItem(Call):
    """The message to return."""

    item: Annotated[
        UUID, Field(description="id of the message", examples=["01990000-0000-7000-8000-000000000000"])
    ]


class GetUserInfo(Call):
    """The user to look up."""

    to: To


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
    outgoing: Annotated[
        bool, Field(description="true if the account sent it, from here or from another device")
    ]
    reply_to: Annotated[
        UUID | None, Field(description="item of the message that this one replies to; null: not a reply")
    ]
    content: Annotated[list[ContentShown], Field(description="files or media items")]
    reactions: Annotated[
        list[ReactionShown], Field(description="the latest reaction of each user; at most the 50 newest")
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


class ChatWhere(Where):
    """Filter for chats."""

    kinds: ClassVar = {"id": "MessengerChat"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    kind: Annotated[Choice[ChatKind] | None, Field(description="filter by kind")] = None
    unread: Annotated[Flag | None, Field(description="filter by whether they have unread messages")] = None
    text: Annotated[
        Contains | None, Field(description="filter by a part of the name, the phone or the username")
    ] = None
    last_at: Annotated[
        TimeSpan | None, Field(description="time of the newest message; null: no message yet")
    ] = None


class ChatMessageWhere(Where):
    """Filter for messages of a chat."""

    kinds: ClassVar = {"id": "MessengerMessage"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    at: Annotated[TimeSpan | None, Field(description="filter by the time of the message")] = None
    outgoing: Annotated[
        Flag | None, Field(description="filter by direction: true for messages that the account sent")
    ] = None
    status: Annotated[Choice[ChatMessageStatus] | None, Field(description="filter by status")] = None

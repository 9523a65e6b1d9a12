"""Chats of messenger accounts: what was written, by whom, and how far it got (contract §4)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

import strawberry
from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from schema.types.shape import NO_CONTROLS, Id, Shape, Text, Timestamp
from schema.types.vendor import Answer, Call
from schema.types.where import Choice, Contains, Flag, Ids, TimeSpan, Where

MOST_CONTENT = 10  # of a message that is sent
DEFAULT_LIMIT = 50
LONGEST_TEXT = 65_536  # characters; messengers take less, and say so


class ChatMessageStatus(StrEnum):
    """How far an outgoing message got, in the vendor's words; `server` is one tick, `has_seen` was read."""

    pending = "pending"
    server = "server"
    delivered = "delivered"
    has_seen = "has_seen"
    errored = "errored"


class ContentKind(StrEnum):
    """What goes with a text."""

    image = "image"
    video = "video"
    audio = "audio"
    voice = "voice"
    file = "file"


class ChatKind(StrEnum):
    """Who is in a chat."""

    user = "user"
    group = "group"
    channel = "channel"


def _as_text(given: Any) -> Any:
    """The vendor's clients write phones and texts as numbers too."""
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


To = Annotated[
    str,
    BeforeValidator(_as_text),
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=256,
        pattern=NO_CONTROLS,
        description="a phone with its country's digits, with or without +; a @username; or a thread of the account",
        examples=["14155550101"],
    ),
]
Key = Annotated[
    str,
    BeforeValidator(_as_text),
    Field(
        min_length=1,
        max_length=255,
        pattern=NO_CONTROLS,
        description="the same key with the same message is one message, however often it is sent",
    ),
]
Limit = Annotated[int, Field(ge=1, le=100, description="messages at most")]


class SendContent(Shape):
    """Something that goes with a text."""

    model_config = ConfigDict(extra="ignore", str_max_length=4_000_000)

    type: Annotated[ContentKind, Field(description="as what it is shown")]
    src: Annotated[
        Text,
        Field(
            min_length=1,
            repr=False,
            description="a public http(s) address, a data: URL, or file:<uuid> of a File of yours; 50 MiB at most",
            examples=["https://example.com/picture.jpg"],
        ),
    ]
    filename: Annotated[
        str | None, Field(max_length=255, pattern=NO_CONTROLS, description="under which it is shown")
    ] = None


class NewChatMessage(Shape):
    """A message to send: a text, something with it, or both."""

    to: To
    text: Annotated[
        Text,
        BeforeValidator(_as_text),
        Field(max_length=LONGEST_TEXT, examples=["Hello!"], description="what it says"),
    ] = ""
    content: Annotated[
        list[SendContent],
        Field(default_factory=list, max_length=MOST_CONTENT, description="what goes with the text"),
    ]
    reply_to: Annotated[UUID | None, Field(description="the item of the message that it answers")] = None
    idempotency_key: Key | None = None


class _Sent(NewChatMessage):
    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _lenient(cls, given: Any) -> Any:
        """What is null or empty was not given. Content of the type `text` goes into the text."""
        if not isinstance(given, dict):
            return given
        told = {k: v for k, v in given.items() if v not in (None, "")}
        if isinstance(content := told.get("content"), list):
            texts = [text for one in content if (text := _text_of(one)) is not None]
            told["content"] = [one for one in content if _text_of(one) is None]
            if texts and isinstance(first := _as_text(told.get("text", "")), str):
                told["text"] = "\n".join(dict.fromkeys(text for text in (first, *texts) if text))
        return told


def _text_of(content: Any) -> str | None:
    """What `{"type": "text", "text": …}` says, or the same with `src`; None for everything else."""
    if not isinstance(content, Mapping) or content.get("type") != "text":
        return None
    text = _as_text(content.get("text") or content.get("src") or "")
    return text if isinstance(text, str) else None


class SendChatMessage(Call):
    """A message to send, flat (`msg_to`, `msg_text`) or nested (`msg`)."""

    msg_to: Annotated[To | None, Field(alias="msg_to")] = None
    msg_text: Annotated[
        Text | None,
        BeforeValidator(_as_text),
        Field(alias="msg_text", max_length=LONGEST_TEXT, description="what it says"),
    ] = None
    msg: Annotated[_Sent, Field(description="in place of the two; `to` may stand in either")]
    idempotency_key: Key | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_shape(cls, given: Any) -> Any:
        """The flat form goes into `msg`, whose own fields count more."""
        if not isinstance(given, Mapping):
            return given
        told = {key: value for key, value in given.items() if value is not None}
        flat = {
            "to": told.get("msg_to"),
            "text": told.get("msg_text"),
            "idempotencyKey": told.get("idempotencyKey"),
        }
        nested = told.get("msg", {})
        if isinstance(nested, Mapping):
            said = {key: value for key, value in nested.items() if value not in (None, "")}
            told["msg"] = {**{key: value for key, value in flat.items() if value is not None}, **said}
        return told


class GetChatMessages(Call):
    """Which messages of a chat."""

    to: To | None = None
    thread: Annotated[
        To | None,
        Field(
            validation_alias=AliasChoices("thread", "uniq"), description="in place of `to`: the chat's thread"
        ),
    ] = None
    limit: Limit = DEFAULT_LIMIT
    before: Annotated[UUID | None, Field(description="an item: older ones than this")] = None

    @model_validator(mode="before")
    @classmethod
    def _lenient(cls, given: Any) -> Any:
        """What is null or empty was not given."""
        return {k: v for k, v in given.items() if v not in (None, "")} if isinstance(given, dict) else given


class GetChatMessageByItem(Call):
    """Which message."""

    item: Annotated[
        UUID, Field(description="of the message", examples=["01990000-0000-7000-8000-000000000000"])
    ]


class GetUserInfo(Call):
    """Whom."""

    to: To


class ContentShown(Shape):
    """Something that goes with a message."""

    type: Annotated[ContentKind, Field(description="as what it is shown")]
    src: Annotated[str | None, Field(description="where it can be fetched; links of ours open it for a week")]
    filename: Annotated[str | None, Field(description="its name")] = None
    mime: Annotated[str | None, Field(description="what it is")] = None
    size: Annotated[
        int | None,
        Field(description="bytes, where the messenger tells"),
        strawberry.field(graphql_type=float | None),
    ] = None


class ReactionShown(Shape):
    """What somebody thinks of a message."""

    sender: Annotated[
        str,
        Field(validation_alias=AliasChoices("sender", "from"), serialization_alias="from", description="who"),
        strawberry.field(name="from"),
    ]
    emoji: Annotated[str, Field(description="what they think of it")]
    at: Annotated[Timestamp, Field(description="when")]


class ChatMessage(Shape):
    """A message in a chat, of either direction."""

    id: Annotated[
        UUID,
        Field(
            validation_alias=AliasChoices("id", "item"),
            serialization_alias="item",
            description="its id, which never changes",
        ),
        strawberry.field(name="uuid", description="the item that REST shows"),
    ]
    account_id: Annotated[UUID, Field(exclude=True), strawberry.Private]
    thread: Annotated[
        str | None, Field(description="the chat; null while the messenger has not got the message")
    ]
    sender: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("sender", "from"),
            serialization_alias="from",
            description="who wrote: a phone (E.164), a user name, or the messenger's id",
        ),
        strawberry.field(name="from"),
    ]
    recipient: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("recipient", "to"), serialization_alias="to", description="to whom"
        ),
        strawberry.field(name="to"),
    ]
    name: Annotated[str | None, Field(description="of whoever wrote, as the messenger shows it")]
    time: Annotated[int, Field(description="when, in seconds since 1970"), strawberry.Private]
    at: Annotated[Timestamp, Field(description="when")]
    edited_at: Annotated[Timestamp | None, Field(description="when its author last changed it")]
    deleted_at: Annotated[
        Timestamp | None,
        Field(description="when it was deleted at the messenger; its text and files are gone here too"),
    ]
    text: Annotated[str, Field(description="what it says; empty where there is only something with it")]
    outgoing: Annotated[bool, Field(description="the account wrote it, here or on another device")]
    reply_to: Annotated[UUID | None, Field(description="the item that it answers")]
    content: Annotated[list[ContentShown], Field(description="what goes with the text")]
    reactions: Annotated[
        list[ReactionShown], Field(description="of each sender the last one; the newest 50 at most")
    ]
    status: Annotated[ChatMessageStatus, Field(description="how far it got; of one that came in: delivered")]
    failure_code: Annotated[str | None, Field(description="why it is `errored`, for programs")]
    failure_reason: Annotated[str | None, Field(description="the same as a sentence")]


class ChatMessages(Answer):
    """Messages of one chat, the oldest of them first."""

    messages: Annotated[list[ChatMessage], Field(description="the oldest first")]


class ChatMessageAnswer(Answer):
    """One message."""

    message: Annotated[ChatMessage, Field(description="the message")]


class SentMessage(Shape):
    """Where a message that was sent is found again."""

    item: Annotated[UUID, Field(description="of the message; it never changes")]
    thread: Annotated[str, Field(description="of its chat")]
    timestamp: Annotated[int, Field(description="when the messenger took it, in seconds since 1970")]


class SendResult(Shape):
    """The vendor's envelope of one message."""

    result: Annotated[SentMessage, Field(description="where it is found again")]


class SendAnswer(Answer):
    """What was sent."""

    results: Annotated[list[SendResult], Field(description="one, of the message that was sent")]


class ChatUser(Shape):
    """Somebody as the messenger knows them."""

    id: Annotated[
        str | None,
        Field(description="the messenger's own id"),
        strawberry.field(name="messengerId"),
    ]
    phone: Annotated[str | None, Field(description="E.164, where it is shown")]
    username: Annotated[str | None, Field(description="without @")]
    name: Annotated[str | None, Field(description="first and last name")]
    avatar: Annotated[str | None, Field(description="an address, or a data: URL")]
    exists: Annotated[bool, Field(description="whether the messenger knows anybody by this")]
    last_seen: Annotated[Timestamp | None, Field(description="where the messenger tells")] = None


class UserAnswer(Answer):
    """Somebody."""

    user: Annotated[ChatUser, Field(description="as the messenger knows them")]


class Chat(Shape):
    """A conversation of a messenger account."""

    id: Id
    account_id: Annotated[UUID, Field(description="of the messenger account")]
    thread: Annotated[str, Field(description="the messenger's id of it, unique within the account")]
    kind: Annotated[ChatKind, Field(description="with whom")]
    name: Annotated[str | None, Field(description="as the messenger shows it")]
    phone: Annotated[str | None, Field(description="E.164, of the other side")]
    username: Annotated[str | None, Field(description="of the other side, without @")]
    unread: Annotated[int, Field(description="messages that came in since the account last wrote or read")]
    last_at: Annotated[Timestamp | None, Field(description="of the newest message")]


class ChatWhere(Where):
    """What must hold for chats."""

    kinds: ClassVar = {"id": "MessengerChat"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    kind: Annotated[Choice[ChatKind] | None, Field(description="with whom")] = None
    unread: Annotated[
        Flag | None, Field(description="whether messages came in since the account last read")
    ] = None
    text: Annotated[Contains | None, Field(description="in the name, the phone or the username")] = None
    last_at: Annotated[TimeSpan | None, Field(description="of the newest message")] = None


class ChatMessageWhere(Where):
    """What must hold for messages of a chat."""

    kinds: ClassVar = {"id": "MessengerMessage"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    at: Annotated[TimeSpan | None, Field(description="when they were written")] = None
    outgoing: Annotated[Flag | None, Field(description="whether the account wrote them")] = None
    status: Annotated[Choice[ChatMessageStatus] | None, Field(description="how far they got")] = None

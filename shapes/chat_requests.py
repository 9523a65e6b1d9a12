"""Requests about messages of messenger accounts: to send one, and to read chats and people."""

from collections.abc import Mapping
from typing import Annotated, Any, Self
from uuid import UUID

import orjson
import strawberry
from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from strawberry.scalars import JSON

from shapes.chats import LONGEST_TEXT, MOST_CONTENT, ContentKind
from shapes.shape import NO_CONTROLS, Shape, Text
from shapes.vendor import Call

DEFAULT_LIMIT = 50
_MOST_PARAMS = 64 * 1024  # bytes, as JSON
UNSERVED = frozenset(
    (
        "attachment", "attachments", "audio", "buttons", "caption", "contact", "contacts", "document", "edit", "file",
        "files", "flow", "footer", "header", "html", "image", "interactive", "keyboard", "list", "location", "media",
        "mentions", "poll", "quickReplies", "replyMarkup", "reply_markup", "sections", "sticker", "vcard", "video",
        "voice",
    )
)  # fmt: skip
"""Fields of other APIs that say something to the recipient. What else is unknown is ignored, as the vendor does."""


def _few(value: Any) -> Any:
    try:
        size = len(orjson.dumps(value))
    except TypeError:
        raise ValueError(
            "the parameters may be nested 250 deep, and their numbers may have 64 bits: write longer ones as texts"
        ) from None
    if size > _MOST_PARAMS:
        raise ValueError("the parameters may have 64 KiB")
    return value


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


class ChatTemplate(Shape):
    """An approved message template of WhatsApp Cloud, filled in."""

    name: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9_]{1,512}$",
            description="name of the template at WhatsApp",
            examples=["order_shipped"],
        ),
    ]
    language: Annotated[
        str,
        Field(
            pattern=r"^[a-z]{2,3}(_[A-Za-z]{2,4})?$",
            description="language of the template",
            examples=["en_US"],
        ),
    ] = "en_US"
    params: Annotated[
        list[Any] | dict[str, Any],
        Field(
            description="its parameters: a list of texts fills {{1}}, {{2}}, …; an object fills named ones; a list of "
            "objects with `type` are Meta's own `components`"
        ),
        AfterValidator(_few),
        strawberry.field(graphql_type=JSON),
    ] = Field(default_factory=list)


class NewChatMessage(Shape):
    """A message to send: a text, content, or both; or a template, with one file at most for its header."""

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
    template: Annotated[
        ChatTemplate | None,
        Field(description="a template in place of the text; WhatsApp Cloud alone has templates"),
    ] = None
    reply_to: Annotated[UUID | None, Field(description="item of the message to reply to")] = None
    idempotency_key: Key | None = None

    @model_validator(mode="after")
    def _check_text(self) -> Self:
        if self.template is not None and self.text.strip():
            raise ValueError("a template has its own text: send its words in template.params, and no text")
        return self


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
            for part in content:
                _check_served(part if isinstance(part, Mapping) else {}, "content")
            texts = [text for part in content if (text := _text_of(part)) is not None]
            fields["content"] = [part for part in content if _text_of(part) is None]
            if texts and isinstance(first := _as_text(fields.get("text", "")), str):
                fields["text"] = "\n".join(dict.fromkeys(text for text in (first, *texts) if text))
        return fields


def _check_served(fields: Mapping[Any, Any], where: str = "") -> None:
    """Raises ValueError for a field that would change what the recipient reads: no driver sends it."""
    unserved = [name for name in fields if name in UNSERVED and fields[name] not in (None, "", [], {}, False)]
    if unserved:
        names = ", ".join(f"{where}.{name}" if where else str(name) for name in sorted(unserved))
        raise ValueError(
            f"{names}: Postern can't send this, and the message would say something else without it"
        )


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
        _check_served(fields)
        flat = {
            "to": fields.get("msg_to"),
            "text": fields.get("msg_text"),
            "template": fields.get("template"),
            "idempotencyKey": fields.get("idempotencyKey"),
        }
        nested = fields.get("msg", {})
        if isinstance(nested, Mapping):
            _check_served(nested, "msg")
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

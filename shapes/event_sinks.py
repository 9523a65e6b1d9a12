"""Event sinks: brokers that the events of a feed are published to."""

from typing import Annotated, Any, ClassVar, Final, Self
from uuid import UUID

import strawberry
from pydantic import AliasChoices, ConfigDict, Field, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from shapes.described import DescribedEnum
from shapes.event_feed import Cursor
from shapes.event_webhooks import Document, Types
from shapes.rules import either, never_null
from shapes.shape import NO_CONTROLS, Created, Id, Line, SavedBy, Shape, Text, Timestamp, Updated
from shapes.values import nothing
from shapes.where import Choice, Flag, Ids, Where

DEFAULT_SUBJECT: Final = "postern.{owner}.{type}"


class EventSinkKind(DescribedEnum):
    """Kind of broker that a sink publishes to."""

    nats = "nats", "a stream of NATS JetStream"


_NAME = "name of the sink; each of yours has another one"
_STREAM = "name of the stream that stores the events"
_SUBJECT = (
    "subject of each event; `{owner}` becomes the id of the owner, `{type}` the type of the event, `{subject}` the "
    "kind of object that it is about"
)
_MAKE_STREAM = "whether the stream is made if it does not exist; a stream that exists is never changed"
_REPLICAS = "number of servers that store a stream which the sink makes; a single server allows only 1"
_WINDOW = "seconds for which a stream that the sink makes knows the ids of its events, and drops those that come again"
_QUERY = (
    "a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose response is the "
    "body of each event; null: the documented shape; a sink of the whole installation has none"
)
_VISIBLE_URL = "address of the broker, without its credentials"
_ENABLED = "false: nothing is published; the feed keeps the events for as long as it keeps any"

Name = Annotated[
    Line,
    StringConstraints(strip_whitespace=True),
    Field(min_length=1, max_length=100, description=_NAME, examples=["Warehouse"]),
]
Address = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=2048,
        pattern=NO_CONTROLS,
        description="address of a server, or of several with commas between: `nats://` or, with TLS, `tls://`; it may "
        "have a user and a password, or a token; it is stored encrypted, and shown without them",
        examples=["tls://postern:secret@nats.example.com:4222"],
    ),
]
Credentials = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=16_384,
        description="text of a credentials file of NATS (a JWT and the seed of its NKey), or the seed of an NKey "
        "alone; it is stored encrypted, and never shown",
        examples=["-----BEGIN NATS USER JWT-----\n…\n------END NATS USER JWT------\n"],
    ),
]
Stream = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=128,
        pattern=r"^[^\x00-\x20\x7f.*>/\\]+$",
        description=_STREAM,
        examples=["POSTERN"],
    ),
]
Subject = Annotated[
    Line, Field(min_length=1, max_length=255, description=_SUBJECT, examples=[DEFAULT_SUBJECT])
]
MakeStream = Annotated[bool, Field(description=_MAKE_STREAM)]
Replicas = Annotated[int, Field(ge=1, le=5, description=_REPLICAS)]
Window = Annotated[int, Field(ge=1, le=86_400, description=_WINDOW)]


class NewEventSink(Shape):
    """A sink of your event feed. It publishes what happens from now on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Warehouse",
                    "url": "tls://postern:secret@nats.example.com:4222",
                    "stream": "POSTERN",
                    "types": ["message.delivered", "message.failed"],
                }
            ]
        }
    )

    name: Name
    kind: Annotated[EventSinkKind, Field(description="kind of broker")] = EventSinkKind.nats
    url: Annotated[Address, Field(repr=False)]
    credentials: Annotated[Credentials | None, Field(repr=False)] = None
    stream: Stream
    subject: Subject = DEFAULT_SUBJECT
    make_stream: MakeStream = True
    replicas: Replicas = 3
    duplicate_window_seconds: Window = 120
    types: Types = Field(default_factory=list)
    query: Annotated[Document | None, Field(description=_QUERY)] = None
    whole_installation: Annotated[
        bool,
        Field(
            description="true: it publishes the events of all users, whose feeds are recorded for it; only "
            "administrators make such a sink"
        ),
    ] = False


_REQUIRED: Final = (
    "name", "url", "stream", "subject", "make_stream", "replicas", "duplicate_window_seconds", "types", "enabled",
)  # fmt: skip


def _patch_schema(schema: dict[str, Any]) -> None:
    never_null(*map(to_camel, _REQUIRED))(schema)
    schema["examples"] = [{"types": [], "enabled": True}]


class EventSinkPatch(Shape):
    """Changes to a sink. Omitted fields stay unchanged."""

    model_config = ConfigDict(json_schema_extra=_patch_schema)

    name: Name | None = Field(default_factory=nothing)
    url: Annotated[
        Address | None,
        Field(
            repr=False,
            description="address of a server, as in a new sink; with another one the stored credentials are deleted, "
            "so write them again",
        ),
    ] = Field(default_factory=nothing)
    credentials: Annotated[Credentials | None, Field(repr=False)] = Field(default_factory=nothing)
    stream: Stream | None = Field(default_factory=nothing)
    subject: Subject | None = Field(default_factory=nothing)
    make_stream: MakeStream | None = Field(default_factory=nothing)
    replicas: Replicas | None = Field(default_factory=nothing)
    duplicate_window_seconds: Window | None = Field(default_factory=nothing)
    types: Types | None = Field(default_factory=nothing)
    query: Annotated[Document | None, Field(description=_QUERY)] = Field(default_factory=nothing)
    enabled: Annotated[
        bool | None,
        Field(description=_ENABLED + "; true: the waits after failures end, and it is tried at once"),
    ] = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in _REQUIRED:
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class EventSink(Shape):
    """A broker that events are published to: those of its owner's feed, or those of all users."""

    id: Id
    owner_id: Annotated[
        UUID | None, Field(description="the user whose events it publishes; null: those of all users")
    ]
    name: Annotated[str, Field(description=_NAME, examples=["Warehouse"])]
    kind: Annotated[EventSinkKind, Field(description="kind of broker")]
    url_visible: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("url_visible", "url"),
            serialization_alias="url",
            description=_VISIBLE_URL,
            examples=["tls://nats.example.com:4222"],
        ),
        strawberry.field(name="url", description=_VISIBLE_URL),
    ]
    stream: Annotated[str, Field(description=_STREAM, examples=["POSTERN"])]
    subject: Annotated[str, Field(description=_SUBJECT, examples=[DEFAULT_SUBJECT])]
    make_stream: MakeStream
    replicas: Annotated[int, Field(description=_REPLICAS)]
    duplicate_window_seconds: Annotated[int, Field(description=_WINDOW)]
    types: Annotated[list[str], Field(description="types of events that are published; empty: all")]
    query: Annotated[
        str | None,
        Field(description="the GraphQL document that makes the body; null: the documented shape"),
    ]
    enabled: Annotated[bool, Field(description=_ENABLED)]
    disabled_reason: Annotated[str | None, Field(description="why it is disabled; null while it is enabled")]
    saved_by: SavedBy
    failures: Annotated[
        int, Field(description="number of failed attempts in a row; 0 if the last one succeeded")
    ]
    failing_since: Annotated[
        Timestamp | None, Field(description="time of the first of these failures; null: there is none")
    ]
    last_error: Annotated[
        str | None,
        Field(description="the last error and what to do about it; null if the last attempt succeeded"),
    ]
    next_at: Annotated[
        Timestamp | None,
        Field(description="nothing is published before this time, after a failure; null: it does not wait"),
    ]
    published_at: Annotated[
        Timestamp | None, Field(description="when the broker last acknowledged an event; null: never")
    ]
    created_at: Created
    updated_at: Updated


class EventSinkStatus(Shape):
    """Says how far a sink is."""

    lag: Annotated[
        int, Field(description="events of the feed, of any type, that are still to be looked at; 0: none")
    ]
    rate_per_second: Annotated[
        float, Field(description="events a second that were published during the last minute")
    ]
    published: Annotated[int, Field(description="events that the broker has acknowledged so far")]
    missed: Annotated[
        int, Field(description="events, of any type, that the feed deleted before the sink came to them")
    ]
    replaying: Annotated[bool, Field(description="whether a replay is under way")]


class EventSinkTested(Shape):
    """Shows what the broker did with an event of the type `sink.test`."""

    acknowledged: Annotated[bool, Field(description="whether the broker has stored the event")]
    error: Annotated[str | None, Field(description="why it has not, and what to do; null: it has")]
    code: Annotated[
        str | None,
        Field(description="the error's code, as docs/errors.md lists it", examples=["broker_away"]),
    ]
    subject: Annotated[str, Field(description="the subject of the event")]
    sequence: Annotated[
        int | None, Field(description="its number in the stream; null: the broker has not stored it")
    ]
    seconds: Annotated[float, Field(description="time in seconds that it took")]


class EventSinkReplay(Shape):
    """Selects the events that are published again: those behind a cursor, or from a time on. Give one of the two."""

    model_config = ConfigDict(
        json_schema_extra={**either("after", "since"), "examples": [{"since": "2026-11-22T00:00:00Z"}]}
    )

    after: (
        Annotated[
            Cursor,
            Field(
                description="events behind this cursor of the feed, which is that of the sink's owner; it can't be used"
                " for the whole installation"
            ),
        ]
        | None
    ) = None
    since: (
        Annotated[
            Timestamp,
            Field(
                description="events from this time (`at`) on; the feed keeps them for some days",
                examples=["2026-11-22T00:00:00Z"],
            ),
        ]
        | None
    ) = None
    types: Annotated[Types | None, Field(description="only these types; null: those of the sink")] = None

    @model_validator(mode="after")
    def _begin(self) -> Self:
        if (self.after is None) == (self.since is None):
            raise ValueError("Give either `after` or `since`.")
        return self


class EventSinkReplayed(Shape):
    """Says how many events of the feed a replay looks at."""

    count: Annotated[
        int, Field(description="number of events, of any type, from the replay's beginning to its end")
    ]


class EventSinkWhere(Where):
    """Filter for event sinks."""

    kinds: ClassVar = {"id": "EventSink", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    kind: Annotated[Choice[EventSinkKind] | None, Field(description="filter by kind of broker")] = None
    enabled: Annotated[Flag | None, Field(description="filter by whether they are enabled")] = None

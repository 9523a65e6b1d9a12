"""Webhooks of messenger accounts, and the events that they did not take (contract §4)."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field, StringConstraints

from shapes.described import DescribedEnum
from shapes.shape import NO_CONTROLS, Created, Id, SavedBy, Shape, Text, Timestamp, Updated
from shapes.vendor import Answer, Call
from shapes.where import Choice, Flag, Ids, TimeSpan, Where


class WebhookEvent(DescribedEnum):
    """Type of an event that webhooks receive."""

    message = "message", "a message was received, or was sent from another device"
    message_status = "message_status", "the status of a message has changed"
    add_message_reaction = "add_message_reaction", "a person reacted to a message"
    message_edited = (
        "message_edited",
        "the text of a message was edited at the messenger; it is sent only to webhooks that list this type",
    )
    message_deleted = (
        "message_deleted",
        "a message was deleted at the messenger; it is sent only to webhooks that list this type",
    )
    state = "state", "the account's state has changed"


Url = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=2048,
        pattern=NO_CONTROLS,
        json_schema_extra={"pattern": r"^\s*[Hh][Tt][Tt][Pp][Ss]?://[^\s\\@/?#]+([/?#][^\s\\]*)?\s*$"},
        description="a public http(s) URL; events are posted to it as JSON",
        examples=["https://example.com/hook"],
    ),
]
Events = Annotated[
    list[WebhookEvent],
    Field(
        max_length=len(WebhookEvent),
        description="types of events to send; empty: all except `message_edited` and `message_deleted`",
    ),
]
_BASE64 = "[A-Za-z0-9+/]"
Secret = Annotated[
    Text,
    Field(
        max_length=128,
        json_schema_extra={
            "pattern": f"^whsec_({_BASE64}{{4}}){{8,20}}(({_BASE64}{{4}})?({_BASE64}{{2}}==)?|{_BASE64}{{3}}=)$"
        },
        description="signing secret: whsec_ and the base64 of 24 to 64 random bytes (Standard Webhooks); "
        "default: a generated one",
        examples=["whsec_cG9zdGVybidzIGV4YW1wbGUgc2VjcmV0IQ=="],
    ),
]


class AddWebhook(Call):
    """A webhook to add, or the changes to the existing webhook with this URL."""

    webhook_url: Url
    events: Events | None = None
    secret: Annotated[Secret | None, Field(repr=False)] = None


class DeleteWebhook(Call):
    """A webhook to delete."""

    webhook_url: Url


class WebhookAnswer(Answer):
    """The saved webhook. `secret` signs the events; it is returned only in this response, and only if the service
    generated it.
    """

    secret: Annotated[
        str | None,
        Field(
            description="the signing secret, shown only once, if the service generated it; otherwise null",
            repr=False,
        ),
    ] = None


class NewWebhook(Shape):
    """A webhook to add, or the changes to the existing webhook with this URL, which is enabled again."""

    webhook_url: Url
    events: Events | None = None
    secret: Annotated[Secret | None, Field(repr=False)] = None


class WebhookFields(Shape):
    """A webhook: a URL that receives events, of a messenger account or of its owner's event feed."""

    id: Id
    account_id: Annotated[
        UUID | None, Field(description="the messenger account; null: it receives the events of a feed")
    ]
    url: Annotated[str, Field(description="the URL that events are posted to")]
    enabled: Annotated[bool, Field(description="false: nothing is sent, and new events are not queued")]
    disabled_reason: Annotated[str | None, Field(description="why it is disabled; null while it is enabled")]
    failures: Annotated[
        int, Field(description="number of failed requests in a row; 0 if the last one succeeded")
    ]
    next_at: Annotated[
        Timestamp | None,
        Field(
            description="nothing is sent before this time: too many requests failed in a row, "
            "or the receiver asked for a pause"
            "; null: it does not wait"
        ),
    ]
    last_error: Annotated[
        str | None, Field(description="last error; null if the last delivery succeeded or none was tried")
    ]
    last_status: Annotated[
        int | None, Field(description="HTTP status of the last attempt; null if there was no response")
    ]
    delivered_at: Annotated[
        Timestamp | None, Field(description="time of the last successful delivery; null: none yet")
    ]
    query: Annotated[
        str | None,
        Field(description="the GraphQL document that makes the body; null: the documented shape"),
    ]
    batch: Annotated[int, Field(description="the most events of one request")]
    sending_project_uuid: Annotated[
        UUID | None, Field(description="only events of this project; null: of all")
    ]
    paying_account_id: Annotated[
        UUID | None, Field(description="only events that this account pays for; null: all events")
    ]
    messenger_account_uuid: Annotated[
        UUID | None, Field(description="only events of this messenger account; null: of all")
    ]
    missed: Annotated[
        int, Field(description="events, of any type, that the feed deleted before the webhook came to them")
    ]
    saved_by: SavedBy
    created_at: Created
    updated_at: Updated


class DeadLetterFields(Shape):
    """An event that could not be delivered to a webhook within 76 hours. It is kept for 30 days."""

    id: Id
    webhook_id: Annotated[UUID, Field(description="the webhook that the event was sent to")]
    event_id: Annotated[UUID, Field(description="`id` of the event, which is also sent as `webhook-id`")]
    type: Annotated[str, Field(description="type of the event")]
    attempts: Annotated[int, Field(description="number of delivery attempts")]
    last_error: Annotated[str | None, Field(description="error of the last attempt")]
    created_at: Annotated[Timestamp, Field(description="when the event was queued")]
    dead_at: Annotated[Timestamp, Field(description="when delivery was given up")]


class DeadLetter(DeadLetterFields):
    """A dead letter, with its body."""

    body: Annotated[str, Field(description="the body of the request")]


class ReplayLetters(Shape):
    """The dead letters to send again."""

    ids: Annotated[
        list[UUID] | None,
        Field(max_length=10_000, description="ids of dead letters; default: the 10,000 oldest"),
    ] = None


class DeliveryCounts(Shape):
    """Counts of a webhook's events."""

    waiting: Annotated[int, Field(description="events that wait for delivery")]
    dead: Annotated[int, Field(description="dead letters")]


class WebhookWhere(Where):
    """Filter for webhooks."""

    kinds: ClassVar = {"id": "Webhook"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    enabled: Annotated[Flag | None, Field(description="filter by whether they are enabled")] = None


class DeadLetterWhere(Where):
    """Filter for dead letters."""

    kinds: ClassVar = {"id": "DeadLetter"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    type: Annotated[Choice[WebhookEvent] | None, Field(description="filter by event type")] = None
    dead_at: Annotated[
        TimeSpan | None, Field(description="filter by the time at which delivery was given up")
    ] = None

"""Webhooks of the event feed: endpoints that receive a user's events."""

from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

import strawberry
from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.event_feed import MOST_TYPES
from shapes.rules import never_null
from shapes.shape import Id, Shape, Text, Timestamp
from shapes.values import nothing
from shapes.webhooks import Events, Secret, Url, WebhookFields
from shapes.where import Choice, Ids, TimeSpan, Where

MOST_BATCH = 100
"""The most events of one request."""


class WebhookDeliveryState(DescribedEnum):
    """Says whether a delivery waits, has been accepted, or was given up."""

    waiting = "waiting", "waits for its turn, or for its next attempt"
    delivered = "delivered", "the receiver has accepted it"
    dead = "dead", "given up; it can be replayed"


Types = Annotated[
    list[Annotated[str, Field(max_length=64)]],
    Field(
        max_length=MOST_TYPES,
        description="types of events to send, as docs/events.md lists them; empty: all",
        examples=[["message.delivered", "message.failed"]],
    ),
]
Batch = Annotated[
    int,
    Field(
        ge=1,
        le=MOST_BATCH,
        description='the most events of one request; from 2 on, a body is `{"events": […]}` with one event or more',
    ),
]
Document = Annotated[
    Text,
    Field(
        max_length=16_384,
        json_schema_extra={"minLength": 1},
        description="a GraphQL subscription with one field (`events`, `messageReceived`, `chatMessageReceived`), whose "
        "response is the body of each event, or `resend`: body and signature have the form of Resend's webhooks; null: "
        "the documented shape",
        examples=["subscription { events { type at messageRecord { to status } } }"],
    ),
]
ProjectFilter = Annotated[UUID | None, Field(description="only events of this project; null: of all")]
AccountFilter = Annotated[
    UUID | None, Field(description="only events that this account pays for; null: all events")
]
MessengerFilter = Annotated[
    UUID | None, Field(description="only events of this messenger account; null: of all")
]


class NewEventWebhook(Shape):
    """A webhook of your event feed. It receives what happens from now on."""

    url: Url
    types: Types = Field(default_factory=list)
    query: Document | None = None
    batch: Batch = 1
    sending_project_uuid: ProjectFilter = None
    paying_account_id: AccountFilter = None
    messenger_account_uuid: MessengerFilter = None
    secret: Annotated[Secret | None, Field(repr=False)] = None


_REQUIRED = ("url", "types", "batch")


class WebhookPatch(Shape):
    """Changes to a webhook. Omitted fields stay unchanged."""

    model_config = ConfigDict(json_schema_extra=never_null(*_REQUIRED))

    events: Annotated[
        Events | None,
        Field(description="of a webhook of a messenger account: types of events to send; "
            "empty: all except `message_edited` and `message_deleted`"),
    ] = None  # fmt: skip
    enabled: Annotated[
        bool | None,
        Field(
            description="true: delivery is tried at once and all waits after failures end; false: no events are "
            "queued for a messenger account; those of an event feed wait as long as the feed has them"
        ),
    ] = None
    url: Url | None = Field(default_factory=nothing)
    types: Types | None = Field(default_factory=nothing)
    query: Document | None = Field(default_factory=nothing)
    batch: Batch | None = Field(default_factory=nothing)
    sending_project_uuid: ProjectFilter = Field(default_factory=nothing)
    paying_account_id: AccountFilter = Field(default_factory=nothing)
    messenger_account_uuid: MessengerFilter = Field(default_factory=nothing)

    @model_validator(mode="after")
    def _never_null(self) -> Self:
        for name in _REQUIRED:
            if name in self.model_fields_set and getattr(self, name) is None:
                raise ValueError(f"{name} can't be null; leave it out to keep it")
        return self


class EventWebhook(WebhookFields):
    """A webhook: a URL that receives what happens to its owner's objects, or the events of a messenger account."""

    events: Annotated[
        list[str],
        Field(
            validation_alias=AliasChoices("events", "types"),
            serialization_alias="types",
            description="types of events that are sent; empty: all",
        ),
    ]


class SavedEventWebhook(EventWebhook):
    """A webhook after it was made. `secret` signs the requests; it is returned only in this response, and only if the
    service generated it.
    """

    secret: Annotated[str | None, Field(repr=False, description="the signing secret; otherwise null")]


class WebhookSecret(Shape):
    """A new signing secret. It is returned only in this response, and only if the service generated it."""

    secret: Annotated[str | None, Field(repr=False, description="the signing secret; otherwise null")]


class NewSecret(Shape):
    """The signing secret to use from now on."""

    secret: Annotated[Secret | None, Field(repr=False)] = None


class WebhookDeliveryFields(Shape):
    """An event for a webhook, with its last attempt. Delivered ones are kept for three days; of a busy webhook, some of
    them.
    """

    id: Id
    webhook_id: Annotated[UUID, Field(description="the webhook that the event is for")]
    event_id: Annotated[UUID, Field(description="id of the event, which is also sent as `webhook-id`")]
    type: Annotated[str, Field(description="type of the event")]
    state: Annotated[
        WebhookDeliveryState,
        Field(description="`waiting` for its turn or its next attempt, `delivered`, or `dead`: given up"),
    ]
    attempts: Annotated[int, Field(description="number of attempts")]
    next_at: Annotated[
        Timestamp | None, Field(description="not before this time, after a failure; null: in its turn")
    ]
    last_error: Annotated[str | None, Field(description="error of the last attempt")]
    last_status: Annotated[
        int | None, Field(description="HTTP status of the last answer; null: there was none")
    ]
    answer: Annotated[str | None, Field(description="the first 1,024 bytes of the last answer's body")]
    seconds: Annotated[float | None, Field(description="time in seconds that the last attempt took")]
    replayed: Annotated[bool, Field(description="whether a replay has made its body anew")]
    created_at: Annotated[Timestamp, Field(description="when it was queued")]
    delivered_at: Annotated[Timestamp | None, Field(description="when it was delivered")]
    dead_at: Annotated[Timestamp | None, Field(description="when it was given up")]


class WebhookAttempt(Shape):
    """An attempt to deliver an event that failed."""

    at: Annotated[Timestamp, Field(description="when the attempt had failed")]
    status: Annotated[int | None, Field(description="HTTP status of the answer; null: there was none")]
    error: Annotated[str | None, Field(description="why it failed, as a sentence")]
    seconds: Annotated[float | None, Field(description="time in seconds that the attempt took")]


DELIVERY_ATTEMPTS = "attempts that failed, oldest first; at most the last 20 since the event was queued"


class EventWebhookDelivery(WebhookDeliveryFields):
    """An event for a webhook, with its body."""

    failed_attempts: Annotated[
        list[WebhookAttempt],
        BeforeValidator(lambda stored: stored or []),
        Field(description=DELIVERY_ATTEMPTS),
    ]
    body: Annotated[str, Field(description="the body of the request")]


class WebhookDeliveryWhere(Where):
    """Filter for deliveries of webhooks."""

    kinds: ClassVar = {"id": "WebhookDelivery"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    state: Annotated[Choice[WebhookDeliveryState] | None, Field(description="filter by state")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by the time of queueing")] = None


class WebhookPreview(Shape):
    """Names the event and the settings for which the body of a request is shown."""

    types: Types = Field(default_factory=list)
    query: Document | None = None
    event_id: Annotated[
        UUID | None, Field(description="an event of your feed; default: the newest of these types")
    ] = None


class WebhookPreviewed(Shape):
    """Shows the body that a webhook with these settings would send for an event."""

    event_id: Annotated[UUID, Field(description="id of the event")]
    type: Annotated[str, Field(description="type of the event")]
    body: Annotated[Any, Field(description="the body of the request"), strawberry.field(graphql_type=JSON)]
    bytes: Annotated[int, Field(description="the size of the body")]
    cost: Annotated[int, Field(description="points that the document costs for each event; 0: no document")]


class WebhookTested(Shape):
    """Shows what an endpoint has answered to an event of the type `webhook.test`."""

    delivered: Annotated[bool, Field(description="whether it has accepted the event")]
    error: Annotated[str | None, Field(description="why it has not")]
    status: Annotated[int | None, Field(description="HTTP status; null: there was no answer")]
    answer: Annotated[str | None, Field(description="the first 1,024 bytes of the answer's body")]
    seconds: Annotated[float | None, Field(description="time in seconds that it took")]
    body: Annotated[str, Field(description="the body of the request")]


class WebhookReplay(Shape):
    """Selects the events that are sent again. Both times are those of the events (`at`)."""

    since: Annotated[
        Timestamp, Field(description="events from this time on", examples=["2026-11-22T00:00:00Z"])
    ]
    until: Annotated[Timestamp | None, Field(description="events before this time; null: until now")] = None
    types: Annotated[Types | None, Field(description="only these types; null: those of the webhook")] = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.until is not None and self.until <= self.since:
            raise ValueError("until must be later than since")
        return self


class WebhookReplayed(Shape):
    """Says how many events are sent again."""

    count: Annotated[int, Field(description="number of events")]

"""Webhooks of messenger accounts, and the events that they did not take (contract §4)."""

from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field, StringConstraints

from schema.types.shape import NO_CONTROLS, Created, Id, Shape, Text, Timestamp, Updated
from schema.types.vendor import Answer, Call
from schema.types.where import Choice, Flag, Ids, TimeSpan, Where


class WebhookEvent(StrEnum):
    """What a webhook is told of."""

    message = "message"
    message_status = "message_status"
    add_message_reaction = "add_message_reaction"
    message_deleted = "message_deleted"
    state = "state"


Url = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(
        min_length=1,
        max_length=2048,
        pattern=NO_CONTROLS,
        description="a public http(s) address; events are posted there as JSON",
        examples=["https://example.com/hook"],
    ),
]
Events = Annotated[
    list[WebhookEvent],
    Field(max_length=len(WebhookEvent), description="of what it is told; none: of all but `message_deleted`"),
]
Secret = Annotated[
    Text,
    Field(
        max_length=128,
        description="whsec_ and the base64 of 24 to 64 random bytes (Standard Webhooks); left out: we make one",
    ),
]


class AddWebhook(Call):
    """An address to tell, or what shall be different for one that is there."""

    webhook_url: Url
    events: Events | None = None
    secret: Annotated[Secret | None, Field(repr=False)] = None


class DeleteWebhook(Call):
    """An address that shall be told nothing more."""

    webhook_url: Url


class WebhookAnswer(Answer):
    """`secret` signs what is posted there. It is shown this once, and only if we made it."""

    secret: Annotated[str | None, Field(description="shown once, when we made it", repr=False)] = None


class NewWebhook(Shape):
    """An address to tell, or what shall be different for one that is there; it is enabled again."""

    webhook_url: Url
    events: Events | None = None
    secret: Annotated[Secret | None, Field(repr=False)] = None


class WebhookPatch(Shape):
    """What is left out stays."""

    events: Events | None = None
    enabled: Annotated[
        bool | None, Field(description="true: it is tried at once, whatever failed; false: nothing is put")
    ] = None


class WebhookFields(Shape):
    """An address that is told what happens to an account."""

    id: Id
    account_id: Annotated[UUID, Field(description="the messenger account")]
    url: Annotated[str, Field(description="where events are posted")]
    enabled: Annotated[bool, Field(description="false: nothing is sent, and new events are not kept for it")]
    disabled_reason: Annotated[str | None, Field(description="why it is not enabled")]
    failures: Annotated[int, Field(description="in a row; 0: it works")]
    next_at: Annotated[Timestamp | None, Field(description="when it is tried again after a failure")]
    last_error: Annotated[str | None, Field(description="what was wrong last; null: nothing since it worked")]
    last_status: Annotated[int | None, Field(description="its last HTTP status")]
    delivered_at: Annotated[Timestamp | None, Field(description="when it last took an event")]
    created_at: Created
    updated_at: Updated


class DeadLetterFields(Shape):
    """An event that a webhook did not take in 76 hours. It is kept for 30 days."""

    id: Id
    webhook_id: Annotated[UUID, Field(description="whose it is")]
    event_id: Annotated[UUID, Field(description="`id` of the event, and its webhook-id")]
    type: Annotated[str, Field(description="what it tells of")]
    attempts: Annotated[int, Field(description="how often it was tried")]
    last_error: Annotated[str | None, Field(description="what was wrong last")]
    created_at: Annotated[Timestamp, Field(description="since when it waited")]
    dead_at: Annotated[Timestamp, Field(description="when it was given up")]


class WebhookWhere(Where):
    """What must hold for webhooks."""

    kinds: ClassVar = {"id": "Webhook"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    enabled: Annotated[Flag | None, Field(description="whether events are posted there")] = None


class DeadLetterWhere(Where):
    """What must hold for dead letters."""

    kinds: ClassVar = {"id": "DeadLetter"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    type: Annotated[Choice[WebhookEvent] | None, Field(description="what they tell of")] = None
    dead_at: Annotated[TimeSpan | None, Field(description="when they were given up")] = None

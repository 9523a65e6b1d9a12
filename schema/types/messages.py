"""Messages: the specification's Message and SendMessageRequest (§2)."""

from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.shape import Created, Id, JsonObject, Shape, Text, Updated
from schema.types.values import json_at_most
from schema.types.where import Choice, Exactly, Ids, TimeSpan, Where


class Direction(StrEnum):
    """Which way a message goes."""

    inbound = "inbound"
    outbound = "outbound"


class MessageChannel(StrEnum):
    """How a message leaves."""

    sms = "sms"
    email = "email"
    push = "push"


class MessageCategory(StrEnum):
    """What a message is for. A block of scope `promotional` stops only promotional ones."""

    transactional = "transactional"
    promotional = "promotional"


class MessageStatus(StrEnum):
    """What the specification shows."""

    queued = "queued"
    sent = "sent"
    delivered = "delivered"
    failed = "failed"


class DeliveryState(StrEnum):
    """Where a message really is; see docs/states.md."""

    queued = "queued"
    sending = "sending"
    sent = "sent"
    delivered = "delivered"
    failed = "failed"
    unknown = "unknown"
    canceled = "canceled"


class Message(Shape):
    """A message of the gateway, on its way out or come in."""

    id: Id
    account_id: Annotated[UUID, Field(description="who pays")]
    direction: Annotated[Direction, Field(description="out, or in")]
    channel: Annotated[MessageChannel, Field(description="how it leaves, or came")]
    status: Annotated[MessageStatus, Field(description="how far it is")]
    to: Annotated[str, Field(description="the recipient, as the channel writes it (E.164 for a phone)")]
    body: Annotated[str, Field(description="the text")]
    provider_message_id: Annotated[str | None, Field(description="the provider's id, once it has one")]
    category: Annotated[MessageCategory, Field(description="what it is for")]
    trial: Annotated[bool, Field(description="it was sent by `/test-sending`, to try it out")]
    created_at: Created
    updated_at: Updated


class SendMessage(Shape):
    """A message to send: the specification's SendMessageRequest, and which account pays."""

    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=4096,
            description="a phone (sms), an email address, or a device token or Web Push subscription (push)",
            examples=["+14155550100"],
        ),
    ]
    channel: Annotated[MessageChannel, Field(description="how it leaves")]
    body: Annotated[
        Text, Field(min_length=1, max_length=1600, description="the text", examples=["Your code is 424242"])
    ]
    metadata: Annotated[
        JsonObject | None,
        json_at_most(256 * 1024),
        Field(
            description="email: subject, html, replyTo, attachmentUuids; push: title, data; anything else is kept as it is",
            examples=[{"subject": "Welcome"}],
        ),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    account_id: (
        Annotated[UUID, Field(description="who pays; default: the caller's oldest account")] | None
    ) = None
    category: Annotated[
        MessageCategory,
        Field(
            description="what it is for: who unsubscribed from advertising still gets transactional ones; default:"
            " transactional",
            # Generators of clients make a field with a default one that must be given.
            json_schema_extra=lambda schema: schema.pop("default", None) and None,
        ),
    ] = MessageCategory.transactional
    valid_seconds: Annotated[
        int,
        Field(
            ge=30,
            le=86_400,
            description="how long it may wait, in seconds: what was not handed to a provider by then is `failed`,"
            " `expired`, and refunded; default: 86400, a day",
            json_schema_extra=lambda schema: schema.pop("default", None) and None,
        ),
    ] = 86_400


class StatusReport(Shape):
    """Where one message is."""

    id: Id
    status: Annotated[MessageStatus, Field(description="how far it is")]
    updated_at: Updated


class MessageWhere(Where):
    """What must hold for messages."""

    kinds: ClassVar = {"account_id": "Account", "id": "Message"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    account_id: Annotated[Ids | None, Field(description="who pays")] = None
    status: Annotated[Choice[MessageStatus] | None, Field(description="how far they are")] = None
    channel: Annotated[Choice[MessageChannel] | None, Field(description="how they leave, or came")] = None
    direction: Annotated[Choice[Direction] | None, Field(description="out, or in")] = None
    to: Annotated[Exactly | None, Field(description="the recipient, as the channel writes it")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None
    updated_at: Annotated[TimeSpan | None, Field(description="when they last changed")] = None

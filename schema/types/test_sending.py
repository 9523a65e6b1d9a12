"""Test sending: one message now, to see how it looks and whether it arrives (contract §3)."""

from decimal import Decimal
from typing import Annotated, ClassVar
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.message_records import RecordStatus
from schema.types.messages import DeliveryState
from schema.types.sending_projects import Body, Html, ProjectChannel, Subject
from schema.types.shape import Created, Id, JsonObject, Shape, Text, Timestamp, Updated
from schema.types.values import json_at_most
from schema.types.where import Choice, Exactly, Ids, TimeSpan, Where


class SendTest(Shape):
    """A message to try out."""

    channel: Annotated[ProjectChannel, Field(description="how it leaves")]
    account_uuid: (
        Annotated[UUID, Field(description="the source account that sends it, for telegram and whatsapp")]
        | None
    ) = None
    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=4096,
            description="a phone (sms, whatsapp, telegram), an email address, a device token, a Telegram user name",
            examples=["+14155550100"],
        ),
    ]
    text: Body
    subject: Subject | None = None
    html: Html | None = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(64 * 1024),
        Field(description="by name", examples=[{"name": "Ada"}]),
        strawberry.field(graphql_type=JSON | None),
    ] = None


class SendingError(Shape):
    """Why it did not arrive, or why nobody knows."""

    code: Annotated[str, Field(description="as `failureCode` of a message")]
    message: Annotated[str, Field(description="one sentence, with what the provider said")]


class TestedMessage(Shape):
    """What became of it, as far as was known within half a minute."""

    message_id: Annotated[
        UUID,
        Field(
            description="`GET /test-sending/{id}` knows more later; of sms, email and push so does `GET /messages/{id}`"
        ),
    ]
    status: Annotated[RecordStatus, Field(description="how far it is")]
    provider_message_id: Annotated[str | None, Field(description="the provider's id, once it has one")]
    error: Annotated[SendingError, Field(description="why")] | None = None


class TrialMessage(Shape):
    """A message that was sent to try it out, by any channel."""

    id: Id
    channel: Annotated[ProjectChannel, Field(description="how it leaves")]
    state: Annotated[
        DeliveryState, Field(description="how far it is"), strawberry.field(name="deliveryState")
    ]
    to: Annotated[str, Field(description="the recipient, as the channel writes it")]
    body: Annotated[str, Field(description="the text")]
    price: Annotated[
        Decimal, Field(description="what it cost, in the account's currency; refunded if it failed")
    ]
    provider: Annotated[str | None, Field(description="the driver that took it")]
    provider_message_id: Annotated[str | None, Field(description="the provider's id, once it has one")]
    failure_code: Annotated[str | None, Field(description="why it failed, for programs")]
    failure_reason: Annotated[str | None, Field(description="why it failed, for people")]
    created_at: Created
    updated_at: Updated
    sent_at: Annotated[Timestamp | None, Field(description="when the provider took it")]
    delivered_at: Annotated[Timestamp | None, Field(description="when it arrived")]


class TrialMessageWhere(Where):
    """What must hold for trial messages."""

    kinds: ClassVar = {"id": "TrialMessage"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="how they leave")] = None
    to: Annotated[Exactly | None, Field(description="the recipient, as the channel writes it")] = None
    created_at: Annotated[TimeSpan | None, Field(description="when they were made")] = None

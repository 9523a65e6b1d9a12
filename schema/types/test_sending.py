"""Test sending: one message now, to see how it looks and whether it arrives (contract §3)."""

from typing import Annotated
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.message_records import RecordStatus
from schema.types.sending_projects import Body, Html, ProjectChannel, Subject
from schema.types.shape import JsonObject, Shape, Text
from schema.types.values import json_at_most


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
        UUID, Field(description="sms, email and push: `GET /messages/{id}/status` knows more later")
    ]
    status: Annotated[RecordStatus, Field(description="how far it is")]
    provider_message_id: Annotated[str | None, Field(description="the provider's id, once it has one")]
    error: Annotated[SendingError, Field(description="why")] | None = None

"""Test sending: one message now, to see how it looks and whether it arrives (contract §3)."""

from typing import Annotated, Any, ClassVar, Final, Self
from uuid import UUID

import strawberry
from pydantic import ConfigDict, Field, model_validator
from strawberry.scalars import JSON

from shapes.emails import MailFrom
from shapes.message_records import RecordStatus
from shapes.messages import DeliveryState
from shapes.rules import NOT_NULL, NULL, required
from shapes.sending_projects import Body, Html, ProjectChannel, Subject
from shapes.shape import Created, Id, JsonObject, Money, Shape, Text, Timestamp, Updated
from shapes.sms_senders import SenderName
from shapes.template_sources import (
    TEMPLATE_RULE,
    RequestedLocale,
    TemplateKey,
    VersionNumber,
    require_single_text,
)
from shapes.values import json_at_most
from shapes.where import Choice, Exactly, Ids, TimeSpan, Where

_TEXT_RULE: Final[dict[str, Any]] = {
    "if": required("text"),
    "then": {"properties": {"templateKey": NULL}},
    "else": {
        "anyOf": [
            required("templateKey"),
            {"required": ["html"], "properties": {"html": NOT_NULL, "channel": {"const": "email"}}},
        ]
    },
}


class SendTest(Shape):
    """A test message to send."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [TEMPLATE_RULE, _TEXT_RULE],
            "examples": [{"channel": "sms", "to": "+14155550100", "text": "Hello"}],
        }
    )

    channel: Annotated[ProjectChannel, Field(description="channel to send it on")]
    account_uuid: (
        Annotated[UUID, Field(description="the source account to send from, for telegram and whatsapp")]
        | None
    ) = None
    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=4096,
            description="a phone (sms, whatsapp, telegram), an email address, a device token or a Telegram username",
            examples=["+14155550100"],
        ),
    ]
    text: Annotated[
        Body | None,
        Field(
            description="text; Liquid; required without `templateKey`. An email with `html` may leave it out: it is "
            "made from the HTML"
        ),
    ] = None
    subject: Subject | None = None
    html: Html | None = None
    template_key: Annotated[
        TemplateKey | None,
        Field(description="key of a template of yours, in place of subject, html and text"),
    ] = None
    template_version: VersionNumber | None = None
    locale: RequestedLocale | None = None
    from_address: MailFrom = None
    sender: SenderName = None
    variables: Annotated[
        JsonObject | None,
        json_at_most(64 * 1024),
        Field(description="values of variables by name", examples=[{"name": "Ada"}]),
        strawberry.field(graphql_type=JSON | None),
    ] = None

    @model_validator(mode="after")
    def _require_text(self) -> Self:
        require_single_text(self)
        has_html = self.channel is ProjectChannel.email and self.html is not None
        if self.text is None and self.template_key is None and not has_html:
            raise ValueError("text: it is missing; send it, or name a template by templateKey")
        return self


class SendingError(Shape):
    """The reason for which a test message failed, or for which its state is unknown."""

    code: Annotated[str, Field(description="the code, as in a message's `failureCode`")]
    message: Annotated[
        str, Field(description="the error as a sentence, including what the provider reported")
    ]


class TestedMessage(Shape):
    """The result of a test message, as far as it is known within 30 seconds."""

    message_id: Annotated[
        UUID,
        Field(
            description="id of the message; `GET /test-sending/{id}` returns later results, and for sms, email and "
            "push `GET /messages/{id}` does too"
        ),
    ]
    status: Annotated[RecordStatus, Field(description="delivery state of the message")]
    provider_message_id: Annotated[
        str | None,
        Field(description="the provider's id of the message; null until the provider has assigned one"),
    ]
    error: (
        Annotated[
            SendingError,
            Field(description="why the message failed, or why its state is unknown; null if it was sent"),
        ]
        | None
    ) = None


class TrialMessage(Shape):
    """A message that was sent as a test, on any channel."""

    id: Id
    channel: Annotated[ProjectChannel, Field(description="channel to send it on")]
    state: Annotated[
        DeliveryState,
        Field(description="delivery state of the message"),
        strawberry.field(name="deliveryState"),
    ]
    to: Annotated[str, Field(description="recipient, in the channel's format")]
    body: Annotated[str, Field(description="text of the message")]
    price: Annotated[
        Money, Field(description="price of the message, in the account's currency; refunded if it failed")
    ]
    provider: Annotated[
        str | None,
        Field(description="the driver of the provider that accepted the message; null until one has"),
    ]
    provider_message_id: Annotated[
        str | None,
        Field(description="the provider's id of the message; null until the provider has assigned one"),
    ]
    failure_code: Annotated[
        str | None, Field(description="why it failed, as a code for programs; null if it did not")
    ]
    failure_reason: Annotated[
        str | None, Field(description="why it failed, as a sentence; null if it did not")
    ]
    created_at: Created
    updated_at: Updated
    sent_at: Annotated[
        Timestamp | None, Field(description="when the provider accepted the message; null: not yet")
    ]
    delivered_at: Annotated[
        Timestamp | None, Field(description="when the message was delivered; null: not reported")
    ]


class TrialMessageWhere(Where):
    """Filter for test messages."""

    kinds: ClassVar = {"id": "TrialMessage"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="filter by channel")] = None
    to: Annotated[Exactly | None, Field(description="filter by recipient, in the channel's format")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None

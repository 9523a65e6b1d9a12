"""Messages: the specification's Message and SendMessageRequest (§2)."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, ClassVar, Final
from uuid import UUID

import strawberry
from pydantic import AliasChoices, Field
from strawberry.scalars import JSON

from shapes.chat_requests import ChatTemplate
from shapes.described import DescribedEnum
from shapes.emails import MailFrom, SenderField
from shapes.message_prices import PricePrefix, PriceVersionId
from shapes.shape import Created, Id, JsonObject, Line, Money, Shape, Text, Timestamp, Updated
from shapes.sms_senders import SenderName
from shapes.status_callbacks import StatusCallback
from shapes.template_sources import TEMPLATE_ID, TEMPLATE_LOCALE, TEMPLATE_VERSION
from shapes.values import json_at_most
from shapes.waiting import Waiting
from shapes.where import Choice, Exactly, Ids, TimeSpan, Where


class Direction(DescribedEnum):
    """Direction of a message."""

    inbound = "inbound", "received from the other side"
    outbound = "outbound", "sent to the other side"


class MessageChannel(DescribedEnum):
    """Channel of a single message. Later versions may have further ones."""

    sms = "sms", "SMS"
    email = "email", "email"
    push = "push", "push messages to apps and browsers"
    telegram = "telegram", "Telegram, through a messenger account or a configured route"
    whatsapp = "whatsapp", "WhatsApp, through a messenger account or a configured route"


SPECIFIED: Final = (MessageChannel.sms, MessageChannel.email, MessageChannel.push)
"""The channels that the specification names; a list of REST without a filter has no others (contract §9.11)."""


class ListedChannel(DescribedEnum):
    """Channels of single messages that a list has."""

    sms = "sms", "SMS"
    email = "email", "email"
    push = "push", "push messages to apps and browsers"
    telegram = "telegram", "Telegram"
    whatsapp = "whatsapp", "WhatsApp"
    all = "all", "all channels; without a filter a list has sms, email and push"


class MessageCategory(DescribedEnum):
    """Purpose of a message. A block of scope `promotional` stops only promotional messages."""

    transactional = "transactional", "messages that the recipient needs, such as codes and invoices"
    promotional = "promotional", "advertising; not sent to recipients who unsubscribed"


class MessageStatus(DescribedEnum):
    """Status of a message, as the service specification defines it."""

    queued = "queued", "not yet accepted by a provider, or the result is unknown"
    sent = "sent", "accepted by the provider"
    delivered = "delivered", "delivered; for an inbound message: received"
    failed = "failed", "not delivered, for certain, and refunded, unless `reportedBy` is `hook`"


class DeliveryState(DescribedEnum):
    """Exact delivery state of a message; docs/states.md describes all transitions."""

    scheduled = "scheduled", "waiting for its `sendAt`"
    queued = "queued", "waiting to be sent"
    sending = "sending", "being sent: the provider may already have accepted it"
    sent = "sent", "accepted by the provider"
    delivered = "delivered", "delivered to the recipient"
    failed = "failed", "not delivered, for certain"
    unknown = "unknown", "sent, but the provider did not confirm it; it is not sent again automatically"
    canceled = "canceled", "not sent, since it was canceled before; refunded"


STORED_STATES: Final = tuple(state for state in DeliveryState if state is not DeliveryState.scheduled)
"""The states of stored messages: one that is scheduled is queued, with a time before which it is not sent."""


def visible_state(state: str, send_at: datetime | None, now: datetime) -> DeliveryState:
    """Returns the exact state of a message whose stored state is `state`."""
    if state == DeliveryState.queued and send_at is not None and send_at > now:
        return DeliveryState.scheduled
    return DeliveryState(state)


class ReportedBy(DescribedEnum):
    """Reporter of the status of a message, if it was not the way that took the message."""

    hook = (
        "hook",
        "the owner's own delivery hook: it is shown, it moves no money, and it counts in no statistics of ways",
    )


REPORTED_BY = (
    "`hook` if only the owner's delivery hook has reported the status: nothing is refunded for it; null: the status is"
    " that of the way that took the message, whose later report overrides a hook's"
)


STATE = "exact state of delivery; `status` shows only four states"
State = Annotated[
    DeliveryState,
    Field(
        validation_alias=AliasChoices("state", "deliveryState"),
        serialization_alias="deliveryState",
        description=STATE,
    ),
    strawberry.field(name="deliveryState"),
]
FailureCode = Annotated[
    str | None, Field(description="why it failed, as a code for programs; null if it did not")
]
FailureReason = Annotated[str | None, Field(description="why it failed, as a sentence; null if it did not")]


PRICE = (
    "what the message costs, in the account's currency: 0 once it has failed or was canceled, and was refunded;"
    " `ledgerEntries` have the"
    " charge and the refund"
)


def price_of(price: Decimal, state: str, reported_by: str | None) -> Decimal:
    """Returns what a message costs: nothing if it was refunded, as each is that was canceled, or whose way says that it
    failed.
    """
    refunded = state in (DeliveryState.failed, DeliveryState.canceled) and reported_by is None
    return Decimal(0) if refunded else price


class MessageFields(Shape):
    """A single message, outbound or inbound."""

    id: Id
    account_id: Annotated[UUID, Field(description="the account that pays")]
    direction: Annotated[Direction, Field(description="outbound or inbound")]
    channel: Annotated[MessageChannel, Field(description="the channel")]
    status: Annotated[MessageStatus, Field(description="delivery status of the message")]
    to: Annotated[str, Field(description="recipient, in the channel's format (E.164 for a phone)")]
    from_address: SenderField
    sender: Annotated[
        str | None,
        Field(
            description="who wrote an inbound message; of an SMS, the name or number that it is sent from; null: the"
            " channel's own"
        ),
    ]
    body: Annotated[str, Field(description="text of the message")]
    provider_message_id: Annotated[
        str | None,
        Field(description="the provider's id of the message; null until the provider has assigned one"),
    ]
    category: Annotated[MessageCategory, Field(description="purpose of the message")]
    trial: Annotated[bool, Field(description="true if it was sent as a test by `/test-sending`")]
    price_prefix: PricePrefix
    price_version_id: PriceVersionId
    failure_code: FailureCode = None
    failure_reason: FailureReason = None
    send_at: Annotated[
        Timestamp | None, Field(description="when it is sent at the earliest; null: at once")
    ] = None
    reported_by: Annotated[ReportedBy | None, Field(description=REPORTED_BY)] = None
    template_id: Annotated[UUID | None, Field(description=TEMPLATE_ID)] = None
    template_version: Annotated[int | None, Field(description=TEMPLATE_VERSION)] = None
    template_locale: Annotated[str | None, Field(description=TEMPLATE_LOCALE)] = None
    created_at: Created
    updated_at: Updated


class Message(MessageFields):
    """A single message, outbound or inbound."""

    state: State
    price: Annotated[Money, Field(description=PRICE)]
    waiting_for: Waiting = None


class SendMessage(Shape):
    """A message to send: the specification's SendMessageRequest, and the account that pays."""

    to: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=4096,
            description="recipient: a phone (sms, whatsapp, telegram), an email address, a device token or Web Push "
            "subscription of at most 2,500 bytes (push), or a @username or numeric id (telegram)",
            examples=["+14155550100"],
        ),
    ]
    channel: Annotated[MessageChannel, Field(description="channel to send it on")]
    body: Annotated[
        Text,
        Field(
            min_length=1, max_length=1600, description="text of the message", examples=["Your code is 424242"]
        ),
    ]
    metadata: Annotated[
        JsonObject | None,
        json_at_most(256 * 1024),
        Field(
            description="email: subject, html, replyTo, attachmentUuids, mailHeaders; push: title, data; other keys "
            "are stored with the message; replyTo and attachments have fields of their own, too",
            examples=[{"subject": "Welcome"}],
        ),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    account_id: (
        Annotated[UUID, Field(description="the account that pays; default: your oldest account")] | None
    ) = None
    category: Annotated[
        MessageCategory,
        Field(
            description="transactional messages are also sent to recipients who unsubscribed from promotional ones; "
            "default: transactional",
            # Generators of clients make a field with a default one that must be given.
            json_schema_extra=lambda schema: schema.pop("default", None) and None,
        ),
    ] = MessageCategory.transactional
    from_address: MailFrom = None
    sender: SenderName = None
    from_account: Annotated[
        UUID | None,
        Field(
            description="telegram and whatsapp: the messenger account that sends it; default: the one that has a chat"
            " with the recipient, else your oldest one that works, else the configured route"
        ),
    ] = None
    reply_to: Annotated[
        Line | None,
        Field(min_length=3, max_length=320, description="email: the address that answers go to"),
    ] = None
    attachments: Annotated[
        list[UUID] | None,
        Field(
            max_length=10,
            description="email, telegram, whatsapp: uuids of files that you uploaded, at most 10 MiB together",
        ),
    ] = None
    template: Annotated[
        ChatTemplate | None,
        Field(
            description="whatsapp: an approved template, which may be sent at any time, in place of the body"
        ),
    ] = None
    send_at: Annotated[
        Timestamp | None,
        Field(
            description="it is not sent before this time, at most 90 days ahead; a time of the last minute means now;"
            " default: at once"
        ),
    ] = None
    status_callback: StatusCallback = None
    valid_seconds: Annotated[
        int,
        Field(
            ge=30,
            le=86_400,
            description="validity in seconds, from `sendAt` on: a message that no provider has accepted within this "
            "time becomes "
            "`failed` with the code `expired`, and is refunded; default: 86400 (one day)",
            json_schema_extra=lambda schema: schema.pop("default", None) and None,
        ),
    ] = 86_400


class FailedAttempt(Shape):
    """An attempt to send a message that failed, after which the message was queued again or tried on another route."""

    at: Annotated[Timestamp, Field(description="when the attempt had failed")]
    code: Annotated[str, Field(description="why it failed, as a code for programs")]
    reason: Annotated[str | None, Field(description="why it failed, as a sentence")]
    provider: Annotated[str | None, Field(description="the route of the attempt, such as `smpp`")]


FAILED_ATTEMPTS = (
    "attempts to send it that failed and were repeated, oldest first; at most the last 20. "
    "`failureCode` says why the last attempt failed"
)


class RescheduleMessage(Shape):
    """The new time of a message that is scheduled."""

    send_at: Annotated[
        Timestamp,
        Field(
            description="when it is sent at the earliest, at most 90 days ahead; a time that has passed: at once",
            examples=["2026-12-24T08:00:00Z"],
        ),
    ]


class StatusReport(Shape):
    """Returns the status of one message."""

    id: Id
    status: Annotated[MessageStatus, Field(description="delivery status of the message")]
    state: State
    failure_code: FailureCode = None
    failure_reason: FailureReason = None
    waiting_for: Waiting = None
    updated_at: Updated


class MessageWhere(Where):
    """Filter for messages."""

    kinds: ClassVar = {"account_id": "Account", "id": "Message", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[
        Ids | None, Field(description="the user who sent them, or who received the reply")
    ] = None
    account_id: Annotated[Ids | None, Field(description="the account that pays")] = None
    status: Annotated[Choice[MessageStatus] | None, Field(description="filter by status")] = None
    delivery_state: Annotated[Choice[DeliveryState] | None, Field(description="filter by exact state")] = None
    failure_code: Annotated[Exactly | None, Field(description="filter by the reason of the failure")] = None
    channel: Annotated[Choice[MessageChannel] | None, Field(description="filter by channel")] = None
    direction: Annotated[Choice[Direction] | None, Field(description="outbound or inbound")] = None
    to: Annotated[Exactly | None, Field(description="filter by recipient, in the channel's format")] = None
    created_at: Annotated[TimeSpan | None, Field(description="filter by creation time")] = None
    updated_at: Annotated[TimeSpan | None, Field(description="filter by the time of the last change")] = None

"""MessageRecord: one message of a Sending Project (contract §3)."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from shapes.clicks import ClickKind
from shapes.described import DescribedEnum
from shapes.message_prices import PricePrefix, PriceVersionId
from shapes.messages import REPORTED_BY, DeliveryState, Direction, ReportedBy
from shapes.sending_projects import ProjectChannel
from shapes.shape import NO_NUL, Money, Shape, Timestamp, Updated, Uuid
from shapes.waiting import Waiting
from shapes.where import Choice, Exactly, Ids, ListFilters, TimeSpan, Where


class RecordStatus(DescribedEnum):
    """The nine states of a project's message. A message is in exactly one of them."""

    queued = "queued", DeliveryState.queued.description
    sending = "sending", DeliveryState.sending.description
    sent = "sent", DeliveryState.sent.description
    delivered = "delivered", DeliveryState.delivered.description
    read = "read", "read by the recipient"
    failed = "failed", DeliveryState.failed.description
    skipped = "skipped", "not sent: the recipient is blocked, or a variable is missing"
    unknown = "unknown", DeliveryState.unknown.description
    canceled = "canceled", "not sent, because the project was deleted"


class RecordReaction(DescribedEnum):
    """A reaction to a message after it was sent."""

    replied = "replied", "the recipient replied"
    bounced = "bounced", "a report said that the email came back"
    complained = "complained", "the recipient reported it as spam"
    unsubscribed = "unsubscribed", "the recipient unsubscribed by its link, or by a stop word"


class RecordFields(Shape):
    """One message of a project to one recipient, or a reply to it."""

    id: Uuid
    account_uuid: Annotated[
        UUID | None,
        Field(
            description="the source account that sent the message, or received the reply; null if there is none"
        ),
    ]
    sender: Annotated[
        str | None,
        Field(description="of an SMS, the name or number that it is sent from; null: the channel's own"),
    ]
    channel: Annotated[ProjectChannel, Field(description="the channel")]
    direction: Annotated[Direction, Field(description="outbound, or inbound for a reply")]
    to: Annotated[
        str, Field(description="address of the other side, in the channel's format (E.164 for a phone)")
    ]
    status: Annotated[RecordStatus, Field(description="delivery state of the message")]
    reported_by: Annotated[ReportedBy | None, Field(description=REPORTED_BY)] = None
    variant: Annotated[
        int | None,
        Field(
            description="index of its text in the project's `variants`, or in its `languages`, from 0; null if it has "
            "neither"
        ),
    ]
    failure_code: Annotated[
        str | None, Field(description="why it failed or was skipped, as a code for programs; null if neither")
    ]
    failure_reason: Annotated[
        str | None, Field(description="why it failed or was skipped, as a sentence; null if neither")
    ]
    attempts: Annotated[int, Field(description="number of failed sending attempts")]
    provider_message_id: Annotated[
        str | None, Field(description="the provider's id of the message; null until it is sent")
    ]
    price: Annotated[
        Money,
        Field(
            description="what the message costs, in the currency of the account that pays: 0 until it is sent,"
            " and once it has failed and was refunded"
        ),
    ]
    price_prefix: PricePrefix
    price_version_id: PriceVersionId
    queued_at: Annotated[Timestamp, Field(description="when it was queued; a retry sets it again")]
    sent_at: Annotated[
        Timestamp | None, Field(description="when the provider accepted the message; null: not yet")
    ]
    delivered_at: Annotated[
        Timestamp | None, Field(description="when the message was delivered; null: not reported")
    ]
    read_at: Annotated[Timestamp | None, Field(description="when it was read; null: not reported")]
    replied_at: Annotated[
        Timestamp | None, Field(description="when the recipient first replied; null: no reply")
    ]
    bounced_at: Annotated[
        Timestamp | None,
        Field(description="when a mail first reported that it came back; null: none did"),
    ]
    complained_at: Annotated[
        Timestamp | None,
        Field(description="when the recipient first reported it as spam; null: not reported"),
    ]
    unsubscribed_at: Annotated[
        Timestamp | None,
        Field(description="when the recipient first unsubscribed by this message; null: they did not"),
    ] = None
    updated_at: Updated


PROJECT = "uuid of the project"
RECIPIENT = "the recipient; null if the recipient is not known"
LOCALE = (
    "language of the text that it has, of a project with `languages`; null before it is sent, and of others"
)
BODY = "the rendered text; null before it is sent, and if it can't be reproduced"


class MessageRecord(RecordFields):
    """One message of a project to one recipient, or a reply to it."""

    sending_project_uuid: Annotated[UUID, Field(description=PROJECT)]
    recipient_uuid: Annotated[UUID | None, Field(description=RECIPIENT)]
    body: Annotated[str | None, Field(description=BODY)]
    locale: Annotated[str | None, Field(description=LOCALE)] = None
    waiting_for: Waiting = None


class MessageRecordWhere(Where):
    """Filter for messages of projects."""

    kinds: ClassVar = {
        "id": "MessageRecord",
        "sending_project_uuid": "SendingProject",
        "account_uuid": "SourceAccount",
    }

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    sending_project_uuid: Annotated[Ids | None, Field(description="filter by project")] = None
    account_uuid: Annotated[
        Ids | None, Field(description="filter by the source account that sent them, or received the reply")
    ] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="filter by channel")] = None
    direction: Annotated[Choice[Direction] | None, Field(description="filter by direction")] = None
    status: Annotated[Choice[RecordStatus] | None, Field(description="filter by status")] = None
    to: Annotated[
        Exactly | None, Field(description="filter by the address of the other side, in any common notation")
    ] = None
    failure_code: Annotated[
        Exactly | None, Field(description="filter by the reason for which they failed or were skipped")
    ] = None
    clicked: Annotated[
        Choice[ClickKind] | None, Field(description="filter by who has clicked on a link of theirs")
    ] = None
    clicked_link_uuid: Annotated[
        Exactly | None,
        Field(
            description="filter by the uuid of a link that was clicked; with `clicked`, by who has clicked on that link"
        ),
    ] = None
    reaction: Annotated[
        Choice[RecordReaction] | None, Field(description="filter by what came back to them")
    ] = None
    queued_at: Annotated[
        TimeSpan | None, Field(description="filter by the time at which they were queued")
    ] = None
    updated_at: Annotated[TimeSpan | None, Field(description="filter by the time of the last change")] = None


class RecordFilters(ListFilters):
    """Filters of messages of projects. `phone` is spelled in any notation of the caller's region."""

    compares: ClassVar = {
        "phone": ("to", "eq"),
        "date_from": ("queued_at", "gte"),
        "date_to": ("queued_at", "lt"),
        "updated_since": ("updated_at", "gte"),
    }

    account_uuid: Annotated[UUID | None, Field(description="only messages sent by this source account")] = (
        None
    )
    channel: ProjectChannel | None = None
    status: RecordStatus | None = None
    reaction: Annotated[RecordReaction | None, Field(description="only messages to which this came back")] = (
        None
    )
    phone: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=4096,
            pattern=NO_NUL,
            description="only messages to or from this phone or address",
        ),
    ] = None
    clicked: Annotated[
        ClickKind | None, Field(description="only messages on a link of which they have clicked")
    ] = None
    clicked_link_uuid: Annotated[
        UUID | None, Field(description="only messages of which this link was clicked")
    ] = None
    date_from: Annotated[
        Timestamp | None, Field(description="only messages queued at or after this time")
    ] = None
    date_to: Annotated[Timestamp | None, Field(description="only messages queued before this time")] = None
    updated_since: Annotated[
        Timestamp | None, Field(description="only entries changed at or after this time")
    ] = None


class _OfProject(ListFilters):
    sending_project_uuid: Annotated[UUID | None, Field(description="only messages of this project")] = None


class ListedRecordFilters(RecordFilters, _OfProject):
    """Filters of the list of messages of projects; an export has its project beside its filters."""


class RecordCount(Shape):
    """Number of messages."""

    count: Annotated[
        int,
        Field(
            description="exact with filters by project, status and channel; with any other filter, counting stops at "
            "100,000"
        ),
    ]

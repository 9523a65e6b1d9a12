"""MessageRecord: one message of a Sending Project (contract §3)."""

from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from schema.types.messages import Direction
from schema.types.sending_projects import ProjectChannel
from schema.types.shape import Money, Shape, Timestamp, Updated, Uuid
from schema.types.where import Choice, Exactly, Ids, TimeSpan, Where


class RecordStatus(StrEnum):
    """The nine exclusive states of a project's message."""

    queued = "queued"
    sending = "sending"
    sent = "sent"
    delivered = "delivered"
    read = "read"
    failed = "failed"
    skipped = "skipped"
    unknown = "unknown"
    canceled = "canceled"


class RecordFields(Shape):
    """One message of a project to one recipient, or a reply to it."""

    id: Uuid
    account_uuid: Annotated[
        UUID | None, Field(description="the source account that sent it, or got the reply")
    ]
    channel: Annotated[ProjectChannel, Field(description="how it leaves, or came")]
    direction: Annotated[Direction, Field(description="out, or a reply that came in")]
    to: Annotated[
        str, Field(description="the address of the other side, as the channel writes it (E.164 for a phone)")
    ]
    status: Annotated[RecordStatus, Field(description="where it is")]
    variant: Annotated[
        int | None, Field(description="which of the project's `variants` it says, the first is 0")
    ]
    failure_code: Annotated[str | None, Field(description="why it failed or was skipped, for programs")]
    failure_reason: Annotated[str | None, Field(description="why, for people")]
    attempts: Annotated[int, Field(description="hand-overs that failed for sure")]
    provider_message_id: Annotated[str | None, Field(description="the provider's id, once it was sent")]
    price: Annotated[Money, Field(description="what it cost, in the currency of the account that pays")]
    queued_at: Annotated[Timestamp, Field(description="when it came into the queue; again, after a retry")]
    sent_at: Annotated[Timestamp | None, Field(description="when the provider took it")]
    delivered_at: Annotated[Timestamp | None, Field(description="when it arrived")]
    read_at: Annotated[Timestamp | None, Field(description="when it was read")]
    replied_at: Annotated[Timestamp | None, Field(description="when the recipient answered first")]
    updated_at: Updated


PROJECT = "the project that it belongs to"
RECIPIENT = "to whom; null where nobody is known"
BODY = "the text as it was sent; null before that, and where it can't be made again"


class MessageRecord(RecordFields):
    """One message of a project to one recipient, or a reply to it."""

    sending_project_uuid: Annotated[UUID, Field(description=PROJECT)]
    recipient_uuid: Annotated[UUID | None, Field(description=RECIPIENT)]
    body: Annotated[str | None, Field(description=BODY)]


class MessageRecordWhere(Where):
    """What must hold for messages of projects."""

    kinds: ClassVar = {
        "id": "MessageRecord",
        "sending_project_uuid": "SendingProject",
        "account_uuid": "SourceAccount",
    }

    id: Annotated[Ids | None, Field(description="which ones")] = None
    sending_project_uuid: Annotated[Ids | None, Field(description="the project that they belong to")] = None
    account_uuid: Annotated[
        Ids | None, Field(description="the source account that sent them, or got the reply")
    ] = None
    channel: Annotated[Choice[ProjectChannel] | None, Field(description="how they leave, or came")] = None
    direction: Annotated[Choice[Direction] | None, Field(description="out, or replies that came in")] = None
    status: Annotated[Choice[RecordStatus] | None, Field(description="where they are")] = None
    to: Annotated[Exactly | None, Field(description="the address of the other side, in any spelling")] = None
    failure_code: Annotated[Exactly | None, Field(description="why they failed or were skipped")] = None
    queued_at: Annotated[TimeSpan | None, Field(description="when they came into the queue")] = None
    updated_at: Annotated[TimeSpan | None, Field(description="when they last changed")] = None


class RecordCount(Shape):
    """How many messages there are."""

    count: Annotated[
        int,
        Field(
            description="exact by project, status and channel; with any other filter at most 100,000 are counted"
        ),
    ]

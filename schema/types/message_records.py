"""MessageRecord: one message of a Sending Project (contract §3)."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from schema.types.messages import Direction
from schema.types.sending_projects import ProjectChannel
from schema.types.shape import Money, Shape, Timestamp, Uuid


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


class MessageRecord(Shape):
    """One message of a project to one recipient, or a reply to it."""

    id: Uuid
    sending_project_uuid: Annotated[UUID, Field(description="the project that it belongs to")]
    recipient_uuid: Annotated[UUID | None, Field(description="to whom; null where nobody is known")]
    account_uuid: Annotated[
        UUID | None, Field(description="the source account that sent it, or got the reply")
    ]
    channel: Annotated[ProjectChannel, Field(description="how it leaves, or came")]
    direction: Annotated[Direction, Field(description="out, or a reply that came in")]
    to: Annotated[
        str, Field(description="the address of the other side, as the channel writes it (E.164 for a phone)")
    ]
    body: Annotated[
        str | None,
        Field(description="the text as it was sent; null before that, and where it can't be made again"),
    ]
    status: Annotated[RecordStatus, Field(description="where it is")]
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


class RecordCount(Shape):
    """How many messages there are."""

    count: Annotated[
        int,
        Field(
            description="exact by project, status and channel; with any other filter at most 100,000 are counted"
        ),
    ]

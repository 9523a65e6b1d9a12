"""Table message_records: the messages of Sending Projects."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.address_keys import key_of
from db.base import Base, enum_check, never_negative
from shapes.message_records import RecordStatus
from shapes.messages import Direction
from shapes.sending_projects import ProjectChannel


class MessageRecord(Base):
    """One message of a project to one recipient, or a reply to it.

    No index contains a column that changes while a message is sent and succeeds, above all not `status`. So
    PostgreSQL writes the new version of the row into the same page (HOT) and updates no index. (A BRIN index is
    allowed: it points to pages, not rows, and from PostgreSQL 16 on it doesn't prevent HOT.)
    There are no foreign keys: a million rows would need two million lookups, and projects and recipients are never
    deleted before their messages.
    """

    __tablename__ = "message_records"
    __table_args__ = (
        enum_check("direction", Direction),
        enum_check("channel", ProjectChannel),
        enum_check("status", RecordStatus),
        never_negative("price"),
        Index("ix_message_records_project_id_seq", "project_id", "seq"),
        Index("ix_message_records_owner_id_seq", "owner_id", "seq"),
        Index("ix_message_records_unit_id", "unit_id"),
        Index("ix_message_records_key", text(key_of('"to"')), "owner_id"),
        Index(
            "ix_message_records_replies",
            "owner_id",
            "project_id",
            postgresql_where=text("direction = 'inbound'"),
        ),
        Index(
            "ix_message_records_failures",
            "project_id",
            "seq",
            postgresql_where=text("failure_code IS NOT NULL"),
        ),
        Index("ix_message_records_unknown", "project_id", "seq", postgresql_where=text("is_unknown")),
        Index(
            "ix_message_records_provider_message_id",
            "provider_message_id",
            postgresql_where=text("provider_message_id IS NOT NULL"),
        ),
        Index("ix_message_records_report_id", "report_id", postgresql_where=text("report_id IS NOT NULL")),
        Index(
            "ix_message_records_updated_at",
            "updated_at",
            postgresql_using="brin",
            postgresql_with={"pages_per_range": 16, "autosummarize": "on"},
        ),
        Index(
            "ix_message_records_queued_at",
            "queued_at",
            postgresql_using="brin",
            postgresql_with={"pages_per_range": 16, "autosummarize": "on"},
        ),
        Index(
            "ix_message_records_unsubscribed",
            "project_id",
            postgresql_where=text("unsubscribed_at IS NOT NULL"),
        ),
        Index(
            "ix_message_records_reactions",
            "project_id",
            "seq",
            postgresql_where=text(
                "COALESCE(replied_at, bounced_at, complained_at, unsubscribed_at) IS NOT NULL"
            ),
        ),
        {"postgresql_with": {"fillfactor": "45"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)  # UUIDv5(project, recipient); of a reply, UUIDv7
    seq: Mapped[int] = mapped_column(BigInteger, Identity())  # the order of lists
    project_id: Mapped[UUID]
    owner_id: Mapped[UUID]
    recipient_id: Mapped[UUID | None]
    unit_id: Mapped[UUID | None]
    direction: Mapped[str] = mapped_column(server_default=Direction.outbound)
    channel: Mapped[str]
    to: Mapped[str]
    address_key: Mapped[str | None]  # NULL: the same as `to`
    body: Mapped[str | None]  # of a reply; an outbound one's is rendered when asked for
    status: Mapped[str] = mapped_column(server_default=RecordStatus.queued)
    is_unknown: Mapped[bool | None]  # true in the state `unknown`, else NULL; by a trigger, for an index
    account_uuid: Mapped[UUID | None]  # the source account that sent it
    sender: Mapped[str | None]  # of an SMS, as the provider was told; NULL: the channel's own
    content: Mapped[int | None]  # project_contents.number
    variant: Mapped[int | None] = mapped_column(SmallInteger)
    attempts: Mapped[int] = mapped_column(
        SmallInteger, server_default="0"
    )  # dispatches whose failure is known
    tries: Mapped[int] = mapped_column(
        SmallInteger, server_default="0"
    )  # the same since the last start or retry
    claim_id: Mapped[UUID | None]
    price: Mapped[Decimal] = mapped_column(server_default="0")
    refunded: Mapped[Decimal | None]  # the price that was given back last; a later `delivered` takes it again
    price_prefix: Mapped[
        str | None
    ]  # of the price list's row that gave the price; NULL: the tariff's own price
    price_version_id: Mapped[UUID | None]  # the version of that list
    parts: Mapped[int | None] = mapped_column(SmallInteger)  # of an SMS that has a price
    provider: Mapped[str | None]
    provider_message_id: Mapped[str | None]  # NULL if it is the message's own id
    report_id: Mapped[str | None]  # the id in its provider's reports; NULL: the same as provider_message_id
    failure_code: Mapped[str | None]
    failure_reason: Mapped[str | None]
    refused: Mapped[bool | None]  # true if it has failed because a provider refused it, else NULL
    # shapes.messages.FailedAttempt: why earlier attempts failed, at most the last 20
    failed_attempts: Mapped[list[Any] | None] = mapped_column(JSONB)
    reported_by: Mapped[
        str | None
    ]  # `hook`: the owner's delivery hook has said `status`; NULL: the way that took it
    way_status: Mapped[str | None]  # what the way that took it says, while `status` is the hook's
    queued_at: Mapped[datetime] = mapped_column(server_default=func.now())
    handed_at: Mapped[datetime | None]
    sent_at: Mapped[datetime | None]
    delivered_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    replied_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]  # when the way said so first, of the newest attempt that failed
    bounced_at: Mapped[datetime | None]  # when a report said so first, whatever the status
    complained_at: Mapped[datetime | None]
    unsubscribed_at: Mapped[datetime | None]  # by the message's own link, or by a stop word in answer to it
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())  # set by a trigger at the latest

"""Tables sending_projects, project_contents, sending_units, and the counters of projects."""

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ForeignKey,
    Index,
    SmallInteger,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    literal_column,
    select,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, column_property, mapped_column

from db.base import Base, Stamped, StateCounts, enum_check, never_negative
from shapes.messages import MessageCategory
from shapes.pauses import PauseReason
from shapes.project_settings import Preparation
from shapes.sending_projects import (
    START_WITHIN_SECONDS,
    OnMissingVariable,
    ProjectChannel,
    ProjectStatus,
)

_NO_UUIDS = sql("'{}'::uuid[]")
_OBJECT = sql("'{}'::jsonb")


class SendingProject(Stamped, Base):
    """A mailing: texts, audience, schedule and state."""

    __tablename__ = "sending_projects"
    __table_args__ = (
        enum_check("status", ProjectStatus),
        enum_check("status_reason", PauseReason),
        enum_check("channel", ProjectChannel),
        enum_check("category", MessageCategory),
        enum_check("on_missing_variable", OnMissingVariable),
        enum_check("preparation", Preparation),
        UniqueConstraint("repeatable_uuid", "fire_at"),
        Index("ix_sending_projects_owner_id_id", "owner_id", "id"),
        Index("ix_sending_projects_owner_id_name_id", "owner_id", "name", "id"),
        Index("ix_sending_projects_owner_id_updated_at_id", "owner_id", "updated_at", "id"),
        Index("ix_sending_projects_account_id_id", "account_id", "id"),
        Index(
            "ix_sending_projects_template_id",
            "template_id",
            "id",
            postgresql_where=sql("template_id IS NOT NULL"),
        ),
        Index("ix_sending_projects_account_uuids", "account_uuids", postgresql_using="gin"),
        Index(
            "ix_sending_projects_live",
            "status",
            postgresql_where=sql("status IN ('scheduled', 'running', 'paused') OR preparation IS NOT NULL"),
        ),
        Index(
            "ix_sending_projects_follows_uuid",
            "follows_uuid",
            "id",
            postgresql_where=sql("follows_uuid IS NOT NULL"),
        ),
        Index(
            "ix_sending_projects_series_id",
            "series_id",
            "id",
            postgresql_where=sql("series_id IS NOT NULL"),
        ),
        Index(
            "ix_sending_projects_follow_due_at",
            "follow_due_at",
            postgresql_where=sql("follow_due_at IS NOT NULL"),
        ),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    account_id: Mapped[UUID] = mapped_column(ForeignKey("accounts.id"))
    name: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=ProjectStatus.draft)
    status_reason: Mapped[str | None]
    channel: Mapped[str]
    category: Mapped[str] = mapped_column(server_default=MessageCategory.promotional)
    account_uuids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid(as_uuid=True)), server_default=_NO_UUIDS)
    from_address: Mapped[str | None]  # of emails; NULL: the channel's own
    sender: Mapped[str | None]  # of SMS, as it was named; NULL: the channel's own
    subject: Mapped[str | None]
    html: Mapped[str | None]
    text: Mapped[str | None]
    variants: Mapped[list[Any]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))  # [{text, weight}]
    # The texts by the recipient's language: {localeFrom, texts: [{locale, subject, html, text}]}; NULL: one for all.
    languages: Mapped[dict[str, Any] | None]
    template: Mapped[dict[str, Any] | None]
    # The stored template that the texts were taken from; NULL: none.
    template_id: Mapped[UUID | None]
    template_version: Mapped[int | None]
    template_locale: Mapped[str | None]
    attachment_uuids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid(as_uuid=True)), server_default=_NO_UUIDS)
    start_at: Mapped[datetime | None]
    start_within_seconds: Mapped[int] = mapped_column(server_default=str(START_WITHIN_SECONDS))
    window: Mapped[dict[str, Any] | None]
    speed: Mapped[dict[str, Any]] = mapped_column(server_default=_OBJECT)
    retry: Mapped[dict[str, Any]] = mapped_column(server_default=_OBJECT)
    on_missing_variable: Mapped[str] = mapped_column(server_default=OnMissingVariable.empty)
    stop_on_reply: Mapped[bool] = mapped_column(server_default=sql("false"))
    track_clicks: Mapped[bool | None]  # NULL: as the owner's brand says
    plan_id: Mapped[UUID | None]  # that the last start obeys; NULL: none was demanded
    repeatable_uuid: Mapped[UUID | None]
    fire_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    messages_deleted_at: Mapped[
        datetime | None
    ]  # by the retention, with the recipients; nobody is written to again
    # A trigger sets both when the project starts to run. `settled_before`: what was settled until then in the same
    # bucket of the statistics.
    running_since: Mapped[datetime | None]
    settled_before: Mapped[int] = mapped_column(BigInteger, server_default="0")

    variable_labels: Mapped[dict[str, Any]] = mapped_column(
        server_default=sql("'{}'::jsonb")
    )  # the names that lists show for variables
    # Only the engine uses these. A sent message is rendered again from the content of its time, so that no body is
    # stored a million times: `content` is a number in project_contents.
    content: Mapped[int] = mapped_column(server_default="0")
    preparation: Mapped[str | None]
    prepared_to: Mapped[int] = mapped_column(
        BigInteger, server_default="0"
    )  # recipients.seq, or the seq of a message
    retried_to: Mapped[int] = mapped_column(BigInteger, server_default="0")  # message_records.seq, of a retry
    retry_unknown: Mapped[bool] = mapped_column(server_default=sql("false"))
    retry_skipped: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=sql("'{}'"))  # failure codes
    retry_suppressed: Mapped[int] = mapped_column(
        server_default="0"
    )  # left out of the last retry: a bounce or a complaint has blocked them
    retry_failed: Mapped[list[str] | None] = mapped_column(ARRAY(Text))  # failure codes; null: all
    # When a paused project is checked again, or when a closed window opens.
    resume_at: Mapped[datetime | None]
    # What the account must have for the next message, of a project that waits for it; NULL: one message's price
    resume_balance: Mapped[Decimal | None]
    # Of the price list, since the last start; NULL: the tariff's own prices
    price_version_id: Mapped[UUID | None]
    recipients_pending: Mapped[int] = mapped_column(
        server_default="0"
    )  # rows of imports that are still being added
    # Who gets it, as shapes.audiences.Audience; NULL: recipients are added one by one or from lists. It is read at the
    # first start, in the order of the contacts, and `audience_to` is the last one that was read.
    audience: Mapped[dict[str, Any] | None]
    audience_segments: Mapped[
        dict[str, Any] | None
    ]  # what its segments ask for, since the first start; at: its time
    audience_to: Mapped[UUID | None]
    audience_read_at: Mapped[datetime | None]
    recipients_error: Mapped[str | None]  # why an import was not added completely
    # The project of `audience.follows`. engine/projects/follow_ups.py reads its messages: those up to `follow_read_to`
    # have been in this round, and those up to `follow_settled_to` need no further look.
    follows_uuid: Mapped[UUID | None]
    # NULL: it has not begun, or has ended. A step of a series has 'infinity' until the series is archived: it may get
    # recipients at any time, so it does not finish.
    follow_due_at: Mapped[datetime | None]
    follow_read_to: Mapped[int] = mapped_column(BigInteger, server_default="0")  # message_records.seq
    follow_settled_to: Mapped[int] = mapped_column(BigInteger, server_default="0")
    follow_looked: Mapped[int] = mapped_column(BigInteger, server_default="0")  # messages read in this round
    series_id: Mapped[UUID | None]  # the series that it is a step of

    counts: ClassVar[Any]  # {total, queued, …}, see below


class ProjectContent(Base):
    """The texts of a project from one of its starts on; kept for as long as its messages."""

    __tablename__ = "project_contents"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("sending_projects.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[
        dict[str, Any]
    ]  # subject, html, text, variants, template, attachment_uuids, on_missing_variable
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SendingBatch(Base):
    """A batch: up to 500 messages of one project that are due at the same time. Deleted when all are settled.

    `claim_id` is the fencing token of the worker that processes it.
    """

    __tablename__ = "sending_units"
    __table_args__ = (
        never_negative("held"),
        Index("ix_sending_units_project_id_due_at", "project_id", "due_at"),
        Index("ix_sending_units_project_id_first_due_at", "project_id", "first_due_at"),
        Index("ix_sending_units_expires_at", "expires_at", postgresql_where=sql("claim_id IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    project_id: Mapped[UUID] = mapped_column(ForeignKey("sending_projects.id", ondelete="CASCADE"))
    due_at: Mapped[datetime] = mapped_column(server_default=func.now())
    claim_id: Mapped[UUID | None]
    worker: Mapped[str | None]
    expires_at: Mapped[datetime | None]
    held: Mapped[Decimal] = mapped_column(server_default="0")  # reserved under this claim, settled at its end
    for_window: Mapped[bool] = mapped_column(server_default=sql("false"))  # due_at is when the window opens
    # When the message that waits longest was queued; no retry, breaker, rate or window moves it.
    first_due_at: Mapped[datetime] = mapped_column(server_default=func.now())


class SendingCounter(StateCounts, Base):
    """The number of a project's messages by state, updated by a trigger in the transaction that changes them.

    A project has several rows (`shard`), so that workers don't wait for each other. A shard can be negative.
    """

    __tablename__ = "sending_counters"
    __table_args__ = (Index("ix_sending_counters_owner_id", "owner_id"),)

    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    owner_id: Mapped[UUID]
    total: Mapped[int] = mapped_column(BigInteger, server_default="0")
    replied: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bounced: Mapped[int] = mapped_column(BigInteger, server_default="0")
    complained: Mapped[int] = mapped_column(BigInteger, server_default="0")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # The minute of the last change, and what was sent or failed in it and in the minute before it.
    minute_at: Mapped[datetime | None]
    minute_settled: Mapped[int] = mapped_column(BigInteger, server_default="0")
    last_minute_settled: Mapped[int] = mapped_column(BigInteger, server_default="0")


COUNTS = (
    "total",
    "queued",
    "sending",
    "sent",
    "delivered",
    "read",
    "failed",
    "skipped",
    "unknown",
    "canceled",
    "replied",
    "bounced",
    "complained",
)


def _counts() -> Any:
    parts: list[Any] = []
    for name in COUNTS:
        total = func.sum(getattr(SendingCounter, name))
        parts += [literal_column(f"'{name}'"), func.coalesce(total, literal_column("0"))]
    return (
        select(func.jsonb_build_object(*parts, type_=JSONB))
        .where(SendingCounter.project_id == SendingProject.id)
        .correlate_except(SendingCounter)
        .scalar_subquery()
    )


# Read with every project, so that a page of projects is one statement. Not a column, so it can't be written.
SendingProject.counts = column_property(_counts())


class FailureCounter(Base):
    """The number of a project's messages that are `failed` or `skipped` at present, by reason."""

    __tablename__ = "failure_counters"
    __table_args__ = (Index("ix_failure_counters_owner_id", "owner_id"),)

    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    owner_id: Mapped[UUID]
    count: Mapped[int] = mapped_column(BigInteger, server_default="0")


class VariantCounter(StateCounts, Base):
    """The number of a project's messages with one of its variants, by state; like SendingCounter."""

    __tablename__ = "variant_counters"
    __table_args__ = ({"postgresql_with": {"fillfactor": "50"}},)

    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    variant: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    total: Mapped[int] = mapped_column(BigInteger, server_default="0")
    replied: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bounced: Mapped[int] = mapped_column(BigInteger, server_default="0")
    complained: Mapped[int] = mapped_column(BigInteger, server_default="0")


class StatisticsBucket(Base):
    """The number of a project's messages by event in each quarter of an hour, which fits all time zones."""

    __tablename__ = "statistics_buckets"
    __table_args__ = (Index("ix_statistics_buckets_owner_id_bucket", "owner_id", "bucket"),)

    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    bucket: Mapped[datetime] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    owner_id: Mapped[UUID]
    queued: Mapped[int] = mapped_column(BigInteger, server_default="0")
    sent: Mapped[int] = mapped_column(BigInteger, server_default="0")
    delivered: Mapped[int] = mapped_column(BigInteger, server_default="0")
    read: Mapped[int] = mapped_column(BigInteger, server_default="0")
    failed: Mapped[int] = mapped_column(BigInteger, server_default="0")
    replied: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bounced: Mapped[int] = mapped_column(BigInteger, server_default="0")
    complained: Mapped[int] = mapped_column(BigInteger, server_default="0")
    unknown: Mapped[int] = mapped_column(BigInteger, server_default="0")


class ProjectMailCounter(Base):
    """The reports about a project's emails by the provider of the mailbox; a trigger on mail_reports updates it.

    Of several reports of one type about an email only the first is counted.
    """

    __tablename__ = "project_mail_counters"
    __table_args__ = ({"postgresql_with": {"fillfactor": "50"}},)

    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    provider_class: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    owner_id: Mapped[UUID]
    deferred: Mapped[int] = mapped_column(BigInteger, server_default="0")
    hard: Mapped[int] = mapped_column(BigInteger, server_default="0")
    mailbox_full: Mapped[int] = mapped_column(BigInteger, server_default="0")
    content: Mapped[int] = mapped_column(BigInteger, server_default="0")
    policy: Mapped[int] = mapped_column(BigInteger, server_default="0")
    soft: Mapped[int] = mapped_column(BigInteger, server_default="0")
    complaints: Mapped[int] = mapped_column(BigInteger, server_default="0")
    rescued: Mapped[int] = mapped_column(BigInteger, server_default="0")

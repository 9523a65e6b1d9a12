"""Tables series and series_entries."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, ForeignKey, Index, Uuid, func
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.messages import MessageCategory
from shapes.sending_projects import OnMissingVariable, ProjectChannel
from shapes.series import EntryState, ExistingMembers, SeriesPause, SeriesStatus, StopReason


class Series(Stamped, Base):
    """Messages that a person gets one after the other, after an entry into a topic or a segment."""

    __tablename__ = "series"
    __table_args__ = (
        enum_check("status", SeriesStatus),
        enum_check("status_reason", SeriesPause),
        enum_check("category", MessageCategory),
        enum_check("channel", ProjectChannel),
        enum_check("existing", ExistingMembers),
        enum_check("on_missing_variable", OnMissingVariable),
        CheckConstraint("topic_id IS NOT NULL OR segment_id IS NOT NULL", name="enters"),
        Index("ix_series_list", "owner_id", "id"),
        Index("ix_series_topic_id", "topic_id", postgresql_where=sql("topic_id IS NOT NULL")),
        Index("ix_series_segment_id", "segment_id", postgresql_where=sql("segment_id IS NOT NULL")),
        Index("ix_series_running", "id", postgresql_where=sql("status = 'running'")),
        Index("ix_series_account_id", "account_id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    account_id: Mapped[UUID] = mapped_column(ForeignKey("accounts.id"))
    name: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=SeriesStatus.draft)
    status_reason: Mapped[str | None]
    category: Mapped[str] = mapped_column(server_default=MessageCategory.promotional)
    channel: Mapped[str]  # of the first step: a subscription by this channel is the entry
    topic_id: Mapped[UUID | None] = mapped_column(ForeignKey("topics.id"))
    segment_id: Mapped[UUID | None] = mapped_column(ForeignKey("segments.id"))
    existing: Mapped[str] = mapped_column(server_default=ExistingMembers.skip)
    stop_on_reply: Mapped[bool] = mapped_column(server_default=sql("true"))
    stop_on_leave: Mapped[bool] = mapped_column(server_default=sql("false"))
    on_missing_variable: Mapped[str] = mapped_column(server_default=OnMissingVariable.empty)
    window: Mapped[dict[str, Any] | None]
    max_entries: Mapped[int | None]
    # [{channel, templateKey, templateId, templateVersion, templateLocale, delay, after, fromAddress, sender,
    # accountUuids}]
    steps: Mapped[list[Any]] = mapped_column(JSONB, server_default=sql("'[]'::jsonb"))
    first_delay: Mapped[int] = mapped_column(server_default="0")  # seconds of the first step, for the trigger
    # The projects of the steps, in their order, from the first start on.
    project_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid(as_uuid=True)), server_default=sql("'{}'::uuid[]")
    )
    begun: Mapped[int] = mapped_column(server_default="0")  # people for whom the first step has begun
    started_at: Mapped[datetime | None]
    # What its segment asks for since the last start, as contact_audience.conditions returns it.
    conditions: Mapped[dict[str, Any] | None]
    # engine/series/entering.py reads the members of a segment again and again, and those of a topic at most once.
    read_to: Mapped[UUID | None]  # the last contact that was read in this round
    read_due_at: Mapped[datetime | None]  # NULL: a trigger tells of entries
    read_begun_at: Mapped[datetime | None]  # of this round
    read_excludes: Mapped[bool] = mapped_column(
        server_default=sql("false")
    )  # in the first round: they do not enter


class SeriesEntry(Stamped, Base):
    """A contact in a series. The row stays for ever, so that a contact begins a series once."""

    __tablename__ = "series_entries"
    __table_args__ = (
        enum_check("state", EntryState),
        enum_check("stop_reason", StopReason),
        Index("uq_series_entries_person", "series_id", "contact_id", unique=True),
        Index("ix_series_entries_contact_id", "contact_id"),
        Index(
            "ix_series_entries_due", "series_id", "due_at", "id", postgresql_where=sql("due_at IS NOT NULL")
        ),
        Index("ix_series_entries_list", "series_id", "id"),
        Index("ix_series_entries_owner_id", "owner_id", "id"),
        Index(
            "ix_series_entries_states", "series_id", "state", "step", "id", postgresql_include=["stop_reason"]
        ),
    )

    owner_id: Mapped[UUID]
    series_id: Mapped[UUID] = mapped_column(ForeignKey("series.id"))
    contact_id: Mapped[UUID] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(server_default=EntryState.waiting)
    stop_reason: Mapped[str | None]
    step: Mapped[int] = mapped_column(server_default="0")  # the newest that was begun; 0: none
    entered_at: Mapped[datetime] = mapped_column(server_default=func.now())
    begun_at: Mapped[datetime | None]  # when the newest step was begun
    ended_at: Mapped[datetime | None]
    due_at: Mapped[datetime | None]  # when it is decided about again; NULL: it is over
    recipient_id: Mapped[
        UUID | None
    ]  # in the project of the newest step; NULL: there was no address or consent

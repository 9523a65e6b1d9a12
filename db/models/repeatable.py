"""repeatable_projects."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, one_of
from schema.types.repeatable import RepeatableStatus


class RepeatableSendingProject(Stamped, Base):
    """A template and a schedule; each firing makes one Sending Project, unique by (repeatable, fireAt)."""

    __tablename__ = "repeatable_projects"
    __table_args__ = (
        one_of("status", RepeatableStatus),
        Index("ix_repeatable_projects_owner_id_id", "owner_id", "id"),
        Index("ix_repeatable_projects_due", "next_run_at", postgresql_where=text("status = 'active'")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=RepeatableStatus.draft)
    template: Mapped[dict[str, Any]]
    schedule: Mapped[dict[str, Any]]
    source: Mapped[dict[str, Any]]
    next_run_at: Mapped[datetime | None]
    last_run_at: Mapped[datetime | None]
    runs: Mapped[int] = mapped_column(server_default="0")
    deleted_at: Mapped[datetime | None]

"""Tables repeatable_projects and repeatable_firings."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.repeatable import RepeatableStatus


class RepeatableSendingProject(Stamped, Base):
    """A template and a schedule; each run makes one Sending Project, unique by (repeatable, fireAt)."""

    __tablename__ = "repeatable_projects"
    __table_args__ = (
        enum_check("status", RepeatableStatus),
        Index("ix_repeatable_projects_owner_id_id", "owner_id", "id"),
        Index(
            "ix_repeatable_projects_template_id",
            text("(template ->> 'templateId')"),
            "id",
            postgresql_where=text("template ->> 'templateId' IS NOT NULL"),
        ),
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
    last_error: Mapped[str | None]  # why the last run failed; the schedule goes on
    deleted_at: Mapped[datetime | None]


class RepeatableFiring(Base):
    """A project of a run whose audience is still being copied. The row is deleted when the project has started.

    `copied_to` is the last line of the import, or the last seq of the project, that was copied.
    """

    __tablename__ = "repeatable_firings"

    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("sending_projects.id", ondelete="CASCADE"), primary_key=True
    )
    repeatable_id: Mapped[UUID]
    source: Mapped[dict[str, Any]]  # at the time of the run: {importUuid | sendingProjectUuid}
    copied_to: Mapped[int] = mapped_column(BigInteger, server_default="0")

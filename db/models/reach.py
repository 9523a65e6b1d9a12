"""Tables reach_counters, reach_recipients, reach_projects and reach_additions.

They say whom credentials with `approval_above` have reached.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class ReachCounter(Base):
    """The number of rows that an API token or a membership has in reach_recipients. Its lock orders the counting."""

    __tablename__ = "reach_counters"

    credential_id: Mapped[UUID] = mapped_column(primary_key=True)  # of api_tokens or memberships
    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    recipients: Mapped[int]


class ReachRecipient(Base):
    """A recipient that a credential has reached in the last 24 hours. Only `postern_reach` and the upkeep write it."""

    __tablename__ = "reach_recipients"
    __table_args__ = (Index("ix_reach_recipients_counts_until", "credential_id", "counts_until"),)

    credential_id: Mapped[UUID] = mapped_column(
        ForeignKey("reach_counters.credential_id", ondelete="CASCADE"), primary_key=True
    )
    address_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)  # by engine/reach
    counts_until: Mapped[datetime]


class ReachProject(Base):
    """A project that a credential has started, or added recipients to: they count as long as it waits, runs or is
    paused.
    """

    __tablename__ = "reach_projects"

    credential_id: Mapped[UUID] = mapped_column(
        ForeignKey("reach_counters.credential_id", ondelete="CASCADE"), primary_key=True
    )
    project_id: Mapped[UUID] = mapped_column(
        ForeignKey("sending_projects.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    renewed_at: Mapped[datetime]
    # Others have started it: of its recipients only those in reach_additions count.
    only_added: Mapped[bool] = mapped_column(server_default=text("false"))


class ReachAddition(Base):
    """A recipient that a credential has added to a scheduled project."""

    __tablename__ = "reach_additions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["credential_id", "project_id"],
            ["reach_projects.credential_id", "reach_projects.project_id"],
            ondelete="CASCADE",
        ),
    )

    credential_id: Mapped[UUID] = mapped_column(primary_key=True)
    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    address_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)  # by engine/reach

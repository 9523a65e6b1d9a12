"""Table segments."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped


class Segment(Stamped, Base):
    """Conditions that choose contacts of an owner."""

    __tablename__ = "segments"
    __table_args__ = (
        Index("uq_segments_name", "owner_id", "name", unique=True),
        Index("ix_segments_list", "owner_id", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    filter: Mapped[dict[str, Any]]  # shapes.segments.SegmentFilter
    size: Mapped[int]
    counted_at: Mapped[datetime] = mapped_column(server_default=func.now())

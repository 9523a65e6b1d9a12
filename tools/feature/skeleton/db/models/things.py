"""Table things."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class Thing(Identified, Base):
    """A thing of one user."""

    __tablename__ = "things"
    __table_args__ = (Index("ix_things_owner_id_id", "owner_id", "id"),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]

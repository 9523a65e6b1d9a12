"""Table canned_answers."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped


class CannedAnswer(Stamped, Base):
    """A text for answers in the inbox. The shortcut is in lower case."""

    __tablename__ = "canned_answers"
    __table_args__ = (
        Index("uq_canned_answers_shortcut", "owner_id", "shortcut", unique=True),
        Index("ix_canned_answers_list", "owner_id", "shortcut", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    shortcut: Mapped[str]
    text: Mapped[str]

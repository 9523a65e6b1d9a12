"""Tables messenger_labels and messenger_chat_labels."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.chat_labels import LabelColor


class ChatLabel(Identified, Base):
    """A label of one owner, which any of the owner's chats can have."""

    __tablename__ = "messenger_labels"
    __table_args__ = (
        enum_check("color", LabelColor),
        Index("uq_messenger_labels_name", "owner_id", text("lower(name)"), unique=True),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    color: Mapped[str] = mapped_column(server_default=LabelColor.gray)


class LabelOfChat(Base):
    """Says that a chat has a label."""

    __tablename__ = "messenger_chat_labels"
    __table_args__ = (Index("ix_messenger_chat_labels_label_id_chat_id", "label_id", "chat_id"),)

    chat_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_chats.id", ondelete="CASCADE"), primary_key=True
    )
    label_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_labels.id", ondelete="CASCADE"), primary_key=True
    )

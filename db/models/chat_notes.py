"""Table messenger_notes."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class ChatNote(Identified, Base):
    """A note about a chat. The account tells whose it is; `author_id` is who wrote it, perhaps an administrator."""

    __tablename__ = "messenger_notes"
    __table_args__ = (Index("ix_messenger_notes_chat_id_id", "chat_id", "id"),)

    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("messenger_accounts.id", ondelete="CASCADE"), index=True
    )
    chat_id: Mapped[UUID] = mapped_column(ForeignKey("messenger_chats.id", ondelete="CASCADE"))
    author_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str]

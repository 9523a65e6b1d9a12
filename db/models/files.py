"""Tables files and discarded_files."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class File(Identified, Base):
    """A file of a user: an upload, or the result of an export. Its storage path follows from the id alone."""

    __tablename__ = "files"
    __table_args__ = (
        Index("ix_files_owner_id_id", "owner_id", "id"),
        Index("ix_files_owner_id_name_id", "owner_id", "name", "id"),
        Index("ix_files_owner_id_size_id", "owner_id", "size", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    original_name: Mapped[str] = mapped_column(unique=True)
    mime: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str]  # in hexadecimal


class DiscardedFile(Base):
    """Stored bytes without a row in `files`, to be deleted at `due_at`: of a failed upload, or of a deleted file.

    The row is written before the first byte, and deleted by the transaction that writes the row in `files`.
    """

    __tablename__ = "discarded_files"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    due_at: Mapped[datetime] = mapped_column(index=True)

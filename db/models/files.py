"""files, discarded_files."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class File(Identified, Base):
    """Bytes that a user brought or an export made. Where they lie follows from the id alone."""

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
    """Bytes without a row in `files`, to be deleted at `due_at`: left by an upload that broke off, or by a file that was deleted.

    Written before the first byte is, and taken back by the transaction that makes the row.
    """

    __tablename__ = "discarded_files"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    due_at: Mapped[datetime] = mapped_column(index=True)

"""files."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class File(Identified, Base):
    """Bytes that a user brought or an export made. Where they lie follows from the id alone."""

    __tablename__ = "files"
    __table_args__ = (Index("ix_files_owner_id_id", "owner_id", "id"),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    original_name: Mapped[str] = mapped_column(unique=True)
    mime: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[bytes] = mapped_column(LargeBinary)

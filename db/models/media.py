"""Table media."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class Picture(Identified, Base):
    """A picture of letters, which everybody who has its address may see. Its storage path follows from the id alone."""

    __tablename__ = "media"
    __table_args__ = (
        Index("ix_media_owner_id_id", "owner_id", "id"),
        Index("ix_media_owner_id_name_id", "owner_id", "name", "id"),
        Index("ix_media_owner_id_size_id", "owner_id", "size", "id"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    public_name: Mapped[str] = mapped_column(unique=True)  # random, and the extension: the end of its address
    mime: Mapped[str]
    width: Mapped[int]
    height: Mapped[int]
    frames: Mapped[int]
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str]  # in hexadecimal

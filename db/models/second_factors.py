"""Tables second_factors and recovery_codes."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified


class SecondFactor(Identified, Base):
    """A proof of a login beside the password. It counts when it is confirmed."""

    __tablename__ = "second_factors"
    __table_args__ = (
        Index("ix_second_factors_user_id_id", "user_id", "id"),
        Index("uq_second_factors_totp", "user_id", unique=True, postgresql_where=text("kind = 'totp'")),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str]
    name: Mapped[str]
    secret_encrypted: Mapped[bytes | None] = mapped_column(LargeBinary)
    last_step: Mapped[int | None] = mapped_column(BigInteger)  # of the last code: no step is accepted twice
    confirmed_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]


class RecoveryCode(Base):
    """A code that replaces the second factor once. Only its SHA-256 is stored."""

    __tablename__ = "recovery_codes"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    code_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    used_at: Mapped[datetime | None]

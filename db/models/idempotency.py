"""Table idempotency_keys."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import LargeBinary, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class IdempotencyKey(Base):
    """The first response to a request with an Idempotency-Key, written in the transaction of its effect."""

    __tablename__ = "idempotency_keys"

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    operation: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[bytes] = mapped_column(LargeBinary)
    answer: Mapped[Any] = mapped_column(JSONB(none_as_null=False))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime] = mapped_column(index=True)

"""Table settings."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, enum_check
from shapes.settings import Scope


class Setting(Base):
    """One dotted key of a user (`holder_id` is the user) or of an account (`holder_id` is the account)."""

    __tablename__ = "settings"
    __table_args__ = (enum_check("scope", Scope),)

    scope: Mapped[str] = mapped_column(primary_key=True)
    holder_id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB(none_as_null=False))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())

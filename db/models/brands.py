"""Table brands."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, enum_check
from shapes.brands import BrandFont


class Brand(Base):
    """The brand of an owner, who has one at most."""

    __tablename__ = "brands"
    __table_args__ = (enum_check("font", BrandFont),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str]
    colors: Mapped[dict[str, Any]]
    dark_colors: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    font: Mapped[str]
    address: Mapped[str | None]
    imprint: Mapped[str | None]
    links: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    footers: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    reply_address: Mapped[str | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

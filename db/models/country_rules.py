"""Tables country_rules and country_limits."""

from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.country_rules import CountryCap

INSTALLATION: Final = UUID(int=0)
"""The id of the installation's rule. A user's rule has the id of the user, so that one index finds both."""


class CountryRule(Base):
    """Says which countries SMS may go to, and how many to one country. No row: everywhere."""

    __tablename__ = "country_rules"
    __table_args__ = (
        CheckConstraint(f"id = COALESCE(owner_id, '{INSTALLATION}')", name="id"),
        CheckConstraint("per_hour > 0 AND per_day > 0", name="caps"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    allow: Mapped[list[str] | None]  # NULL: all
    deny: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))
    per_hour: Mapped[int | None]
    per_day: Mapped[int | None]
    # The counters begin anew with each: an administrator has raised a cap.
    epoch: Mapped[int] = mapped_column(server_default="0")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class CountryLimit(Identified, Base):
    """A cap that an owner has reached, once for each country and hour."""

    __tablename__ = "country_limits"
    __table_args__ = (
        enum_check("cap", CountryCap),
        Index("uq_country_limits_hour", "owner_id", "country", "hour", unique=True),
        Index("ix_country_limits_created_at", "created_at"),
        Index("ix_country_limits_owner_id", "owner_id", "created_at"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    country: Mapped[str]
    hour: Mapped[datetime]
    cap: Mapped[str]
    until: Mapped[datetime]

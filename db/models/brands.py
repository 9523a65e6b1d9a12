"""Tables brands and brand_domains."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.brand_domains import BrandDomainStatus
from shapes.brands import BrandFont


class Brand(Base):
    """The brand of an owner, who has one at most."""

    __tablename__ = "brands"
    __table_args__ = (
        enum_check("font", BrandFont),
        Index("ix_brands_logo_uuid", "logo_uuid", postgresql_where=text("logo_uuid IS NOT NULL")),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str]
    logo_uuid: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"))
    colors: Mapped[dict[str, Any]]
    dark_colors: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    font: Mapped[str]
    address: Mapped[str | None]
    imprint: Mapped[str | None]
    links: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    footers: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    reply_address: Mapped[str | None]
    track_clicks: Mapped[bool] = mapped_column(server_default=text("false"))  # of projects that do not say
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class BrandDomain(Stamped, Base):
    """A domain of an owner's for links and pages, if the record that proves it is in the DNS.

    Several owners may have added the same domain, but it is verified for one of them.
    """

    __tablename__ = "brand_domains"
    __table_args__ = (
        enum_check("status", BrandDomainStatus),
        Index("uq_brand_domains_owner_id", "owner_id", "name", unique=True),
        Index(
            "uq_brand_domains_verified",
            "name",
            unique=True,
            postgresql_where=text("status IN ('verified', 'lost')"),
        ),
        Index("ix_brand_domains_list", "owner_id", "id"),
        Index("ix_brand_domains_name", "name"),
        Index("ix_brand_domains_check_at", "check_at"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]  # in ASCII and lower case
    record_name: Mapped[str]
    record_value: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=BrandDomainStatus.pending)
    verified_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]
    lost_at: Mapped[datetime | None]
    check_at: Mapped[datetime] = mapped_column(server_default=text("now()"))  # the next check by a worker
    problem: Mapped[str | None]

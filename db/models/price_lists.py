"""Tables price_lists, price_list_versions and prices."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check, never_negative
from shapes.price_lists import PricedChannel


class PriceList(Stamped, Base):
    """Prices by prefix of the number, which tariffs name. What costs what is in its versions."""

    __tablename__ = "price_lists"
    __table_args__ = (Index("uq_price_lists_name", "name", unique=True),)

    name: Mapped[str]
    currency: Mapped[str]
    strict: Mapped[bool] = mapped_column(
        "is_strict", server_default=text("false")
    )  # PL/pgSQL has a word `strict`


class PriceListVersion(Base):
    """The prices of a list from a moment on. Its rows never change, so that every process may remember them."""

    __tablename__ = "price_list_versions"
    __table_args__ = (
        Index("uq_price_list_versions_number", "list_id", "number", unique=True),
        Index(
            "ix_price_list_versions_valid_from",
            "list_id",
            text("valid_from DESC"),
            text("number DESC"),
        ),
    )

    version_id: Mapped[UUID] = mapped_column("id", primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    list_id: Mapped[UUID] = mapped_column(ForeignKey("price_lists.id", ondelete="CASCADE"))
    number: Mapped[int]  # from 1, in its list
    valid_from: Mapped[datetime]
    size: Mapped[int]  # its rows
    created_by: Mapped[UUID | None] = mapped_column(ForeignKey("users.id"))


class Price(Base):
    """The price of a message to the numbers that begin with a prefix; the longest prefix holds."""

    __tablename__ = "prices"
    __table_args__ = (enum_check("channel", PricedChannel), never_negative("price"), never_negative("cost"))

    version_id: Mapped[UUID] = mapped_column(
        ForeignKey("price_list_versions.id", ondelete="CASCADE"), primary_key=True
    )
    channel: Mapped[str] = mapped_column(primary_key=True)
    prefix: Mapped[str] = mapped_column(
        Text(collation="C"), primary_key=True
    )  # digits, with the calling code
    price: Mapped[Decimal]  # of a message; of an SMS, of each part
    cost: Mapped[Decimal | None]  # what the provider takes

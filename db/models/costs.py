"""Tables route_costs, traffic, traffic_due and traffic_progress."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, SmallInteger, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class RouteCost(Base):
    """Says by which price list the provider of a route takes its money, from a moment on."""

    __tablename__ = "route_costs"
    __table_args__ = (Index("ix_route_costs_list_id", "list_id"),)

    route: Mapped[str] = mapped_column(
        primary_key=True
    )  # its name: routes are configured outside the database
    valid_from: Mapped[datetime] = mapped_column(primary_key=True)
    list_id: Mapped[UUID | None] = mapped_column(ForeignKey("price_lists.id"))  # NULL: no costs from then on
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    created_by: Mapped[UUID | None] = mapped_column(ForeignKey("users.id"))


class Traffic(Base):
    """The outbound messages of an hour, added up. A worker counts an hour again when one of its messages has changed:
    engine/costs/traffic.py. What a message does not have is an empty text here.
    """

    __tablename__ = "traffic"
    __table_args__ = (Index("ix_traffic_owner_id_hour", "owner_id", "hour"),)

    hour: Mapped[datetime] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(primary_key=True)
    route: Mapped[str] = mapped_column(primary_key=True)
    sender: Mapped[str] = mapped_column(primary_key=True)
    country: Mapped[str] = mapped_column(primary_key=True)
    currency: Mapped[str] = mapped_column(primary_key=True)  # of `charged`
    cost_currency: Mapped[str] = mapped_column(primary_key=True)
    messages: Mapped[int] = mapped_column(BigInteger)
    parts: Mapped[int] = mapped_column(BigInteger)
    delivered: Mapped[int] = mapped_column(BigInteger)
    charged: Mapped[Decimal]  # less what was refunded
    cost: Mapped[Decimal]
    without_cost: Mapped[int] = mapped_column(BigInteger)  # accepted messages whose cost no list says


class TrafficDue(Base):
    """An hour that is to be counted."""

    __tablename__ = "traffic_due"

    hour: Mapped[datetime] = mapped_column(primary_key=True)


class TrafficProgress(Base):
    """The one row that says up to which time of change hours were looked for."""

    __tablename__ = "traffic_progress"

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    changed_until: Mapped[datetime | None]  # NULL: all hours are to be counted
    counted_until: Mapped[datetime | None]  # the same, as of when no hour was due
    next_at: Mapped[datetime] = mapped_column(server_default=func.now())

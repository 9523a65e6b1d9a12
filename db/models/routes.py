"""Tables routes, route_rules, route_receipts and degraded_routes."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Stamped, enum_check
from shapes.messages import MessageCategory


class Route(Stamped, Base):
    """A route that an administrator has made, or a configured one that was switched off or on.

    A configured route without a row is on. The row of a made one stays when it is deleted, since its name is the label
    of messages: no other route may get their reports.
    """

    __tablename__ = "routes"
    __table_args__ = (Index("uq_routes_name", "name", unique=True),)

    name: Mapped[str]
    channel: Mapped[str] = mapped_column(server_default="sms")  # the kind of messages of a made one
    enabled: Mapped[bool]
    dsn_encrypted: Mapped[bytes | None]  # of a made one, until it is deleted
    # Whether it keeps its place among the routes, however few receipts it has.
    ignores_receipts: Mapped[bool] = mapped_column(server_default=text("false"))


class RouteRule(Stamped, Base):
    """Says by which route SMS to the numbers of a prefix go."""

    __tablename__ = "route_rules"
    __table_args__ = (
        enum_check("category", MessageCategory),
        CheckConstraint("weight > 0", name="weight"),
        Index(
            "uq_route_rules_rule",
            "prefix",
            "route",
            text("COALESCE(category, '')"),
            text("COALESCE(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)"),
            unique=True,
        ),
        Index("ix_route_rules_owner_id", "owner_id"),
    )

    prefix: Mapped[str] = mapped_column(
        Text(collation="C")
    )  # digits with the calling code; empty: all numbers
    route: Mapped[str]  # its name: routes are configured outside the database
    category: Mapped[str | None]  # NULL: all
    owner_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE")
    )  # NULL: all users
    priority: Mapped[int] = mapped_column(server_default="0")
    weight: Mapped[int] = mapped_column(server_default="1")
    fallback: Mapped[bool] = mapped_column(server_default=text("true"))


class RouteReceipt(Base):
    """Counts the SMS of some users that a route accepted in five minutes for a prefix of its rules, and those that a
    receipt reported as delivered in these five minutes.
    """

    __tablename__ = "route_receipts"

    route: Mapped[str] = mapped_column(primary_key=True)
    prefix: Mapped[str] = mapped_column(Text(collation="C"), primary_key=True)
    since: Mapped[datetime] = mapped_column(primary_key=True)
    # A hash of the user: see engine/sms/route_receipts.py.
    user_group: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    sent: Mapped[int]
    delivered: Mapped[int]


class DegradedRoute(Base):
    """A route that delivers nothing to a prefix, so that others are tried before it; see
    engine/sms/degraded_routes.py.
    """

    __tablename__ = "degraded_routes"

    route: Mapped[str] = mapped_column(primary_key=True)
    prefix: Mapped[str] = mapped_column(Text(collation="C"), primary_key=True)
    since: Mapped[datetime]
    retry_at: Mapped[datetime]  # from then on it is on trial
    ended_at: Mapped[datetime | None]  # when it was in its old order again

"""Tables receiver_rules, receiver_pauses and receiver_days: sending by the provider of the mailbox."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, Index, Integer, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check
from shapes.deliverability import ProviderClass


class ReceiverRule(Stamped, Base):
    """The limits of a sending domain at a class of providers, for all owners who send from it."""

    __tablename__ = "receiver_rules"
    __table_args__ = (
        enum_check("provider_class", ProviderClass),
        CheckConstraint("(warm_up_from IS NULL) = (warm_up IS NULL)", name="warm_up"),
        Index(
            "uq_receiver_rules_domain",
            "domain",
            "provider_class",
            unique=True,
            postgresql_nulls_not_distinct=True,
        ),
    )

    domain: Mapped[str]  # in ASCII and lower case
    provider_class: Mapped[str | None]  # NULL: each class that has no rule of its own
    in_flight: Mapped[int | None]
    per_minute: Mapped[int | None]
    warm_up_from: Mapped[datetime | None]
    warm_up: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))  # messages of each day
    pauses: Mapped[bool]


class ReceiverPause(Identified, Base):
    """A class of providers that refuses one owner's mail from a domain. The row stays until an email is accepted."""

    __tablename__ = "receiver_pauses"
    __table_args__ = (
        UniqueConstraint("owner_id", "domain", "provider_class", name="uq_receiver_pauses_domain"),
        Index("ix_receiver_pauses_until", "until"),
    )

    owner_id: Mapped[UUID]
    domain: Mapped[str]
    provider_class: Mapped[str]
    until: Mapped[datetime]
    times: Mapped[int] = mapped_column(server_default="1")  # in a row
    answer: Mapped[str]  # of the provider


class ReceiverDay(Base):
    """The emails of a day that a warm-up has counted."""

    __tablename__ = "receiver_days"

    domain: Mapped[str] = mapped_column(primary_key=True)
    provider_class: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    messages: Mapped[int] = mapped_column(BigInteger)
    granted: Mapped[int] = mapped_column(BigInteger)  # by the last statement

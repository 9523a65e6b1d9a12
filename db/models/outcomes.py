"""Counters of messages by the time at which they were created, and by their present state."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, StateCounts, generations


class OutcomeCounter(StateCounts, Base):
    """The number of outbound messages that were created in a quarter of an hour, by their present state.

    A trigger updates it in the transaction that changes the messages, and takes off what is deleted, so that it equals
    the lists. There are several rows for each combination (`shard`), so that sessions don't wait for each other. A
    number of one shard can be negative.
    """

    __tablename__ = "outcome_counters"
    __table_args__ = (
        Index("ix_outcome_counters_bucket", "bucket"),
        generations("outcome_counters"),
        {"postgresql_with": {"fillfactor": "50"}},
    )

    owner_id: Mapped[UUID] = mapped_column(primary_key=True)
    bucket: Mapped[datetime] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)  # direct | project
    channel: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[int] = mapped_column(SmallInteger, primary_key=True)


class OutcomeStart(Base):
    """The time from which messages of a kind are counted, if the installation had too many before to count them."""

    __tablename__ = "outcome_starts"

    kind: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]

"""Base classes and column types of all tables."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Index, MetaData, Numeric, Text, Uuid, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from core.ids import uuid7

Money = Numeric(18, 6)


class Base(DeclarativeBase):
    """The base of all models. Relations are `lazy="raise"`: a query must state what it loads."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text,
        UUID: Uuid(as_uuid=True),
        datetime: DateTime(timezone=True),
        Decimal: Money,
        dict[str, Any]: JSONB,
        list[str]: ARRAY(Text),
    }


class Identified:
    """Rows with a UUIDv7 as id, and the time at which they were created."""

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid7)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Stamped(Identified):
    """Rows that also have the time of their last change."""

    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())


class StateCounts:
    """A column for the number of messages in each state, as counters have it."""

    queued: Mapped[int] = mapped_column(BigInteger, server_default="0")
    sending: Mapped[int] = mapped_column(BigInteger, server_default="0")
    sent: Mapped[int] = mapped_column(BigInteger, server_default="0")
    delivered: Mapped[int] = mapped_column(BigInteger, server_default="0")
    read: Mapped[int] = mapped_column(BigInteger, server_default="0")
    failed: Mapped[int] = mapped_column(BigInteger, server_default="0")
    skipped: Mapped[int] = mapped_column(BigInteger, server_default="0")
    unknown: Mapped[int] = mapped_column(BigInteger, server_default="0")
    canceled: Mapped[int] = mapped_column(BigInteger, server_default="0")


def enum_check(column: str, values: Iterable[Any]) -> CheckConstraint:
    """Returns a CHECK for a state that is stored as text: readable in psql, extended without rewriting the table."""
    allowed = ", ".join(f"'{value.value}'" for value in values)
    return CheckConstraint(f"{column} IN ({allowed})", name=column)


def never_negative(column: str) -> CheckConstraint:
    """Returns a CHECK that also refuses NaN, which PostgreSQL's numeric accepts and sorts above every number."""
    return CheckConstraint(f"{column} >= 0 AND {column} <> 'NaN'", name=f"{column}_never_negative")


def generations(table: str) -> Index:
    """Returns the index of a table of counters that finds the rows of generations: none, as a rule."""
    return Index(f"ix_{table}_generations", "shard", postgresql_where=text("shard >= 64"))

"""Tables statements and statement_months."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, enum_check
from shapes.statements import StatementState


class Statement(Identified, Base):
    """The signed sums of an account in a month. A row without `made_at` waits for a worker."""

    __tablename__ = "statements"
    __table_args__ = (
        enum_check("state", StatementState),
        Index("uq_statements_month", "account_id", "month", unique=True),
        Index("uq_statements_number", "account_id", "number", unique=True),
        Index("ix_statements_waiting", "month", "account_id", postgresql_where=text("made_at IS NULL")),
        Index("ix_statements_open", "made_at", postgresql_where=text("state = 'open'")),
    )

    account_id: Mapped[UUID] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    month: Mapped[date]  # its first day
    # When a worker first began it. A worker that goes on after a crash says the same time.
    begun_at: Mapped[datetime | None]
    number: Mapped[int | None]  # from 1 in each account
    state: Mapped[str | None]
    currency: Mapped[str | None]
    opening_balance: Mapped[Decimal | None]
    closing_balance: Mapped[Decimal | None]
    document: Mapped[str | None]  # canonical JSON (RFC 8785), as it was signed
    hash: Mapped[bytes | None]  # SHA-256 of the document
    previous_hash: Mapped[bytes | None]
    signature: Mapped[str | None]  # a detached JWS
    key_id: Mapped[str | None]
    made_at: Mapped[datetime | None]


class StatementMonth(Base):
    """A month whose statements were asked for: each account that was there then has a row."""

    __tablename__ = "statement_months"

    month: Mapped[date] = mapped_column(primary_key=True)  # its first day
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())

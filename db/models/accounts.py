"""Tables accounts, ledger_entries, account_debts and ledger_progress."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Identified, Stamped, enum_check, never_negative
from shapes.accounts import EntryKind, Plan


class Account(Stamped, Base):
    """A balance that a user's messages are paid from."""

    __tablename__ = "accounts"
    __table_args__ = (
        enum_check("plan", Plan),
        never_negative("balance"),
        never_negative("owed"),
        Index("ix_accounts_owner_id_id", "owner_id", "id"),
        Index("ix_accounts_id_period", "id", "period"),
    )

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str]
    plan: Mapped[str] = mapped_column(server_default=Plan.free)
    balance: Mapped[Decimal] = mapped_column(server_default="0")
    currency: Mapped[str]
    owed: Mapped[Decimal] = mapped_column(server_default="0")  # the sum of its debts
    low_balance: Mapped[Decimal | None]  # an event says when the balance falls below it
    period: Mapped[int] = mapped_column(BigInteger, server_default="0")  # of the last charge: decision 0065


class LedgerEntry(Identified, Base):
    """One movement of a balance. `amount` is signed: credits and refunds add, charges subtract."""

    __tablename__ = "ledger_entries"
    __table_args__ = (
        enum_check("kind", EntryKind),
        UniqueConstraint("kind", "reference", "attempt"),
        CheckConstraint("amount <> 'NaN' AND (amount < 0) = (kind = 'charge')", name="amount_sign"),
        Index("ix_ledger_entries_account_id_id", "account_id", "id"),
        Index(
            "ix_ledger_entries_kind", "account_id", "kind", "id", postgresql_where=text("kind <> 'charge'")
        ),
        Index(
            "ix_ledger_entries_project",
            "project_id",
            "account_id",
            "id",
            postgresql_include=["amount"],
            postgresql_where=text("project_id IS NOT NULL"),
        ),
    )

    account_id: Mapped[UUID]  # without a foreign key: postern_keep_account
    kind: Mapped[str]
    amount: Mapped[Decimal]
    reference: Mapped[UUID]  # the message, or the batch of a project; of a credit and of a sum, its own id
    attempt: Mapped[int] = mapped_column(server_default="1")
    note: Mapped[str | None]
    created_by: Mapped[UUID | None]
    # Whose messages were charged or refunded. There is no foreign key, as it may be purged.
    project_id: Mapped[UUID | None]
    entry_count: Mapped[int | None]  # how many entries of a day are added up in it


class AccountDebt(Identified, Base):
    """A refund, or the rest of one, that has to be taken back and that the balance lacked. The next credit pays it."""

    __tablename__ = "account_debts"
    __table_args__ = (
        CheckConstraint("amount > 0 AND amount <> 'NaN'", name="amount_positive"),
        Index("ix_account_debts_account_id_id", "account_id", "id"),
    )

    account_id: Mapped[UUID]  # without a foreign key, like that of the ledger
    amount: Mapped[Decimal]
    reference: Mapped[UUID]  # of the ledger entry that will pay it, with `attempt`
    attempt: Mapped[int]
    project_id: Mapped[UUID | None]


class LedgerProgress(Base):
    """The one row says up to which id old entries were added up, and since when from the first one."""

    __tablename__ = "ledger_progress"
    __table_args__ = (CheckConstraint("id = 1", name="single"),)

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    position: Mapped[UUID]
    begun_at: Mapped[datetime]

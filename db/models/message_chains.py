"""Tables message_chains and chain_signals."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base

NEVER: Final = "timestamptz '9999-12-31 00:00Z'"
"""The SQL of the time at which the head of a chain is due, so that no worker claims it. Python has it, too."""


class MessageChain(Base):
    """A message that is tried by one channel after the other. Its head, a row of `messages` that is never sent, has the
    same id and `step` 0; each step that has begun is a row of `messages` with its `chain_id`.
    """

    __tablename__ = "message_chains"
    __table_args__ = (
        Index("ix_message_chains_due_at", "due_at", postgresql_where=text("due_at IS NOT NULL")),
        Index("ix_message_chains_owner_id", "owner_id", "id"),
        {"postgresql_with": {"fillfactor": "80"}},
    )

    id: Mapped[UUID] = mapped_column(
        primary_key=True
    )  # without a foreign key, which each change of a message would pay for
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    account_id: Mapped[UUID]
    token_id: Mapped[UUID | None]  # the API token that has sent it, if that has limits of a day
    steps: Mapped[list[Any]] = mapped_column(JSONB)  # engine/chains/steps.py: AskedStep
    # By the number of a step: why it could not begin, with `code`, `reason` and `at`.
    not_begun: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    current: Mapped[int] = mapped_column(SmallInteger)  # the newest step that has begun; 0: none has
    began_at: Mapped[datetime | None]  # when that has begun
    due_at: Mapped[datetime | None]  # when a worker looks at it at the latest; NULL: it is settled
    settled_at: Mapped[datetime | None]
    failure_code: Mapped[str | None]  # why it ended before its last step
    failure_reason: Mapped[str | None]


class ChainSignal(Base):
    """Says that a step of a chain has another state. The transaction that changes the step writes it (a trigger), so no
    change is missed, and transactions that change steps of one chain do not wait for each other.
    """

    __tablename__ = "chain_signals"
    __table_args__ = (
        Index("ix_chain_signals_chain_id", "chain_id"),
        {"postgresql_with": {"autovacuum_vacuum_scale_factor": "0", "autovacuum_vacuum_threshold": "10000"}},
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    chain_id: Mapped[UUID]
    at: Mapped[datetime] = mapped_column(server_default=func.now())

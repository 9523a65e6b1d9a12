"""Gives back the cost of failed messages."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from db import ledger


@dataclass(frozen=True, slots=True)
class Owed:
    """An amount that an account gets back for a direct message, or for messages of a project."""

    account_id: UUID
    amount: Decimal
    message_id: UUID | None = None  # a direct message, which is refunded only once
    project_id: UUID | None = None


def of_row(row: Any) -> Owed:
    """Returns the refund that is owed for a failed message: id, account_id, price and project_id (None: a direct
    one).
    """
    message_id = row["id"] if row["project_id"] is None else None
    return Owed(row["account_id"], row["price"], message_id, row["project_id"])


async def refund(db: asyncpg.Connection, owed: Iterable[Owed]) -> None:
    """Writes one ledger entry per direct message, and one per account and project. In the caller's transaction.

    The caller sets the price of a project's messages to 0 in the same transaction.
    """
    direct: list[tuple[UUID, Decimal, UUID, UUID | None]] = []
    sums: dict[tuple[UUID, UUID], Decimal] = {}
    for item in owed:
        if item.amount <= 0:
            continue
        if item.message_id is not None:
            direct.append((item.account_id, item.amount, item.message_id, None))
        elif item.project_id is not None:
            key = item.account_id, item.project_id
            sums[key] = sums.get(key, Decimal(0)) + item.amount
    await ledger.refund_many(
        db,
        [
            *direct,
            *((account, amount, uuid7(), project) for (account, project), amount in sorted(sums.items())),
        ],
    )

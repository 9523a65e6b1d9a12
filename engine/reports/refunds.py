"""Gives back the cost of failed messages, and takes it again of those that were delivered after all."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from db import ledger

_Row = tuple[UUID, Decimal, UUID, UUID | None]


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
    return _of_row(row, row["price"])


def taken_of_row(row: Any) -> Owed:
    """Returns the refund that is taken back for a message: like `of_row`, with `taken` in place of the price."""
    return _of_row(row, row["taken"])


def _of_row(row: Any, amount: Decimal) -> Owed:
    message_id = row["id"] if row["project_id"] is None else None
    return Owed(row["account_id"], amount, message_id, row["project_id"])


async def refund(db: asyncpg.Connection, owed: Iterable[Owed]) -> None:
    """Writes one ledger entry per direct message, and one per account and project. In the caller's transaction.

    The caller sets the price of a project's messages to 0 in the same transaction.
    """
    await ledger.refund_many(db, _rows(owed))


async def settle(db: asyncpg.Connection, owed: Collection[Owed], taken: Collection[Owed]) -> None:
    """Refunds as `refund` does, and takes the refunds `taken` back, each with an entry as that of the refund. In the
    caller's transaction.

    The caller has checked in the same transaction that a message's refund was not taken back before.
    """
    back = _rows(taken)
    if owed and back:  # both move accounts, each in the order of their ids
        await ledger.lock(db, {item.account_id for item in (*owed, *taken)})
    await refund(db, owed)
    await ledger.take_back_many(db, back)


def _rows(owed: Iterable[Owed]) -> list[_Row]:
    """Returns an entry per direct message, and one per account and project: account, amount, reference and project."""
    direct: list[_Row] = []
    sums: dict[tuple[UUID, UUID], Decimal] = {}
    for item in owed:
        if item.amount <= 0:
            continue
        if item.message_id is not None:
            direct.append((item.account_id, item.amount, item.message_id, None))
        elif item.project_id is not None:
            key = item.account_id, item.project_id
            sums[key] = sums.get(key, Decimal(0)) + item.amount
    of_projects = ((account, amount, uuid7(), project) for (account, project), amount in sorted(sums.items()))
    return [*direct, *of_projects]

"""Charges an account for the messages of a batch, before they are sent."""

from decimal import Decimal
from uuid import UUID

import asyncpg

from core.ids import uuid7
from db import ledger
from engine.projects.batches import LOCK_CLAIMED

_SPENT = "SELECT COALESCE(-sum(amount), 0) FROM ledger_entries WHERE project_id = $1"


class OverApproved(Exception):
    """Messages would cost more than the plan allows that their project has started by."""


async def reserve(
    db: asyncpg.Connection,
    account: UUID,
    project: UUID,
    batch: UUID,
    claim: UUID,
    amount: Decimal,
    at_most: Decimal | None = None,
) -> bool:
    """Charges the account for messages that are about to be sent; False when it has less, and nothing has changed.

    `at_most`: what the project may cost by its plan. The charge locks the account, so that two workers can't pass it
    together. Raises OverApproved, with nothing changed.
    """
    async with db.transaction():
        if await db.fetchrow(LOCK_CLAIMED, batch, claim) is None or not await db.fetchval(
            ledger.CHARGE, account, amount, uuid7(), uuid7(), project
        ):
            return False
        if at_most is not None and await db.fetchval(_SPENT, project) > at_most:
            raise OverApproved
        await db.execute("UPDATE sending_units SET held = held + $2 WHERE id = $1", batch, amount)
    return True

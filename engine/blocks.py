"""Blocks that nobody asked for by hand: replies with a stop word, hard bounces, unsubscribing."""

from typing import Any
from uuid import UUID

import asyncpg

from db.ids import uuid7
from schema.types.blocks import BlockReason

STRENGTH = (BlockReason.manual, BlockReason.hardBounce, BlockReason.optOut, BlockReason.complaint)
"""From what an owner lifts lightly to what he should not lift: a person's own will is more than a full mailbox."""

_BLOCK = """
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason) VALUES ($1, $2, $3, $4)
ON CONFLICT (owner_id, phone) DO UPDATE SET reason = excluded.reason
WHERE array_position($5::text[], known.reason) < array_position($5::text[], excluded.reason)
"""


async def block(
    connection: asyncpg.Connection | Any, owner_id: UUID, address: str, reason: BlockReason
) -> None:
    """Nobody of this owner's projects writes to `address` (E.164, or an email in its normal form) from now on.

    In the transaction of this connection. The stronger reason stays. Cancels nothing that is queued: what is
    about to be sent looks here first.
    """
    strength = [known.value for known in STRENGTH]
    await connection.execute(_BLOCK, uuid7(), owner_id, address, reason.value, strength)

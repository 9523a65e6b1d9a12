"""The condition under which an address is blocked, and automatic blocks: stop words, hard bounces, unsubscribing."""

from typing import Any
from uuid import UUID

import asyncpg

from core.ids import uuid7
from db.address_keys import key_of
from shapes.addresses import stored_key
from shapes.blocks import BlockReason, BlockScope

STRENGTH = (
    BlockReason.manual,
    BlockReason.hardBounce,
    BlockReason.unsubscribed,
    BlockReason.optOut,
    BlockReason.complaint,
)
"""The order goes from reasons that an owner may lift easily to those that must not be lifted: a person's own decision
outranks a full mailbox."""

STOPS = "(scope = 'all' OR {category}::text = 'promotional')"
"""The condition, on a row of `blocked_phones`, under which it stops a message of `category`."""

KEY = key_of("phone")
"""The SQL of the key of a row of `blocked_phones`."""

IS_BLOCKED = f"""EXISTS (
    SELECT FROM blocked_phones WHERE owner_id = {{owner}} AND {KEY} = {{key}} AND {STOPS}
  )"""
"""The condition under which nothing of `category` may be sent to the address with `key` for `owner`; each is an SQL
expression."""

# The scope only widens, and the stronger reason stays.
_BLOCK = f"""
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason, scope, address_key) VALUES ($1, $2, $3, $4, $6, $7)
ON CONFLICT (owner_id, {KEY}) DO UPDATE SET
  reason = CASE WHEN array_position($5::text[], known.reason) < array_position($5::text[], excluded.reason)
    THEN excluded.reason ELSE known.reason END,
  scope = CASE WHEN excluded.scope = 'all' THEN excluded.scope ELSE known.scope END
WHERE array_position($5::text[], known.reason) < array_position($5::text[], excluded.reason)
  OR (known.scope = 'promotional' AND excluded.scope = 'all')
"""  # noqa: S608  our own expression


async def block(
    connection: asyncpg.Connection | Any,
    owner_id: UUID,
    address: str,
    reason: BlockReason,
    scope: BlockScope = BlockScope.all,
) -> None:
    """Blocks `address` (E.164, or an email in its normal form) for messages of this owner that `scope` covers.

    In the transaction of this connection. Cancels nothing that is queued: each message is checked again before it
    is sent.
    """
    strength = [member.value for member in STRENGTH]
    await connection.execute(
        _BLOCK, uuid7(), owner_id, address, reason.value, strength, scope.value, stored_key(address)
    )

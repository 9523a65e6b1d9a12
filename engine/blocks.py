"""The condition under which an address is blocked, and automatic blocks: stop words, hard bounces, unsubscribing."""

from collections.abc import Sequence
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


LOCK = "pg_advisory_xact_lock(hashtextextended('block:' || {owner} || ':' || {key}, 0))"
"""The SQL call, with texts, by which writers of the block of an address wait for each other until their transactions
end.

The address and its key are both unique, and ON CONFLICT names only the key: two writers of a new block could both pass
it, and the second would fail at the address.
"""


def _stronger(reason: str) -> str:
    """Returns the SQL of the stronger one of a stored reason and the new one."""
    return f"""CASE WHEN array_position($5::text[], {reason}) >= array_position($5::text[], excluded.reason)
    THEN {reason} ELSE excluded.reason END"""


def _wider(scope: str) -> str:
    """Returns the SQL of the wider one of a stored scope and the new one."""
    return f"CASE WHEN {scope} = 'all' THEN {scope} ELSE excluded.scope END"


# The scope only widens, and the stronger reason stays. The first stop word notes what stood before; what others change
# later counts there, too, so that taking the stop word back leaves it.
_BLOCK = f"""
INSERT INTO blocked_phones AS known (id, owner_id, phone, reason, scope, address_key, stopped_at)
SELECT $1, $2::uuid, $3, $4, $6, $7, CASE WHEN $8 THEN now() END
FROM (SELECT {LOCK.format(owner="$2::uuid::text", key="COALESCE($7, $3)")} OFFSET 0) AS locked
ON CONFLICT (owner_id, {KEY}) DO UPDATE SET
  reason = {_stronger("known.reason")}, scope = {_wider("known.scope")},
  stopped_at = COALESCE(known.stopped_at, excluded.stopped_at),
  reason_before = CASE WHEN NOT $8 AND known.stopped_at IS NOT NULL THEN {_stronger("known.reason_before")}
    WHEN $8 AND known.stopped_at IS NULL THEN known.reason ELSE known.reason_before END,
  scope_before = CASE WHEN NOT $8 AND known.stopped_at IS NOT NULL THEN {_wider("known.scope_before")}
    WHEN $8 AND known.stopped_at IS NULL THEN known.scope ELSE known.scope_before END
WHERE {_stronger("known.reason")} <> known.reason OR {_wider("known.scope")} <> known.scope
  OR $8 <> (known.stopped_at IS NOT NULL)
"""  # noqa: S608  our own expression


_REMOVE_STOPPED = f"""
DELETE FROM blocked_phones
WHERE owner_id = $1 AND {KEY} = ANY($2) AND stopped_at IS NOT NULL AND reason_before IS NULL AND reason <> 'complaint'
"""  # noqa: S608  our own expression
_RESTORE_STOPPED = f"""
UPDATE blocked_phones SET stopped_at = NULL, reason_before = NULL, scope_before = NULL,
  reason = CASE WHEN reason = 'complaint' THEN reason ELSE reason_before END, scope = scope_before
WHERE owner_id = $1 AND {KEY} = ANY($2) AND stopped_at IS NOT NULL AND reason_before IS NOT NULL
"""  # noqa: S608  our own expression


async def block(
    connection: asyncpg.Connection | Any,
    owner_id: UUID,
    address: str,
    reason: BlockReason,
    scope: BlockScope = BlockScope.all,
    *,
    by_stop_word: bool = False,
) -> None:
    """Blocks `address` (E.164, or an email in its normal form) for messages of this owner that `scope` covers.

    In the transaction of this connection. Cancels nothing that is queued: each message is checked again before it
    is sent.
    """
    strength = [member.value for member in STRENGTH]
    await connection.execute(
        _BLOCK,
        uuid7(),
        owner_id,
        address,
        reason.value,
        strength,
        scope.value,
        stored_key(address),
        by_stop_word,
    )


async def undo_stop_word(connection: asyncpg.Connection | Any, owner_id: UUID, keys: Sequence[str]) -> None:
    """Undoes what stop words have changed for addresses with these keys, and nothing else."""
    await connection.execute(_REMOVE_STOPPED, owner_id, keys)
    await connection.execute(_RESTORE_STOPPED, owner_id, keys)

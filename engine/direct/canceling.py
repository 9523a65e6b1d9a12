"""Cancels direct messages before they are handed over."""

from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, TypeVar
from uuid import UUID

import asyncpg

from core import change_events
from core.errors import RateLimited
from db import ledger
from db.session import Database
from engine.reports.refunds import Owed, refund
from runtime.retry import despite_conflicts

T = TypeVar("T")

CANCELED = "canceled"
"""The failure code of a message that its owner has canceled."""
REASON = "It was canceled before it was submitted to a provider."

# It takes a message from a worker that has claimed it, too: that worker records its intent by an update of this row, of
# which one of the two comes first, and the other then finds nothing to change. A worker locks messages before accounts
# and a request accounts before messages, so this waits for no message.
_CANCEL = """
UPDATE messages SET state = 'canceled', claim_id = NULL, failure_code = $2, failure_reason = $3, updated_at = now()
WHERE id = ANY(ARRAY(
  SELECT id FROM messages WHERE id = ANY($1) AND direction = 'outbound' AND step IS DISTINCT FROM 0
    AND handed_at IS NULL AND state IN ('queued', 'sending') ORDER BY id FOR UPDATE NOWAIT
))
RETURNING id, owner_id, account_id, price, state
"""
# A message that another transaction has locked is being claimed, or has an outcome: it is left alone. So this
# statement waits for no other transaction, and can be part of no deadlock.
_END_QUEUED = """
UPDATE messages AS m SET state = '{}', failure_code = $2, failure_reason = $3, updated_at = now()
WHERE id = ANY(ARRAY(
  SELECT id FROM messages
  WHERE id = ANY($1) AND state = 'queued' AND claim_id IS NULL AND handed_at IS NULL
  ORDER BY id FOR UPDATE SKIP LOCKED
))
RETURNING id, owner_id, account_id, price, state
"""
_CANCEL_QUEUED = _END_QUEUED.format("canceled")
_EXPIRE_QUEUED = _END_QUEUED.format("failed")
_TRIES = 12
_SECONDS = 2.0  # of all tries


async def until_unlocked(db: Database, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
    """Runs `work`, which calls `cancel`, in a transaction of its own, and again while it meets a lock.

    Raises RateLimited (`account_busy`) after about two seconds; then nothing has changed.
    """
    ends = monotonic() + _SECONDS

    async def once() -> T:
        async with db.transaction() as connection:
            if (left := ends - monotonic()) <= 0:
                raise _busy()
            # It may wait for a chain, and then for an account.
            await connection.execute(f"SET LOCAL lock_timeout = '{max(left * 500, 1):.0f}ms'")
            return await work(connection)

    try:
        return await despite_conflicts(once, _TRIES, or_locks=True)
    except asyncpg.LockNotAvailableError as error:
        raise _busy() from error


def _busy() -> RateLimited:
    return RateLimited(
        "The message or its account is locked by another transaction. Nothing was changed; try again in a moment.",
        code="account_busy",
        headers={"Retry-After": "1"},
    )


async def cancel(db: asyncpg.Connection, account_id: UUID, ids: Sequence[UUID]) -> Sequence[Any]:
    """Cancels those messages of an account that were not handed over, with their refunds. Returns these.

    In the caller's transaction, which is run by `until_unlocked`.
    """
    await ledger.lock(db, [account_id])
    return await _canceled(db, _CANCEL, ids, CANCELED, REASON)


async def cancel_queued(db: asyncpg.Connection, ids: Sequence[UUID], code: str, reason: str) -> Sequence[Any]:
    """Cancels those of the messages that are queued and claimed by no worker, with their refunds. Returns these.

    In the caller's transaction, which has locked their accounts.
    """
    return await _canceled(db, _CANCEL_QUEUED, ids, code, reason)


async def expire_queued(db: asyncpg.Connection, ids: Sequence[UUID], reason: str) -> Sequence[Any]:
    """Fails such messages as `expired`, as a worker would that claims them, with their refunds. Returns these.

    In the caller's transaction, which has locked their accounts.
    """
    return await _canceled(db, _EXPIRE_QUEUED, ids, "expired", reason)


async def _canceled(
    db: asyncpg.Connection, statement: str, ids: Sequence[UUID], code: str, reason: str
) -> Sequence[Any]:
    rows: Sequence[Any] = await db.fetch(statement, [*ids], code, reason)
    await refund(db, [Owed(row["account_id"], row["price"], row["id"]) for row in rows])
    for row in rows:
        change_events.message(row["owner_id"], row["id"], row["state"])
    return rows

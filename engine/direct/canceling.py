"""Cancels direct messages before they are handed over."""

from typing import Any
from uuid import UUID

import asyncpg

from core import change_events
from engine.reports.refunds import Owed, refund

# It takes a message from a worker that has claimed it, too: that worker records its intent by an update of this row, of
# which one of the two comes first, and the other then finds nothing to change.
_CANCEL = """
UPDATE messages SET state = 'canceled', claim_id = NULL, failure_code = 'canceled',
  failure_reason = 'It was canceled before it was handed over.', updated_at = now()
WHERE id = $1 AND direction = 'outbound' AND handed_at IS NULL AND state IN ('queued', 'sending')
RETURNING id, owner_id, account_id, price, state
"""


async def cancel(db: asyncpg.Connection, id: UUID) -> Any:
    """Cancels a message and refunds it, in the caller's transaction. Returns its row, or None if it was handed over."""
    row = await db.fetchrow(_CANCEL, id)
    if row is not None:
        await refund(db, [Owed(row["account_id"], row["price"], message_id=row["id"])])
        change_events.message(row["owner_id"], row["id"], row["state"])
    return row

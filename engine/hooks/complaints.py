"""Complaints of recipients, that a message is spam, as a user's engine reports them: they block the address."""

from dataclasses import dataclass
from uuid import UUID

import asyncpg

from core.storable_text import storable
from engine.blocks import block
from shapes.blocks import BlockReason

# A provider that reuses its numbers means the newest message.
_TO = """
SELECT "to" FROM (
  SELECT "to", handed_at FROM message_records
  WHERE owner_id = $1 AND direction = 'outbound' AND (id = $2 OR provider_message_id = $3)
  UNION ALL
  SELECT "to", handed_at FROM messages
  WHERE owner_id = $1 AND direction = 'outbound' AND (id = $2 OR provider_message_id = $3)
) AS found ORDER BY handed_at DESC NULLS LAST LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint about a message, by Postern's id or the provider's, or else by the recipient's address."""

    message_id: UUID | None
    provider_message_id: str | None
    address: str | None


async def receive(db: asyncpg.Connection, owner_id: UUID, complaint: Complaint) -> bool:
    """Blocks the recipient for all messages of this owner. Returns whether there is one.

    In the caller's transaction. The message keeps its status: it has arrived.
    """
    number = storable(complaint.provider_message_id)
    address = await db.fetchval(_TO, owner_id, complaint.message_id, number) or storable(complaint.address)
    if address is None:
        return False
    await block(db, owner_id, address, BlockReason.complaint)
    return True

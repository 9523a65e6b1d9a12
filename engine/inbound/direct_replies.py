"""Stores replies to direct messages as inbound messages."""

from uuid import UUID

import asyncpg

from core.ids import uuid7
from core.storable_text import storable
from db.address_keys import key_of
from engine.inbound.replies import Reply
from shapes.addresses import address_keys, stored_key
from shapes.messages import MessageChannel

_LONGEST_BODY = 100_000

# The newest direct message that reached this address lately: a reply belongs to its account.
_ANSWERED = f"""
SELECT account_id, channel, "to" FROM messages
WHERE channel = ANY($3) AND {key_of('"to"')} = ANY($2) AND owner_id = $1 AND direction = 'outbound'
  AND state IN ('sending', 'unknown', 'sent', 'delivered') AND handed_at > now() - interval '30 days'
ORDER BY id DESC LIMIT 1
"""  # noqa: S608  our own expression
_KEEP = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", address_key, sender, body, provider,
                      provider_message_id, delivered_at, sent_at)
SELECT $1, $2, $3, 'inbound', $4, 'delivered', $5, $10, $5, $6, $7, $8, now(), LEAST($9, now())
WHERE NOT EXISTS (
  SELECT FROM messages WHERE provider_message_id = $8 AND provider IS NOT DISTINCT FROM $7 AND owner_id = $2
    AND direction = 'inbound'
)
"""


async def receive(db: asyncpg.Connection, owner_id: UUID, incoming: Reply) -> bool:
    """Stores a reply as an inbound message; returns whether it answers a direct message.

    In the caller's transaction.
    """
    channels = [incoming.channel] if incoming.channel else [channel.value for channel in MessageChannel]
    keys = address_keys(storable(address) or "" for address in incoming.addresses)
    answered = await db.fetchrow(_ANSWERED, owner_id, keys, channels)
    if answered is None:
        return False
    if (
        incoming.provider_message_id
    ):  # serializes two concurrent deliveries of one reply: the second finds the first
        await db.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            f"inbound:{owner_id}:{incoming.provider}:{storable(incoming.provider_message_id)}",
        )
    await db.execute(
        _KEEP,
        uuid7(),
        owner_id,
        answered["account_id"],
        answered["channel"],
        answered["to"],
        (storable(incoming.body) or "")[:_LONGEST_BODY],
        incoming.provider,
        storable(incoming.provider_message_id),
        incoming.at,
        stored_key(answered["to"]),
    )
    return True

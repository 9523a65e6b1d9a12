"""Messages that come in become rows of whoever is in conversation with their sender."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import asyncpg
import structlog

from channels.port import Inbound
from db.ids import least_uuid7, uuid7
from schema.types.messages import MessageChannel

log = structlog.get_logger("postern.engine")

# Whose conversation it is: the last one whose message reached that number. When several have written to it
# within a week, nobody can tell whom it answers, and a stranger must not read it: then, and when nobody has,
# it goes to the oldest administrator.
_OWNER = """
WITH reached AS NOT MATERIALIZED (
  SELECT owner_id, account_id, id FROM messages
  WHERE channel = $1 AND "to" = $2 AND direction = 'outbound' AND state IN ('sent', 'delivered')
), last AS (
  SELECT owner_id, account_id FROM reached ORDER BY id DESC LIMIT 1
), lately AS (
  SELECT count(DISTINCT owner_id) AS owners FROM (SELECT owner_id FROM reached WHERE id >= $3 LIMIT 1000) AS few
), operator AS (
  SELECT a.owner_id, a.id AS account_id FROM accounts a JOIN users u ON u.id = a.owner_id
  WHERE 'admin' = ANY(u.roles) AND u.status = 'active' ORDER BY u.id, a.id LIMIT 1
)
SELECT owner_id, account_id FROM last WHERE (SELECT owners FROM lately) <= 1
UNION ALL
SELECT owner_id, account_id FROM operator
LIMIT 1
"""
_LATELY = timedelta(days=7)

_KEEP = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", sender, body, provider,
                      provider_message_id, delivered_at, sent_at)
SELECT $1, $2, $3, 'inbound', $4, 'delivered', $5, $6, $7, $8, $9, now(), COALESCE($10, now())
WHERE NOT EXISTS (
  SELECT FROM messages WHERE provider = $8 AND provider_message_id = $9 AND direction = 'inbound'
)
"""


async def receive(db: asyncpg.Connection, provider: str, texts: Sequence[Inbound]) -> int:
    """Writes them down, each provider's id once. How many were new."""
    new = 0
    for text in texts:
        owner = await db.fetchrow(
            _OWNER, MessageChannel.sms.value, text.sender, least_uuid7(datetime.now(UTC) - _LATELY)
        )
        if owner is None:
            # Nobody has ever written to this number.
            log.warning("a message came in and belongs to nobody: there is no active administrator")
            continue
        async with db.transaction():
            if text.provider_message_id:
                # Two deliveries of one message, at once: the second waits here and then finds the first.
                await db.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                    f"inbound:{provider}:{text.provider_message_id}",
                )
            said = await db.execute(
                _KEEP,
                uuid7(),
                owner["owner_id"],
                owner["account_id"],
                MessageChannel.sms.value,
                text.to,
                text.sender,
                text.body.replace("\x00", ""),
                provider,
                text.provider_message_id,
                text.at,
            )
        new += int(said.rpartition(" ")[2])
    return new

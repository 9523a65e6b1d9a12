"""Marks incoming messages as read, where the account's owner wants that (`autoRead`)."""

from collections.abc import Iterable
from uuid import UUID

import asyncpg

from engine.jobs import enqueue, job
from engine.messengers import call_client
from runtime.services import Services

_NEWEST_UNREAD = """
SELECT c.account_id, c.thread, c.last_item, m.provider_id FROM messenger_chats AS c CROSS JOIN LATERAL (
  SELECT provider_id FROM messenger_messages WHERE chat_id = c.id AND NOT outgoing AND provider_id IS NOT NULL
  ORDER BY at DESC, seq DESC LIMIT 1
) AS m WHERE c.id = $1 AND c.unread > 0
"""
_SET_READ = "UPDATE messenger_chats SET unread = 0, updated_at = now() WHERE id = $1 AND last_item = $2"


async def queue_read(db: asyncpg.Connection, chats: Iterable[UUID]) -> None:
    """Queues the chats, in the transaction that stores the messages."""
    for chat in sorted(chats):
        await enqueue(db, "messengers.read", chat)


@job("messengers.read")
async def mark_read(services: Services, chat_id: UUID) -> None:
    """Marks all messages of the chat as read. If the account is unreachable, the next message triggers it again."""
    row = await services.db.fetchrow(_NEWEST_UNREAD, chat_id)
    if row is not None:
        arguments = {"thread": row["thread"], "provider_id": row["provider_id"]}
        await call_client.ask(services, row["account_id"], "read", arguments, seconds=10)
        await services.db.fetch(_SET_READ, chat_id, row["last_item"])

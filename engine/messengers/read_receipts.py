"""Marks the messages of a chat as read, here and at the messenger."""

from collections.abc import Iterable
from uuid import UUID

import asyncpg

from engine.jobs import JobName, enqueue, job
from engine.messengers import call_client
from runtime.services import Services

_NEWEST_INCOMING = """
SELECT c.account_id, c.thread, m.id AS item, m.provider_id FROM messenger_chats AS c CROSS JOIN LATERAL (
  SELECT id, provider_id FROM messenger_messages
  WHERE chat_id = c.id AND NOT outgoing AND provider_id IS NOT NULL
    AND ($2::uuid IS NULL OR (at, seq) <= (SELECT b.at, b.seq FROM messenger_messages AS b WHERE b.id = $2))
  ORDER BY at DESC, seq DESC LIMIT 1
) AS m WHERE c.id = $1 AND c.unread > 0
"""
# The messages of a transaction that holds the chat's row are visible only to a statement that begins after its commit.
_LOCK_CHAT = "SELECT FROM messenger_chats WHERE id = $1 FOR NO KEY UPDATE"
_SET_READ = """
UPDATE messenger_chats AS c SET updated_at = now(), unread = (
  SELECT count(*) FROM (
    SELECT FROM messenger_messages AS m
    WHERE m.chat_id = c.id AND NOT m.outgoing AND NOT m.past
      AND (m.at, m.seq) > (SELECT b.at, b.seq FROM messenger_messages AS b WHERE b.id = $2)
    LIMIT c.unread
  ) AS later
)
WHERE c.id = $1 AND c.unread > 0
"""


async def queue(db: asyncpg.Connection, chats: Iterable[UUID]) -> None:
    """Queues the chats to be marked as read, in the transaction that stores the messages."""
    for chat in sorted(chats):
        await enqueue(db, JobName.confirm_read, chat)


@job(JobName.confirm_read)
async def confirm_read(services: Services, chat_id: UUID) -> None:
    """Marks all messages of the chat as read. If the account is unreachable, the next message triggers it again."""
    if (item := await acknowledge(services, chat_id)) is not None:
        await set_read(services, chat_id, item)


async def acknowledge(services: Services, chat_id: UUID, up_to: UUID | None = None) -> UUID | None:
    """Tells the messenger that the chat's messages up to this one (None: all) were read. Returns the newest of them
    that came in; None if the chat has no unread messages. Raises as `call_client.ask` does.
    """
    row = await services.db.fetchrow(_NEWEST_INCOMING, chat_id, up_to)
    if row is None:
        return None
    arguments = {"thread": row["thread"], "provider_id": row["provider_id"]}
    await call_client.ask(services, row["account_id"], "read", arguments, seconds=10)
    return UUID(str(row["item"]))


async def set_read(services: Services, chat_id: UUID, up_to: UUID | None) -> None:
    """Stores that the chat's messages up to this one were read. Messages that came in after it stay unread."""
    async with services.db.transaction() as db:
        await db.execute(_LOCK_CHAT, chat_id)
        await db.execute(_SET_READ, chat_id, up_to)

"""Emails that were submitted as a whole: they go out as they came, with one message for each recipient.

    a mail with its messages ── one transaction ──► submitted_mails: its octets, the ids of its messages
    a worker takes a message ──► the mail that the message's metadata name, if it is a mail of that message
    engine/upkeep ──► deletes the mails whose messages have left

A user may send any metadata: only messages that the mail names get its octets.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg

from core.errors import NotFound
from db.query import Reads
from engine.direct.new_messages import ChargedMessage

NAME: Final = "submittedMailId"
"""The key of a message's metadata with the id of its mail."""

_INSERT: Final = "INSERT INTO submitted_mails (id, owner_id, message_ids, content) VALUES ($1, $2, $3, $4)"
_INSERT_SINGLE: Final = """
WITH new AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $5::uuid[], $6::text[], $7::text[])
    AS n (id, owner_id, message_id, content, user_id, operation, key)
), longer AS (
  UPDATE idempotency_keys AS k SET expires_at = now() + $8 FROM new
  WHERE k.user_id = new.user_id AND k.operation = new.operation AND k.key = new.key
)
INSERT INTO submitted_mails (id, owner_id, message_ids, content)
SELECT id, owner_id, ARRAY[message_id], content FROM new
"""
_CONTENT: Final = "SELECT content FROM submitted_mails WHERE id = $1 AND $2 = ANY(message_ids)"


async def store(
    db: asyncpg.Connection, id: UUID, owner_id: UUID, message_ids: Sequence[UUID], content: bytes
) -> None:
    """Stores a mail in the transaction that writes its messages."""
    await db.execute(_INSERT, id, owner_id, message_ids, content)


async def store_single(
    db: asyncpg.Connection, mails: Sequence[tuple[UUID, ChargedMessage, bytes]], lifetime: timedelta
) -> None:
    """Stores mails of one message each in the transaction that has written the messages. `lifetime`: of their
    idempotency keys.
    """
    rows = []
    for id, message, content in mails:
        assert message.attempt is not None
        rows.append((id, message.owner_id, message.id, content, *message.attempt.row[:3]))
    await db.execute(_INSERT_SINGLE, *map(list, zip(*rows, strict=True)), lifetime)


def id_of(metadata: Mapping[str, Any]) -> UUID | None:
    """Returns the id of the mail that a message's metadata name; None: it is a message of another kind."""
    value = metadata.get(NAME)
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None


async def load(db: Reads, message_id: UUID, id: UUID) -> bytes:
    """Returns the octets of a message's mail. Raises NotFound."""
    rows = await db.fetch(_CONTENT, id, message_id)
    if not rows:
        raise NotFound("The mail of this message is not stored any more. Submit it again.")
    content: bytes = rows[0]["content"]
    return content

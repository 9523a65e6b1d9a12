"""Stores incoming messages with the user who is in conversation with their sender."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import asyncpg
import structlog

from channels.port import Inbound
from core.ids import least_uuid7, uuid7
from db.address_keys import key_of
from engine.inbound import replies
from engine.inbound.replies import Reply
from engine.inbound.stop_words import is_start_word, is_stop_word
from shapes.addresses import address_key
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.engine")

# The owner of the conversation: the user whose message reached that number last, directly or from a project. If several
# users have written to it within a week, the reply can't be assigned, and must not be shown to the wrong user: then,
# and when no user has written, it goes to the oldest administrator (`answers` is false).
_REACHED = f"""
WITH reached AS NOT MATERIALIZED (
  SELECT owner_id, account_id, sent_at, id FROM messages
  WHERE channel = $1 AND {key_of('"to"')} = $2 AND direction = 'outbound' AND state IN ('sent', 'delivered')
), projects AS MATERIALIZED (
  SELECT m.owner_id, p.account_id, m.sent_at FROM message_records AS m JOIN sending_projects AS p ON p.id = m.project_id
  WHERE {key_of('m."to"')} = $2 AND m.channel = $1 AND m.direction = 'outbound'
    AND m.status IN ('sent', 'delivered', 'read')
  ORDER BY m.sent_at DESC NULLS LAST LIMIT 1000
), lately AS (
  SELECT DISTINCT owner_id FROM (
    (SELECT owner_id FROM reached WHERE id >= $3 LIMIT 1000)
    UNION ALL
    SELECT owner_id FROM projects WHERE sent_at >= now() - interval '7 days'
  ) AS few
)
"""  # noqa: S608  our own expressions
_OWNER = f"""{_REACHED}, last AS (
  SELECT owner_id, account_id FROM (
    (SELECT owner_id, account_id, sent_at FROM reached ORDER BY id DESC LIMIT 1)
    UNION ALL
    (SELECT owner_id, account_id, sent_at FROM projects LIMIT 1)
  ) AS newest ORDER BY sent_at DESC NULLS LAST LIMIT 1
), operator AS (
  SELECT a.owner_id, a.id AS account_id FROM accounts a JOIN users u ON u.id = a.owner_id
  WHERE 'admin' = ANY(u.roles) AND u.status = 'active' ORDER BY u.id, a.id LIMIT 1
)
SELECT owner_id, account_id, true AS answers FROM last WHERE (SELECT count(*) FROM lately) <= 1
UNION ALL
SELECT owner_id, account_id, false FROM operator
LIMIT 1
"""  # noqa: S608  our own words
_WRITERS = f"{_REACHED} SELECT owner_id FROM lately ORDER BY owner_id"  # noqa: S608  our own words
_LATELY = timedelta(days=7)

_KEEP = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", sender, body, provider,
                      provider_message_id, delivered_at, sent_at)
SELECT $1, $2, $3, 'inbound', $4, 'delivered', $5, $6, $7, $8, $9, now(), COALESCE($10, now())
WHERE NOT EXISTS (
  SELECT FROM messages WHERE provider = $8 AND provider_message_id = $9 AND direction = 'inbound'
)
"""


async def receive(
    db: asyncpg.Connection, provider: str, texts: Sequence[Inbound], stop_words: Sequence[str] = ()
) -> int:
    """Stores incoming messages, each provider's id once; they answer messages of projects too. Returns how many were
    new."""
    new, since = 0, least_uuid7(await db.fetchval("SELECT now() - $1::interval", _LATELY))
    for text in texts:
        asked = (MessageChannel.sms.value, address_key(text.sender), since)
        owner = await db.fetchrow(_OWNER, *asked)
        # A stop word applies to every user who wrote to the number, since it can't be assigned to one. So does its end,
        # which shows no user anything and cancels nothing.
        start = is_start_word(text.body)
        stop = is_stop_word(text.body, stop_words, MessageChannel.sms)
        answers = owner is not None and owner["answers"]
        writers = (
            []
            if answers or not (stop or start)
            else [row["owner_id"] for row in await db.fetch(_WRITERS, *asked)]
        )
        if owner is None and not writers:
            # No user has ever written to this number.
            log.warning("a message came in and belongs to nobody: there is no active administrator")
            continue
        async with db.transaction():
            if owner is not None and not await _keep(db, provider, text, owner):
                continue
            new += 1
            reply = Reply(
                [text.sender],
                text.body,
                MessageChannel.sms.value,
                provider,
                text.provider_message_id,
                text.at,
            )
            for owner_id in [owner["owner_id"]] if answers else writers:
                if answers or stop:
                    await replies.receive(db, owner_id, reply, stop_words)
                else:
                    await replies.undo_stop_word_without_reply(db, owner_id, text.sender)
    return new


async def _keep(db: asyncpg.Connection, provider: str, text: Inbound, owner: Any) -> bool:
    """Stores a message. Returns False if it was stored before."""
    if text.provider_message_id:
        # Two concurrent deliveries of one message: the second waits here and then finds the first.
        await db.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            f"inbound:{provider}:{text.provider_message_id}",
        )
    command_tag: str = await db.execute(
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
    return command_tag == "INSERT 0 1"

"""Writes the rows of messages: new ones, and those of our own messages that the messenger now shows."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from core.ids import uuid7
from core.storable_text import storable
from engine.messengers import message_updates
from engine.messengers.message_updates import MESSAGE_COLUMNS, Key, is_id
from engine.messengers.transaction import ChatTransaction
from messengers.port import Content, Message
from shapes.chats import ChatMessageStatus

MAX_CONTENT = 30  # parts of one message
_MAX_NAME = 256
_MAX_DETAILS = 65_536  # characters of JSON; of more only the names are kept
_MAX_DATA_URL = 90_000  # characters of a data: URL: 64 KiB in base64
# An echo of our own message may have been stored before its item was known. That row is deleted in favor of the row
# that the caller knows.
_ABSORB = """
DELETE FROM messenger_messages AS d
USING unnest($2::uuid[], $3::text[], $4::text[]) AS t (item, thread, provider_id), messenger_messages AS mine
WHERE d.account_id = $1 AND d.thread = t.thread AND d.provider_id = t.provider_id AND d.id <> t.item
  AND mine.id = t.item AND mine.account_id = $1 AND mine.outgoing AND mine.provider_id IS NULL
RETURNING d.id, t.item, d.status, d.reactions::text AS reactions
"""
_ABSORBED = """
WITH t AS (SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS t (gone, item, reactions)), moved AS (
  UPDATE messenger_messages AS m SET reactions = t.reactions::jsonb FROM t WHERE m.id = t.item
)
UPDATE messenger_chats AS c SET last_item = t.item FROM t WHERE c.account_id = $1 AND c.last_item = t.gone
"""
# The messenger shows the message, so it has accepted it, whatever status was stored before.
_ATTACH = f"""
UPDATE messenger_messages AS m SET
  thread = t.thread, provider_id = t.provider_id, chat_id = c.id, at = t.at,
  status = t.status, failure_code = NULL, failure_reason = NULL
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::int[])
  AS t (item, thread, provider_id, status, at, index)
JOIN messenger_chats AS c ON c.account_id = $1 AND c.thread = t.thread
WHERE m.id = t.item AND m.account_id = $1 AND m.outgoing AND m.provider_id IS NULL AND NOT EXISTS (
  SELECT FROM messenger_messages AS o
  WHERE o.account_id = $1 AND o.thread = t.thread AND o.provider_id = t.provider_id
)
RETURNING {MESSAGE_COLUMNS}, t.index, t.at AS reported_at
"""  # noqa: S608  our own columns
_INSERT = """
INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, sender, recipient, name, text,
                                content, reply_to, status, at, past, details)
SELECT m.id, $1, c.id, m.thread, m.provider_id, m.outgoing, m.sender, m.recipient, m.name, m.text,
  m.content::jsonb, m.reply_to, m.status, m.at, m.past, m.details::jsonb
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bool[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::bool[], $15::text[])
  WITH ORDINALITY AS m (id, thread, provider_id, outgoing, sender, recipient, name, text, content, reply_to, status, at,
                        past, details, index)
JOIN messenger_chats AS c ON c.account_id = $1 AND c.thread = m.thread
ORDER BY m.index
ON CONFLICT (account_id, thread, provider_id) WHERE provider_id IS NOT NULL DO NOTHING
RETURNING id
"""
# A history request may have stored the message a moment before it was reported live. It is a new message all the same.
_NOT_HISTORY = f"""
UPDATE messenger_messages AS m SET past = false
FROM unnest($2::text[], $3::text[], $4::int[]) AS t (thread, provider_id, index)
WHERE m.account_id = $1 AND m.thread = t.thread AND m.provider_id = t.provider_id AND m.past
RETURNING {MESSAGE_COLUMNS}, t.index
"""  # noqa: S608  our own columns


async def attach_rows(tx: ChatTransaction, ours: Sequence[tuple[int, Message]]) -> dict[Key, dict[str, Any]]:
    if not ours:
        return {}
    keys = [(message.item, message.thread, message.provider_id) for _, message in ours]
    absorbed = {row["item"]: row for row in await tx.db.fetch(_ABSORB, tx.id, *columns(keys))}
    rows = await tx.db.fetch(
        _ATTACH,
        tx.id,
        *columns(
            (
                message.item,
                message.thread,
                message.provider_id,
                _furthest(message.status, absorbed.get(message.item)),
                message.at,
                index,
            )
            for index, message in ours
        ),
    )
    if absorbed:
        moved = [(row["id"], item, row["reactions"]) for item, row in absorbed.items()]
        await tx.db.execute(_ABSORBED, tx.id, *columns(moved))
    past = {message.item: message.past for _, message in ours}
    return {
        _key(row): {
            **message_updates.decoded(row),
            "past": past[row["id"]],
            # Its echo was published already if it came under an item of its own. A message of ours that appears in
            # history is published.
            "silent": row["id"] in absorbed,
            "merged": True,
        }
        for row in rows
    }


def _key(row: Mapping[str, Any]) -> Key:
    return row["thread"], row["provider_id"]


async def insert_rows(tx: ChatTransaction, new: Sequence[tuple[int, Message]]) -> dict[Key, dict[str, Any]]:
    if not new:
        return {}
    rows = [_row(tx, index, message) for index, message in new]
    inserted_rows = await tx.db.fetch(
        _INSERT,
        tx.id,
        *columns(
            (
                row["id"], row["thread"], row["provider_id"], row["outgoing"], row["sender"], row["recipient"],
                row["name"], row["text"], orjson.dumps(row["content"]).decode(), row["reply_to"], row["status"],
                row["at"], row["past"], None if row["details"] is None else orjson.dumps(row["details"]).decode(),
            )
            for row in rows
        ),
    )  # fmt: skip
    inserted = {inserted_row["id"] for inserted_row in inserted_rows}
    fresh = {_key(row): row for row in rows if row["id"] in inserted}
    repeated = [(*_key(row), row["index"]) for row in rows if not row["past"] and _key(row) not in fresh]
    if repeated:
        from_history = await tx.db.fetch(_NOT_HISTORY, tx.id, *columns(repeated))
        flags = {"past": False, "silent": False, "merged": False, "again": True}
        fresh |= {_key(row): {**message_updates.decoded(row), **flags} for row in from_history}
    return fresh


def _row(tx: ChatTransaction, index: int, message: Message) -> dict[str, Any]:
    status = ChatMessageStatus.delivered
    if message.outgoing:
        status = message.status or ChatMessageStatus.server
    return {
        "id": uuid7(),
        "thread": message.thread,
        "provider_id": message.provider_id,
        "outgoing": message.outgoing,
        "sender": short_name(message.sender),
        "recipient": short_name(message.recipient),
        "name": short_name(message.name),
        "text": (storable(message.text) or "")[: message_updates.MAX_TEXT],
        "content": [_content(file) for file in message.content[:MAX_CONTENT]],
        "reply_to": _id(message.reply_to),
        "details": _storable_details(message.details),
        "status": str(status),
        "failure_code": None,
        "failure_reason": None,
        "record_id": None,
        "at": message.at,
        "kind": message.chat_kind,
        "index": index,
        "past": message.past,
        "silent": message.past,
        "merged": False,
    }


def _id(text: str | None) -> str | None:
    """Returns a quoted message's id if it is a valid id."""
    return text if is_id(text) else None


def _furthest(status: ChatMessageStatus | None, absorbed: Any) -> str:
    """Returns the furthest known status; a message that is reported has reached the server at least."""
    order = list(ChatMessageStatus)[:4]
    if status == ChatMessageStatus.errored:
        return str(status)
    statuses = [
        ChatMessageStatus.server,
        *(ChatMessageStatus(value) for value in (status, absorbed and absorbed["status"]) if value),
    ]
    return str(max((value for value in statuses if value in order), key=order.index))


def _content(file: Content) -> dict[str, Any]:
    """Returns the stored form of a file. `told` is the driver's own URL and is never shown: `chat_bodies.content` makes
    one of our URLs of it."""
    driver_src = file.src if file.src and len(file.src) <= _MAX_DATA_URL and "\x00" not in file.src else None
    return {
        "type": file.kind.value,
        "src": None,
        "told": driver_src,
        "mime": short_name(file.mime),
        "name": short_name(file.name),
        "size": file.size,
    }


def _storable_details(details: Mapping[str, Any] | None) -> Any:
    """Returns the details as the database can hold them, or None if there are none, or too many."""
    if not details:
        return None
    text = orjson.dumps(details).decode().replace("\\u0000", "")
    if len(text) > _MAX_DETAILS:
        text = orjson.dumps(dict.fromkeys(details)).decode()
    return orjson.loads(text)


def short_name(text: str | None) -> str | None:
    """Returns the text cut to the length of a name, or None."""
    return (storable(text) or "")[:_MAX_NAME] or None


def columns(rows: Any) -> list[list[Any]]:
    return list(map(list, zip(*rows, strict=True)))

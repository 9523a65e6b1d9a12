"""Stores what a connected account reports: history, webhook events and project results, in one transaction.

Where the owner wants that (`autoRead`), a job then marks the incoming messages as read (`read_receipts.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import structlog

from core.ids import uuid7
from core.storable_text import storable
from engine.messengers import message_updates, project_links, read_receipts, transaction
from engine.messengers.message_updates import MESSAGE_COLUMNS, Key, Update, is_id
from engine.messengers.project_links import report_statuses
from engine.messengers.transaction import ChatTransaction
from messengers.port import Content, Deletion, Event, Message, Progress, ThreadEvent
from runtime.services import Services
from shapes.chats import ChatMessageStatus

log = structlog.get_logger("postern.messengers")

MAX_CONTENT = 30  # parts of one message
_MAX_NAME = 256
_MAX_DATA_URL = 90_000  # characters of a data: URL: 64 KiB in base64
_SKEW = timedelta(minutes=5)  # how far a messenger's clock may be ahead of ours

_Party = tuple[str | None, str | None, str | None]  # name, phone, user name

_CHATS = """
INSERT INTO messenger_chats (id, account_id, thread, kind, name, phone, username)
SELECT c.id, $1, c.thread, c.kind, c.name, c.phone, c.username
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  AS c (id, thread, kind, name, phone, username)
ON CONFLICT (account_id, thread) DO NOTHING
"""
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
                                content, reply_to, status, at, past)
SELECT m.id, $1, c.id, m.thread, m.provider_id, m.outgoing, m.sender, m.recipient, m.name, m.text,
  m.content::jsonb, m.reply_to, m.status, m.at, m.past
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bool[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::bool[])
  WITH ORDINALITY AS m (id, thread, provider_id, outgoing, sender, recipient, name, text, content, reply_to, status, at,
                        past, index)
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
_TOUCH = """
UPDATE messenger_chats AS c SET
  kind = COALESCE(t.kind, c.kind), name = COALESCE(t.name, c.name), phone = COALESCE(t.phone, c.phone),
  username = COALESCE(t.username, c.username),
  unread = CASE WHEN t.seen THEN 0 ELSE c.unread END + t.unread,
  last_item = CASE WHEN c.last_at > t.last_at THEN c.last_item ELSE t.last_item END,
  last_at = GREATEST(c.last_at, t.last_at), updated_at = now()
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bool[], $9::uuid[],
            $10::timestamptz[]) AS t (thread, kind, name, phone, username, unread, seen, last_item, last_at)
WHERE c.account_id = $1 AND c.thread = t.thread
RETURNING c.id, c.thread, c.kind, c.phone, c.username
"""


async def record(
    services: Services,
    db: asyncpg.Connection,
    account_id: UUID,
    events: Sequence[Event],
) -> list[Mapping[str, Any]]:
    """Stores the events in the caller's transaction, which has made sure that this process still holds the account.

    Idempotent: an event that was recorded before changes nothing and is not published again. Returns what is to be
    published to subscribers after the commit: `{kind: message|status|reaction|edit|deletion, item, thread,
    outgoing}`,
    and `status`. May lose a deadlock against a project's reports (`runtime.database_errors.retryable`); the caller then
    tries again.
    """
    deleted = {index: event for index, event in enumerate(events) if isinstance(event, Deletion)}
    storable_events = [event for event in events if not isinstance(event, Deletion) and _storable(event)]
    if not (storable_events or deleted) or (tx := await transaction.begin(services, db, account_id)) is None:
        return []
    if storable_events:
        await _record(tx, await message_updates.fold_parts(tx, storable_events))
    await message_updates.apply_deletions(tx, deleted)
    return await tx.end()


async def _record(tx: ChatTransaction, events: Sequence[ThreadEvent]) -> None:
    messages = _messages(tx, events)
    fresh = await _write(tx, messages)
    await message_updates.apply_edits(
        tx,
        {
            index: event
            for index, event in enumerate(events)
            if isinstance(event, Message) and event.edited_at
        },
    )
    updates = [Update(index, event) for index, event in enumerate(events) if not isinstance(event, Message)]
    updates += _repeated_statuses(messages, fresh)
    updates = [
        *await message_updates.take_early(tx, {key: row["index"] for key, row in fresh.items()}),
        *updates,
    ]
    reported = [row for row in fresh.values() if not row["silent"]]
    quoted_keys = [(row["thread"], row["reply_to"]) for row in reported if row["reply_to"]]
    stored = await message_updates.stored_messages(
        tx, list(dict.fromkeys([*(update.key for update in updates), *quoted_keys]))
    )
    for row in reported:
        quoted = stored.get((row["thread"], row["reply_to"]))
        tx.message(row["index"], row, row["kind"], quoted and quoted["id"])
        if row["merged"]:
            tx.status(row["index"], row, row["kind"], row["at"])
    await report_statuses(tx, [row for row in fresh.values() if row["merged"]])
    await message_updates.apply_updates(tx, updates, stored)
    incoming = [row for row in reported if not row["outgoing"]]
    await project_links.receive_replies(tx, [row for row in incoming if row["kind"] == "user"])
    if tx.settings.auto_read:
        await read_receipts.queue(tx.db, {row["chat_id"] for row in incoming})


async def attach(
    tx: ChatTransaction,
    item: UUID,
    thread: str,
    provider_id: str,
    status: ChatMessageStatus,
    at: datetime,
    to: str,
) -> Any:
    """Stores the messenger's answer to a sent message in its row, and publishes it like any other message.

    Returns None if it was attached before. The caller ends the transaction.
    """
    recipient = to if to.startswith(("+", "@")) else None  # a thread does not name its recipient
    message = Message(provider_id, thread, True, at, recipient=recipient, status=status, item=item)
    if not _storable(message):
        log.warning("a messenger's id is too long", account=str(tx.id))
        return None
    fresh = await _write(tx, {(thread, provider_id): (0, message)}, only_ours=True)
    row = next((row for row in fresh.values() if row["merged"]), None)
    if row is None:
        return None
    key = (thread, provider_id)
    updates = await message_updates.take_early(tx, {key: 0})
    quoted_keys = [(thread, row["reply_to"])] if row["reply_to"] else []
    stored = await message_updates.stored_messages(tx, [key, *quoted_keys])
    quoted = stored.get(quoted_keys[0]) if quoted_keys else None
    if not row["silent"]:
        tx.message(0, row, row["kind"], quoted and quoted["id"])
    tx.status(0, row, row["kind"], at)
    await message_updates.apply_updates(tx, updates, stored)
    return row


def _storable(event: ThreadEvent) -> bool:
    """Returns whether an index can hold the event's ids. Other events are dropped."""
    return is_id(event.thread) and is_id(event.provider_id)


def _messages(tx: ChatTransaction, events: Sequence[ThreadEvent]) -> dict[Key, tuple[int, Message]]:
    """Returns each message once, in order, merged from all events that report it."""
    messages: dict[Key, tuple[int, Message]] = {}
    for index, event in enumerate(events):
        if not isinstance(event, Message):
            continue
        key = event.thread, event.provider_id
        # Editing an old message does not make it a new one.
        old = event.past or event.edited_at is not None
        if key not in messages:
            messages[key] = (index, replace(event, past=old))
            continue
        first, before = messages[key]
        messages[key] = (first, replace(before, item=before.item or event.item, past=before.past and old))
    # History is reported newest first. Messages of one second keep that order by `seq`.
    history = [entry for entry in messages.values() if entry[1].past]
    if len(history) > 1 and history[0][1].at > history[-1][1].at:
        history.reverse()
        current = [entry for entry in messages.values() if not entry[1].past]
        messages = {(entry[1].thread, entry[1].provider_id): entry for entry in [*history, *current]}
    latest = tx.now + _SKEW
    return {
        key: (index, message if message.at <= latest else replace(message, at=tx.now))
        for key, (index, message) in messages.items()
    }


async def _write(
    tx: ChatTransaction, messages: Mapping[Key, tuple[int, Message]], *, only_ours: bool = False
) -> dict[Key, dict[str, Any]]:
    """Returns the rows that were not known before, or only from history (`again`).

    A row has the columns of the table, `index`, `past`, the chat's `kind`, `silent` where no event is published, and
    `merged` where a row of our own was matched to its message. `only_ours`: nothing else is written.
    """
    if not messages:
        return {}
    chats: dict[str, _Party] = {}
    for _, message in messages.values():
        chats[message.thread] = _other_party(message, chats.get(message.thread, (None, None, None)))
    kinds = {message.thread: message.chat_kind for _, message in messages.values()}
    await tx.db.execute(
        _CHATS,
        tx.id,
        *_columns((uuid7(), thread, kinds[thread], *party) for thread, party in chats.items()),
    )
    fresh = await _attach(tx, [entry for entry in messages.values() if entry[1].item and entry[1].outgoing])
    if not only_ours:
        rest = [entry for key, entry in messages.items() if key not in fresh]
        fresh |= await _insert(tx, rest)
    await _touch(tx, chats, {} if only_ours else kinds, fresh)
    return dict(sorted(fresh.items(), key=lambda entry: int(entry[1]["index"])))


async def _attach(tx: ChatTransaction, ours: Sequence[tuple[int, Message]]) -> dict[Key, dict[str, Any]]:
    if not ours:
        return {}
    keys = [(message.item, message.thread, message.provider_id) for _, message in ours]
    absorbed = {row["item"]: row for row in await tx.db.fetch(_ABSORB, tx.id, *_columns(keys))}
    rows = await tx.db.fetch(
        _ATTACH,
        tx.id,
        *_columns(
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
        await tx.db.execute(_ABSORBED, tx.id, *_columns(moved))
    past = {message.item: message.past for _, message in ours}
    return {
        _key(row): {
            **_decoded(row),
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


def _decoded(row: Any) -> dict[str, Any]:
    return {**dict(row), "content": orjson.loads(row["content"])}


async def _insert(tx: ChatTransaction, new: Sequence[tuple[int, Message]]) -> dict[Key, dict[str, Any]]:
    if not new:
        return {}
    rows = [_row(tx, index, message) for index, message in new]
    inserted_rows = await tx.db.fetch(
        _INSERT,
        tx.id,
        *_columns(
            (
                row["id"], row["thread"], row["provider_id"], row["outgoing"], row["sender"], row["recipient"],
                row["name"], row["text"], orjson.dumps(row["content"]).decode(), row["reply_to"], row["status"],
                row["at"], row["past"],
            )
            for row in rows
        ),
    )  # fmt: skip
    inserted = {inserted_row["id"] for inserted_row in inserted_rows}
    fresh = {_key(row): row for row in rows if row["id"] in inserted}
    repeated = [(*_key(row), row["index"]) for row in rows if not row["past"] and _key(row) not in fresh]
    if repeated:
        from_history = await tx.db.fetch(_NOT_HISTORY, tx.id, *_columns(repeated))
        flags = {"past": False, "silent": False, "merged": False, "again": True}
        fresh |= {_key(row): {**_decoded(row), **flags} for row in from_history}
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
        "sender": _name(message.sender),
        "recipient": _name(message.recipient),
        "name": _name(message.name),
        "text": (storable(message.text) or "")[: message_updates.MAX_TEXT],
        "content": [_content(file) for file in message.content[:MAX_CONTENT]],
        "reply_to": _id(message.reply_to),
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


async def _touch(
    tx: ChatTransaction,
    chats: Mapping[str, _Party],
    kinds: Mapping[str, str],
    fresh: Mapping[Key, dict[str, Any]],
) -> None:
    """Updates the chats of new messages. An own message marks everything before it as seen."""
    changes: dict[str, list[Any]] = {}  # thread → unread, seen, newest row
    for row in sorted(fresh.values(), key=lambda row: int(row["index"])):
        chat = changes.setdefault(row["thread"], [0, False, row])
        if not row["past"]:
            chat[:2] = (0, True) if row["outgoing"] else (chat[0] + 1, chat[1])
        if row["at"] >= chat[2]["at"]:
            chat[2] = row
    if not changes:
        return
    rows = await tx.db.fetch(
        _TOUCH,
        tx.id,
        *_columns(
            (
                thread,
                kinds.get(thread),
                *chats[thread],
                unread,
                seen,
                newest["id"],
                newest["at"],
            )
            for thread, (unread, seen, newest) in changes.items()
        ),
    )
    chat_rows = {row["thread"]: row for row in rows}
    for row in fresh.values():
        chat = chat_rows[row["thread"]]
        row.update(
            chat_id=chat["id"], kind=chat["kind"], chat_phone=chat["phone"], chat_username=chat["username"]
        )


def _repeated_statuses(messages: Mapping[Key, tuple[int, Message]], fresh: Mapping[Key, Any]) -> list[Update]:
    """Returns the statuses of own messages that are reported again."""
    return [
        Update(index, Progress(message.thread, message.provider_id, message.status))
        for key, (index, message) in messages.items()
        if message.outgoing and message.status is not None and (key not in fresh or "again" in fresh[key])
    ]


def _other_party(message: Message, before: _Party) -> _Party:
    """Returns name, phone and user name of the other side, as far as the messages name them.

    Of a group only its name.
    """
    if message.chat_kind != "user":
        return _name(message.chat_name) or before[0], None, None
    name = _name(message.chat_name) or (None if message.outgoing else _name(message.name))
    phone, username = project_links.phone_and_username(
        message.recipient if message.outgoing else message.sender
    )
    return name or before[0], phone or before[1], username or before[2]


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
        "mime": _name(file.mime),
        "name": _name(file.name),
        "size": file.size,
    }


def _name(text: str | None) -> str | None:
    """Returns the text cut to the length of a name, or None."""
    return (storable(text) or "")[:_MAX_NAME] or None


def _columns(rows: Any) -> list[list[Any]]:
    return list(map(list, zip(*rows, strict=True)))

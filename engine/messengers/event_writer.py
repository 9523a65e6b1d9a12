"""Stores the reports of a connected account: history, webhook events and project results, in one transaction.

Where the owner wants that (`autoRead`), a job then marks the incoming messages as read (`read_receipts.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from core.ids import uuid7
from engine.messengers import (
    message_parts,
    message_updates,
    project_links,
    read_receipts,
    transaction,
    user_names,
)
from engine.messengers.message_rows import (
    attach_rows,
    columns,
    insert_rows,
    short_name,
)
from engine.messengers.message_updates import Key, Update, is_id
from engine.messengers.project_links import report_statuses
from engine.messengers.transaction import ChatTransaction
from messengers.port import Deletion, Event, Message, Progress, ThreadEvent
from runtime.services import Services
from shapes.chats import ChatMessageStatus

log = structlog.get_logger("postern.messengers")

_SKEW = timedelta(minutes=5)  # how far a messenger's clock may be ahead of ours

_Party = tuple[str | None, str | None, str | None]  # name, phone, user name

_CHATS = """
INSERT INTO messenger_chats (id, account_id, thread, kind, name, phone, username)
SELECT c.id, $1, c.thread, c.kind, c.name, c.phone, c.username
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  AS c (id, thread, kind, name, phone, username)
ON CONFLICT (account_id, thread) DO NOTHING
"""
_TOUCH = """
UPDATE messenger_chats AS c SET
  kind = COALESCE(t.kind, c.kind), name = COALESCE(t.name, c.name), phone = COALESCE(t.phone, c.phone),
  username = COALESCE(t.username, c.username),
  unread = CASE WHEN t.seen THEN 0 ELSE c.unread END + t.unread,
  closed_at = CASE WHEN t.came THEN NULL ELSE c.closed_at END,
  last_item = CASE WHEN c.last_at > t.last_at THEN c.last_item ELSE t.last_item END,
  last_at = GREATEST(c.last_at, t.last_at), last_incoming_at = GREATEST(c.last_incoming_at, t.incoming_at),
  updated_at = now()
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bool[], $9::bool[],
            $10::uuid[], $11::timestamptz[], $12::timestamptz[])
  AS t (thread, kind, name, phone, username, unread, seen, came, last_item, last_at, incoming_at)
WHERE c.account_id = $1 AND c.thread = t.thread
RETURNING c.id, c.thread, c.kind, c.phone, c.username, c.user_id
"""


# A phone that is reported with another id belongs to another person now, who has not the user name of the first.
_JOIN = """
UPDATE messenger_chats AS c SET phone = COALESCE(t.phone, c.phone), user_id = COALESCE(t.user_id, c.user_id),
  username = CASE WHEN t.user_id <> c.user_id THEN t.username ELSE COALESCE(t.username, c.username) END,
  updated_at = now()
FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS t (thread, phone, username, user_id)
WHERE c.account_id = $1 AND c.thread = t.thread AND c.kind = 'user'
  AND (t.phone <> COALESCE(c.phone, '') OR t.username <> COALESCE(c.username, '')
    OR t.user_id <> COALESCE(c.user_id, ''))
"""


async def record(
    services: Services,
    db: asyncpg.Connection,
    account_id: UUID,
    events: Sequence[Event],
) -> list[Mapping[str, Any]]:
    """Stores the events in the caller's transaction, which has made sure that this process still holds the account.

    Idempotent: an event that was recorded before changes nothing and is not published again. Returns the changes that
    subscribers get after the commit: `{kind: message|status|reaction|edit|deletion, item, thread, outgoing}`, and
    `status`. May lose a deadlock against a project's reports (`runtime.database_errors.retryable`); the caller then
    tries again.
    """
    deleted = {index: event for index, event in enumerate(events) if isinstance(event, Deletion)}
    storable_events = [event for event in events if not isinstance(event, Deletion) and _storable(event)]
    if not (storable_events or deleted) or (tx := await transaction.begin(services, db, account_id)) is None:
        return []
    if storable_events:
        await _record(tx, await message_parts.fold_parts(tx, storable_events))
    await message_updates.apply_deletions(tx, deleted)
    return await tx.end()


async def _record(tx: ChatTransaction, events: Sequence[ThreadEvent]) -> None:
    messages = _messages(tx, events)
    fresh = await _write(tx, messages)
    await _join(tx, events, fresh)
    await user_names.take(tx, events)
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
        *await message_updates.pop_early(tx, {key: row["index"] for key, row in fresh.items()}),
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


async def _join(
    tx: ChatTransaction, events: Sequence[ThreadEvent], fresh: Mapping[Key, dict[str, Any]]
) -> None:
    """Notes which ids the messenger names together, in the chats with these people and in their new rows."""
    ids: dict[str, project_links.Ids] = {}
    for event in events:
        if isinstance(event, Message | Progress) and event.aliases:
            ids[event.thread] = project_links.ids_of(event.aliases).or_else(ids.get(event.thread))
    if not ids:
        return
    await tx.db.execute(_JOIN, tx.id, *columns((thread, *each) for thread, each in sorted(ids.items())))
    for row in fresh.values():
        each = ids.get(row["thread"])
        if each is not None:
            pairs = zip(("chat_phone", "chat_username", "chat_user_id"), each, strict=True)
            row.update({column: id for column, id in pairs if id is not None})


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
    updates = await message_updates.pop_early(tx, {key: 0})
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
        *columns((uuid7(), thread, kinds[thread], *party) for thread, party in chats.items()),
    )
    fresh = await attach_rows(
        tx, [entry for entry in messages.values() if entry[1].item and entry[1].outgoing]
    )
    if not only_ours:
        rest = [entry for key, entry in messages.items() if key not in fresh]
        fresh |= await insert_rows(tx, rest)
    await _touch(tx, chats, {} if only_ours else kinds, fresh)
    return dict(sorted(fresh.items(), key=lambda entry: int(entry[1]["index"])))


async def _touch(
    tx: ChatTransaction,
    chats: Mapping[str, _Party],
    kinds: Mapping[str, str],
    fresh: Mapping[Key, dict[str, Any]],
) -> None:
    """Updates the chats of new messages. An own message marks everything before it as seen, and one that comes in opens
    a closed chat again.
    """
    changes: dict[str, list[Any]] = {}  # thread → unread, seen, newest row
    came = {row["thread"] for row in fresh.values() if not (row["past"] or row["outgoing"])}
    incoming_at: dict[str, datetime] = {}
    for row in sorted(fresh.values(), key=lambda row: int(row["index"])):
        if not row["outgoing"]:
            incoming_at[row["thread"]] = max(row["at"], incoming_at.get(row["thread"], row["at"]))
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
        *columns(
            (
                thread,
                kinds.get(thread),
                *chats[thread],
                unread,
                seen,
                thread in came,
                newest["id"],
                newest["at"],
                incoming_at.get(thread),
            )
            for thread, (unread, seen, newest) in changes.items()
        ),
    )
    chat_rows = {row["thread"]: row for row in rows}
    for row in fresh.values():
        chat = chat_rows[row["thread"]]
        row.update(
            chat_id=chat["id"], kind=chat["kind"], chat_phone=chat["phone"], chat_username=chat["username"],
            chat_user_id=chat["user_id"],
        )  # fmt: skip


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
        return short_name(message.chat_name) or before[0], None, None
    name = short_name(message.chat_name) or (None if message.outgoing else short_name(message.name))
    phone, username = project_links.phone_and_username(
        message.recipient if message.outgoing else message.sender
    )
    return name or before[0], phone or before[1], username or before[2]

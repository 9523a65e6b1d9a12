"""Stores what a live account reports: history, webhook events and project results, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import structlog

from core.ids import uuid7
from engine.messengers import auto_read, deletions, parts, project_replies, statuses, transaction
from engine.messengers.statuses import SHOWN, Key, Step, is_id
from engine.messengers.transaction import Writing
from engine.project_receipts import storable
from messengers.port import Content, Deletion, Event, Message, Progress, ThreadEvent
from runtime.services import Services
from shapes.chats import ChatMessageStatus

log = structlog.get_logger("postern.messengers")

LONGEST_TEXT = 100_000
MOST_CONTENT = 30  # parts of one message
_LONGEST_NAME = 256
_LONGEST_DATA = 90_000  # characters of a data: URL: 64 KiB in base64
_SKEW = timedelta(minutes=5)  # how far a messenger's clock may be ahead of ours

_Who = tuple[str | None, str | None, str | None]  # name, phone, user name

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
  AS t (item, thread, provider_id, status, at, place)
JOIN messenger_chats AS c ON c.account_id = $1 AND c.thread = t.thread
WHERE m.id = t.item AND m.account_id = $1 AND m.outgoing AND m.provider_id IS NULL AND NOT EXISTS (
  SELECT FROM messenger_messages AS o
  WHERE o.account_id = $1 AND o.thread = t.thread AND o.provider_id = t.provider_id
)
RETURNING {SHOWN}, t.place, t.at AS told_at
"""  # noqa: S608  our own columns
_INSERT = """
INSERT INTO messenger_messages (id, account_id, chat_id, thread, provider_id, outgoing, sender, recipient, name, text,
                                content, reply_to, status, at, past)
SELECT m.id, $1, c.id, m.thread, m.provider_id, m.outgoing, m.sender, m.recipient, m.name, m.text,
  m.content::jsonb, m.reply_to, m.status, m.at, m.past
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bool[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::bool[])
  WITH ORDINALITY AS m (id, thread, provider_id, outgoing, sender, recipient, name, text, content, reply_to, status, at,
                        past, place)
JOIN messenger_chats AS c ON c.account_id = $1 AND c.thread = m.thread
ORDER BY m.place
ON CONFLICT (account_id, thread, provider_id) WHERE provider_id IS NOT NULL DO NOTHING
RETURNING id
"""
# A history request may have stored the message a moment before it was reported live. It is a new message all the same.
_CAME = f"""
UPDATE messenger_messages AS m SET past = false
FROM unnest($2::text[], $3::text[], $4::int[]) AS t (thread, provider_id, place)
WHERE m.account_id = $1 AND m.thread = t.thread AND m.provider_id = t.provider_id AND m.past
RETURNING {SHOWN}, t.place
"""  # noqa: S608  our own columns
# Stores an edited text. A reader who was told the old text queries the item again.
_EDIT = """
UPDATE messenger_messages AS m SET text = t.text, edited_at = t.edited_at
FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS t (thread, provider_id, text, edited_at)
WHERE m.account_id = $1 AND m.thread = t.thread AND m.provider_id = t.provider_id
  AND m.deleted_at IS NULL AND (m.edited_at IS NULL OR m.edited_at < t.edited_at)
"""
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
    published to subscribers after the commit: `{kind: message|status|reaction|deletion, item, thread, outgoing}`,
    and `status`. May lose a deadlock against a project's reports (`runtime.database_errors.retryable`); the caller then
    tries again.
    """
    deleted = {place: event for place, event in enumerate(events) if isinstance(event, Deletion)}
    kept = [event for event in events if not isinstance(event, Deletion) and _storable(event)]
    if not (kept or deleted) or (open := await transaction.begin(services, db, account_id)) is None:
        return []
    if kept:
        await _record(open, await parts.folded(open, kept))
    await deletions.apply(open, deleted)
    return await open.end()


async def _record(open: Writing, events: Sequence[ThreadEvent]) -> None:
    messages = _messages(open, events)
    fresh = await _write(open, messages)
    await _edit(open, [event for event in events if isinstance(event, Message) and event.edited_at])
    steps = [Step(place, event) for place, event in enumerate(events) if not isinstance(event, Message)]
    steps += _again(messages, fresh)
    steps = [*await statuses.early(open, {key: row["place"] for key, row in fresh.items()}), *steps]
    told = [row for row in fresh.values() if not row["quiet"]]
    answered = [(row["thread"], row["reply_to"]) for row in told if row["reply_to"]]
    known = await statuses.known(open, list(dict.fromkeys([*(step.key for step in steps), *answered])))
    for row in told:
        asked = known.get((row["thread"], row["reply_to"]))
        open.message(row["place"], row, row["kind"], asked and asked["id"])
        if row["merged"]:
            open.status(row["place"], row, row["kind"], row["at"])
    await statuses.tell_projects(open, [row for row in fresh.values() if row["merged"]])
    await statuses.apply(open, steps, known)
    came = [row for row in told if not row["outgoing"]]
    await project_replies.take(open, [row for row in came if row["kind"] == "user"])
    if open.config.auto_read:
        await auto_read.later(open.db, {row["chat_id"] for row in came})


async def attach(
    open: Writing, item: UUID, thread: str, provider_id: str, status: ChatMessageStatus, at: datetime, to: str
) -> Any:
    """Stores the messenger's answer to a sent message in its row, and publishes it like any other message.

    Returns None if it was attached before. Runs in the transaction of `open`; the caller ends it.
    """
    named = to if to.startswith(("+", "@")) else None  # a thread does not name its recipient
    message = Message(provider_id, thread, True, at, recipient=named, status=status, item=item)
    if not _storable(message):
        log.warning("a messenger's id is too long", account=str(open.id))
        return None
    fresh = await _write(open, {(thread, provider_id): (0, message)}, only_ours=True)
    row = next((row for row in fresh.values() if row["merged"]), None)
    if row is None:
        return None
    key = (thread, provider_id)
    steps = await statuses.early(open, {key: 0})
    asked = [(thread, row["reply_to"])] if row["reply_to"] else []
    known = await statuses.known(open, [key, *asked])
    replied = known.get(asked[0]) if asked else None
    if not row["quiet"]:
        open.message(0, row, row["kind"], replied and replied["id"])
    open.status(0, row, row["kind"], at)
    await statuses.apply(open, steps, known)
    return row


def _storable(event: ThreadEvent) -> bool:
    """Returns whether an index can hold the event's ids. Other events are dropped."""
    return is_id(event.thread) and is_id(event.provider_id)


def _messages(open: Writing, events: Sequence[ThreadEvent]) -> dict[Key, tuple[int, Message]]:
    """Returns each message once, in order, merged from all events that report it."""
    found: dict[Key, tuple[int, Message]] = {}
    for place, event in enumerate(events):
        if not isinstance(event, Message):
            continue
        key = event.thread, event.provider_id
        # Editing an old message does not make it a new one.
        old = event.past or event.edited_at is not None
        if key not in found:
            found[key] = (place, replace(event, past=old))
            continue
        first, before = found[key]
        found[key] = (first, replace(before, item=before.item or event.item, past=before.past and old))
    # History is reported newest first. Messages of one second keep that order by `seq`.
    past = [one for one in found.values() if one[1].past]
    if len(past) > 1 and past[0][1].at > past[-1][1].at:
        past.reverse()
        live = [one for one in found.values() if not one[1].past]
        found = {(one[1].thread, one[1].provider_id): one for one in [*past, *live]}
    latest = open.now + _SKEW
    return {
        key: (place, message if message.at <= latest else replace(message, at=open.now))
        for key, (place, message) in found.items()
    }


async def _write(
    open: Writing, messages: Mapping[Key, tuple[int, Message]], *, only_ours: bool = False
) -> dict[Key, dict[str, Any]]:
    """Returns the rows that were not known before, or only from history (`again`).

    A row has the columns of the table, `place`, `past`, the chat's `kind`, `quiet` where no event is published, and
    `merged` where a row of our own was matched to its message. `only_ours`: nothing else is written.
    """
    if not messages:
        return {}
    chats: dict[str, _Who] = {}
    for _, message in messages.values():
        chats[message.thread] = _who(message, chats.get(message.thread, (None, None, None)))
    kinds = {message.thread: message.chat_kind for _, message in messages.values()}
    await open.db.execute(
        _CHATS,
        open.id,
        *_columns((uuid7(), thread, kinds[thread], *who) for thread, who in chats.items()),
    )
    fresh = await _attach(open, [one for one in messages.values() if one[1].item and one[1].outgoing])
    if not only_ours:
        rest = [one for key, one in messages.items() if key not in fresh]
        fresh |= await _insert(open, rest)
    await _touch(open, chats, {} if only_ours else kinds, fresh)
    return dict(sorted(fresh.items(), key=lambda one: int(one[1]["place"])))


async def _attach(open: Writing, ours: Sequence[tuple[int, Message]]) -> dict[Key, dict[str, Any]]:
    if not ours:
        return {}
    named = [(one.item, one.thread, one.provider_id) for _, one in ours]
    gone = {row["item"]: row for row in await open.db.fetch(_ABSORB, open.id, *_columns(named))}
    rows = await open.db.fetch(
        _ATTACH,
        open.id,
        *_columns(
            (one.item, one.thread, one.provider_id, _furthest(one.status, gone.get(one.item)), one.at, place)
            for place, one in ours
        ),
    )
    if gone:
        moved = [(row["id"], item, row["reactions"]) for item, row in gone.items()]
        await open.db.execute(_ABSORBED, open.id, *_columns(moved))
    past = {one.item: one.past for _, one in ours}
    return {
        _key(row): {
            **_shown(row),
            "past": past[row["id"]],
            # Its echo was published already if it came under an item of its own. A message of ours that appears in
            # history is published.
            "quiet": row["id"] in gone,
            "merged": True,
        }
        for row in rows
    }


def _key(row: Mapping[str, Any]) -> Key:
    return row["thread"], row["provider_id"]


def _shown(row: Any) -> dict[str, Any]:
    return {**dict(row), "content": orjson.loads(row["content"])}


async def _insert(open: Writing, new: Sequence[tuple[int, Message]]) -> dict[Key, dict[str, Any]]:
    if not new:
        return {}
    rows = [_row(open, place, message) for place, message in new]
    done = await open.db.fetch(
        _INSERT,
        open.id,
        *_columns(
            (
                row["id"], row["thread"], row["provider_id"], row["outgoing"], row["sender"], row["recipient"],
                row["name"], row["text"], orjson.dumps(row["content"]).decode(), row["reply_to"], row["status"],
                row["at"], row["past"],
            )
            for row in rows
        ),
    )  # fmt: skip
    made = {one["id"] for one in done}
    fresh = {_key(row): row for row in rows if row["id"] in made}
    seen = [(*_key(row), row["place"]) for row in rows if not row["past"] and _key(row) not in fresh]
    if seen:
        came = await open.db.fetch(_CAME, open.id, *_columns(seen))
        live = {"past": False, "quiet": False, "merged": False, "again": True}
        fresh |= {_key(row): {**_shown(row), **live} for row in came}
    return fresh


def _row(open: Writing, place: int, message: Message) -> dict[str, Any]:
    said = ChatMessageStatus.delivered
    if message.outgoing:
        said = message.status or ChatMessageStatus.server
    return {
        "id": uuid7(),
        "thread": message.thread,
        "provider_id": message.provider_id,
        "outgoing": message.outgoing,
        "sender": _line(message.sender),
        "recipient": _line(message.recipient),
        "name": _line(message.name),
        "text": (storable(message.text) or "")[:LONGEST_TEXT],
        "content": [_content(one) for one in message.content[:MOST_CONTENT]],
        "reply_to": _id(message.reply_to),
        "status": str(said),
        "failure_code": None,
        "failure_reason": None,
        "record_id": None,
        "at": message.at,
        "kind": message.chat_kind,
        "place": place,
        "past": message.past,
        "quiet": message.past,
        "merged": False,
    }


async def _edit(open: Writing, edited: Sequence[Message]) -> None:
    """Stores the newest text of each edited message."""
    last: dict[Key, Message] = {}
    for one in sorted(edited, key=lambda one: one.edited_at or one.at):
        last[one.thread, one.provider_id] = one
    if last:
        rows = [
            (one.thread, one.provider_id, (storable(one.text) or "")[:LONGEST_TEXT], one.edited_at)
            for one in last.values()
        ]
        await open.db.execute(_EDIT, open.id, *_columns(rows))


def _id(text: str | None) -> str | None:
    """Returns a quoted message's id if it is a valid id."""
    return text if is_id(text) else None


async def _touch(
    open: Writing, chats: Mapping[str, _Who], kinds: Mapping[str, str], fresh: Mapping[Key, dict[str, Any]]
) -> None:
    """Updates the chats of new messages. An own message marks everything before it as seen."""
    news: dict[str, list[Any]] = {}  # thread → unread, seen, newest row
    for row in sorted(fresh.values(), key=lambda row: int(row["place"])):
        chat = news.setdefault(row["thread"], [0, False, row])
        if not row["past"]:
            chat[:2] = (0, True) if row["outgoing"] else (chat[0] + 1, chat[1])
        if row["at"] >= chat[2]["at"]:
            chat[2] = row
    if not news:
        return
    done = await open.db.fetch(
        _TOUCH,
        open.id,
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
            for thread, (unread, seen, newest) in news.items()
        ),
    )
    known = {row["thread"]: row for row in done}
    for row in fresh.values():
        chat = known[row["thread"]]
        row.update(
            chat_id=chat["id"], kind=chat["kind"], chat_phone=chat["phone"], chat_username=chat["username"]
        )


def _again(messages: Mapping[Key, tuple[int, Message]], fresh: Mapping[Key, Any]) -> list[Step]:
    """Returns the statuses of own messages that are reported again."""
    return [
        Step(place, Progress(message.thread, message.provider_id, message.status))
        for key, (place, message) in messages.items()
        if message.outgoing and message.status is not None and (key not in fresh or "again" in fresh[key])
    ]


def _who(message: Message, before: _Who) -> _Who:
    """Returns name, phone and user name of the other side, as far as the messages name them.

    Of a group only its name.
    """
    if message.chat_kind != "user":
        return _line(message.chat_name) or before[0], None, None
    name = _line(message.chat_name) or (None if message.outgoing else _line(message.name))
    phone, username = project_replies.other_side(message.recipient if message.outgoing else message.sender)
    return name or before[0], phone or before[1], username or before[2]


def _furthest(status: ChatMessageStatus | None, gone: Any) -> str:
    """Returns the furthest known status; a message that is reported has reached the server at least."""
    order = list(ChatMessageStatus)[:4]
    if status == ChatMessageStatus.errored:
        return str(status)
    said = [
        ChatMessageStatus.server,
        *(ChatMessageStatus(one) for one in (status, gone and gone["status"]) if one),
    ]
    return str(max((one for one in said if one in order), key=order.index))


def _content(one: Content) -> dict[str, Any]:
    """Returns the stored form of a file. `told` is the driver's own URL; it is never shown: `bodies.content` makes one
    of our URLs of it."""
    told = one.src if one.src and len(one.src) <= _LONGEST_DATA and "\x00" not in one.src else None
    return {
        "type": one.kind.value,
        "src": None,
        "told": told,
        "mime": _line(one.mime),
        "name": _line(one.name),
        "size": one.size,
    }


def _line(text: str | None) -> str | None:
    """Returns the text cut to the length of a name, or None."""
    return (storable(text) or "")[:_LONGEST_NAME] or None


def _columns(rows: Any) -> list[list[Any]]:
    return list(map(list, zip(*rows, strict=True)))

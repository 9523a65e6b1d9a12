"""Updates stored messages: delivery statuses, reactions, edits and deletions.

Statuses only move forward. An event about an unknown message is early: it is stored in `messenger_early` (`MAX_EARLY`
per account, 72 hours) and applied when the message comes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
import structlog

from core.storable_text import storable
from engine.messengers.project_links import REPORTED, report_statuses
from engine.messengers.transaction import ChatTransaction
from engine.reports.report import RANKS, stored_reason
from messengers.port import Deletion, Message, Progress, Reaction
from shapes.chats import ChatMessageStatus

log = structlog.get_logger("postern.messengers")

MAX_TEXT = 100_000  # characters of a message
MAX_EARLY = 10_000
"""The most early events that are kept for one account."""

_MAX_REACTIONS = 1000  # senders whose reaction to one message is kept
_MAX_EMOJI = 64
MAX_ID = 512
"""The longest id of a messenger, of a thread too, in characters; longer texts are no ids."""

Key = tuple[str, str]  # thread, provider_id

_BY_RANK = {RANKS[reported]: status for status, reported in REPORTED.items()}
_RANK_OF_STORED = " ".join(
    f"WHEN '{status}' THEN {rank}" for rank, status in _BY_RANK.items() if status != "errored"
)


@dataclass(frozen=True, slots=True)
class Update:
    """An event, and its `index` among the events reported with it."""

    index: int
    event: Progress | Reaction

    @property
    def key(self) -> Key:
        return self.event.thread, self.event.provider_id


MESSAGE_COLUMNS = """
m.id, m.thread, m.provider_id, m.outgoing, m.sender, m.recipient, m.name, m.text, m.content::text AS content,
m.details::text AS details, m.reply_to, m.status, m.failure_code, m.failure_reason, m.record_id, m.at, m.seq,
(SELECT c.kind FROM messenger_chats AS c WHERE c.id = m.chat_id) AS kind
"""

# An up-to event covers the outgoing messages before it, in the order of the chat. Of several such events of a chat, and
# of several events about one message, the furthest counts.
_ADVANCE = f"""
WITH reported AS (
  SELECT s.rank, s.up_to, s.at, s.code, s.reason, s.index, m.id, m.chat_id, m.outgoing, m.at AS sent, m.seq
  FROM unnest($2::text[], $3::text[], $4::int[], $5::bool[], $6::timestamptz[], $7::text[], $8::text[], $9::int[])
    AS s (thread, provider_id, rank, up_to, at, code, reason, index)
  JOIN messenger_messages AS m ON m.account_id = $1 AND m.thread = s.thread AND m.provider_id = s.provider_id
), read_up_to AS (
  SELECT DISTINCT ON (chat_id, rank) chat_id, rank, sent, seq, at, index FROM reported
  WHERE up_to ORDER BY chat_id, rank, sent DESC, seq DESC
), affected AS (
  SELECT id, rank, at, code, reason, index FROM reported WHERE outgoing
  UNION ALL
  SELECT o.id, k.rank, k.at, NULL, NULL, k.index FROM read_up_to AS k JOIN messenger_messages AS o
    ON o.chat_id = k.chat_id AND (o.at, o.seq) < (k.sent, k.seq)
  WHERE o.outgoing AND o.provider_id IS NOT NULL AND o.status IN ('server', 'delivered')
), furthest AS (
  SELECT DISTINCT ON (id) id, rank, at, code, reason, index FROM affected ORDER BY id, rank DESC, index
)
UPDATE messenger_messages AS m SET
  status = (ARRAY[{", ".join(f"'{_BY_RANK[rank]}'" for rank in sorted(_BY_RANK))}])[t.rank],
  failure_code = CASE WHEN t.rank = {RANKS["failed"]} THEN COALESCE(t.code, 'rejected') END,
  failure_reason = CASE WHEN t.rank = {RANKS["failed"]} THEN t.reason END
FROM furthest AS t WHERE m.id = t.id AND t.rank > CASE m.status WHEN 'pending' THEN 0 {_RANK_OF_STORED} ELSE 5 END
RETURNING {MESSAGE_COLUMNS}, t.at AS reported_at, t.index
"""  # noqa: S608  our own columns

_BY_KEY = """
SELECT m.id, m.thread, m.provider_id, m.outgoing, m.sender, m.recipient, m.reactions::text AS reactions, c.kind
FROM unnest($2::text[], $3::text[]) AS k (thread, provider_id)
JOIN messenger_messages AS m ON m.account_id = $1 AND m.thread = k.thread AND m.provider_id = k.provider_id
LEFT JOIN messenger_chats AS c ON c.id = m.chat_id
"""
_SET_REACTIONS = """
UPDATE messenger_messages AS m SET reactions = r.reactions::jsonb
FROM unnest($1::uuid[], $2::text[]) AS r (id, reactions) WHERE m.id = r.id
"""

# An early event that is reported again is kept once.
_KEEP_EARLY = """
INSERT INTO messenger_early (account_id, thread, provider_id, event)
SELECT $1, e.thread, e.provider_id, e.event::jsonb
FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS e (thread, provider_id, event, index)
WHERE NOT EXISTS (
  SELECT FROM messenger_early AS k WHERE k.account_id = $1 AND k.thread = e.thread AND k.provider_id = e.provider_id
    AND k.event = e.event::jsonb
)
ORDER BY e.index
"""
# A status can arrive before its message. Keep it; evict the oldest when full.
_TOO_MANY = (
    "SELECT count(*) > $2 FROM (SELECT FROM messenger_early WHERE account_id = $1 LIMIT $2 + 1) AS few"
)
_TRIM = """
DELETE FROM messenger_early WHERE id IN (
  SELECT id FROM messenger_early WHERE account_id = $1 ORDER BY id DESC OFFSET $2
)
"""
_POP_EARLY = """
WITH gone AS (
  DELETE FROM messenger_early AS e USING unnest($2::text[], $3::text[]) AS k (thread, provider_id)
  WHERE e.account_id = $1 AND e.thread = k.thread AND e.provider_id = k.provider_id
  RETURNING e.id, e.thread, e.provider_id, e.event::text AS event
)
SELECT thread, provider_id, event FROM gone ORDER BY id
"""
_DELETE = f"""
UPDATE messenger_messages AS m SET deleted_at = now(), text = '', content = '[]', details = NULL, reactions = '{{}}'
FROM unnest($2::text[], $3::text[], $4::bool[], $5::text[], $6::int[])
  AS d (thread, provider_id, outgoing, sender, index)
WHERE m.account_id = $1 AND m.thread = d.thread AND m.provider_id = d.provider_id AND m.deleted_at IS NULL
  AND (d.outgoing IS NULL OR m.outgoing = d.outgoing) AND (d.sender IS NULL OR m.sender = d.sender)
RETURNING {MESSAGE_COLUMNS}, d.index
"""  # noqa: S608  our own columns
# The length is the condition of ix_messenger_messages_short_id. Longer ids are globally unique, and come with their
# thread.
_DELETE_ANYWHERE = f"""
UPDATE messenger_messages AS m SET deleted_at = now(), text = '', content = '[]', details = NULL, reactions = '{{}}'
FROM unnest($2::text[], $3::text[], $4::int[]) AS d (apart, provider_id, index)
WHERE m.account_id = $1 AND m.provider_id = d.provider_id AND length(m.provider_id) <= 10
  AND m.deleted_at IS NULL AND (d.apart IS NULL OR m.thread !~ d.apart)
RETURNING {MESSAGE_COLUMNS}, d.index
"""  # noqa: S608  our own columns
# Messengers report edits that leave the text as it was: a link got its preview, say.
_EDIT = f"""
WITH before AS (
  SELECT DISTINCT o.id, o.text FROM unnest($2::text[], $3::text[]) AS k (thread, provider_id)
  JOIN messenger_messages AS o ON o.account_id = $1 AND o.thread = k.thread AND o.provider_id = k.provider_id
)
UPDATE messenger_messages AS m SET text = t.text, edited_at = t.edited_at
FROM before, unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bool[], $7::text[], $8::int[])
  AS t (thread, provider_id, text, edited_at, outgoing, edited_by, index)
WHERE m.account_id = $1 AND m.thread = t.thread AND m.provider_id = t.provider_id AND before.id = m.id
  AND m.outgoing = t.outgoing AND (t.edited_by IS NULL OR m.sender = t.edited_by) -- people edit their own messages
  AND m.deleted_at IS NULL AND (m.edited_at IS NULL OR m.edited_at < t.edited_at)
RETURNING {MESSAGE_COLUMNS}, m.edited_at, before.text <> m.text AND NOT m.past AS changed, t.index
"""  # noqa: S608  our own columns


def decoded(row: Any) -> dict[str, Any]:
    """Returns a row of `MESSAGE_COLUMNS` with its JSON read."""
    details = row["details"]
    return {
        **dict(row),
        "content": orjson.loads(row["content"]),
        "details": None if details is None else orjson.loads(details),
    }


def is_id(text: str | None) -> bool:
    """Returns whether an index can hold the text."""
    return text is not None and 0 < len(text) <= MAX_ID and storable(text) == text


async def stored_messages(tx: ChatTransaction, keys: Sequence[Key]) -> dict[Key, Any]:
    """Returns the stored messages among the keys, by thread and provider's id."""
    if not keys:
        return {}
    rows = await tx.db.fetch(_BY_KEY, tx.id, *map(list, zip(*keys, strict=True)))
    return {(row["thread"], row["provider_id"]): row for row in rows}


async def apply_updates(tx: ChatTransaction, updates: Sequence[Update], rows: dict[Key, Any]) -> None:
    """Applies the events to their messages, and keeps the early ones. `rows`: as `stored_messages` returns them."""
    early = [update for update in updates if update.key not in rows]
    applicable = [update for update in updates if update.key in rows]
    for steps in _in_steps([update for update in applicable if isinstance(update.event, Progress)]):
        await _advance(tx, steps)
    await _react(tx, [update for update in applicable if isinstance(update.event, Reaction)], rows)
    await _keep_early(tx, early)


async def pop_early(tx: ChatTransaction, indexes: dict[Key, int]) -> list[Update]:
    """Removes and returns the early events of these messages."""
    if not indexes:
        return []
    rows = await tx.db.fetch(_POP_EARLY, tx.id, *map(list, zip(*indexes, strict=True)))
    return [
        Update(
            indexes[row["thread"], row["provider_id"]],
            _event_from_json(row["thread"], row["provider_id"], orjson.loads(row["event"])),
        )
        for row in rows
    ]


def _in_steps(updates: Sequence[Update]) -> tuple[list[Update], list[Update]]:
    """Splits statuses, so that a message that was delivered and then seen has both changes, not only the last."""
    seen = ChatMessageStatus.has_seen
    first_seen: dict[str, int] = {}
    for update in updates:
        if isinstance(update.event, Progress) and update.event.status is seen:
            thread = update.event.thread
            first_seen[thread] = min(update.index, first_seen.get(thread, update.index))
    before: list[Update] = []
    after: list[Update] = []
    for update in updates:
        is_seen = isinstance(update.event, Progress) and update.event.status is seen
        is_late = update.index > first_seen.get(update.event.thread, update.index)
        (after if is_seen or is_late else before).append(update)
    return before, after


async def _advance(tx: ChatTransaction, updates: Sequence[Update]) -> None:
    columns = [
        (
            event.thread,
            event.provider_id,
            RANKS[REPORTED[event.status]],
            event.up_to,
            event.at,
            storable(event.code),
            stored_reason(event.reason),
            update.index,
        )
        for update in updates
        if isinstance(event := update.event, Progress) and event.status is not ChatMessageStatus.pending
    ]
    if not columns:
        return
    rows = await tx.db.fetch(_ADVANCE, tx.id, *map(list, zip(*columns, strict=True)))
    rows.sort(key=lambda row: (row["index"], row["at"], row["seq"]))
    for row in rows:
        tx.status(row["index"], row, row["kind"] or "user", row["reported_at"])
    await report_statuses(tx, rows)


async def _react(tx: ChatTransaction, updates: Sequence[Update], rows: dict[Key, Any]) -> None:
    """Stores reactions; the newest of each sender counts."""
    changed: dict[UUID, dict[str, Any]] = {}
    for update in updates:
        event, row = update.event, rows[update.key]
        assert isinstance(event, Reaction)
        reactions = changed.get(row["id"])
        if reactions is None:
            reactions = orjson.loads(row["reactions"])
        sender, emoji = storable(event.sender) or "", (storable(event.emoji) or "")[:_MAX_EMOJI] or None
        before = reactions.get(sender)
        if before is None and (emoji is None or len(reactions) >= _MAX_REACTIONS):
            continue
        if before is not None and (
            before["emoji"] == emoji or datetime.fromisoformat(before["at"]) > event.at
        ):
            continue
        reactions[sender] = {"emoji": emoji, "at": event.at.isoformat()}
        changed[row["id"]] = reactions
        tx.reaction(update.index, row, row["kind"] or "user", sender, emoji, event.at, event.outgoing)
    if changed:
        await tx.db.execute(
            _SET_REACTIONS,
            list(changed),
            [orjson.dumps(reactions).decode() for reactions in changed.values()],
        )


async def _keep_early(tx: ChatTransaction, updates: Sequence[Update]) -> None:
    rows = {(*update.key, orjson.dumps(_event_as_json(update.event)).decode()): None for update in updates}
    if rows:
        columns = map(list, zip(*rows, strict=True))
        await tx.db.execute(_KEEP_EARLY, tx.id, *columns)
        if await tx.db.fetchval(_TOO_MANY, tx.id, MAX_EARLY):
            await tx.db.execute(_TRIM, tx.id, MAX_EARLY)
            log.warning("too many events are about messages that never come", account=str(tx.id))


def _event_as_json(event: Progress | Reaction) -> dict[str, Any]:
    if isinstance(event, Reaction):
        return {
            "sender": storable(event.sender),
            "emoji": storable(event.emoji),
            "at": event.at,
            "outgoing": event.outgoing,
        }
    return {
        "status": event.status,
        "up_to": event.up_to,
        "at": event.at,
        "code": storable(event.code),
        "reason": storable(event.reason),
    }


def _event_from_json(thread: str, provider_id: str, stored: dict[str, Any]) -> Progress | Reaction:
    at = datetime.fromisoformat(stored["at"]) if stored["at"] else None
    if "emoji" in stored:
        assert at is not None
        return Reaction(thread, provider_id, stored["sender"], stored["emoji"], at, stored["outgoing"])
    status = ChatMessageStatus(stored["status"])
    return Progress(thread, provider_id, status, stored["up_to"], at, stored["code"], stored["reason"])


async def apply_deletions(tx: ChatTransaction, deletions: Mapping[int, Deletion]) -> None:
    """Applies deletions, keyed by their index among the events. An unknown or already deleted message causes no event.

    Of a message of ours that the messenger stores as several, the first one counts.
    """
    valid = {index: deletion for index, deletion in deletions.items() if is_id(deletion.provider_id)}
    rows = []
    if in_thread := [
        (deletion.thread, deletion.provider_id, deletion.outgoing, storable(deletion.sender), index)
        for index, deletion in valid.items()
        if deletion.thread is not None
    ]:
        rows += await tx.db.fetch(_DELETE, tx.id, *map(list, zip(*in_thread, strict=True)))
    if anywhere := [
        (deletion.apart, deletion.provider_id, index)
        for index, deletion in valid.items()
        if deletion.thread is None
    ]:
        rows += await tx.db.fetch(_DELETE_ANYWHERE, tx.id, *map(list, zip(*anywhere, strict=True)))
    for row in rows:
        tx.deletion(row["index"], row, row["kind"] or "user")


async def apply_edits(tx: ChatTransaction, edited: Mapping[int, Message]) -> None:
    """Stores the newest text of each edited message. `edited`: by their index among the events.

    An edit of a message that was unknown, or is known from history alone, causes no event.
    """
    last: dict[tuple[str, str, bool, str | None], tuple[int, Message]] = {}
    for index, message in sorted(edited.items(), key=lambda entry: entry[1].edited_at or entry[1].at):
        claim = message.thread, message.provider_id, message.outgoing, message.edited_by
        last[claim] = (index, message)  # the last of each sender: another sender's changes nothing
    if not last:
        return
    columns = [
        (
            message.thread,
            message.provider_id,
            (storable(message.text) or "")[:MAX_TEXT],
            message.edited_at,
            message.outgoing,
            storable(message.edited_by),
            index,
        )
        for index, message in last.values()
    ]
    for row in await tx.db.fetch(_EDIT, tx.id, *map(list, zip(*columns, strict=True))):
        if row["changed"]:
            tx.edit(row["index"], decoded(row), row["kind"] or "user")

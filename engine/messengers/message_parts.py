"""Messages of ours that a messenger stores as several, such as a text with two pictures.

The item is the first of them. The later parts are no messages of their own: their ids are stored in `messenger_parts`,
and an event about a part counts as one about the item.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from engine.messengers.message_updates import (
    Key,
    Update,
    apply_updates,
    is_id,
    pop_early,
    stored_messages,
)
from engine.messengers.transaction import ChatTransaction
from messengers.port import Message, ThreadEvent

_PARTS = """
SELECT p.thread, p.provider_id, m.provider_id AS first
FROM unnest($2::text[], $3::text[]) AS k (thread, provider_id)
JOIN messenger_parts AS p ON p.account_id = $1 AND p.thread = k.thread AND p.provider_id = k.provider_id
JOIN messenger_messages AS m ON m.id = p.message_id
"""
# A repeated request for the item may come from another process; the parts that are stored stay.
_KEEP_PARTS = """
INSERT INTO messenger_parts (account_id, thread, provider_id, message_id)
SELECT $1, $2, p.provider_id, m.id FROM messenger_messages AS m, unnest($3::text[]) AS p (provider_id)
WHERE m.id = $4 AND m.account_id = $1 AND m.provider_id <> p.provider_id
ON CONFLICT DO NOTHING
"""
# A part reported without its item, after a crash, was stored as a message from another device. It is removed.
_REMOVE_PART_MESSAGES = """
WITH gone AS (
  DELETE FROM messenger_messages AS m USING messenger_parts AS p
  WHERE p.account_id = $1 AND p.message_id = $2
    AND m.account_id = $1 AND m.thread = p.thread AND m.provider_id = p.provider_id AND m.id <> $2
  RETURNING m.id
)
UPDATE messenger_chats AS c SET last_item = $2 FROM gone WHERE c.account_id = $1 AND c.last_item = gone.id
"""


async def keep_parts(tx: ChatTransaction, item: UUID, thread: str, first: str, ids: Sequence[str]) -> None:
    """Stores the ids of the later parts. The caller ends the transaction."""
    ids = [id for id in ids if is_id(id)]
    if not ids:
        return
    await tx.db.execute(_KEEP_PARTS, tx.id, thread, ids, item)
    await tx.db.execute(_REMOVE_PART_MESSAGES, tx.id, item)
    early_updates = await pop_early(tx, {(thread, id): 0 for id in ids})
    updates = [Update(update.index, replace(update.event, provider_id=first)) for update in early_updates]
    if updates:
        await apply_updates(tx, updates, await stored_messages(tx, [(thread, first)]))


async def fold_parts(tx: ChatTransaction, events: Sequence[ThreadEvent]) -> list[ThreadEvent]:
    """Returns the events without later parts of known messages; an event about a part becomes one about its message."""
    keys = {(event.thread, event.provider_id) for event in events}
    replies = [event for event in events if isinstance(event, Message) and is_id(event.reply_to)]
    keys |= {(event.thread, event.reply_to or "") for event in replies}
    rows = await tx.db.fetch(_PARTS, tx.id, *map(list, zip(*sorted(keys), strict=True)))
    if not rows:
        return list(events)
    firsts: dict[Key, str] = {(row["thread"], row["provider_id"]): row["first"] for row in rows}
    return [folded_event for event in events if (folded_event := _fold(event, firsts)) is not None]


def _fold(event: ThreadEvent, firsts: Mapping[Key, str]) -> ThreadEvent | None:
    first = firsts.get((event.thread, event.provider_id))
    if isinstance(event, Message):
        if first is not None:
            return None
        replied = firsts.get((event.thread, event.reply_to or ""))
        return event if replied is None else replace(event, reply_to=replied)
    return event if first is None else replace(event, provider_id=first)

"""A user name that changes hands: the chat of the person who has it now takes it from the chat of the former one."""

from collections.abc import Sequence

from engine.messengers.project_links import phone_and_username
from engine.messengers.transaction import ChatTransaction
from messengers.port import Message, Progress, ThreadEvent

# A row of one's own that has a common phone or user id is of the same person. Where two accounts of an owner differ,
# the name stays with both chats, and leads to no other id of a person (postern_name_is_shared).
_TAKE = """
UPDATE messenger_chats AS c SET username = NULL, updated_at = now()
FROM unnest($2::text[], $3::text[]) AS t (name, thread)
JOIN messenger_chats AS n ON n.account_id = $1 AND n.thread = t.thread AND n.kind = 'user'
  AND lower(n.username) = t.name
WHERE c.account_id = $1 AND c.kind = 'user' AND lower(c.username) = t.name AND c.id <> n.id
  AND (c.phone = n.phone OR c.user_id = n.user_id) IS NOT TRUE
RETURNING '@' || t.name AS key, c.phone, c.user_id, n.phone AS new_phone, n.user_id AS new_user_id
"""
# A stop word of the former person came to the name from that person's own ids, which stay blocked.
_FREE = """
DELETE FROM blocked_phones AS b USING unnest($2::text[], $3::text[], $4::text[]) AS t (key, phone, user_id)
WHERE b.owner_id = $1 AND COALESCE(b.address_key, b.phone) = t.key AND b.reason_before IS NULL
  AND b.reason <> 'complaint' AND EXISTS (
    SELECT FROM blocked_phones AS own WHERE own.owner_id = $1 AND own.stopped_at = b.stopped_at
      AND COALESCE(own.address_key, own.phone) IN (t.phone, t.user_id))
"""
_WAIT = "SELECT postern_lock_blocks($1, '{}')"  # for a writer of thousands of the owner's blocks
_SPREAD = "SELECT postern_spread_blocks($1, $2::text[])"


async def take(tx: ChatTransaction, events: Sequence[ThreadEvent]) -> None:
    """Takes the user names that live events bring away from chats of other people in the same account."""
    threads: dict[str, str] = {}  # the newest thread of each name, in lower case
    for event in events:
        for name in _names(event):
            threads[name.lower()] = event.thread
    if not threads:
        return
    rows = await tx.db.fetch(_TAKE, tx.id, [*threads], [*threads.values()])
    if not rows:
        return
    owner = tx.account["owner_id"]
    keys, phones, user_ids = ([row[column] for row in rows] for column in ("key", "phone", "user_id"))
    await tx.db.execute(_WAIT, owner)
    await tx.db.execute(_FREE, owner, keys, phones, user_ids)
    new = {row[column] for row in rows for column in ("new_phone", "new_user_id")}
    await tx.db.execute(_SPREAD, owner, sorted(key for key in new if key is not None))


def _names(event: ThreadEvent) -> list[str]:
    if not isinstance(event, Message | Progress):
        return []
    addresses = [*event.aliases]
    if isinstance(event, Message):
        if event.past or event.chat_kind != "user":
            return []
        if not event.outgoing and event.sender is not None:
            addresses.append(event.sender)
    return [name for address in addresses if (name := phone_and_username(address)[1]) is not None]

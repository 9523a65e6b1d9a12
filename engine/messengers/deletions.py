"""Messages that were deleted at the messenger. The row stays, without its content."""

from collections.abc import Mapping

from engine.messengers.message_updates import MESSAGE_COLUMNS, is_id
from engine.messengers.transaction import ChatTransaction
from messengers.port import Deletion

_DELETE = f"""
UPDATE messenger_messages AS m SET deleted_at = now(), text = '', content = '[]', reactions = '{{}}'
FROM unnest($2::text[], $3::text[], $4::int[]) AS d (thread, provider_id, index)
WHERE m.account_id = $1 AND m.thread = d.thread AND m.provider_id = d.provider_id AND m.deleted_at IS NULL
RETURNING {MESSAGE_COLUMNS}, d.index
"""  # noqa: S608  our own columns
# The length is the condition of ix_messenger_messages_short_id. Longer ids are globally unique, and come with their
# thread.
_DELETE_ANYWHERE = f"""
UPDATE messenger_messages AS m SET deleted_at = now(), text = '', content = '[]', reactions = '{{}}'
FROM unnest($2::text[], $3::text[], $4::int[]) AS d (apart, provider_id, index)
WHERE m.account_id = $1 AND m.provider_id = d.provider_id AND length(m.provider_id) <= 10
  AND m.deleted_at IS NULL AND (d.apart IS NULL OR m.thread !~ d.apart)
RETURNING {MESSAGE_COLUMNS}, d.index
"""  # noqa: S608  our own columns


async def apply_deletions(tx: ChatTransaction, deletions: Mapping[int, Deletion]) -> None:
    """Applies deletions, keyed by their index among the events. An unknown or already deleted message causes no event.

    Of a message of ours that the messenger stores as several, the first one counts.
    """
    valid = {index: deletion for index, deletion in deletions.items() if is_id(deletion.provider_id)}
    rows = []
    if in_thread := [
        (deletion.thread, deletion.provider_id, index)
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

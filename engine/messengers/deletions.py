"""Messages that were deleted at the messenger. The row stays, without its content."""

from collections.abc import Mapping

from engine.messengers.statuses import SHOWN, is_id
from engine.messengers.transaction import Writing
from messengers.port import Deletion

_LEFT = f"""
UPDATE messenger_messages AS m SET deleted_at = now(), text = '', content = '[]', reactions = '{{}}'
FROM unnest($2::text[], $3::text[], $4::int[]) AS d (thread, provider_id, place)
WHERE m.account_id = $1 AND m.thread = d.thread AND m.provider_id = d.provider_id AND m.deleted_at IS NULL
RETURNING {SHOWN}, d.place
"""  # noqa: S608  our own columns
# The length is the condition of ix_messenger_messages_short_id. Longer ids are globally unique, and come with their
# thread.
_LEFT_ANYWHERE = f"""
UPDATE messenger_messages AS m SET deleted_at = now(), text = '', content = '[]', reactions = '{{}}'
FROM unnest($2::text[], $3::text[], $4::int[]) AS d (apart, provider_id, place)
WHERE m.account_id = $1 AND m.provider_id = d.provider_id AND length(m.provider_id) <= 10
  AND m.deleted_at IS NULL AND (d.apart IS NULL OR m.thread !~ d.apart)
RETURNING {SHOWN}, d.place
"""  # noqa: S608  our own columns


async def apply(open: Writing, deletions: Mapping[int, Deletion]) -> None:
    """Applies deletions, keyed by their place among the events. An unknown or already deleted message causes no event.

    Of a message of ours that the messenger stores as several, the first one counts.
    """
    named = {place: one for place, one in deletions.items() if is_id(one.provider_id)}
    rows = []
    if there := [
        (one.thread, one.provider_id, place) for place, one in named.items() if one.thread is not None
    ]:
        rows += await open.db.fetch(_LEFT, open.id, *map(list, zip(*there, strict=True)))
    if anywhere := [
        (one.apart, one.provider_id, place) for place, one in named.items() if one.thread is None
    ]:
        rows += await open.db.fetch(_LEFT_ANYWHERE, open.id, *map(list, zip(*anywhere, strict=True)))
    for row in rows:
        open.deletion(row["place"], row, row["kind"] or "user")

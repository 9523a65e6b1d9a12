"""Stores what Meta says of an account itself: events of the feed, restrictions, and who wants no marketing messages."""

from typing import Any, Final
from uuid import UUID

import asyncpg
import orjson

from core.storable_text import storable
from engine import blocks
from engine.messengers import restrictions
from messengers.whatsapp_cloud.values import Notice, Preference
from shapes.addresses import address_keys
from shapes.blocks import BlockReason, BlockScope

_EVENT: Final = """
INSERT INTO event_inbox (owner_id, type, subject, subject_id, data)
SELECT a.owner_id, $2, 'messengerAccount', a.id, jsonb_build_object('uuid', a.id, 'source', a.source, 'login', a.login,
  'name', a.name) || $3::text::jsonb
FROM messenger_accounts AS a WHERE a.id = $1
  AND EXISTS (SELECT FROM event_feeds AS f WHERE f.owner_id = a.owner_id AND f.recording)
"""
# A text that is a stop word stops everything, and only a text takes it back.
_MARKETING: Final = f"""
SELECT {blocks.KEY} AS key FROM blocked_phones
WHERE owner_id = $1 AND {blocks.KEY} = ANY($2) AND scope = 'promotional' AND stopped_at IS NOT NULL
"""  # noqa: S608  our own expression
_LONGEST: Final = 16_384  # characters of the JSON of a notice


async def record(
    db: asyncpg.Connection, account_id: UUID, owner_id: UUID, notice: Notice | Preference
) -> None:
    """Stores it in the caller's transaction."""
    if isinstance(notice, Preference):
        await _prefer(db, owner_id, notice)
        type = "marketing.stopped" if notice.stops else "marketing.resumed"
    else:
        type = notice.type
        if notice.restricted_until is not None:
            await restrictions.restrict(db, account_id, _RESTRICTED, notice.restricted_until)
    await db.execute(_EVENT, account_id, type, _as_json(notice.data))


_RESTRICTED: Final = "Meta does not let this account write to people first, until the time that it has named."


async def _prefer(db: asyncpg.Connection, owner_id: UUID, notice: Preference) -> None:
    """Blocks the person for promotional messages, as a stop word would, or takes that back."""
    addresses = [storable(alias) or "" for alias in notice.aliases]
    if notice.stops:
        each = [(owner_id, address, BlockReason.optOut) for address in addresses]
        await blocks.block_each(db, each, BlockScope.promotional, by_stop_word=True)
        return
    rows = await db.fetch(_MARKETING, owner_id, address_keys(addresses))
    await blocks.undo_stop_word(db, owner_id, [row["key"] for row in rows])


def _as_json(data: Any) -> str:
    text = orjson.dumps(data).decode().replace("\\u0000", "")
    return text if len(text) <= _LONGEST else "{}"

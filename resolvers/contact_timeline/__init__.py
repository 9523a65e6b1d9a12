"""The timeline of a contact: single messages, messages of projects and chats in one list, newest first.

Each entry has a position, a UUID that begins with its time as a UUIDv7 does: that of a single message is its id, which
an index has in order. The others of a person are few, and are sorted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from db.lists import MOST_COUNTED_EACH, Conditions, Counting, CursorPage, PageArgs
from db.lists.cursor import read_cursor
from db.lists.filters import selected
from engine.contacts import history
from resolvers.contacts.contact_rows import row_of
from runtime.operation import Op, operation
from runtime.permissions import Permission, allowed
from shapes.contact_timeline import PREVIEW, TimelineEntry, TimelineKind


def _position(id: str, at: str) -> str:
    """Returns the SQL of a UUIDv7 of this time whose other digits are those of an id."""
    hex = f"lpad(to_hex((extract(epoch FROM {at}) * 1000)::bigint), 12, '0')"
    return f"overlay({id}::text PLACING left({hex}, 8) || '-' || right({hex}, 4) || '-7' FROM 1 FOR 15)::uuid"


_KINDS = {
    TimelineKind.message: f"""
SELECT m.id AS position, 'message' AS kind, m.id AS object_uuid, m.created_at AS at, m.channel, m."to" AS address,
  m.direction, m.status, left(m.body, {PREVIEW}) AS text, NULL::uuid AS project_uuid, NULL::uuid AS account_uuid
FROM messages AS m WHERE m.id = ANY({history.ids_of(history.MESSAGES, "$1")}) AND NOT m.trial AND m.chain_id IS NULL
""",  # noqa: S608  our own words
    TimelineKind.record: f"""
SELECT {_position("m.id", "m.queued_at")}, 'record', m.id, m.queued_at, m.channel, m."to", m.direction, m.status,
  CASE WHEN m.direction = 'inbound' THEN left(m.body, {PREVIEW}) END, m.project_id, NULL::uuid
FROM message_records AS m WHERE m.id = ANY({history.ids_of(history.RECORDS, "$1")})
""",  # noqa: S608  our own words
    TimelineKind.chat: f"""
SELECT {_position("h.id", "h.last_at")}, 'chat', h.id, h.last_at, s.source, COALESCE(h.phone, '@' || h.username), NULL,
  NULL, NULL, NULL::uuid, h.account_id
FROM messenger_chats AS h JOIN messenger_accounts AS s ON s.id = h.account_id AND s.deleted_at IS NULL
WHERE h.id = ANY({history.ids_of(history.CHATS, "$1")})
""",  # noqa: S608  our own words
}
_NAME = "contact_timeline"
_PERMISSIONS = {
    TimelineKind.message: Permission.messages_read,
    TimelineKind.record: Permission.recipients_read,
    TimelineKind.chat: Permission.messengers_read,
}


@dataclass(slots=True)
class Entry:
    """An entry of a timeline, with its position in the list."""

    position: UUID
    kind: TimelineKind
    object_uuid: UUID
    at: Any
    channel: str
    address: str | None
    direction: str | None
    status: str | None
    text: str | None
    project_uuid: UUID | None
    account_uuid: UUID | None


@operation(Permission.contacts_read, "read")
async def page(op: Op, contact: UUID, page_args: PageArgs, where: Conditions) -> CursorPage[TimelineEntry]:
    """Lists single messages to a contact, messages of projects, replies to these, and chats, newest first, found by the
    contact's addresses. Kinds that you may not read are left out. Raises NotFound, ValidationFailed, BadRequest.
    """
    page_args.check()
    await row_of(op, contact)
    asked = selected(where, "kind", TimelineKind) if where else [*TimelineKind]
    kinds = tuple(kind for kind in TimelineKind if kind in asked and allowed(op.viewer, _PERMISSIONS[kind]))
    after, before = (
        read_cursor(cursor, _NAME, [UUID])[0] if cursor is not None else None
        for cursor in (page_args.after, page_args.before)
    )
    if ascending := page_args.descending is False:
        after, before = before, after
    up = page_args.backwards != ascending
    rows: Sequence[Any] = []
    if kinds:
        rows = await op.db.fetch(_page(kinds, up), contact, after, before, page_args.limit + 1)

    async def count() -> Mapping[None, int]:
        return {None: await op.db.fetchval(_count(kinds), contact) if kinds else 0}

    return _as_page(page_args, [Entry(**dict(row)) for row in rows], Counting(count))


def _as_page(page_args: PageArgs, entries: list[Entry], counting: Counting) -> CursorPage[Any]:
    more, entries = len(entries) > page_args.limit, entries[: page_args.limit]
    before, after = page_args.before is not None, page_args.after is not None
    if page_args.backwards:
        return CursorPage(entries[::-1], before, more, ("position",), _NAME, counting)
    return CursorPage(entries, more, after, ("position",), _NAME, counting)


@lru_cache
def _page(kinds: tuple[TimelineKind, ...], up: bool) -> str:
    """Returns the SQL. $1: the contact; $2, $3: the bounds of the position from above and below; $4: the limit."""
    way = "ASC" if up else "DESC"
    every = " UNION ALL ".join(_KINDS[kind] for kind in kinds)
    return f"""
    SELECT position, kind, object_uuid, at, channel, address, direction, status, text, project_uuid, account_uuid
    FROM ({every}) AS entries (position, kind, object_uuid, at, channel, address, direction, status, text, project_uuid,
      account_uuid)
    WHERE ($2::uuid IS NULL OR position < $2) AND ($3::uuid IS NULL OR position > $3) ORDER BY position {way} LIMIT $4
    """  # noqa: S608  our own words


@lru_cache
def _count(kinds: tuple[TimelineKind, ...]) -> str:
    every = " UNION ALL ".join(_KINDS[kind] for kind in kinds)
    some = f"SELECT FROM ({every}) AS entries LIMIT {MOST_COUNTED_EACH}"
    return f"SELECT count(*) FROM ({some}) AS counted"  # noqa: S608  our own words

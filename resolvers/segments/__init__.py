"""Segments: conditions by which an owner's contacts are chosen.

Sizes are read from the contacts themselves, within `SECONDS`, one at a time for each user. A segment that takes longer
is refused when it is saved, so that no project waits for it later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.errors import BadRequest, Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import fetch_planned, p, returning
from engine.contacts import segments
from engine.contacts.field_values import unknown as unknown_field
from engine.contacts.upsert import field_types
from resolvers import contacts
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.segments import (
    MOST_SEGMENTS,
    SAMPLE,
    NewSegment,
    PreviewSegment,
    SegmentFilter,
    SegmentPatch,
)

SECONDS = 2.0
"""Seconds that the contacts of a segment may take to be counted."""

_SEGMENT = models.Segment
_LISTS = Listing(_SEGMENT)
_MINE = _SEGMENT.owner_id == p("owner_id")
_COLUMNS = returning(_SEGMENT, "segments")
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('segments:' || $1::uuid::text, 0))"
_COUNT = "SELECT count(*) FROM segments WHERE owner_id = $1"
_ADD = f"""
INSERT INTO segments (id, owner_id, name, filter, size) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (owner_id, name) DO NOTHING RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_TAKEN = "SELECT EXISTS (SELECT FROM segments WHERE owner_id = $1 AND name = $2 AND id <> $3)"
_CHANGE = f"""
UPDATE segments SET updated_at = CASE WHEN $2::text IS NULL AND $3::jsonb IS NULL THEN updated_at ELSE now() END,
  name = COALESCE($2, name), filter = COALESCE($3, filter), size = COALESCE($4, size),
  counted_at = CASE WHEN $4::int IS NULL THEN counted_at ELSE now() END
WHERE id = $1 RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_OWNER = "SELECT owner_id FROM segments WHERE id = $1 AND ($2 OR owner_id = $3)"
_LOCK_SEGMENT = f"{_OWNER} FOR UPDATE"
_USED = """
SELECT EXISTS (SELECT FROM sending_projects WHERE owner_id = $2 AND status <> 'deleted' AND audience_read_at IS NULL
    AND (audience -> 'segmentUuids' ? $1::uuid::text OR audience -> 'exceptSegmentUuids' ? $1::uuid::text))
  OR EXISTS (SELECT FROM series WHERE segment_id = $1)
  OR EXISTS (SELECT FROM repeatable_projects WHERE owner_id = $2 AND deleted_at IS NULL
    AND (source -> 'audience' -> 'segmentUuids' ? $1::uuid::text
      OR source -> 'audience' -> 'exceptSegmentUuids' ? $1::uuid::text))
"""
_DELETE = "DELETE FROM segments WHERE id = $1"
# The rows that a segment names are locked until it is stored, so that they are not deleted meanwhile.
_FOREIGN_TOPIC = """
SELECT w FROM unnest($1::uuid[]) AS w
WHERE w NOT IN (SELECT id FROM topics WHERE id = ANY($1) AND owner_id = $2 FOR KEY SHARE) LIMIT 1
"""
_FOREIGN_PROJECT = """
SELECT w FROM unnest($1::uuid[]) AS w WHERE NOT EXISTS (
  SELECT FROM sending_projects WHERE id = w AND owner_id = $2 AND status <> 'deleted') LIMIT 1
"""
_LOCK_FIELDS = "SELECT key FROM contact_fields WHERE owner_id = $1 AND key = ANY($2) FOR KEY SHARE"
_CHOSEN = """
{queries} SELECT (SELECT count(*)::int FROM chosen) AS size,
  ARRAY(SELECT id FROM chosen WHERE $2::uuid IS NULL OR id < $2 ORDER BY id DESC LIMIT {most}) AS newest
"""
_MEETING = (
    "chosen AS MATERIALIZED (SELECT c.id FROM contacts AS c {joins} WHERE c.owner_id = $1 AND {condition})"
)


@dataclass(frozen=True, slots=True)
class Preview:
    """The contacts that meet conditions: how many there are, and the newest of them."""

    size: int
    sample: Sequence[models.Contact]


async def _new_size(op: Op, input: NewSegment) -> int:
    return (await _chosen(op, op.viewer.id, input.filter))[0]


async def _changed_size(op: Op, id: UUID, input: SegmentPatch) -> int | None:
    if input.filter is None:
        return None
    return (await _chosen(op, (await _row(op, id)).owner_id, input.filter))[0]


async def _size_now(op: Op, id: UUID) -> int:
    row = await _row(op, id)
    (filter,) = segments.read([row.filter])
    return (await _chosen(op, row.owner_id, filter))[0]


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Segment]:
    """Lists your segments, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.Segment:
    """Returns one segment. Raises NotFound."""
    return await _row(op, id)


@operation(Permission.contacts_write, "sql", before=_new_size, idempotent=stored_model(models.Segment))
async def create(op: Op, input: NewSegment) -> models.Segment:
    """Adds a segment, and counts its contacts. Raises NotFound (what it names), Conflict (`segment_exists`),
    RateLimited, Unavailable, ValidationFailed, and BadRequest (`too_many_segments`, `segment_too_expensive`,
    `unknown_field`, `bad_field`).
    """
    db, owner = op.connection, op.viewer.id
    await db.execute(_LOCK, owner)
    if await db.fetchval(_COUNT, owner) >= MOST_SEGMENTS:
        raise BadRequest(
            f"You may have at most {MOST_SEGMENTS} segments. Delete one.", code="too_many_segments"
        )
    await _require_own(op, owner, input.filter)
    row: models.Segment | None = await db.fetchrow(
        _ADD, uuid7(), owner, input.name, _stored(input.filter), op.prepared
    )
    if row is None:
        raise _exists(input.name)
    return row


@operation(Permission.contacts_write, "sql", before=_changed_size)
async def update(op: Op, id: UUID, input: SegmentPatch) -> models.Segment:
    """Changes a segment. Projects that were started before stay as they are.

    The contacts are counted if the filter is sent. Raises NotFound, Conflict (`segment_exists`), RateLimited,
    Unavailable, ValidationFailed, and BadRequest (`segment_too_expensive`, `unknown_field`, `bad_field`).
    """
    owner = await _locked(op, id)
    if input.name is not None:
        await op.connection.execute(_LOCK, owner)
        if await op.connection.fetchval(_TAKEN, owner, input.name, id):
            raise _exists(input.name)
    if input.filter is not None:
        await _require_own(op, owner, input.filter)
    filter = None if input.filter is None else _stored(input.filter)
    row: models.Segment = await op.connection.fetchrow(_CHANGE, id, input.name, filter, op.prepared)
    return row


@operation(Permission.contacts_write, "sql", before=_size_now)
async def count(op: Op, id: UUID) -> models.Segment:
    """Counts the contacts of a segment again. Raises NotFound, BadRequest, RateLimited, Unavailable."""
    await _locked(op, id)
    row: models.Segment = await op.connection.fetchrow(_CHANGE, id, None, None, op.prepared)
    return row


@operation(Permission.contacts_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a segment that no project needs any more. Raises NotFound, Conflict (`segment_in_use`)."""
    owner = await _locked(op, id)
    if await op.connection.fetchval(_USED, id, owner):
        raise Conflict(
            "A project that has not read its audience yet, a repeatable project or a series names this segment. Choose"
            " another one there first.",
            code="segment_in_use",
        )
    await op.connection.execute(_DELETE, id)


@operation(Permission.contacts_read, "read")
async def preview(op: Op, input: PreviewSegment) -> Preview:
    """Counts the contacts that meet conditions, and shows the newest of them. Nothing is stored. Raises BadRequest
    (`segment_too_expensive`, `unknown_field`, `bad_field`), RateLimited, Unavailable, ValidationFailed.
    """
    size, newest = await _chosen(op, op.viewer.id, input.filter, input.after)
    rows = await contacts.by_ids(op.ctx, newest)
    return Preview(size, [row for row in rows if row is not None])


async def _row(op: Op, id: UUID) -> models.Segment:
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


async def _chosen(
    op: Op, owner: UUID, filter: SegmentFilter, after: UUID | None = None
) -> tuple[int, list[UUID]]:
    """Returns how many contacts meet a filter, and the newest of them, or of those that come after one of them."""
    async with op.services.render_pool.alone(op.viewer.actor_id, op.ctx.client_network):
        types = await field_types(op.db, owner)
        selection = segments.Selection(types, op.services.db.now(), "$1", 3, at_once=True)
        condition = selection.meets_any([filter])
        chosen = _MEETING.format(joins=selection.joins, condition=condition)
        sql = _CHOSEN.format(queries=selection.queries(after=chosen), most=SAMPLE)
        try:
            (row,) = await fetch_planned(op.db, sql, [owner, after, *selection.arguments], SECONDS)
        except TimeoutError:
            raise BadRequest(
                f"It takes more than {SECONDS:g} s to find these contacts. Leave conditions out, or look back less.",
                code="segment_too_expensive",
            ) from None
        return row["size"], row["newest"]


async def _require_own(op: Op, owner: UUID, filter: SegmentFilter) -> None:
    """Checks that the topics, projects and fields of a filter are the owner's, until the transaction ends.

    Raises NotFound, BadRequest.
    """
    parts = (
        (segments.topics_in([filter]), _FOREIGN_TOPIC, "topic", "topic_not_found"),
        (segments.projects_in([filter]), _FOREIGN_PROJECT, "Sending Project", "sending_project_not_found"),
    )
    for ids, query, what, code in parts:
        if ids and (missing := await op.connection.fetchval(query, [*ids], owner)):
            raise NotFound(
                f"There is no {what} with the uuid {missing} among yours. Check the uuid.", code=code
            )
    keys = segments.fields_in([filter])
    stored = {row["key"] for row in await op.connection.fetch(_LOCK_FIELDS, owner, [*keys])}
    if missing := keys - stored:
        raise unknown_field(missing.pop())


async def _locked(op: Op, id: UUID) -> UUID:
    """Locks a segment, and returns its owner. Raises NotFound."""
    owner: UUID | None = await op.connection.fetchval(_LOCK_SEGMENT, id, op.viewer.admin, op.viewer.id)
    if owner is None:
        raise _unknown()
    return owner


def _stored(filter: SegmentFilter) -> dict[str, Any]:
    return filter.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)


def _unknown() -> NotFound:
    return NotFound("There is no segment with this id among yours. Check the id.", code="segment_not_found")


def _exists(name: str) -> Conflict:
    return Conflict(f"You have a segment {name!r} already. Change that one.", code="segment_exists")

"""The fields that an owner's contacts have."""

from uuid import UUID

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p, returning
from engine.contacts.field_values import check_pattern
from engine.contacts.locks import lock_owner
from engine.contacts.upsert import too_many_fields
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.contact_fields import MOST_FIELDS, ContactFieldPatch, NewContactField

_FIELD = models.ContactField
_LISTS = Listing(_FIELD)
_MINE = _FIELD.owner_id == p("owner_id")
_COLUMNS = returning(_FIELD, "contact_fields")
_COUNT = "SELECT count(*) FROM contact_fields WHERE owner_id = $1"
_ADD = f"""
INSERT INTO contact_fields (id, owner_id, key, type, label, pattern) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (owner_id, key) DO NOTHING RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_CHANGE = f"""
UPDATE contact_fields SET updated_at = now(), label = CASE WHEN $2 THEN $3 ELSE label END,
  pattern = CASE WHEN $4 THEN $5 ELSE pattern END
WHERE id = $1 AND ($6 OR owner_id = $7) RETURNING {_COLUMNS}
"""  # noqa: S608  our own column names
_FIND = "SELECT owner_id, key FROM contact_fields WHERE id = $1 AND ($2 OR owner_id = $3)"
_USED = """
SELECT EXISTS (SELECT FROM contacts WHERE owner_id = $1 AND terms @> postern_contact_known($1, $2))
"""
_IN_SEGMENT = """
SELECT name FROM segments WHERE owner_id = $1
  AND jsonb_path_exists(filter, '$.**.fields[*].key ? (@ == $key)', jsonb_build_object('key', $2::text)) LIMIT 1
"""
_DELETE = "DELETE FROM contact_fields WHERE id = $1"


@operation(Permission.contacts_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.ContactField]:
    """Lists the fields of your contacts, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.contacts_read, "read")
async def get(op: Op, id: UUID) -> models.ContactField:
    """Returns one field of contacts. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.contacts_write, "sql", idempotent=stored_model(models.ContactField))
async def create(op: Op, input: NewContactField) -> models.ContactField:
    """Adds a field that your contacts may have. You may have a hundred. Raises Conflict, and BadRequest (`bad_pattern`,
    `too_many_fields`).
    """
    if input.pattern is not None:
        check_pattern(input.pattern)
    db = op.connection
    await lock_owner(db, op.viewer.id)
    if await db.fetchval(_COUNT, op.viewer.id) >= MOST_FIELDS:
        raise too_many_fields()
    row: models.ContactField | None = await db.fetchrow(
        _ADD, uuid7(), op.viewer.id, input.key, input.type.value, input.label, input.pattern
    )
    if row is None:
        raise Conflict(f"You have a field {input.key!r} already. Change that one.", code="field_exists")
    return row


@operation(Permission.contacts_write, "sql")
async def update(op: Op, id: UUID, input: ContactFieldPatch) -> models.ContactField:
    """Changes label and pattern of a field. Contacts keep the values that they have. Raises NotFound, BadRequest."""
    if input.pattern is not None:
        check_pattern(input.pattern)
    sent = input.model_fields_set
    row: models.ContactField | None = await op.connection.fetchrow(
        _CHANGE,
        id,
        "label" in sent,
        input.label,
        "pattern" in sent,
        input.pattern,
        op.viewer.admin,
        op.viewer.id,
    )
    if row is None:
        raise _unknown()
    return row


@operation(Permission.contacts_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a field that no contact has a value for. Raises NotFound, and Conflict (`field_in_use`)."""
    db = op.connection
    field = await db.fetchrow(_FIND, id, op.viewer.admin, op.viewer.id)
    if field is None:
        raise _unknown()
    await lock_owner(db, field["owner_id"])
    if await db.fetchval(_USED, field["owner_id"], field["key"]):
        raise Conflict(
            f"Contacts have the field {field['key']!r}. Remove it from them first, by sending null.",
            code="field_in_use",
        )
    if (segment := await db.fetchval(_IN_SEGMENT, field["owner_id"], field["key"])) is not None:
        raise Conflict(
            f"The segment {segment!r} has a condition on the field {field['key']!r}. Change the segment first.",
            code="field_in_use",
        )
    await db.execute(_DELETE, id)


def _unknown() -> NotFound:
    return NotFound("There is no field with this id among yours. Check the id.", code="field_not_found")

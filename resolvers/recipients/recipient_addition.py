"""Adds recipients to a project: those of a request, or the valid rows of an import."""

import time
from typing import Any
from uuid import UUID

import orjson

from core.errors import Conflict
from core.ids import uuid7
from engine.file_parsers.addresses import WRONG_CHANNEL
from engine.imports import bulk_add
from resolvers import imports
from resolvers.recipients.recipient_checks import CheckedRecipients
from runtime.operation import Op
from shapes.addresses import stored_key
from shapes.imports import ImportStatus
from shapes.recipients import AddedRecipients, InvalidRecipient

_MOST_LISTED = 1000
"""One answer lists so many rejected recipients."""
_ADDING_SECONDS = 1.0  # seconds that a request spends on adding rows of an import; a worker adds the rest
_LOCK_IMPORT = (
    "SELECT owner_id, status, valid FROM recipient_imports WHERE id = $1 AND contacts IS NULL FOR SHARE"
)
_WAITING_BULK_ADDS = "SELECT count(*) FROM recipient_additions WHERE project_id = $1"
# Keeps the list's own column names: a text uses {{ Order_No }}, people know it as "Order No.".
_LABELS = """
UPDATE sending_projects SET variable_labels = variable_labels || (
  SELECT COALESCE(jsonb_object_agg(m.key, m.value), '{}') FROM recipient_imports AS i, jsonb_each(i.mapping) AS m
  WHERE i.id = $2 AND m.key NOT IN ('address', 'phone', 'email', 'name', 'timezone') AND to_jsonb(m.key) <> m.value
) WHERE id = $1 AND pg_column_size(variable_labels) < 65536
"""
_CHANGED = "SELECT postern_content_changed($1, $2, ARRAY[$2::uuid], 'recipients')"
_ADD = """
INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone)
SELECT n.id, $1, n.address, n.key, n.name, n.variables::jsonb, n.timezone
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  WITH ORDINALITY AS n (id, address, name, variables, timezone, key, place)
ORDER BY n.place
ON CONFLICT DO NOTHING
"""


async def add_list(op: Op, project_id: UUID, checked: CheckedRecipients) -> AddedRecipients:
    """Adds checked recipients, in the transaction of the caller, who has locked the project."""
    recipients = checked.good.values()
    command_tag = await op.connection.execute(
        _ADD,
        project_id,
        [uuid7() for _ in recipients],
        [*checked.good],
        [recipient.name or None for recipient in recipients],
        [orjson.dumps(recipient.variables or {}).decode() for recipient in recipients],
        [recipient.timezone or None for recipient in recipients],
        [*map(stored_key, checked.good)],
    )
    added = int(command_tag.rpartition(" ")[2])
    return AddedRecipients(
        added=added,
        duplicates=checked.twice + len(recipients) - added,
        invalid=checked.invalid[:_MOST_LISTED],
        invalid_count=len(checked.invalid),
    )


async def add_import(op: Op, project_id: UUID, project: Any, id: UUID) -> AddedRecipients:
    """Adds rows of an import for a second, and leaves the rest to a worker. The caller has locked the project.

    `project` has owner_id and channel. Raises NotFound if its owner has no such import, and Conflict for an import that
    is not ready, or while too many imports are being added.
    """
    db = op.connection
    recipient_import = await db.fetchrow(_LOCK_IMPORT, id)
    if recipient_import is None or recipient_import["owner_id"] != project["owner_id"]:
        raise imports.unknown()
    if recipient_import["status"] != ImportStatus.ready:
        raise Conflict(
            f"The import is {recipient_import['status']}. Recipients can be added only from an import that is ready.",
            code="import_not_ready",
        )
    # A worker adds most rows, for no person; the first ones may all be there already.
    await db.execute(_CHANGED, project["owner_id"], project_id)
    await db.execute(_LABELS, project_id, id)
    waiting = await db.fetchval(_WAITING_BULK_ADDS, project_id)
    if waiting >= bulk_add.MOST:
        raise Conflict(
            f"{waiting} imports are being added to this project. Wait until one of them has been added.",
            code="recipients_pending",
        )
    channel, done = project["channel"], bulk_add.Progress()
    until = time.monotonic() + _ADDING_SECONDS
    await bulk_add.bite(db, project_id, channel, id, done)
    while not done.ended and time.monotonic() < until:
        await bulk_add.bite(db, project_id, channel, id, done)
    if not done.ended:
        await bulk_add.go_on_later(db, project_id, id, done, recipient_import["valid"])
    lines = await bulk_add.unsuited(db, channel, id, done.line, _MOST_LISTED) if done.unsuited else []
    why = f"The channel {channel} can't reach such an address."
    return AddedRecipients(
        added=done.added,
        duplicates=done.suited - done.added,
        invalid=[InvalidRecipient(place=line, code=WRONG_CHANNEL, message=why) for line in lines],
        invalid_count=done.unsuited,
        pending=not done.ended,
    )

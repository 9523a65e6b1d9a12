"""Removes many recipients of a project at once: those of an import, or those with a text in the address or the name."""

from typing import Any
from uuid import UUID

from core.errors import Conflict
from db.address_keys import key_of
from engine.imports import following
from resolvers import imports
from shapes.recipients import RemovedRecipients, RemoveRecipients
from shapes.where import like

REMOVED = 50_000
"""Recipients that one request removes."""
COUNTED = 50_000
"""Recipients with a message that one request counts."""
_IMPORT_OF = "SELECT owner_id FROM recipient_imports WHERE id = $1"
_IS_ADDED = "SELECT EXISTS (SELECT FROM recipient_additions WHERE project_id = $1 AND import_id = $2)"
# A recipient up to `prepared_to` has a message: the audience is materialized in this order.
_REMOVE_BY_TEXT = """
DELETE FROM recipients WHERE id IN (
  SELECT id FROM recipients
  WHERE project_id = $1 AND seq > $2 AND (address ILIKE $3 OR name ILIKE $3) ORDER BY seq LIMIT $4
)
"""
_COUNT_BY_TEXT = """
SELECT count(*) FROM (
  SELECT FROM recipients WHERE project_id = $1 AND seq <= $2 AND (address ILIKE $3 OR name ILIKE $3) LIMIT $4
) AS with_message
"""
_REMOVE_LINES = f"""
WITH listed AS (
  SELECT r.id, r.seq FROM import_rows AS i
  JOIN recipients AS r ON r.project_id = $1 AND {key_of("r.address")} = {key_of("i.address")}
  WHERE i.import_id = $3 AND i.line > $4 AND i.line <= $5 AND i.error_code IS NULL
), removed AS (
  DELETE FROM recipients WHERE id IN (SELECT id FROM listed WHERE seq > $2 LIMIT $6) RETURNING 1
)
SELECT (SELECT count(*) FROM removed) AS removed, (SELECT count(*) FROM listed WHERE seq <= $2) AS with_message
"""  # noqa: S608  our own expressions


async def remove(
    connection: Any, project_id: UUID, project: Any, input: RemoveRecipients
) -> RemovedRecipients:
    """Removes at most REMOVED recipients, in the transaction of the caller, who has locked the project.

    `project` has owner_id and prepared_to. Raises NotFound if its owner has no such import, and Conflict while the rows
    of the import are being added to the project.
    """
    if input.import_uuid is not None:
        return await _remove_import(connection, project_id, project, input.import_uuid)
    assert input.text is not None
    prepared_to, pattern = project["prepared_to"], like(input.text)
    command_tag = await connection.execute(_REMOVE_BY_TEXT, project_id, prepared_to, pattern, REMOVED)
    removed = int(command_tag.rpartition(" ")[2])
    more, with_message = removed == REMOVED, 0
    if prepared_to > 0 and not more:
        with_message = await connection.fetchval(_COUNT_BY_TEXT, project_id, prepared_to, pattern, COUNTED)
    return RemovedRecipients(removed=removed, with_message=with_message, more=more)


async def _remove_import(
    connection: Any, project_id: UUID, project: Any, import_id: UUID
) -> RemovedRecipients:
    """Goes through the lines of the import a few thousand at a time, so that no statement reads all of them."""
    owner = await connection.fetchval(_IMPORT_OF, import_id)
    if owner is None or owner != project["owner_id"]:
        raise imports.unknown()
    if await connection.fetchval(_IS_ADDED, project_id, import_id):
        raise Conflict(
            "The rows of this import are still being added to the project. Wait until its recipientsPending is 0, and"
            " remove them then.",
            code="import_in_use",
        )
    line = removed = with_message = 0
    last = False
    while not last and removed < REMOVED:
        until, last = await following(connection, import_id, line)
        counts = await connection.fetchrow(
            _REMOVE_LINES, project_id, project["prepared_to"], import_id, line, until, REMOVED - removed
        )
        removed += counts["removed"]
        with_message += counts["with_message"]
        line = until
    more = removed == REMOVED
    return RemovedRecipients(
        removed=removed, with_message=0 if more else min(with_message, COUNTED), more=more
    )

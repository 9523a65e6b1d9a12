"""Removes many recipients of a project at once: those of an import, or those with a text in the address or the name."""

from typing import Any
from uuid import UUID

from resolvers import imports
from shapes.recipients import RemovedRecipients, RemoveRecipients
from shapes.where import like

REMOVED = 50_000
"""Recipients that one request removes."""
# A recipient up to `prepared_to` has a message: the audience is materialized in this order.
_REMOVE_SOME = """
WITH chosen AS (
  SELECT id FROM recipients AS r WHERE project_id = $1 AND seq > $2 AND {condition} ORDER BY seq LIMIT $4
)
DELETE FROM recipients WHERE id IN (SELECT id FROM chosen)
"""
_WITH_MESSAGE = "SELECT count(*) FROM recipients AS r WHERE project_id = $1 AND seq <= $2 AND {condition}"
_IMPORT_OF = "SELECT owner_id FROM recipient_imports WHERE id = $1"
_BY_TEXT = "(r.address ILIKE $3 OR r.name ILIKE $3)"
_BY_IMPORT = """EXISTS (
  SELECT FROM import_rows AS i WHERE i.import_id = $3 AND i.address = r.address AND i.error_code IS NULL
)"""


async def remove(
    connection: Any, project_id: UUID, project: Any, input: RemoveRecipients
) -> RemovedRecipients:
    """Removes at most REMOVED recipients, in the transaction of the caller, who has locked the project.

    `project` has owner_id and prepared_to. Raises NotFound if its owner has no such import.
    """
    if input.import_uuid is not None:
        owner = await connection.fetchval(_IMPORT_OF, input.import_uuid)
        if owner is None or owner != project["owner_id"]:
            raise imports.unknown()
    prepared_to = project["prepared_to"]
    condition = _BY_IMPORT if input.text is None else _BY_TEXT
    value = input.import_uuid if input.text is None else like(input.text)
    command_tag = await connection.execute(
        _REMOVE_SOME.format(condition=condition), project_id, prepared_to, value, REMOVED
    )
    removed = int(command_tag.rpartition(" ")[2])
    with_message = 0
    if prepared_to > 0:
        with_message = await connection.fetchval(
            _WITH_MESSAGE.format(condition=condition), project_id, prepared_to, value
        )
    return RemovedRecipients(removed=removed, with_message=with_message, more=removed == REMOVED)

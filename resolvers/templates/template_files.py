"""The files of a template's version, which messages and projects by it carry."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import BadRequest, NotFound
from engine.direct.attachments import BYTES, MOST
from shapes.sending_projects import FOREIGN, distinct

# Locked against a deletion until the version is published.
_SIZES = "SELECT id, size FROM files WHERE id = ANY($1) AND owner_id = $2 FOR KEY SHARE"


async def require_files(db: Any, owner: UUID, ids: Sequence[UUID]) -> None:
    """Raises NotFound (`file_not_found`) for files that are not the owner's, BadRequest (`bad_attachments`) if they are
    too large together.
    """
    sizes = {row["id"]: row["size"] for row in await db.fetch(_SIZES, ids, owner)} if ids else {}
    if missing := set(ids) - sizes.keys():
        raise NotFound(
            f"There is no file with the uuid {min(missing, key=str)} among yours. Upload it, or take it away.",
            code="file_not_found",
        )
    if (size := sum(sizes.values())) > BYTES:
        raise BadRequest(
            f"The files of this version have {size} bytes together; at most {BYTES} are allowed. Attach fewer or"
            " smaller files.",
            code="bad_attachments",
        )


def carried(channel: str, of_version: Sequence[UUID], own: Sequence[UUID]) -> list[UUID]:
    """Returns the files of a message or project: those of the version, then its own. Raises BadRequest
    (`bad_attachments`).
    """
    takes_files = channel not in FOREIGN["attachmentUuids"]
    files = distinct([*(of_version if takes_files else ()), *own])
    if len(files) > MOST:
        raise BadRequest(
            f"With those of the template there are {len(files)} files; at most {MOST} are allowed. Leave out some.",
            code="bad_attachments",
        )
    return files

"""Files attached to a direct email: `metadata.attachmentUuids`.

They are checked when the message is accepted, and read when it is sent: a queue of emails holds no files in memory.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from channels.port import Attachment
from core.errors import BadRequest, NotFound
from core.file_store import FileStore
from db.query import Reads

NAME = "attachmentUuids"
MOST = 10
BYTES = 10 * 1024 * 1024
"""The most bytes of all files of one email: several emails are in memory at once, each also as base64."""

_SIZES = "SELECT id, size FROM files WHERE id = ANY($1) AND owner_id = $2"
_DESCRIBED = "SELECT id, name, mime FROM files WHERE id = ANY($1) AND owner_id = $2"
_FILES = """
SELECT f.id, f.name, f.mime FROM files AS f JOIN messages AS m ON m.owner_id = f.owner_id
WHERE m.id = $1 AND f.id = ANY($2) ORDER BY array_position($2, f.id)
"""


def ids_of(metadata: Mapping[str, Any]) -> list[UUID]:
    """Returns the files that the metadata names, each once. Raises BadRequest."""
    values = metadata.get(NAME)
    if values is None:
        return []
    try:
        if not isinstance(values, list) or len(values) > MOST:
            raise ValueError
        return list(dict.fromkeys(UUID(value if isinstance(value, str) else "") for value in values))
    except ValueError as error:
        raise BadRequest(
            f"metadata.{NAME} must be a list of at most {MOST} uuids of files.", code="bad_metadata"
        ) from error


async def check(db: Reads, owner_id: UUID, ids: Sequence[UUID]) -> None:
    """Checks the files.

    Raises NotFound for a file that is not the owner's, BadRequest if they are too large together.
    """
    rows = await db.fetch(_SIZES, ids, owner_id)
    if missing := set(ids) - {row["id"] for row in rows}:
        raise NotFound(
            f"There is no file with the uuid {min(missing, key=str)} among yours. Upload it first.",
            code="file_not_found",
        )
    if (size := sum(row["size"] for row in rows)) > BYTES:
        raise BadRequest(
            f"The files of metadata.{NAME} have {size} bytes in all; an email may have at most {BYTES}."
            " Attach fewer or smaller files.",
            code="bad_metadata",
        )


async def described(db: Reads, owner_id: UUID, ids: Sequence[UUID]) -> list[dict[str, str]]:
    """Returns id, name and type of files, as the channel of messenger accounts reads them."""
    rows = {row["id"]: row for row in await db.fetch(_DESCRIBED, ids, owner_id)}
    return [{"id": str(id), "name": rows[id]["name"], "mime": rows[id]["mime"]} for id in ids if id in rows]


def attachment_ids(row: Any) -> Sequence[UUID]:
    """Returns the files of a message's row."""
    return ids_of(row["metadata"]) if row["channel"] == "email" else ()


async def load(db: Reads, files: FileStore, message: UUID, ids: Sequence[UUID]) -> list[Attachment]:
    """Reads the files. Raises NotFound for a file that was deleted meanwhile, TooLarge, Unavailable."""
    rows = await db.fetch(_FILES, message, ids)
    if len(rows) < len(ids):
        raise NotFound(
            "A file of this message was deleted before the message was sent. Send a new message.",
            code="file_not_found",
        )
    attachments, left = [], BYTES
    for row in rows:
        attachments.append(Attachment(row["name"], row["mime"], await files.read(row["id"], left)))
        left -= len(attachments[-1].data)
    return attachments

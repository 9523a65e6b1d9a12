"""Makes pictures of uploads: decoded by a child process, stored like files, and entered into `media`."""

import base64
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final
from uuid import UUID

import asyncpg

from core.errors import BadRequest, Conflict, Unavailable
from core.file_store import PIECE
from db import models
from db.query import returning
from engine import files
from engine.faultpoints import fault_point
from engine.media import limits
from runtime.render_pool import TooComplex
from runtime.services import Services

PUBLIC_NAME: Final = re.compile(r"[0-9a-f]{32}\.(png|jpg|gif)")
"""Names that pictures have: hexadecimal, because some mail programs and caches change capital letters."""

_COUNT = "SELECT count(*) FROM media WHERE owner_id = $1"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('media:' || $1, 0))"
_ENTER = f"""
{files.PENDING}
INSERT INTO media AS made (id, owner_id, name, public_name, mime, width, height, frames, size, sha256)
SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM pending RETURNING {returning(models.Picture, "made")}
"""  # noqa: S608  names of our columns


@dataclass(frozen=True, slots=True)
class PendingPicture:
    """A picture that was written anew and stored, and has no row yet."""

    pending: files.PendingFile
    extension: str
    mime: str
    width: int
    height: int
    frames: int


async def reencode(
    services: Services, owner_id: UUID, uploaded: files.PendingFile, network: str | None
) -> PendingPicture:
    """Writes the uploaded picture anew, and stores the result.

    Raises BadRequest (`bad_picture`, `picture_too_complex`), RateLimited when too much waits, Unavailable.
    """
    async with services.files.local_path(uploaded.id) as path:
        try:
            answer: dict[str, Any] = await services.picture_pool.run(
                owner_id, "reencode", {"path": str(path.absolute())}, seconds=limits.SECONDS, network=network
            )
        except TooComplex:
            raise _too_complex() from None
    if answer.get("bad") == "limits":
        raise _too_complex()
    if "bad" in answer:
        raise BadRequest(
            "This is not a PNG, JPEG, GIF or WebP that can be read. Save the picture in one of these formats and send"
            " it again; SVG is not taken, because it may contain scripts.",
            code="bad_picture",
        )
    data = base64.b64decode(answer.pop("data"))
    pending = await files.store_pending(
        services, uploaded.name, answer["mime"], _chunks(data), at_most=limits.BYTES
    )
    fault_point("media.stored")
    return PendingPicture(pending, **answer)


async def enter(
    services: Services, connection: asyncpg.Connection | Any, owner_id: UUID, picture: PendingPicture
) -> models.Picture:
    """Makes the row, in the transaction of this connection: from its commit on the picture is public.

    Raises Conflict when the owner has too many, or no room.
    """
    await connection.execute(_LOCK, str(owner_id))  # so that uploads at the same time find no room twice
    await room(services, connection, owner_id, picture.pending.stored.size)
    row = await connection.fetchrow(
        _ENTER,
        picture.pending.id,
        owner_id,
        picture.pending.name,
        f"{token_hex(16)}.{picture.extension}",
        picture.mime,
        picture.width,
        picture.height,
        picture.frames,
        picture.pending.stored.size,
        picture.pending.stored.sha256.hex(),
    )
    if row is None:
        raise Unavailable("The upload took too long. Send the picture again.", code="files_unavailable")
    fault_point("media.entered")
    return models.Picture(**dict(row))


async def room(services: Services, connection: Any, owner_id: UUID, size: int) -> None:
    """Raises Conflict (`pictures_full`, `files_full`) when the owner has no room for another picture."""
    most = services.settings.max_user_pictures
    if await connection.fetchval(_COUNT, owner_id) >= most:
        raise Conflict(
            f"You have {most} pictures, as many as a user may have. Delete some first.", code="pictures_full"
        )
    await files.room(services, connection, owner_id, size)


async def _chunks(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), PIECE):
        yield data[start : start + PIECE]


def _too_complex() -> BadRequest:
    return BadRequest(
        f"The picture is too large: it may have {limits.SIDE} pixels a side, {limits.PIXELS} pixels in a frame,"
        f" {limits.FRAMES} frames, {limits.PIXELS_OF_ALL} pixels in all frames, and take {limits.SECONDS:g} s to read."
        " Send a smaller one.",
        code="picture_too_complex",
    )

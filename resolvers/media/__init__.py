"""Pictures of letters. `engine/media` decodes and stores them; a picture is looked up by name, never by a path."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from core.errors import Conflict, NotFound
from core.http import multipart
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import of, p
from engine import files
from engine.media import limits, storing, uses
from runtime.idempotency import Attempt, stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission

_ROW = models.Picture
_BY_ID = of(_ROW, _ROW.id == p("id"))
_LISTS = Listing(
    _ROW,
    orders={"name": _ROW.name, "size": _ROW.size},
    filters={("name", "contains"): _ROW.name.ilike(p("name_contains_"), escape="\\")},
)
_MINE = _ROW.owner_id == p("owner_id")
_LOCKED = "SELECT owner_id, id, public_name FROM media WHERE id = $1 FOR UPDATE"
_PUBLIC = """
SELECT m.id, m.mime, m.size, m.sha256 FROM media AS m JOIN users AS u ON u.id = m.owner_id
WHERE m.public_name = $1 AND u.status = 'active'
"""


@dataclass(frozen=True, slots=True)
class ServedPicture:
    """A picture as it is served. `pieces` is None if the caller has it already."""

    mime: str
    size: int
    etag: str
    pieces: AsyncIterator[bytes] | None


@operation(Permission.files_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Picture]:
    """Lists your pictures, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.files_read, "read")
async def get(op: Op, id: UUID) -> models.Picture:
    """Returns a picture with its public address. Raises NotFound."""
    picture = await _BY_ID.first(op.db, id=id)
    if picture is None or not _sees(op, picture.owner_id):
        raise _unknown()
    return picture


@operation(Permission.public, "read")
async def serve(op: Op, name: str, if_none_match: str | None) -> ServedPicture:
    """Returns the bytes of a picture to everybody who has its address. `if_none_match` is the header.

    Raises NotFound, also while its owner is suspended, Unavailable.
    """
    row = await op.db.fetchrow(_PUBLIC, name) if storing.PUBLIC_NAME.fullmatch(name) else None
    if row is None:
        raise _unknown()
    etag = f'"{row["sha256"][:32]}"'
    if if_none_match is not None and _matches(if_none_match, etag):
        return ServedPicture(row["mime"], row["size"], etag, None)
    pieces = op.services.files.get(row["id"])
    # The first piece is read here, while a failure can still become an error answer.
    return ServedPicture(row["mime"], row["size"], etag, _with_first(await anext(pieces, b""), pieces))


@operation(Permission.files_write, "outside")
async def upload(op: Op, form: multipart.Reader) -> models.Picture:
    """Uploads a picture for letters in a multipart form: PNG, JPEG, GIF or WebP, at most 5 MiB.

    It is decoded and written anew: EXIF, comments and whatever else the file had are gone, and a WebP becomes a PNG,
    JPEG or GIF. Honours Idempotency-Key, by the file's name and bytes. Raises BadRequest for an invalid form or
    picture, TooLarge, Conflict if the caller has too many pictures, RateLimited, Unavailable.
    """
    owner_id, key = op.viewer.id, op.ctx.idempotency_key
    pending: list[files.PendingFile] = []

    async def store_file(file: multipart.Incoming) -> None:
        pending.append(
            await files.store_pending(
                op.services, file.name, file.mime, file.chunks, at_most=limits.UPLOADED_BYTES
            )
        )

    await storing.room(op.services, op.db, owner_id, 0)  # refuses before the bytes are received
    try:
        await form.receive(store_file)
        (uploaded,) = pending
        picture = await storing.reencode(op.services, owner_id, uploaded, op.ctx.client_network)
        pending.append(picture.pending)
        arguments = {"name": uploaded.name, "sha256": uploaded.stored.sha256.hex()}
        attempt = (
            Attempt(stored_model(models.Picture), owner_id, "media.upload", key, arguments) if key else None
        )
        async with op.db.transaction() as connection:
            replay = await attempt.begin(connection) if attempt else None
            if replay is None:
                row = await storing.enter(op.services, connection, owner_id, picture)
                if attempt:
                    await attempt.finish(connection, row)
        if replay is None:
            pending.remove(picture.pending)
            return row
    finally:  # the upload as it came; and the new one if it has no row
        for each in pending:
            with suppress(Exception):  # they are deleted after a day at the latest
                await files.release(op.services, each.id)
    op.ctx.answer_header("idempotent-replayed", "true")
    return replay.value  # type: ignore[no-any-return]


@operation(Permission.files_write, "sql")
async def delete(op: Op, id: UUID, force: bool = False) -> None:
    """Deletes a picture: its address answers 404 from then on, and letters that show it have a gap. Caches of others
    may keep it for a while.

    A picture that your brand, a published template or a project shows is deleted with `force` alone. Looked through
    are the newest 500 of each. Raises NotFound, Conflict (`picture_in_use`), whose `details` say where.
    """
    picture = await op.connection.fetchrow(_LOCKED, id)
    if picture is None or not _sees(op, picture["owner_id"]):
        raise _unknown()
    if not force and (used := await uses.of_picture(op.connection, *picture)):
        raise Conflict(
            f"This picture is in use: {', '.join(f'{use.kind} {use.name!r}' for use in used)}. Delete it with force if"
            " these may lose it.",
            code="picture_in_use",
            details={
                "uses": [{"kind": use.kind, "uuid": use.id and str(use.id), "name": use.name} for use in used]
            },
        )
    await files.discard(op.connection, id, "media")


def _sees(op: Op, owner_id: UUID) -> bool:
    return op.viewer.admin or owner_id == op.viewer.id


def _matches(header: str, etag: str) -> bool:
    """Returns whether If-None-Match names the tag (RFC 9110 §13.1.2: weakly compared)."""
    tags = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return etag in tags or "*" in tags


async def _with_first(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


def _unknown() -> NotFound:
    return NotFound(
        "There is no such picture. Check its id or address; it may have been deleted.",
        code="picture_not_found",
    )

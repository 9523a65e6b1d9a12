"""Files (contract §3). `services.files` stores the bytes. A file is looked up by name; no path is built from it."""

import builtins
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from core.errors import AppError, Conflict, Forbidden
from core.file_store import gone
from core.http import multipart
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import of, p
from engine import files
from resolvers.auth.link_makers import bad_link, is_link_alive
from runtime import audit, links
from runtime.idempotency import Attempt, stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission, allowed
from runtime.viewers import Viewer

_BY_ID = of(models.File, models.File.id == p("id"))
_BY_NAME = of(models.File, models.File.original_name == p("name"))
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")

# Whether the file is still needed. A repeat of a finished project is sent without its deleted files.
_IN_USE = """
SELECT EXISTS (
  SELECT FROM sending_projects WHERE owner_id = $1 AND $2 = ANY(attachment_uuids)
    AND status NOT IN ('finished', 'deleted')
) OR EXISTS (
  SELECT FROM recipient_imports WHERE owner_id = $1 AND file_uuid = $2 AND status = 'processing'
) OR EXISTS (
  SELECT FROM template_versions AS v JOIN templates AS t ON t.id = v.template_id
  WHERE v.owner_id = $1 AND v.attachment_uuids <> '{}' AND $2 = ANY(v.attachment_uuids) AND t.archived_at IS NULL
)
"""


_READS_FILES = frozenset({Permission.files_read.value, Permission.exports_read.value})
_EXPORT_OF = "SELECT id FROM export_links WHERE file_uuid = $1"


@dataclass(frozen=True, slots=True)
class Payload:
    """The bytes of a download: the whole file, or the range from `start` up to `end`."""

    file: models.File
    start: int
    end: int
    partial: bool
    pieces: AsyncIterator[bytes]


_ROW = models.File
_LISTS = Listing(
    _ROW,
    orders={"name": _ROW.name, "size": _ROW.size},
    filters={("name", "contains"): _ROW.name.ilike(p("name_contains_"), escape="\\")},
)
_MINE = _ROW.owner_id == p("owner_id")


@operation(Permission.files_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.File]:
    """Lists your files, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.files_read, "read")
async def of_users(
    op: Op, user_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.File]]:
    """Returns one page of files for each owner."""
    return await _LISTS.pages(
        op.db, _ROW.owner_id, user_ids, page_args, where, *op.own(_MINE), owner_id=op.viewer.id
    )


@operation(Permission.files_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.File | None]:
    """Returns files by id. An id that the caller may not see gives None."""
    return await _LISTS.by_ids(op.db, ids, column_names, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.files_read, "read")
async def get(op: Op, id: UUID) -> models.File:
    """Returns the metadata of a file. Raises NotFound."""
    file = await _BY_ID.first(op.db, id=id)
    if file is None or not _sees(op, file.owner_id):
        raise gone()
    return file


@operation(Permission.public, "read")
async def payload(
    op: Op,
    name: str,
    expires: int | None = None,
    signature: str | None = None,
    made_by: UUID | None = None,
    byte_range: str | None = None,
    unless: str | None = None,
) -> Payload:
    """Downloads a file, for its owner, or by a signed link, which needs no credential.

    `made_by` is the login or the API token that the link was made for. `byte_range` and `unless` are the headers Range
    and If-Range. Raises Forbidden for an expired or invalid link, Unauthenticated, NotFound, Unavailable.
    """
    if signature is None:
        viewer = await op.ctx.viewer()
        if not allowed(viewer, Permission.files_read):
            raise Forbidden(
                f"This request needs the permission {Permission.files_read.value}. Use a token that has it, or"
                " ask an administrator."
            )
        file = await _BY_NAME.first(op.db, name=name)
        if file is None or not (viewer.admin or file.owner_id == viewer.id):
            raise gone()
        await _record_download(op, viewer, file)
    else:
        if not links.opens(op.services, name, expires or 0, signature, made_by):
            raise bad_link()
        file = await _BY_NAME.first(op.db, name=name)
        if file is None:
            raise gone()
        if not await is_link_alive(op, file.owner_id, made_by, _READS_FILES):
            raise bad_link()
        await _record_download(op, None, file)
    part = _part(byte_range, file.size) if unless in (None, etag(file)) else None
    start, end = part or (0, file.size)
    pieces = op.services.files.get(file.id, start, end)
    # The first piece is read here, while a failure can still become an error answer.
    return Payload(file, start, end, part is not None, _with_first(await anext(pieces, b""), pieces))


@operation(Permission.files_write, "outside")
async def upload(op: Op, form: multipart.Reader) -> models.File:
    """Uploads a file in a multipart form, as github.com/jaydenseric/graphql-multipart-request-spec defines.

    The file is read as a stream. Honours Idempotency-Key, by the file's name and bytes. Raises BadRequest for an
    invalid form, TooLarge, Conflict if the caller's files take too much space, Unavailable.
    """
    key = op.ctx.idempotency_key

    taken: builtins.list[files.PendingFile] = []

    async def store_file(file: multipart.Incoming) -> None:
        taken.append(await files.store_pending(op.services, file.name, file.mime, file.chunks))

    await files.room(op.services, op.db, op.viewer.id, 0)  # refuses before the bytes are received
    try:
        await form.receive(store_file)
    except BaseException:  # the rest of the form is invalid, or the client has disconnected
        for staged in taken:
            await files.release(op.services, staged.id)
        raise
    (staged,) = taken
    arguments = {"name": staged.name, "mime": staged.mime, "sha256": staged.stored.sha256.hex()}
    attempt = (
        Attempt(stored_model(models.File), op.viewer.id, "files.upload", key, arguments) if key else None
    )
    try:
        async with op.db.transaction() as connection:
            replay = await attempt.begin(connection) if attempt else None
            if replay is None:
                row = await files.enter(op.services, connection, op.viewer.id, staged)
                if attempt:
                    await attempt.finish(connection, row)
                return row
    except AppError:
        await files.release(op.services, staged.id)
        raise
    await files.release(op.services, staged.id)
    op.ctx.answer_header("idempotent-replayed", "true")
    return replay.value  # type: ignore[no-any-return]


@operation(Permission.files_write, "sql")
async def delete(op: Op, id: UUID) -> None:
    """Deletes a file that no project, no import and no template in use has any more. Raises NotFound, and Conflict
    while one of them uses the file.
    """
    connection = op.connection
    owner = await connection.fetchval("SELECT owner_id FROM files WHERE id = $1 FOR UPDATE", id)
    if owner is None or not _sees(op, owner):
        raise gone()
    if await connection.fetchval(_IN_USE, owner, id):
        raise Conflict(
            "A project, an import or a template uses this file. Remove the file from it, wait until it has finished, or"
            " archive the template.",
            code="file_in_use",
        )
    await files.discard(connection, id)


async def _record_download(op: Op, viewer: Viewer | None, file: models.File) -> None:
    """Has the audit tell who downloads an export, once a minute: a download may be many requests for ranges."""
    if export := await op.db.fetchval(_EXPORT_OF, file.id):
        await audit.write_once(op.ctx, viewer, "exports.download", ("export", export, file.owner_id))


def etag(file: models.File) -> str:
    """Returns the file's entity tag (RFC 9110 §8.8.3)."""
    return f'"{file.sha256[:32]}"'


def _part(byte_range: str | None, size: int) -> tuple[int, int] | None:
    """Returns the requested range, or None for the whole file.

    Only a single range is supported; RFC 9110 §14.2 allows a server to ignore the Range header.
    """
    match = _RANGE.fullmatch((byte_range or "").strip())
    if match is None or match[0] == "bytes=-":
        return None
    first, last = match[1], match[2]
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
    return (start, end) if start < end else None


async def _with_first(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if first:
        yield first
    async for piece in rest:
        yield piece


def _sees(op: Op, owner_id: UUID) -> bool:
    return op.viewer.admin or owner_id == op.viewer.id

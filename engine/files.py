"""Stores files: the bytes first, then the row, without leftovers.

Before the first byte is written, `discarded_files` gets an entry that deletes the bytes a day later; the transaction
that makes the row removes it. So after a crash at any moment there is no row without its bytes, and no bytes stay for
ever without a row.
"""

import mimetypes
import re
import unicodedata
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

import asyncpg

from core.errors import AppError, Conflict, Unavailable
from core.file_store import Stored
from core.ids import uuid7
from db import models
from db.query import returning
from engine.jobs import JobName, enqueue, every, job
from runtime.services import Services

UPLOAD = timedelta(days=1)
"""If an upload takes longer than this, its bytes count as abandoned."""

_NAME = 200  # characters of a name that are kept
_BITE = 100  # files that one round deletes
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
_MIMES = mimetypes.MimeTypes(filenames=())  # independent of the machine's own tables
_MIMES.add_type("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx")
_MIMES.add_type("application/x-ndjson", ".ndjson")

_ADD_PENDING = "INSERT INTO discarded_files (id, due_at) VALUES ($1, now() + $2)"
# With a margin: bytes that are due may be being deleted now.
PENDING = """
WITH pending AS (DELETE FROM discarded_files WHERE id = $1 AND due_at > now() + interval '1 hour' RETURNING id)
"""
"""The beginning of a statement that makes a row of stored bytes, `FROM pending`: they are not deleted any more."""

_ENTER = f"""
{PENDING}
INSERT INTO files AS made (id, owner_id, name, original_name, mime, size, sha256)
SELECT id, $2, $3, $4, $5, $6, $7 FROM pending RETURNING {returning(models.File, "made")}
"""  # noqa: S608  names of our columns
_USED = """
SELECT (SELECT COALESCE(sum(size), 0) FROM files WHERE owner_id = $1)
  + (SELECT COALESCE(sum(size), 0) FROM media WHERE owner_id = $1)
"""
_DISCARD = {
    table: f"""
WITH lost AS (DELETE FROM {table} WHERE id = $1 RETURNING id)
INSERT INTO discarded_files (id, due_at) SELECT id, now() FROM lost RETURNING id
"""  # noqa: S608  names of our tables
    for table in ("files", "media")
}
_DUE = "SELECT id FROM discarded_files WHERE due_at <= now() ORDER BY due_at LIMIT $1"
_OWNED = f"SELECT {returning(models.File, 'files')} FROM files WHERE id = $1 AND owner_id = $2"  # noqa: S608  likewise


@dataclass(frozen=True, slots=True)
class PendingFile:
    """Stored bytes that have no row yet."""

    id: UUID
    name: str
    mime: str
    stored: Stored


async def save(
    services: Services, owner_id: UUID, name: str, mime: str | None, chunks: AsyncIterator[bytes]
) -> models.File:
    """Stores a file from `chunks`, for work outside a transaction.

    Raises TooLarge beyond `max_file_bytes`, Conflict when the owner stores too much, Unavailable.
    """
    pending = await store_pending(services, name, mime, chunks)
    async with services.db.transaction() as connection:
        return await enter(services, connection, owner_id, pending)


async def store_pending(
    services: Services, name: str, mime: str | None, chunks: AsyncIterator[bytes], at_most: int | None = None
) -> PendingFile:
    """Stores the bytes alone; `enter` makes a file of them, else they are deleted after a day. `at_most`: bytes; None:
    `max_file_bytes`. Raises TooLarge, Unavailable.
    """
    id = uuid7()
    async with services.db.reading() as connection:
        await connection.execute(_ADD_PENDING, id, UPLOAD)
    try:
        stored = await services.files.put(id, chunks, at_most or services.settings.max_file_bytes)
    except BaseException:
        with suppress(Exception):  # they are deleted after a day at the latest
            await release(services, id)
        raise
    safe = safe_name(name)
    return PendingFile(id, safe, safe_mime(mime, safe), stored)


async def enter(
    services: Services, connection: asyncpg.Connection | Any, owner_id: UUID, pending: PendingFile
) -> models.File:
    """Makes the row, in the transaction of this connection. Raises Conflict when the owner stores too much."""
    await room(services, connection, owner_id, pending.stored.size)
    original = f"{pending.id.hex}{_extension(pending.name)}"
    row = await connection.fetchrow(
        _ENTER,
        pending.id,
        owner_id,
        pending.name,
        original,
        pending.mime,
        pending.stored.size,
        pending.stored.sha256.hex(),
    )
    if row is None:
        raise Unavailable("The upload took too long. Send the file again.", code="files_unavailable")
    return models.File(**dict(row))


async def room(services: Services, connection: Any, owner_id: UUID, size: int) -> None:
    """Raises Conflict when the owner has no room.

    Not exact: two uploads that end at the same time may both find room.
    """
    most = services.settings.max_user_files_bytes
    if await connection.fetchval(_USED, owner_id) + size > most:
        raise Conflict(
            f"Your files and pictures may have at most {most} bytes in all. Delete some first.",
            code="files_full",
        )


async def owned(connection: Any, owner_id: UUID, id: UUID) -> models.File | None:
    """Returns the owner's file of this id, or None. `connection`: asyncpg's, or the database."""
    row = await connection.fetchrow(_OWNED, id, owner_id)
    return None if row is None else models.File(**dict(row))


async def discard(
    connection: asyncpg.Connection | Any, id: UUID, table: Literal["files", "media"] = "files"
) -> bool:
    """Deletes a file in the transaction of this connection; its bytes soon after. Returns False if there is none."""
    if await connection.fetchval(_DISCARD[table], id) is None:
        return False
    await enqueue(connection, JobName.delete_file, id)
    return True


async def release(services: Services, id: UUID) -> None:
    """Deletes stored bytes that will not become a file."""
    await services.db.fetch("UPDATE discarded_files SET due_at = now() WHERE id = $1", id)
    await delete(services, id)


@job(JobName.delete_file)
async def delete(services: Services, id: UUID) -> None:
    """Deletes bytes that are due, and only those: a retried job must not delete the bytes of a row."""
    due = "SELECT id FROM discarded_files WHERE id = $1 AND due_at <= now()"
    if await services.db.fetchval(due, id) is not None:
        await services.files.delete(id)
        await services.db.fetch("DELETE FROM discarded_files WHERE id = $1", id)


@every(60)
async def sweep(services: Services) -> None:
    """Deletes due bytes whose job or process was lost."""
    for row in await services.db.fetch(_DUE, _BITE):
        try:
            await delete(services, row.id)
        except AppError:  # the store is unavailable; it stays due
            return


def safe_name(name: str) -> str:
    """Returns a name for people and for a header: the last part of a path, one line, no tricks, at most 200 characters.

    Control and format characters go: U+202E would show a file that ends in `fdp.exe` as one in `exe.pdf`.
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(
        " " if unicodedata.category(char) in ("Zl", "Zp", "Zs") else char
        for char in unicodedata.normalize("NFC", last)
        if unicodedata.category(char)[0] != "C"
    )
    plain = plain.strip(" .")
    if len(plain) > _NAME:
        extension = _extension(plain)
        plain = plain[: _NAME - len(extension)] + extension
    return plain or "file"


def safe_mime(declared: str | None, name: str) -> str:
    """Returns the type of the name's extension if it is known, else the declared one, without parameters."""
    by_name, encoding = _MIMES.guess_type(name)
    if by_name is not None and encoding is None:
        return by_name
    plain = (declared or "").partition(";")[0].strip().lower()
    return plain if _MIME.fullmatch(plain) else "application/octet-stream"


def _extension(name: str) -> str:
    match = re.search(r"\.[A-Za-z0-9]{1,16}$", name)
    return match[0].lower() if match else ""

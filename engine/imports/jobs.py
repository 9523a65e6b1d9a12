"""The job that reads a list: rows are stored batch by batch. One import of an owner is read at a time.

An import that needs a reader with more memory than most gives its turn back until that reader is free.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import structlog

from db.session import Database
from engine import files
from engine.contacts import upsert
from engine.faultpoints import fault_point
from engine.file_parsers.rows import COLUMNS
from engine.imports import contacts, members
from engine.imports.reader import (
    LARGE,
    SMALL,
    Failed,
    NeedsMemory,
    Over,
    large_reader,
    opened,
    options_of,
    reader,
)
from engine.jobs import JobName
from engine.jobs.fair_queue import fairly
from runtime.leases import JobLease
from runtime.services import Services
from shapes.imports import ImportStatus

log = structlog.get_logger("postern.imports")

ATTEMPTS = 10
"""An import fails after this many readings were started: something about it ends its readers."""

BITE = 5000
"""Rows of an import that one statement moves or deletes. Each row that is added looks up its project (the foreign key);
50,000 took longer than a statement may on a busy machine.
"""

_LAST_LINE = 2**31 - 1  # greater than every line number
_AGAIN = timedelta(seconds=5)  # after which an import asks again for the reader with more memory

_AFTER_BREAK = timedelta(
    seconds=15
)  # after which a list is read again whose reader ended for reasons of our own

_WAITING = "SELECT owner_id, id FROM recipient_imports WHERE status = 'processing'"
_WAITS = """
SELECT owner_id, options ? 'large' AS large, contacts_line IS NOT NULL AS adding,
  COALESCE(options -> 'contacts' ? 'members', false) AS of_segment
FROM recipient_imports
WHERE id = $1 AND status = 'processing'
"""
_OTHERS_WAIT = f"""
SELECT EXISTS (
  SELECT FROM recipient_imports AS i WHERE status = 'processing' AND options ? 'large' AND owner_id <> $1
    AND NOT EXISTS (
      SELECT FROM leases AS l WHERE l.expires_at > now() AND l.name LIKE '{JobName.read_import}:%'
        AND (l.owner_id = i.owner_id OR l.name = '{JobName.read_import}:' || i.id)
    )
)
"""  # noqa: S608  our own name
# A reader that had too little memory is no attempt.
_LARGE = """
UPDATE recipient_imports SET options = options || '{"large": true}', attempts = attempts - 1, updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING id
"""
_FENCE = "SELECT true FROM leases WHERE name = $1 AND holder = $2 AND expires_at > now() FOR SHARE"
_BEGIN = """
UPDATE recipient_imports SET attempts = attempts + 1, total = 0, valid = 0, invalid = 0, duplicates = 0,
  updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING id, owner_id, file_uuid, region, options, attempts, contacts
"""
_HEAD = """
UPDATE recipient_imports SET columns = $2::text::jsonb, mapping = $3::text::jsonb, updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING id
"""
_COUNT = """
UPDATE recipient_imports SET valid = valid + $2, invalid = invalid + $3, duplicates = duplicates + $4,
  total = total + $2 + $3 + $4, updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING id
"""
_END = """
WITH read AS (DELETE FROM import_payloads WHERE import_id = $1)
UPDATE recipient_imports SET status = $2, status_reason = $3, failure_code = $4, updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING id
"""
_NEXT = "SELECT line FROM import_rows WHERE import_id = $1 AND line > $2 ORDER BY line OFFSET $3 LIMIT 1"
_NEEDED = "SELECT EXISTS (SELECT FROM recipient_imports WHERE file_uuid = $1)"
_DELETE = "DELETE FROM import_rows WHERE import_id = $1 AND line > $2 AND line <= $3"


@fairly(JobName.read_import, "imports", waiting=_WAITING, share=1)
async def read(services: Services, id: UUID, lease: JobLease) -> None:
    """Reads the list."""
    row = await services.db.fetchrow(_WAITS, id)
    if row is None:
        return
    try:
        if row["adding"] or await _read_with_memory(services, row, id, lease):
            await _add_contacts(services, row, id, lease)
    except Failed as error:
        with suppress(Over):
            await _end(services.db, id, lease, ImportStatus.failed, error)
    except Over:
        if not services.stopping.is_set():
            lease.pause = _AFTER_BREAK
    except Exception:  # an outage of the database, or of the files: each attempt counts
        lease.pause = _AFTER_BREAK
        raise


async def _read_with_memory(services: Services, row: Any, id: UUID, lease: JobLease) -> bool:
    """Reads the list, or gives its turn back until the reader with more memory is free. Raises Failed, Over.

    Returns whether its rows are to be added to contacts now.

    The owner who used that reader last waits while an import of another owner needs it.
    """
    if not row["large"]:
        with suppress(NeedsMemory):
            return await _read(services, id, lease, SMALL)
        await _set_large(services.db, id, lease)
    reader_lock = large_reader(services)
    yields = reader_lock.last_owner == row["owner_id"] and await services.db.fetchval(
        _OTHERS_WAIT, row["owner_id"]
    )
    if yields or reader_lock.locked():
        lease.pause = _AGAIN
        return False
    async with reader_lock:
        reader_lock.last_owner = row["owner_id"]
        return await _read(services, id, lease, LARGE)


async def _set_large(db: Database, id: UUID, lease: JobLease) -> None:
    async with db.reading() as connection, fenced(connection, lease):
        if await connection.fetchval(_LARGE, id) is None:
            raise Over


async def ranges(connection: asyncpg.Connection | Any, id: UUID) -> AsyncIterator[tuple[int, int]]:
    """Yields the lines of an import in batches: after the first number, up to the second."""
    last, ended = 0, False
    while not ended:
        until, ended = await following(connection, id, last)
        yield last, until
        last = until


async def following(connection: asyncpg.Connection | Any, id: UUID, last: int) -> tuple[int, bool]:
    """Returns the last line of the bite that begins after the line `last`, and whether it is the import's last one."""
    until = await connection.fetchval(_NEXT, id, last, BITE - 1)
    return until or _LAST_LINE, until is None


async def delete_rows(connection: asyncpg.Connection | Any, id: UUID) -> None:
    """Deletes all rows of an import, in the caller's transaction or in none."""
    async for after, until in ranges(connection, id):
        await connection.execute(_DELETE, id, after, until)


async def delete(connection: asyncpg.Connection | Any, row: Any) -> None:
    """Deletes an import with its rows, and with the file that was uploaded for it, unless another import needs that.

    `row` has the id, file_uuid and options of the import; the caller has locked it.
    """
    await delete_rows(connection, row["id"])
    await connection.execute("DELETE FROM recipient_imports WHERE id = $1", row["id"])
    own = row["file_uuid"] if row["options"].get("uploaded") else None
    if own is not None and not await connection.fetchval(_NEEDED, own):
        await files.discard(connection, own)


async def _read(services: Services, id: UUID, lease: JobLease, memory: int) -> bool:
    """Returns whether the rows are to be added to contacts now. Raises Failed, NeedsMemory, Over."""
    async with services.db.reading() as connection:
        async with fenced(connection, lease):
            row = await connection.fetchrow(_BEGIN, id)
            if row is None:
                raise Over
            if row["attempts"] > ATTEMPTS:
                raise Failed(
                    f"The list could not be read to its end in {ATTEMPTS} attempts. Save it as CSV and upload it"
                    " again."
                )
        # Deletes an earlier reader's rows: with the lease taken, that reader can't write any more.
        await delete_rows(connection, id)
    task = {"id": str(id), "region": row["region"], "preview": False, **options_of(row["options"])}
    if row["contacts"] is not None:
        types = await upsert.field_types(services.db, row["owner_id"])
        task["contacts"] = {**row["options"]["contacts"], "existing": [*types]}
    async with (
        opened(services, row["file_uuid"], id) as (path, kind),
        reader({**task, "path": str(path), "kind": kind}, memory) as frames,
    ):
        async for frame, body in frames:
            if services.stopping.is_set() or not lease.valid:
                raise Over
            await _store_frame(services.db, row, lease, frame, body)
    if row["contacts"] is not None:
        return True
    await _end(services.db, id, lease, ImportStatus.ready, None)
    return False


async def _add_contacts(services: Services, row: Any, id: UUID, lease: JobLease) -> None:
    """Adds the rows of a list that has been read to contacts, or subscribes the contacts of a segment.

    Raises Failed, Over.
    """
    ended, add = False, members.subscribe_page if row["of_segment"] else contacts.add_batch
    while not ended:
        if services.stopping.is_set() or not lease.valid:
            raise Over
        async with services.db.reading() as connection, fenced(connection, lease):
            ended = await add(connection, row["owner_id"], id)
        fault_point("contacts.added")
    await _end(services.db, id, lease, ImportStatus.ready, None)


async def _store_frame(db: Database, row: Any, lease: JobLease, frame: bytes, body: bytes) -> None:
    """Stores the rows that the reader of an import has sent; `row` is the import. Raises Failed, Over."""
    id = row["id"]
    async with db.reading() as connection, fenced(connection, lease):
        if frame == b"H":
            head = orjson.loads(body)
            if row["contacts"] is not None:
                await contacts.begin(connection, row, head)
                head["mapping"] = {}  # of recipients
            as_json = (orjson.dumps(head[name]).decode() for name in ("columns", "mapping"))
            done = await connection.fetchval(_HEAD, id, *as_json)
        else:
            end = body.index(b"\n")
            numbers = orjson.loads(body[:end])
            done = await connection.fetchval(
                _COUNT, id, numbers["valid"], numbers["invalid"], numbers["duplicates"]
            )
            if done is not None:
                await connection.copy_to_table(
                    "import_rows", source=CopyBytes(body, end + 1), columns=COLUMNS
                )
        if done is None:
            raise Over


async def _end(db: Database, id: UUID, lease: JobLease, status: ImportStatus, why: Failed | None) -> None:
    reason, code = (None, None) if why is None else (str(why), why.code)
    async with db.reading() as connection, fenced(connection, lease):
        if await connection.fetchval(_END, id, status.value, reason, code) is None:
            raise Over
    log.info("an import has been read", import_id=str(id), status=status.value)


@asynccontextmanager
async def fenced(connection: Any, lease: JobLease) -> AsyncIterator[None]:
    """Opens a transaction that commits only while the lease is ours.

    The lock keeps other workers from taking it meanwhile.
    """
    async with connection.transaction():
        if not await connection.fetchval(_FENCE, lease.name, lease.holder):
            raise Over
        yield


class CopyBytes:
    """The source of asyncpg's COPY, without another copy of the data."""

    def __init__(self, body: bytes, offset: int) -> None:
        self._left, self._offset = memoryview(body), offset

    def read(self, size: int) -> bytes:
        piece = bytes(self._left[self._offset : self._offset + size])
        self._offset += len(piece)
        return piece

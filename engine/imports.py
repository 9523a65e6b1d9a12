"""Recipient imports: a list becomes rows in the background, however large it is.

The list is read by a process of its own (engine/reading), which has no access to the database. Its output is stored
here, batch by batch: each in one transaction with the numbers that the owner sees, and only while this worker has the
lease. A worker that finds an import without a reader starts it over, from its first line.
"""

import asyncio
import os
import struct
import sys
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import orjson
import structlog

from core.errors import NotFound, Unavailable
from core.installation import ROOT
from db.session import Database
from engine.jobs import JobName, enqueue, every, job
from engine.reading.rows import COLUMNS
from runtime.leases import JobLease, leased
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
# seconds without output after which a reader counts as stalled; unpacking a large spreadsheet takes a while
_STALLED = 300.0
_PREVIEW = 20.0  # the longest preview
_PREVIEWS = 4  # previews at once in one process: each starts a reader
_FRAME = 64 * 1024 * 1024
_AHEAD = 4 * 1024 * 1024  # bytes that the reader may be ahead of the database

_LEASE = "imports.read:"  # and the id of the import
_FENCE = "SELECT true FROM leases WHERE name = $1 AND holder = $2 AND expires_at > now() FOR SHARE"
_BEGIN = """
UPDATE recipient_imports SET attempts = attempts + 1, total = 0, valid = 0, invalid = 0, duplicates = 0, updated_at = now()
WHERE id = $1 AND status = 'processing' RETURNING owner_id, file_uuid, region, options, attempts
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
_DELETE = "DELETE FROM import_rows WHERE import_id = $1 AND line > $2 AND line <= $3"
_LEFT = f"""
SELECT id FROM recipient_imports WHERE status = 'processing' AND updated_at < now() - interval '15 seconds'
  AND NOT EXISTS (SELECT FROM leases WHERE name = '{_LEASE}' || recipient_imports.id AND expires_at > now())
ORDER BY updated_at LIMIT 100
"""  # noqa: S608  our own name


class _Failed(Exception):
    """The list can't be read; the message is for its owner."""

    def __init__(self, reason: str, code: str = "file_unreadable") -> None:
        super().__init__(reason)
        self.code = code


class _Over(Exception):
    """This worker must stop: the import was deleted, or another worker has it, or the process ends."""


@job(JobName.read_import)
async def read(services: Services, id: UUID) -> None:
    """Reads the list, unless another worker does. `left` restarts readings that ended for reasons of our own."""
    name = f"{_LEASE}{id}"
    async with leased(services.db, name, services.settings.lease_seconds) as lease:
        if lease is None:
            return
        try:
            await _read(services, id, lease)
        except _Failed as error:
            with suppress(_Over):
                await _end(services.db, id, lease, ImportStatus.failed, error)
        except _Over:
            pass


@every(10)
async def left(services: Services) -> None:
    """Queues imports whose worker died or could not go on."""
    for row in await services.db.fetch(_LEFT):
        async with services.db.transaction() as connection:
            await enqueue(connection, JobName.read_import, row["id"], unless_queued=True)


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


async def _read(services: Services, id: UUID, lease: JobLease) -> None:
    async with services.db.reading() as connection:
        async with _fenced(connection, lease):
            row = await connection.fetchrow(_BEGIN, id)
            if row is None:
                raise _Over
            if row["attempts"] > ATTEMPTS:
                raise _Failed(
                    f"The list could not be read to its end in {ATTEMPTS} attempts. Save it as CSV and upload it"
                    " again."
                )
        # Deletes an earlier reader's rows: with the lease taken, that reader can't write any more.
        await delete_rows(connection, id)
    task = {"id": str(id), "region": row["region"], "preview": False, **_task_options(row["options"])}
    async with (
        _opened(services, row["file_uuid"], id) as (path, kind),
        _reader({**task, "path": str(path), "kind": kind}) as frames,
    ):
        async for frame, body in frames:
            if services.stopping.is_set() or not lease.valid:
                raise _Over
            await _take(services.db, id, lease, frame, body)
    await _end(services.db, id, lease, ImportStatus.ready, None)


async def preview(
    services: Services, file_id: UUID | None, body: bytes | None, options: dict[str, Any]
) -> Any:
    """Returns what a list seems to be: format, delimiter, encoding, columns, and a mapping.

    `body`: rows as JSON, one per line. Raises Unavailable when it takes too long, and ValueError with the reason
    when it can't be read.
    """
    global _previewing
    if _previewing >= _PREVIEWS:
        raise Unavailable("Too many previews are running. Try again in a moment.")
    _previewing += 1
    try:
        return await _preview(services, file_id, body, options)
    finally:
        _previewing -= 1


_previewing = 0


async def _preview(
    services: Services, file_id: UUID | None, body: bytes | None, options: dict[str, Any]
) -> Any:
    task = {"id": str(UUID(int=0)), "region": options["region"], "preview": True, **_task_options(options)}
    try:
        async with (
            asyncio.timeout(_PREVIEW),
            _opened(services, file_id, None, body) as (path, kind),
            _reader({**task, "path": str(path), "kind": kind}) as frames,
        ):
            async for _, payload in frames:
                return orjson.loads(payload)
    except _Failed as error:
        raise ValueError(str(error)) from error
    except TimeoutError as error:
        raise Unavailable(
            "A preview of this list takes too long. Import the list without a preview."
        ) from error
    except _Over:
        raise Unavailable("The list can't be read right now. Try again in a moment.") from None
    raise AssertionError("unreachable")


def _task_options(options: dict[str, Any]) -> dict[str, Any]:
    selected = {name: options.get(name) for name in ("delimiter", "encoding", "header", "header_row")}
    return {"mapping": options.get("mapping"), "options": selected}


async def _take(db: Database, id: UUID, lease: JobLease, frame: bytes, body: bytes) -> None:
    async with db.reading() as connection, _fenced(connection, lease):
        if frame == b"H":
            head = orjson.loads(body)
            as_json = (orjson.dumps(head[name]).decode() for name in ("columns", "mapping"))
            done = await connection.fetchval(_HEAD, id, *as_json)
        else:
            end = body.index(b"\n")
            numbers = orjson.loads(body[:end])
            done = await connection.fetchval(
                _COUNT, id, numbers["valid"], numbers["invalid"], numbers["duplicates"]
            )
            if done is not None:
                await connection.copy_to_table("import_rows", source=_Bytes(body, end + 1), columns=COLUMNS)
        if done is None:
            raise _Over


async def _end(db: Database, id: UUID, lease: JobLease, status: ImportStatus, why: _Failed | None) -> None:
    reason, code = (None, None) if why is None else (str(why), why.code)
    async with db.reading() as connection, _fenced(connection, lease):
        if await connection.fetchval(_END, id, status.value, reason, code) is None:
            raise _Over
    log.info("an import has been read", import_id=str(id), status=status.value)


@asynccontextmanager
async def _fenced(connection: Any, lease: JobLease) -> AsyncIterator[None]:
    """Opens a transaction that commits only while the lease is ours.

    The lock keeps other workers from taking it meanwhile.
    """
    async with connection.transaction():
        if not await connection.fetchval(_FENCE, lease.name, lease.holder):
            raise _Over
        yield


class _Bytes:
    """The source of asyncpg's COPY, without another copy of the data."""

    def __init__(self, body: bytes, offset: int) -> None:
        self._left, self._offset = memoryview(body), offset

    def read(self, size: int) -> bytes:
        piece = bytes(self._left[self._offset : self._offset + size])
        self._offset += len(piece)
        return piece


@asynccontextmanager
async def _opened(
    services: Services, file_id: UUID | None, id: UUID | None, body: bytes | None = None
) -> AsyncIterator[tuple[Path, str]]:
    """Yields the list's path and kind. Raises _Failed when it is gone."""
    if file_id is not None:
        try:
            async with services.files.local_path(file_id) as path:
                yield path, "file"
        except NotFound as error:
            raise _Failed("The file was deleted. Upload it again.") from error
        return
    kind = "rows"
    if body is None:
        row = await services.db.fetchrow("SELECT kind, body FROM import_payloads WHERE import_id = $1", id)
        if row is None:
            raise _Over
        kind, body = row["kind"], row["body"]
    with tempfile.TemporaryDirectory(prefix="postern-import-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "list"
        await asyncio.to_thread(path.write_bytes, body)
        yield path, kind


@asynccontextmanager
async def _reader(task: dict[str, Any]) -> AsyncIterator[AsyncGenerator[tuple[bytes, bytes], None]]:
    """Yields the frames of a reader's process, which ends with the block."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "engine.reading", cwd=ROOT, env=_environment(), limit=_AHEAD,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C goes to the worker, which ends the reader
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    frames = _frames(child, child.stdout)
    try:
        with suppress(ConnectionError):  # it has died already; the frames show it
            child.stdin.write(orjson.dumps(task))
            await child.stdin.drain()
        child.stdin.close()
        yield frames
    finally:
        await frames.aclose()
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
        await child.wait()
        # The loop closes the pipes in its next iteration; a loop that ends before would print a warning.
        child._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001


def _environment() -> dict[str, str]:
    """Returns an environment without secrets."""
    names = ("PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR", "COVERAGE_PROCESS_START")
    return {name: os.environ[name] for name in names if name in os.environ} | {"PYTHONUTF8": "1"}


async def _frames(
    child: asyncio.subprocess.Process, out: asyncio.StreamReader
) -> AsyncGenerator[tuple[bytes, bytes], None]:
    """Yields H, R and P frames up to the end. Raises _Failed, and _Over for a reader that was ended from outside."""
    while True:
        try:
            async with asyncio.timeout(_STALLED):
                frame, size = struct.unpack(">cI", await out.readexactly(5))
                body = await out.readexactly(size) if size <= _FRAME else b""
        except TimeoutError:
            reason = "Reading the file takes too long. Save it as CSV and try again."
            raise _Failed(reason, "file_too_complex") from None
        except asyncio.IncompleteReadError:
            raise _died(await child.wait()) from None
        if frame != b"E":
            yield frame, body
            continue
        end = orjson.loads(body)
        if "bug" in end:
            log.error("the reader of imports broke", place=end["bug"])
            raise _Failed("The file can't be read. Save it as CSV in UTF-8 and try again.")
        if "reason" in end:
            raise _Failed(end["reason"], end.get("code", "file_unreadable"))
        return


def _died(code: int) -> Exception:
    log.warning("a reader of imports died", code=code)
    if code in (-9, -15, -2):  # killed from outside: another attempt may succeed
        return _Over()
    reason = "The file needs more memory or time than an import may take. Save it as CSV, or split it."
    return _Failed(reason, "file_too_complex")

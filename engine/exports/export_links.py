"""Export links: files that are written in the background, and contacts that integrations import.

A link's row says which data to write. One worker at a time writes it, under a lease whose holder is the row's
`claim_id`. One link of an owner is written at a time (engine/jobs/fair_queue.py). Each page updates `done` in a
statement that checks the claim; a worker that learns there that the link is canceled or taken over stops and leaves
nothing. File, size and `ready` are stored in one transaction. A worker that dies leaves `running`; another worker
starts over when its lease has ended.
"""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from core.errors import AppError, Unavailable
from core.ids import uuid7
from engine import files, tariffs
from engine.address_hashes import address_hasher
from engine.exports.formats import MIMES, Csv, Formatter, Ndjson, Xlsx
from engine.exports.port import Asked
from engine.exports.rights import exporter
from engine.exports.sources import SOURCES
from engine.jobs import JobName, every
from engine.jobs.fair_queue import fairly
from runtime.database_errors import translate
from runtime.leases import JobLease
from runtime.services import Services
from runtime.viewers import Viewer
from shapes.addresses import stored_key
from shapes.exports import ExportFormat, ExportSource

log = structlog.get_logger("postern.exports")

TRIES = 5
"""The most workers that may start an export: an export that kills its writers must end at some point."""
MOST_BYTES = 4 * 1024**3
"""The most bytes of one export. The sum of the owner's files is limited too (`max_user_files_bytes`)."""
IDLE = timedelta(days=1)
"""The time after which an integration that sends nothing more is given up."""

_PIECE = 1024 * 1024
_AFTER_OUTAGE = timedelta(seconds=30)  # after which it is tried again; it has few tries
_AFTER_BREAK = timedelta(seconds=10)  # after which an export is begun again that lost its claim
_OWN = tuple(source.value for source in ExportSource)

_WAITING = f"""
SELECT owner_id, id FROM export_links
WHERE status IN ('created', 'running') AND source IN ({", ".join(f"'{source}'" for source in _OWN)})
"""  # noqa: S608  our own words
_BEGIN = """
UPDATE export_links AS e SET status = 'running', claim_id = $2, tries = tries + 1, done = 0, updated_at = now()
WHERE e.id = $1 AND e.status IN ('created', 'running') AND e.source = ANY($3)
RETURNING e.owner_id, e.source, e.format, e.filters, e.columns, e.sending_project_uuid, e.tries
"""
# A worker's updates of a link, valid only with its claim: $1 link, $2 claim, $3 value.
_SAY = (
    "UPDATE export_links SET {}, updated_at = now() WHERE id = $1 AND claim_id = $2 AND status = 'running'"
    " RETURNING id"
)
_TOTAL = _SAY.format("total = $3")
_DONE = _SAY.format("done = $3, total = GREATEST(total, $3)")
_READY = _SAY.format("status = 'ready', file_uuid = $3, total = done")
_FAIL = _SAY.format("status = 'failed', status_reason = $3")
_GIVE_UP = """
UPDATE export_links SET status = 'failed', status_reason = 'Nothing came for a day.', updated_at = now()
WHERE id IN (
  SELECT id FROM export_links WHERE status IN ('created', 'running') AND source <> ALL($1)
    AND updated_at < now() - $2::interval
  ORDER BY updated_at LIMIT 1000 FOR UPDATE SKIP LOCKED
)
"""
_ADD_PENDING = "INSERT INTO discarded_files (id, due_at) VALUES ($1, now() + $2)"


class Stopped(Exception):
    """The link was canceled, or another worker has it, or this worker must stop."""


@dataclass(slots=True)
class _Export:
    services: Services
    id: UUID
    lease: JobLease
    row: Any
    done: int = 0

    @property
    def format(self) -> ExportFormat:
        return ExportFormat(self.row["format"])

    async def viewer(self) -> Viewer:
        """Returns the caller for whom it is written. Raises Forbidden if the caller may not see the rows any more."""
        return await exporter(self.services.db, self.id, SOURCES[self.row["source"]].permission)

    async def moved(self, rows: int) -> None:
        """Stores the progress. Raises Stopped, Forbidden."""
        self.done += rows
        await self.say(_DONE, self.done)
        if self.services.stopping.is_set() or not self.lease.valid:
            raise Stopped
        await self.viewer()

    async def say(self, sql: str, value: Any) -> None:
        """Updates the link. Raises Stopped when the claim is lost."""
        if await self.services.db.fetchval(sql, self.id, self.lease.holder, value) is None:
            raise Stopped


@fairly(JobName.write_export, "exports", waiting=_WAITING, share=1)
async def write(services: Services, id: UUID, lease: JobLease) -> None:
    """Writes the file of a link, unless it is canceled."""
    row = await services.db.fetchrow(_BEGIN, id, lease.holder, _OWN)
    if row is None:
        return
    export = _Export(services, id, lease, row)
    try:
        await _write(export)
    except Stopped:
        log.info("an export was left", export=str(id), done=export.done)
        if not services.stopping.is_set():
            lease.pause = _AFTER_BREAK
    except Exception as error:
        translated = error if isinstance(error, AppError) else translate(error)
        if isinstance(translated, Unavailable) and row["tries"] < TRIES:
            lease.pause = _AFTER_OUTAGE
            raise  # it is tried again
        log.warning(
            "an export failed", export=str(id), error=type(error).__name__, exc_info=translated is None
        )
        message = (
            translated.message
            if translated
            else "The export failed because of an internal error. Tell the operator the id of this link."
        )
        with suppress(Stopped):
            await export.say(_FAIL, message)


@every(20)
async def give_up_integrations(services: Services) -> None:
    """Ends integrations that never reported their end."""
    await services.db.fetch(_GIVE_UP, list(_OWN), IDLE)


async def _write(export: _Export) -> None:
    services, row = export.services, export.row
    viewer = await export.viewer()
    if row["tries"] > TRIES:
        await export.say(_FAIL, f"{TRIES} workers have begun it and died. Ask for fewer rows or columns.")
        return
    source = SOURCES[row["source"]]
    owner = None if viewer.admin else viewer.id
    hasher = await address_hasher(services) if row["source"] == ExportSource.person else None
    asked = Asked(
        owner,
        row["sending_project_uuid"],
        row["filters"],
        row["columns"],
        hasher,
        viewer,
        services.render_pool,
    )
    await export.say(_TOTAL, await source.total(services.db, asked))
    columns = asked.columns or await source.usual(services.db, asked)
    name = f"{row['source']}-{datetime.now(UTC):%Y%m%d-%H%M%S}.{export.format.value}"
    async with aclosing(_chunks(export, asked, columns)) as chunks:
        pending = await _store_pending(services, name, export.format, chunks)
    try:
        async with services.db.transaction() as connection:
            file = await files.enter(services, connection, row["owner_id"], pending)
            if await connection.fetchval(_READY, export.id, export.lease.holder, file.id) is None:
                raise Stopped
    except BaseException:
        with suppress(Exception):  # they are deleted after a day at the latest
            await files.release(services, pending.id)
        raise


async def _store_pending(
    services: Services, name: str, format: ExportFormat, chunks: AsyncGenerator[bytes, None]
) -> files.PendingFile:
    """Stores the bytes like `files.store_pending`, with the limit of exports: that of uploads is too small."""
    id = uuid7()
    await services.db.fetch(_ADD_PENDING, id, files.UPLOAD)
    try:
        stored = await services.files.put(id, chunks, MOST_BYTES)
    except BaseException:
        with suppress(Exception):
            await files.release(services, id)
        raise
    return files.PendingFile(id, name, MIMES[format], stored)


async def _chunks(export: _Export, asked: Asked, columns: Sequence[str]) -> AsyncGenerator[bytes, None]:
    if export.format is ExportFormat.xlsx:
        making = _workbook(export, asked, columns)
    else:
        making = _formatted(
            export, asked, columns, Csv(columns) if export.format is ExportFormat.csv else Ndjson(columns)
        )
    async with aclosing(making) as pieces:
        async for piece in pieces:
            yield piece


async def _pages(
    export: _Export, asked: Asked, columns: Sequence[str]
) -> AsyncGenerator[Sequence[Sequence[Any]], None]:
    """Yields a page at a time, and updates `done` after each was consumed. Raises Stopped."""
    pages = SOURCES[export.row["source"]].pages(export.services.db, asked)
    async for page in pages:
        yield [[row.get(name) for name in columns] for row in page]
        await export.moved(len(page))


async def _formatted(
    export: _Export, asked: Asked, columns: Sequence[str], formatter: Formatter
) -> AsyncGenerator[bytes, None]:
    yield await asyncio.to_thread(formatter.head)
    async with aclosing(_pages(export, asked, columns)) as pages:
        async for page in pages:
            yield await asyncio.to_thread(formatter.rows, page)


async def _workbook(export: _Export, asked: Asked, columns: Sequence[str]) -> AsyncGenerator[bytes, None]:
    """Writes an XLSX to disk first: its parts can be written only when all rows are known."""
    with tempfile.TemporaryDirectory(prefix="postern-export-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "export.xlsx"
        book = Xlsx(columns, path)
        async with aclosing(_pages(export, asked, columns)) as pages:
            async for page in pages:
                await asyncio.to_thread(book.rows, page)
        await asyncio.to_thread(book.close)
        with await asyncio.to_thread(path.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece


_ADD = """
INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone)
SELECT n.id, $1, n.address, n.key, n.name, n.variables, n.timezone
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]::jsonb[], $6::text[], $7::text[])
  AS n (id, address, name, variables, timezone, key)
ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Contact:
    """A future recipient; the address is normalized, the variables are JSON as text."""

    address: str
    name: str | None
    variables: str
    timezone: str | None


async def add(connection: asyncpg.Connection | Any, project: UUID, contacts: Sequence[Contact]) -> int:
    """Recipients of the project, in the transaction of this connection; how many are new.

    The caller has looked whether the project takes recipients, and holds its row. Raises Conflict
    `too_many_recipients`.
    """
    if not contacts:
        return 0
    await tariffs.check_recipients(connection, project, len(contacts))
    answer: str = await connection.execute(
        _ADD,
        project,
        [uuid7() for _ in contacts],
        [contact.address for contact in contacts],
        [contact.name for contact in contacts],
        [contact.variables for contact in contacts],
        [contact.timezone for contact in contacts],
        [stored_key(contact.address) for contact in contacts],
    )
    return int(answer.rpartition(" ")[2])

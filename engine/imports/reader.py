"""The processes that read lists (engine/file_parsers): started with a list, without secrets, with as much memory as it
takes.

Nearly all lists, a million rows of a spreadsheet among them, are read in `SMALL` memory, by several processes at once.
A list that needs more is read again by one with `LARGE`, of which a process of ours has one at a time.
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

import orjson
import structlog

from core.errors import NotFound
from core.installation import ROOT
from runtime.services import Services

log = structlog.get_logger("postern.imports")

SMALL = 512 * 1024**2
LARGE = 2 * 1024**3
"""Bytes of address space of a reader."""

# seconds without output after which a reader counts as stalled; unpacking a large spreadsheet takes a while
_STALLED = 300.0
_FRAME = 64 * 1024 * 1024
_AHEAD = 4 * 1024 * 1024  # bytes that the reader may be ahead of the database


class Failed(Exception):
    """The list can't be read; the message is for its owner."""

    def __init__(self, reason: str, code: str = "file_unreadable") -> None:
        super().__init__(reason)
        self.code = code


class NeedsMemory(Failed):
    """The reader had too little memory."""


class Over(Exception):
    """This process must stop reading: the import was deleted, another worker has it, or the process ends."""


class LargeReader(asyncio.Lock):
    """The lock of the one reader with `LARGE` memory that this process may have. `last_owner` used it last."""

    last_owner: UUID | None = None


def large_reader(services: Services) -> LargeReader:
    """Returns the lock of the reader with `LARGE` memory."""
    return services.single(LargeReader, LargeReader)


@asynccontextmanager
async def opened(
    services: Services, file_id: UUID | None, id: UUID | None, body: bytes | None = None
) -> AsyncIterator[tuple[Path, str]]:
    """Yields the list's path and kind. Raises Failed when it is gone."""
    if file_id is not None:
        try:
            async with services.files.local_path(file_id) as path:
                yield path, "file"
        except NotFound as error:
            raise Failed("The file was deleted. Upload it again.") from error
        return
    kind = "rows"
    if body is None:
        row = await services.db.fetchrow("SELECT kind, body FROM import_payloads WHERE import_id = $1", id)
        if row is None:
            raise Over
        kind, body = row["kind"], row["body"]
    with tempfile.TemporaryDirectory(prefix="postern-import-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "list"
        await asyncio.to_thread(path.write_bytes, body)
        yield path, kind


@asynccontextmanager
async def reader(
    task: dict[str, Any], memory: int
) -> AsyncIterator[AsyncGenerator[tuple[bytes, bytes], None]]:
    """Yields the frames of a reader's process, which ends with the block."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "engine.file_parsers", cwd=ROOT, env=environment(), limit=_AHEAD,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C goes to the worker, which ends the reader
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    frames = _frames(child, child.stdout)
    try:
        with suppress(ConnectionError):  # it has died already; the frames show it
            child.stdin.write(orjson.dumps({**task, "memory": memory}))
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


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the part of a reader's task that the owner has specified."""
    selected = {
        name: options.get(name) for name in ("channel", "delimiter", "encoding", "header", "header_row")
    }
    return {"mapping": options.get("mapping"), "options": selected}


def environment() -> dict[str, str]:
    """Returns an environment without secrets."""
    names = ("PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR", "COVERAGE_PROCESS_START")
    return {name: os.environ[name] for name in names if name in os.environ} | {"PYTHONUTF8": "1"}


async def _frames(
    child: asyncio.subprocess.Process, out: asyncio.StreamReader
) -> AsyncGenerator[tuple[bytes, bytes], None]:
    """Yields H, R and P frames up to the end. Raises Failed, and Over for a reader that was ended from outside."""
    while True:
        try:
            async with asyncio.timeout(_STALLED):
                frame, size = struct.unpack(">cI", await out.readexactly(5))
                body = await out.readexactly(size) if size <= _FRAME else b""
        except TimeoutError:
            reason = "Reading the file takes too long. Save it as CSV and try again."
            raise Failed(reason, "file_too_complex") from None
        except asyncio.IncompleteReadError:
            raise _died(await child.wait()) from None
        if frame != b"E":
            yield frame, body
            continue
        end = orjson.loads(body)
        if "bug" in end:
            log.error("the reader of imports broke", place=end["bug"])
            raise Failed("The file can't be read. Save it as CSV in UTF-8 and try again.")
        if "reason" in end:
            kind = NeedsMemory if "memory" in end else Failed
            raise kind(end["reason"], end.get("code", "file_unreadable"))
        return


def _died(code: int) -> Exception:
    log.warning("a reader of imports died", code=code)
    if code in (-9, -15, -2):  # killed from outside: another attempt may succeed
        return Over()
    reason = "The file needs more memory or time than an import may take. Save it as CSV, or split it."
    # The library that opens spreadsheets ends the process when it gets no memory; its time is over with SIGXCPU.
    return (Failed if code == -24 else NeedsMemory)(reason, "file_too_complex")

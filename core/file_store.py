"""Stores the bytes of files by the id of their row: on the local disk, or in an S3 store (POSTERN_FILES_URL).

No text of a user is ever part of a path. A file is stored completely or not at all.
"""

import asyncio
import hashlib
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit
from uuid import UUID, uuid4

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import S3Store

from core.database_options import BadSettings
from core.errors import AppError, DiskFull, NotFound, TooLarge, Unavailable, disk_full
from core.private_files import private_folder
from core.settings import Settings

T = TypeVar("T")
PIECE = 1024 * 1024  # bytes read or written at once
_PART = 5 * 1024 * 1024  # the smallest part of an upload that S3 takes
_PARTS = 2  # of one upload under way at once


@dataclass(frozen=True, slots=True)
class Stored:
    """Size and hash of a file that was stored."""

    size: int
    sha256: bytes


class FileStore(Protocol):
    """Stores the bytes of files. Every method raises Unavailable (`files_unavailable`) if disk or store fail."""

    async def put(self, id: UUID, chunks: AsyncIterator[bytes], at_most: int | None = None) -> Stored:
        """Stores a file. Raises TooLarge beyond `at_most` bytes, and the errors of `chunks`; then nothing is stored."""

    def get(self, id: UUID, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yields the bytes from `start` up to, not including, `end`. Raises NotFound at the first piece."""

    async def read(self, id: UUID, at_most: int) -> bytes:
        """Returns the whole file. Raises NotFound, and TooLarge if it has more than `at_most` bytes."""

    def local_path(self, id: UUID) -> AbstractAsyncContextManager[Path]:
        """Gives a path to readers that need one; it may be that of a temporary copy. Raises NotFound."""

    async def delete(self, id: UUID) -> None:
        """Deletes a file. It is no error if it does not exist."""


def open_store(settings: Settings) -> FileStore:
    """Returns the store that the settings name, without connecting yet. Raises BadSettings."""
    if settings.files_url is None or not settings.files_url.get_secret_value():
        return LocalFiles(settings.data_dir / "files")
    return S3Files(settings.files_url.get_secret_value())


class LocalFiles:
    """Stores each file in a folder two levels deep, named after the last characters of its id, which are random."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def _path(self, id: UUID) -> Path:
        return self._root / id.hex[-2:] / id.hex[-4:-2] / id.hex

    async def put(self, id: UUID, chunks: AsyncIterator[bytes], at_most: int | None = None) -> Stored:
        path = self._path(id)
        part = path.with_name(f"{path.name}.{uuid4().hex}.part")
        measured = _Measured(chunks, at_most, PIECE)
        file: BinaryIO | None = None
        try:
            file = await _on_disk(lambda: _begin(part))
            async for piece in measured:
                await _on_disk(lambda piece=piece: file.write(piece))  # type: ignore[misc]
            await _on_disk(lambda: _finish(file, part, path))
        except BaseException:
            with suppress(OSError):
                if file is not None:
                    file.close()
                part.unlink(missing_ok=True)
            raise
        return measured.stored

    async def get(self, id: UUID, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        file = await _of_file(lambda: self._path(id).open("rb"))
        with file:
            await _on_disk(lambda: file.seek(start))
            left = None if end is None else end - start
            while left is None or left > 0:
                size = PIECE if left is None else min(PIECE, left)
                piece = await _on_disk(lambda size=size: file.read(size))  # type: ignore[misc]
                if not piece:
                    return
                left = None if left is None else left - len(piece)
                yield piece

    async def read(self, id: UUID, at_most: int) -> bytes:
        return await _whole(self.get(id, 0, at_most + 1), at_most)

    @asynccontextmanager
    async def local_path(self, id: UUID) -> AsyncIterator[Path]:
        path = self._path(id)
        await _of_file(path.stat)
        yield path

    async def delete(self, id: UUID) -> None:
        await _on_disk(lambda: self._path(id).unlink(missing_ok=True))


class S3Files:
    """One object each, by the id. Keys come from the URL, or from where every AWS client looks for them."""

    """Stores each file as one object, named by its id.

    The access key comes from the URL, or from the places where every AWS client looks for it.
    """

    def __init__(self, url: str, *, retries: int = 3) -> None:
        """`s3://[key:secret@]bucket[/prefix][?endpoint=…&region=…]`. Raises BadSettings."""
        try:
            parts = urlsplit(url)
            options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
            endpoint, region = options.pop("endpoint", None), options.pop("region", "us-east-1")
            if parts.scheme != "s3" or not parts.hostname or options or parts.fragment:
                raise ValueError
            # Path style with an endpoint: a bucket of such a server usually has no host name of its own.
            config: dict[str, Any] = {
                "region": region,
                "virtual_hosted_style_request": endpoint is None,
                "disable_bulk_delete": True,
            }
            if endpoint is not None:
                where = urlsplit(endpoint)
                if where.scheme not in ("http", "https") or not where.hostname:
                    raise ValueError
                config["endpoint"] = endpoint
            if parts.username:
                config["access_key_id"] = unquote(parts.username)
                config["secret_access_key"] = unquote(parts.password or "")
            self._store = S3Store(
                parts.hostname,
                prefix=parts.path.strip("/") or None,
                client_options={
                    "allow_http": endpoint is not None and endpoint.startswith("http://"),
                    "connect_timeout": timedelta(seconds=5),
                    "timeout": timedelta(
                        seconds=30
                    ),  # of one request, which carries one part or piece at most
                },
                retry_config={"max_retries": retries, "retry_timeout": timedelta(seconds=20)},
                **config,
            )
        except (ValueError, BaseError) as error:
            raise BadSettings(
                "POSTERN_FILES_URL must look like s3://bucket/prefix?endpoint=https://…&region=…"
            ) from error

    async def put(self, id: UUID, chunks: AsyncIterator[bytes], at_most: int | None = None) -> Stored:
        measured = _Measured(chunks, at_most, _PART)
        first = await anext(measured, b"")
        second = await anext(measured, None)
        try:
            if (
                second is None
            ):  # a small file takes a single request, which leaves nothing to clean up if it fails
                await obstore.put_async(self._store, str(id), first, use_multipart=False)
            else:
                await obstore.put_async(
                    self._store,
                    str(id),
                    _after(first, second, measured),
                    chunk_size=_PART,
                    max_concurrency=_PARTS,
                )
        except Exception as error:
            # obstore wraps the error of the chunks in its own.
            raise (measured.broken or _unavailable(error)) from error
        return measured.stored

    async def get(self, id: UUID, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        # In several short requests, so that a slow reader does not run into their timeout.
        size = (await _in_store(obstore.head_async(self._store, str(id))))["size"]
        end = size if end is None else min(end, size)
        while start < end:
            until = min(start + PIECE, end)
            piece = await _in_store(obstore.get_range_async(self._store, str(id), start=start, end=until))
            yield piece.to_bytes()
            start = until

    async def read(self, id: UUID, at_most: int) -> bytes:
        return await _whole(self.get(id, 0, at_most + 1), at_most)

    @asynccontextmanager
    async def local_path(self, id: UUID) -> AsyncIterator[Path]:
        with tempfile.TemporaryDirectory(prefix="postern-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "file"
            with path.open("wb") as file:
                async for piece in self.get(id):
                    await _on_disk(lambda piece=piece: file.write(piece))  # type: ignore[misc]
            yield path

    async def delete(self, id: UUID) -> None:
        with suppress(NotFound):
            await _in_store(obstore.delete_async(self._store, str(id)))


class _Measured:
    """Regroups chunks to about `piece` bytes, and counts and hashes them."""

    def __init__(self, chunks: AsyncIterator[bytes], at_most: int | None, piece: int) -> None:
        self._chunks, self._at_most, self._piece = chunks, at_most, piece
        self._size, self._hash = 0, hashlib.sha256()
        self.broken: BaseException | None = None

    def __aiter__(self) -> "_Measured":
        return self

    async def __anext__(self) -> bytes:
        chunks, size = [], 0
        try:
            while size < self._piece:
                chunk = await anext(self._chunks, None)
                if chunk is None:
                    break
                chunks.append(chunk)
                size += len(chunk)
                if self._at_most is not None and self._size + size > self._at_most:
                    raise too_large(self._at_most)
        except BaseException as error:
            self.broken = error
            raise
        if not chunks:
            raise StopAsyncIteration
        piece = b"".join(chunks)
        self._size += size
        await asyncio.to_thread(self._hash.update, piece)
        return piece

    @property
    def stored(self) -> Stored:
        return Stored(self._size, self._hash.digest())


def too_large(at_most: int) -> TooLarge:
    """Returns the error for a file of more than `at_most` bytes."""
    # The rest of the request is not read, so the connection can't be used again.
    return TooLarge(
        f"The file is larger than {at_most} bytes. Send a smaller file.",
        code="file_too_large",
        headers={"Connection": "close"},
    )


def gone() -> NotFound:
    """Returns the error for a file that does not exist."""
    return NotFound(
        "There is no such file among yours. Check its uuid or name; the file may have been deleted.",
        code="file_not_found",
    )


async def _after(first: bytes, second: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    yield second
    async for piece in rest:
        yield piece


async def _whole(pieces: AsyncIterator[bytes], at_most: int) -> bytes:
    whole = b"".join([piece async for piece in pieces])
    if len(whole) > at_most:
        raise too_large(at_most)
    return whole


def _begin(part: Path) -> BinaryIO:
    if not part.parent.exists():
        private_folder(part.parents[3])
        part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")


def _finish(file: BinaryIO, part: Path, path: Path) -> None:
    """Syncs the file before it gets its name, and the folder afterwards: a power cut leaves no partial file."""
    with file:
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


async def _on_disk(work: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(work)
    except OSError as error:
        raise _unavailable(error) from error


async def _of_file(work: Callable[[], T]) -> T:
    """Runs work on a file. Raises NotFound if the file does not exist, Unavailable for other errors of the disk."""
    try:
        return await asyncio.to_thread(work)
    except FileNotFoundError as error:
        raise gone() from error
    except OSError as error:
        raise _unavailable(error) from error


async def _in_store(work: Any) -> Any:
    try:
        return await work
    except (NotFoundError, FileNotFoundError) as error:
        raise gone() from error
    except (BaseError, OSError, TimeoutError) as error:
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> AppError:
    if disk_full(error):
        return DiskFull("The disk of the files")
    return Unavailable("The file storage can't be reached. Try again in a moment.", code="files_unavailable")

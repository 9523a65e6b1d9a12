"""Bytes on the local disk and in S3: the same behaviour of both."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote
from uuid import UUID, uuid4

import pytest

from core.database_options import BadSettings
from core.errors import NotFound, TooLarge, Unavailable
from core.file_store import FileStore, LocalFiles, S3Files, open_store
from tests.support import s3

MIB = 2**20


class Broke(Exception):
    """A sender raises this in the middle of an upload."""


async def chunks(
    data: bytes, size: int = 100_000, *, then: BaseException | None = None
) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]
    if then is not None:
        raise then


def url(server: s3.S3, prefix: str = "/post/er") -> str:
    return (
        f"s3://{s3.KEY}:{quote(s3.SECRET, safe='')}@{s3.BUCKET}{prefix}?endpoint={quote(server.url, safe='')}"
    )


class Place:
    """A store, and what lies in it."""

    def __init__(self, store: FileStore, root: Path, server: s3.S3) -> None:
        self.store, self.root, self.server = store, root, server

    def lying(self) -> list[bytes]:
        disk = [path.read_bytes() for path in self.root.rglob("*") if path.is_file()]
        parts = [part for upload in self.server.uploads.values() for part in upload.values()]
        return [*disk, *self.server.objects.values(), *parts]


@pytest.fixture(params=["local", "s3"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    async with s3.serving() as server:
        store = LocalFiles(tmp_path) if request.param == "local" else S3Files(url(server))
        yield Place(store, tmp_path, server)


async def whole(store: FileStore, id: UUID, start: int = 0, end: int | None = None) -> bytes:
    return b"".join([piece async for piece in store.get(id, start, end)])


@pytest.mark.parametrize("size", [0, 1, MIB, 5 * MIB, 5 * MIB + 1, 12 * MIB + 7])
async def test_what_is_put_is_got(place: Place, size: int):
    data, id = os.urandom(size), uuid4()
    stored = await place.store.put(id, chunks(data))
    assert (stored.size, stored.sha256) == (size, hashlib.sha256(data).digest())
    assert await whole(place.store, id) == data
    assert place.lying() == [data]
    assert await place.store.read(id, max(size, 1)) == data
    async with place.store.local_path(id) as path:
        assert path.read_bytes() == data
    await place.store.delete(id)
    await place.store.delete(id)
    assert place.lying() == []
    if place.server.objects or place.server.asked:
        assert place.server.largest <= 6 * MIB  # never the whole file at once


async def test_parts_of_it(place: Place):
    data, id = os.urandom(3 * MIB), uuid4()
    await place.store.put(id, chunks(data))
    for start, end in (
        (0, 10),
        (5, None),
        (MIB - 1, 2 * MIB + 1),
        (3 * MIB - 1, None),
        (3 * MIB, None),
        (7, 7),
    ):
        assert await whole(place.store, id, start, end) == data[start:end]


async def test_what_is_not_there(place: Place):
    with pytest.raises(NotFound):
        await whole(place.store, uuid4())
    with pytest.raises(NotFound):
        await place.store.read(uuid4(), 10)
    with pytest.raises(NotFound):
        async with place.store.local_path(uuid4()):
            pass


async def test_reading_is_bounded(place: Place):
    id = uuid4()
    await place.store.put(id, chunks(b"x" * 100))
    assert await place.store.read(id, 100) == b"x" * 100
    with pytest.raises(TooLarge):
        await place.store.read(id, 99)


@pytest.mark.parametrize("size", [1000, 11 * MIB])
async def test_too_much_leaves_nothing(place: Place, size: int):
    with pytest.raises(TooLarge) as caught:
        await place.store.put(uuid4(), chunks(b"x" * size), at_most=size - 1)
    assert caught.value.code == "file_too_large"
    assert place.lying() == []
    await place.store.put(uuid4(), chunks(b"x" * size), at_most=size)


@pytest.mark.parametrize("size", [1000, 11 * MIB])
async def test_a_sender_that_breaks_off_leaves_nothing(place: Place, size: int):
    with pytest.raises(Broke):
        await place.store.put(uuid4(), chunks(b"x" * size, then=Broke()))
    assert place.lying() == []


@pytest.mark.parametrize("size", [2 * MIB, 11 * MIB])
async def test_a_put_that_is_cancelled_leaves_nothing(place: Place, size: int):
    begun, never = asyncio.Event(), asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield b"x" * size
        begun.set()
        await never.wait()

    task = asyncio.create_task(place.store.put(uuid4(), slow()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert place.lying() == []


async def test_a_store_that_is_away_is_unavailable(tmp_path: Path):
    async with s3.serving() as server:
        store = S3Files(url(server), retries=0)
        id = uuid4()
        await store.put(id, chunks(b"hi"))
        server.down = True
        with pytest.raises(Unavailable) as caught:
            await store.put(uuid4(), chunks(b"x"))
        assert caught.value.code == "files_unavailable"
        assert s3.SECRET not in str(caught.value.__cause__)
        with pytest.raises(Unavailable):
            await whole(store, id)
        with pytest.raises(Unavailable):
            await store.delete(id)
        wrong = S3Files(url(server).replace(s3.KEY, "nobody"), retries=0)
        server.down = False
        with pytest.raises(Unavailable):
            await whole(wrong, id)


async def test_a_disk_that_fails_is_unavailable(tmp_path: Path):
    (tmp_path / "files").write_text("no folder")
    store = LocalFiles(tmp_path / "files")
    with pytest.raises(Unavailable):
        await store.put(uuid4(), chunks(b"x"))


async def test_nobody_else_may_read_what_lies_on_the_disk(tmp_path: Path):
    id = uuid4()
    await LocalFiles(tmp_path / "files").put(id, chunks(b"x"))
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert path.relative_to(tmp_path / "files").parts == (id.hex[-2:], id.hex[-4:-2], id.hex)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


BAD_URLS = ["http://x/y", "s3://", "s3:bucket", "s3://b?endpiont=x", "s3://b#f", "s3://b?endpoint=:::"]


@pytest.mark.parametrize("text", BAD_URLS)
def test_a_bad_url_is_no_start(make_settings, text: str):
    with pytest.raises(BadSettings, match="POSTERN_FILES_URL"):
        open_store(make_settings(files_url=text))


def test_the_url_decides(make_settings):
    assert isinstance(open_store(make_settings()), LocalFiles)
    assert isinstance(open_store(make_settings(files_url="")), LocalFiles)
    settings = make_settings(files_url="s3://key:secret-word@bucket/prefix?region=eu-central-1")
    assert isinstance(open_store(settings), S3Files)
    assert "secret-word" not in repr(settings)

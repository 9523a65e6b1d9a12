"""Processes that are killed while a picture comes in."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from core.file_store import LocalFiles
from engine import files
from engine.faultpoints import MEDIA_POINTS
from runtime.services import Services
from tests.media.samples import picture
from tests.support.live import Live, serving
from tests.support.people import Person
from tests.support.waits import PATIENCE


def stored(live: Live) -> list[Path]:
    return [path for path in (live.log.parent / "files").rglob("*") if path.is_file()]


async def read(database: str) -> Any:
    connection = await asyncpg.connect(database)
    try:
        return await connection.fetchrow(
            "SELECT (SELECT count(*) FROM media) AS pictures, (SELECT array_agg(id) FROM discarded_files) AS pending"
        )
    finally:
        await connection.close()


@pytest.mark.servers
@pytest.mark.rotating
@pytest.mark.parametrize("point", MEDIA_POINTS)
def test_a_process_dies_between_the_bytes_and_the_row(point: str) -> None:
    with serving(FAULT_AT=point) as live:
        with suppress(httpx.TransportError):
            live.client.post("/media", files={"file": ("a.png", picture())}, headers=live.ada.headers)
        assert live.process.wait(PATIENCE) == -signal.SIGKILL
        row = asyncio.run(read(live.database))
        assert row["pictures"] == 0  # so no address exists
        # The upload as it came and the picture: both have an entry by which they are deleted.
        assert {path.name for path in stored(live)} == {id.hex for id in row["pending"]}
        assert len(row["pending"]) == 2


async def test_what_a_killed_process_left_goes_in_time(ada: Person, services: Services):
    async def chunks():
        yield picture()

    left = await files.store_pending(services, "a.png", None, chunks())
    await files.sweep(services)
    store = services.files
    assert isinstance(store, LocalFiles)
    assert await store.read(left.id, 10_000) == picture()  # the upload might still be under way
    await services.db.fetch("UPDATE discarded_files SET due_at = now()")
    await files.sweep(services)
    assert not [path for path in (services.settings.data_dir / "files").rglob("*") if path.is_file()]

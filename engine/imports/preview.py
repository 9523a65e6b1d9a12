"""Previews of lists: the probable format of a list, shown within seconds. They run in the process of the API."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson

from core.errors import RateLimited, Unavailable
from engine.file_parsers.unfolding import UNFOLDED
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
from runtime.fair_queue import Bounds, FairQueue
from runtime.services import Services

_SECONDS = 20.0  # the longest preview
_BOUNDS = Bounds(slots=4, slots_per_network=3, waiting=32, per_user=5, per_network=16, seconds=10.0)


class Unreadable(Exception):
    """The list can't be read; the message is for its owner. `read`: bytes that were read to find that out."""

    def __init__(self, reason: str, read: int) -> None:
        super().__init__(reason)
        self.read = read


class _Previews(FairQueue):
    """The queue before the readers of previews in this process."""


async def preview(
    services: Services,
    caller: tuple[UUID, str | None],
    file_id: UUID | None,
    body: bytes | None,
    options: dict[str, Any],
) -> Any:
    """Returns the probable form of a list: format, delimiter, encoding, columns, a mapping, and how many bytes were
    read.

    `caller`: the user and the network. `body`: rows as JSON, one per line. Raises RateLimited (`previews_busy`) when
    too many wait, Unavailable when it takes too long, and Unreadable.
    """
    task = {"id": str(UUID(int=0)), "region": options["region"], "preview": True, **options_of(options)}
    if "contacts" in options:
        task["contacts"] = options["contacts"]
    return await _queued(services, caller, file_id, body, task)


async def prices(services: Services, caller: tuple[UUID, str | None], file_id: UUID) -> Any:
    """Returns the rows of a price list, or its faults, as `engine.file_parsers.price_rows.read_prices` does.

    `caller`: the user and the network. Raises as `preview` does.
    """
    task = {"id": str(UUID(int=0)), "region": "", "prices": True, **options_of({"header": True})}
    return await _queued(services, caller, file_id, None, task)


async def _queued(
    services: Services,
    caller: tuple[UUID, str | None],
    file_id: UUID | None,
    body: bytes | None,
    task: dict[str, Any],
) -> Any:
    queue = services.single(_Previews, lambda: _Previews(_BOUNDS, _busy))
    async with queue.alone(*caller), queue.slot(caller[0]):
        try:
            async with asyncio.timeout(_SECONDS), opened(services, file_id, None, body) as (path, kind):
                return await _read(services, {**task, "path": str(path), "kind": kind})
        except TimeoutError as error:
            raise Unavailable(
                "Reading this list takes too long. Save it as CSV, or import it without a preview."
            ) from error
        except Over:
            raise Unavailable("The list can't be read right now. Try again in a moment.") from None
        except Failed as error:
            raise Unreadable(str(error), 0) from error


async def _read(services: Services, task: dict[str, Any]) -> Any:
    try:
        try:
            return await _first(task, SMALL)
        except NeedsMemory:
            async with large_reader(services):
                return await _first(task, LARGE)
    except Failed as error:
        size = (await asyncio.to_thread(Path(task["path"]).stat)).st_size
        raise Unreadable(str(error), UNFOLDED if error.code == "file_too_complex" else size) from error


async def _first(task: dict[str, Any], memory: int) -> Any:
    async with reader(task, memory) as frames:
        async for _, payload in frames:
            return orjson.loads(payload)
    raise AssertionError("unreachable")


def _busy() -> RateLimited:
    return RateLimited(
        "Too many previews of lists are waiting, for you, your network or all users. Wait for one answer before you ask"
        " for the next.",
        code="previews_busy",
        headers={"Retry-After": "5"},
    )

"""The segments of the journal: files of the file store, with a line of JSON for each entry.

The id of a segment follows from the installation's id and the segment's number, so that segments are found without a
list of files.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final
from uuid import UUID, uuid5

import orjson

from core.errors import NotFound
from runtime.services import Services

_BYTES: Final = 8 * 1024 * 1024  # more than 5,000 entries have


async def put(services: Services, id: UUID, number: int, lines: Sequence[dict[str, Any]]) -> None:
    """Stores a segment. Raises Unavailable."""

    async def content() -> AsyncIterator[bytes]:
        yield b"\n".join(orjson.dumps(line, default=str) for line in lines)

    await services.files.put(_segment(id, number), content())


async def segments(services: Services, id: UUID, after: int) -> AsyncIterator[tuple[int, list[Any]]]:
    """Yields the segments behind a position, with their numbers, up to the last one. Raises Unavailable."""
    number = after + 1
    while True:
        try:
            content = await services.files.read(_segment(id, number), _BYTES)
        except NotFound:
            return
        yield number, [orjson.loads(line) for line in content.splitlines() if line]
        number += 1


def _segment(id: UUID, number: int) -> UUID:
    return uuid5(id, f"journal:{number}")

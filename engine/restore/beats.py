"""The last beat of an installation, kept outside its database: in Redis and in the data folder of each machine."""

import asyncio
import os
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self, cast
from uuid import UUID

import structlog

from core.private_files import private_folder
from runtime.services import Services

log = structlog.get_logger("postern.restore")

# A process that was paused must not replace a later beat.
_KEEP = """
local stored = redis.call('GET', KEYS[1])
if stored and tonumber(string.match(stored, '^%d+')) >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2])
return 1
"""


class Beat(NamedTuple):
    """A beat: its number, and the database's time."""

    number: int
    at: datetime

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads what `text` writes. Raises ValueError."""
        number, _, at = text.partition(" ")
        return cls(int(number), datetime.fromtimestamp(float(at), UTC))

    @property
    def text(self) -> str:
        """Returns the beat as one line of text."""
        return f"{self.number} {self.at.timestamp():.3f}"


async def read(services: Services, id: UUID) -> Beat | None:
    """Returns the latest beat that Redis or the data folder has. None: neither has one, or can be read."""
    raw = await services.store.attempt(lambda redis: cast("Awaitable[Any]", redis.get(_key(id))), None)
    path = _path(services, id)
    texts = [raw.decode() if isinstance(raw, bytes) else raw, await asyncio.to_thread(_read, path)]
    parsed = []
    for text in texts:
        try:
            parsed += [Beat.parse(text)] if text else []
        except ValueError:  # a power cut has left a part of the file
            log.warning("a kept beat can't be read", text=text)
    return max(parsed, default=None)


async def write(services: Services, id: UUID, beat: Beat) -> None:
    """Keeps a beat. A place that can't be written is left out: the other one has it."""
    number, _, at = beat.text.partition(" ")
    script = services.store.script(_KEEP)
    await services.store.attempt(lambda _: script(keys=[_key(id)], args=[number, at]), None)
    try:
        await asyncio.to_thread(_write, services.settings.data_dir, _path(services, id), beat.text)
    except OSError as error:
        log.debug("the data folder can't keep the beat", error=str(error))


def _key(id: UUID) -> str:
    return f"installation:{id}"


def _path(services: Services, id: UUID) -> Path:
    return services.settings.data_dir / "installation" / str(id)


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, ValueError):
        return ""


def _write(data: Path, path: Path, text: str) -> None:
    if not path.parent.exists():
        private_folder(data)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text, "ascii")
    part.replace(path)

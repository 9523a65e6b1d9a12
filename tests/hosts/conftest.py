import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from db.migrate import upgrade
from postern.embedded import EmbeddedPostgres

FAST = {"fsync": "off"}


class Standby(EmbeddedPostgres):
    """A server that follows another one, up to when it is promoted."""

    def _ready(self, port: int, pid: int) -> bool:
        note = self._data / "postmaster.pid"
        if super()._ready(port, pid) or not note.exists():
            return note.exists()
        lines = note.read_text().split("\n")
        return len(lines) > 7 and lines[7].strip() == "standby"

    def become_standby(self) -> None:
        (self._data / "standby.signal").touch()
        owner = self._data.stat()
        os.chown(self._data / "standby.signal", owner.st_uid, owner.st_gid)

    def promote(self) -> None:
        """Promotes the standby as `pg_ctl promote` does."""
        (self._data / "promote").touch()
        assert self.pid is not None
        os.kill(self.pid, signal.SIGUSR1)


@pytest.fixture
async def pair(tmp_path: Path) -> Iterator[tuple[EmbeddedPostgres, Standby]]:
    """A primary with our schema, and a standby that has what the primary had when it was copied."""
    first, second = EmbeddedPostgres(tmp_path / "one", options=FAST), Standby(tmp_path / "two", options=FAST)
    with first:
        engine = create_async_engine(first.url.replace("postgresql://", "postgresql+asyncpg://"))
        await upgrade(engine)
        await engine.dispose()
    one, two = tmp_path / "one" / "postgresql", tmp_path / "two" / "postgresql"
    two.mkdir(mode=0o711, parents=True)
    shutil.copy2(one / "password", two / "password")
    shutil.copytree(one / "data", two / "data")
    for copied in (two / "data", *(two / "data").rglob("*")):
        origin = (one / copied.relative_to(two)).stat()
        os.chown(copied, origin.st_uid, origin.st_gid)
    second.become_standby()
    with first, second:
        yield first, second

"""`postern backup` and `postern restore`, between servers of PostgreSQL 18 and 15."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from pydantic import SecretStr

from core.errors import BadRequest, Conflict
from core.installation import ROOT
from core.settings import Settings
from db import migrate
from engine.restore import fence
from postern import backups
from runtime.services import Services
from shapes.restores import FenceReason
from tests.restore.conftest import Opened
from tests.support.debian_postgres import debian_postgres
from tests.support.gateway import Gateway
from tests.support.people import Person
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.servers

To = Callable[[str], Settings]


@pytest.fixture(scope="module")
def older() -> Iterator[str]:
    """Yields the URL of a server of PostgreSQL 15, whose settings are fewer."""
    with debian_postgres() as url:
        yield url


@pytest.fixture
async def empty(older: str) -> str:
    """Returns the URL of an empty database on it."""
    name = f"empty_{os.urandom(6).hex()}"
    db = await asyncpg.connect(older)
    await db.execute(f"CREATE DATABASE {name}")
    await db.close()
    return f"{older.rpartition('/')[0]}/{name}"


@pytest.fixture
def to(settings: Settings) -> To:
    return lambda url: settings.model_copy(update={"db_string": SecretStr(url)})


async def tables(url: str) -> int:
    db = await asyncpg.connect(url)
    try:
        return int(await db.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    finally:
        await db.close()


async def test_a_backup_of_18_is_restored_into_15_and_fenced(
    beating: Services, gateway: Gateway, ada: Person, empty: str, to: To, opened: Opened, tmp_path: Path
) -> None:
    message = await gateway.send(ada)
    file = tmp_path / "backup"
    backups.backup(beating.settings, file)
    assert file.stat().st_mode & 0o777 == 0o600
    await backups.restore(to(empty), file)
    async with opened(empty) as restored:
        status = await fence.status(restored.db)
        assert status is not None
        assert status.reason is FenceReason.restored
        assert await restored.db.fetchval("SELECT id FROM messages") == message


async def test_a_file_is_not_overwritten(beating: Services, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    file.write_bytes(b"the only one")
    with pytest.raises(Conflict, match="exists already"):
        backups.backup(beating.settings, file)
    assert file.read_bytes() == b"the only one"
    assert not [*tmp_path.glob("*.part")]


async def test_a_database_that_is_not_empty_is_refused(beating: Services, tmp_path: Path) -> None:
    backups.backup(beating.settings, tmp_path / "backup")
    with pytest.raises(Conflict, match="is not empty"):
        await backups.restore(beating.settings, tmp_path / "backup")


async def test_a_backup_of_a_newer_release_is_refused_with_both_versions(
    beating: Services, empty: str, to: To, tmp_path: Path
) -> None:
    await beating.db.fetch("UPDATE alembic_version SET version_num = '9999_later'")
    backups.backup(beating.settings, tmp_path / "backup")
    with pytest.raises(Conflict) as refused:
        await backups.restore(to(empty), tmp_path / "backup")
    assert "9999_later" in str(refused.value)
    assert migrate.newest(migrate.revisions()) in str(refused.value)
    assert await tables(empty) == 0


@pytest.mark.parametrize("content", [b"", b"no backup", b"PGDMP and then nothing"])
async def test_a_file_that_is_no_backup_changes_nothing(
    content: bytes, empty: str, to: To, tmp_path: Path
) -> None:
    (tmp_path / "backup").write_bytes(content)
    with pytest.raises(BadRequest, match="can't be read"):
        await backups.restore(to(empty), tmp_path / "backup")
    assert await tables(empty) == 0


async def test_half_a_backup_changes_nothing(beating: Services, empty: str, to: To, tmp_path: Path) -> None:
    whole = tmp_path / "backup"
    backups.backup(beating.settings, whole)
    half = tmp_path / "half"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(BadRequest):
        await backups.restore(to(empty), half)
    assert await tables(empty) == 0


async def test_a_restore_that_is_killed_leaves_an_empty_database(
    beating: Services, empty: str, to: To, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    backups.backup(beating.settings, file)
    command = [sys.executable, "-m", "postern", "restore", str(file)]
    environment = {**os.environ, **_environment(to(empty))}
    lock = await asyncpg.connect(empty)  # so that the restore is caught before its end
    with subprocess.Popen(command, env=environment, cwd=ROOT, start_new_session=True) as child:
        end = time.monotonic() + PATIENCE
        while not await lock.fetchval(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND backend_xid IS NOT NULL)"
        ):
            assert time.monotonic() < end
            await asyncio.sleep(0.01)
        os.killpg(child.pid, signal.SIGKILL)
    while await lock.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    ):
        await asyncio.sleep(0.05)
    await lock.close()
    assert await tables(empty) == 0
    await backups.restore(to(empty), file)
    assert await tables(empty) > 100


def _environment(settings: Settings) -> dict[str, Any]:
    assert settings.db_string is not None
    assert settings.redis_url is not None
    return {
        "DB_STRING": settings.db_string.get_secret_value(),
        "REDIS_URL": settings.redis_url.get_secret_value(),
        "POSTERN_SECRET_KEY": "s" * 32,
        "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_DATA_DIR": str(settings.data_dir),
    }

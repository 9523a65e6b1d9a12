"""Clients of others, installed once for all test processes from a lock file, beside the virtual environment.

npm's are those of package.json; Python's, of requirements.in, live in an environment of their own, since they bring
releases of what the service itself uses. Neither runs an installation script. Where they can't be had (no Node, no
registry) the tests skip; a lock file that does not fit what it locks is a failure.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.installation import ROOT

HERE = Path(__file__).parent
OLDEST = 20  # Node's major release
LONG = 300.0  # seconds for an installation on a slow line
# Words of npm and pip for a lock that is wrong, not for a registry that is away.
WRONG = ("EUSAGE", "EINTEGRITY", "DO NOT MATCH THE HASHES", "must have their versions pinned")


def node() -> Path:
    """A folder with `node_modules`. Skips without Node, npm or a registry."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed; the clients need both")
    completed = subprocess.run(
        ["node", "--version"], check=False, capture_output=True, text=True, timeout=LONG
    ).stdout
    if not completed.startswith("v") or int(completed[1:].partition(".")[0]) < OLDEST:
        pytest.skip(f"this is Node {completed.strip()}; the clients need {OLDEST} or newer")
    return _installed("node", HERE / "package-lock.json", _npm)


def python() -> Path:
    """The `bin` of a virtual environment. Skips without a registry."""
    return _installed("python", HERE / "requirements.lock", _pip) / "bin"


def _installed(what: str, lock: Path, install: Callable[[Path], None]) -> Path:
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    folder = ROOT / ".venv" / f"clients-{what}-{digest}"
    with _alone(folder.with_suffix(".lock")):
        if not (done := folder / ".done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                install(folder)
            except subprocess.CalledProcessError as error:
                output = f"{error.stdout}\n{error.stderr}"
                if any(word in output for word in WRONG):
                    pytest.fail(f"{lock.name} is wrong; renew it, see tests/clients/README.md:\n{output}")
                pytest.skip(f"the clients of {lock.name} can't be installed: {output.strip()[-300:]}")
            except (subprocess.TimeoutExpired, OSError) as error:
                pytest.skip(f"the clients of {lock.name} can't be installed: {type(error).__name__}")
            done.touch()
    return folder


def _npm(folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder)


def _pip(folder: Path) -> None:
    _run([sys.executable, "-m", "venv", "--without-pip", "."], folder)
    _run(
        [sys.executable, "-m", "pip", "--python", "bin/python", "install", "--disable-pip-version-check",
         "--only-binary", ":all:", "--require-hashes", "--no-deps", "-r", str(HERE / "requirements.lock")],
        folder,
    )  # fmt: skip


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True, timeout=LONG, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One process installs, the others wait for it. The kernel opens the lock of a process that dies."""
    with file.open("a") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(opened, fcntl.LOCK_UN)

"""Generators and clients of others, installed once for all processes from a lock file, beside the virtual environment.

npm's are those of tests/clients/package.json; Python's, of requirements.in there, live in an environment of their own,
since they bring releases of what the service itself uses. Neither runs an installation script.
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

from core import npm
from core.installation import ROOT

LOCKS = ROOT / "tests" / "clients"
_LONG = 300.0  # seconds for an installation on a slow line
# Words of npm and pip for a lock that is wrong, not for a registry that is away.
_WRONG = ("EUSAGE", "EINTEGRITY", "DO NOT MATCH THE HASHES", "must have their versions pinned")


class WrongLock(Exception):
    """A lock file does not fit what it locks."""


def node() -> Path:
    """Returns a folder with `node_modules`. Raises Unavailable without npm or a registry, and WrongLock."""
    return _installed("node", LOCKS / "package-lock.json", _npm)


def python() -> Path:
    """Returns the `bin` of a virtual environment. Raises Unavailable without a registry, and WrongLock."""
    return _installed("python", LOCKS / "requirements.lock", _pip) / "bin"


def _installed(what: str, lock: Path, install: Callable[[Path], None]) -> Path:
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    folder = ROOT / ".venv" / f"clients-{what}-{digest}"
    with alone(folder.with_suffix(".lock")):
        if not (done := folder / ".done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                install(folder)
            except npm.Unavailable as error:
                if any(word in str(error) for word in _WRONG):
                    raise WrongLock(
                        f"{lock.name} is wrong; renew it, see tests/clients/README.md: {error}"
                    ) from error
                raise
            done.touch()
    return folder


def _npm(folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LOCKS / name, folder)
    words = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
    npm.run(words, folder, folder, print, node=True)


def _pip(folder: Path) -> None:
    _run([sys.executable, "-m", "venv", "--without-pip", "."], folder)
    _run(
        [sys.executable, "-m", "pip", "--python", "bin/python", "install", "--disable-pip-version-check",
         "--only-binary", ":all:", "--require-hashes", "--no-deps", "-r", str(LOCKS / "requirements.lock")],
        folder,
    )  # fmt: skip


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(
            command, cwd=folder, check=True, capture_output=True, text=True, timeout=_LONG, stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        raise npm.Unavailable(f"{error.stdout}\n{error.stderr}".strip()[-2000:]) from error
    except (subprocess.TimeoutExpired, OSError) as error:
        raise npm.Unavailable(type(error).__name__) from error


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Lets one process work while the others wait for it. The kernel opens the lock of a process that dies."""
    with file.open("a") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(opened, fcntl.LOCK_UN)

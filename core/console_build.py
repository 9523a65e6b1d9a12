"""Builds the web console: from its source in `console/` into `static/vendor/console/`, where rest/console_page.py reads
it.

An installed wheel has the built files and no source. The service runs without them.
"""

import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

from core import npm
from core.assets import CONSOLE
from core.npm import Say

SOURCE = Path(__file__).resolve().parent.parent / "console"
_STAMP = "built-from"
"""A file beside the built ones: the hash of the source that they were built from."""
_NOT_SOURCE = ("node_modules", "dist", ".vite", "gql")  # gql has types, which the build does not need
_INSTALL = ("ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def build(say: Say, *, source: Path = SOURCE, target: Path = CONSOLE) -> bool:
    """Builds the console if its source has changed. Returns whether there was anything to do. Raises Unavailable."""
    if not (source / "package-lock.json").is_file():
        return False
    stamp = _hash(source)
    if _built_from(target) == stamp:
        return False
    say("Building the web console …")
    with tempfile.TemporaryDirectory(prefix="postern-console-") as name:
        work = Path(name)
        copy = work / "console"
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns(*_NOT_SOURCE))
        # Packages run no scripts of their own, neither when they are installed nor for the build.
        npm.run(_INSTALL, copy, work, say, node=True)
        npm.run(("run", "build"), copy, work, say, node=True)
        (copy / "dist" / _STAMP).write_text(stamp)
        _replace(copy / "dist", target)
    return True


def _hash(source: Path) -> str:
    """Returns the hash of all files that the console is built from."""
    digest = sha256()
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.is_file() and not set(inside.parts) & set(_NOT_SOURCE):
            digest.update(f"{inside}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _built_from(target: Path) -> str | None:
    try:
        return (target / _STAMP).read_text()
    except OSError:
        return None


def _replace(built: Path, target: Path) -> None:
    """Moves the built files to their place. A service that runs has read the old ones already."""
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.rmtree(half, ignore_errors=True)
    shutil.copytree(built, half)
    shutil.rmtree(target, ignore_errors=True)
    half.replace(target)

"""A contestant: PostGraphile 5, which compiles a query to SQL, on Node 22, both from npm.

They are installed once, by pinned versions, into a folder of the user's cache; nothing of them is committed.
"""

import os
import shutil
import subprocess
from pathlib import Path

PACKAGES = ("postgraphile@5.1.5", "node@22.23.3")
SECONDS = 600.0  # an installation takes half a minute with a good connection


class NotInstalled(Exception):
    """The message says why."""


def home() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "postern-bench" / "+".join(PACKAGES)


def install() -> Path:
    """The folder that has both. Raises NotInstalled."""
    folder = home()
    if _works(folder):
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not installed here")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    words = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", *PACKAGES]
    try:
        done = subprocess.run(
            words, cwd=folder, check=False, capture_output=True, text=True, timeout=SECONDS
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"npm install failed: {type(error).__name__}") from error
    if not _works(folder):
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotInstalled(f"npm install failed: {last[:200]}")
    return folder


def _node(folder: Path) -> Path:
    return folder / "node_modules/node/bin/node"


def _cli(folder: Path) -> Path:
    return folder / "node_modules/postgraphile/dist/cli-run.js"


def _works(folder: Path) -> bool:
    if not (_node(folder).exists() and _cli(folder).exists()):
        return False
    try:
        completed = subprocess.run(
            [_node(folder), "--version"], check=False, capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return completed.stdout.startswith("v22.")


def command(folder: Path, url: str, port: int) -> list[str]:
    """Returns the command of its server, with the preset that its manual begins with. Run it with
    NODE_ENV=production.
    """
    return [
        str(_node(folder)), str(_cli(folder)), "-P", "postgraphile/presets/amber", "-c", url, "-s", "public",
        "-n", "127.0.0.1", "-p", str(port),
    ]  # fmt: skip

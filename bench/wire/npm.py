"""Installs the folder `node/` from its lock file, and returns the commands of its programs."""

import asyncio
import shutil
from pathlib import Path

from bench.wire.contest import Unavailable

FOLDER = Path(__file__).with_name("node")
SECONDS = 300.0


async def script(name: str) -> tuple[str, ...]:
    """Returns the command that runs a script of the folder, which is installed if it isn't yet. Raises Unavailable."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Unavailable("node and npm are not installed here")
    if not (FOLDER / "node_modules/.package-lock.json").exists():
        child = await asyncio.create_subprocess_exec(
            npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=FOLDER
        )
        try:
            async with asyncio.timeout(SECONDS):
                status = await child.wait()
        except TimeoutError:
            child.kill()
            status = await child.wait()
        if status:
            raise Unavailable(f"npm ci ended with status {status}")
    return node, str(FOLDER / name)

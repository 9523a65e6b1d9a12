"""`make strangers-resend`: every call of the clients, with its outcome; red if one is not as their users expect it.

The clients are fetched into a folder that is deleted afterwards. Without npm, pip or a network it says so and ends.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from tests.support import servers
from tests.support.live import Live, serving

FOLDER = Path(__file__).parent
PACKAGES = ("resend@6", "svix@1")
_DOMAIN = """
INSERT INTO domains (id, owner_id, name, status, token, verified_at)
VALUES (gen_random_uuid(), $1, 'ada.example', 'verified', 'token', now())
"""


class NotInstalled(Exception):
    """A client can't be fetched here; the message says why."""


def _fetch(words: list[str], folder: Path, what: str) -> None:
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{what} can't be fetched: {type(error).__name__}") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise NotInstalled(f"{what} can't be fetched: {''.join(last)[:200]}")


def _node(folder: Path) -> list[str]:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotInstalled("Node and npm are not installed")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    _fetch(
        [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *PACKAGES],
        folder,
        "resend",
    )
    shutil.copy(FOLDER / "calls.mjs", folder)
    return [node, str(folder / "calls.mjs")]


def _python(folder: Path) -> list[str]:
    words = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--target",
        str(folder),
    ]
    _fetch([*words, "resend>=2.52,<3"], folder, "resend")
    return [sys.executable, str(FOLDER / "calls.py")]


def _calls(live: Live, key: str, words: list[str], folder: Path) -> list[dict[str, Any]]:
    """Runs the calls of a client. Returns the outcome of each."""
    address = f"http://127.0.0.1:{live.port}/doors/resend"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("RESEND_", "PYTHON"))},
        "RESEND_BASE_URL": address,
        "RESEND_API_URL": address,
        "RESEND_API_KEY": key,
        "PYTHONPATH": str(folder),
    }
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=180, check=False
    )
    outcomes = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not outcomes:
        outcomes.append({"call": "the program", "ok": False, "says": done.stderr[-500:]})
    return outcomes


async def _domain(live: Live) -> None:
    db = await asyncpg.connect(live.database)
    try:
        await db.execute(_DOMAIN, live.ada.id)
    finally:
        await db.close()


def _key(live: Live) -> str:
    """Returns an API token of Ada's, who has a domain and a contact."""
    asyncio.run(_domain(live))
    with httpx.Client(base_url=f"http://127.0.0.1:{live.port}", headers=live.ada.headers) as client:
        contact = {"name": "Anna", "addresses": [{"channel": "email", "address": "anna@example.com"}]}
        client.post("/contacts", json=contact).raise_for_status()
        made = client.post("/api-tokens", json={"name": "Resend"})
        made.raise_for_status()
        return str(made.json()["token"])


def main() -> int:
    """Runs all clients. Returns the exit code."""
    failed = 0
    environment = {"POSTERN_RESEND": "1", "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8"}
    with servers.running(), serving(workers=1, **environment) as live:
        live.until_up()
        key = _key(live)
        for client, prepare in (("npm resend, svix", _node), ("PyPI resend", _python)):
            with tempfile.TemporaryDirectory(prefix="postern-strangers-") as folder:
                try:
                    words = prepare(Path(folder))
                except NotInstalled as error:
                    print(f"{client}: not run, since {error}.")
                    continue
                for outcome in _calls(live, key, words, Path(folder)):
                    failed += not outcome["ok"]
                    mark = "ok    " if outcome["ok"] else "FAILED"
                    print(f"{mark} {client}: {outcome['call']}: {outcome['says'][:160]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

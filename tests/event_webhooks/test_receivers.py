"""The receivers of the docs, as somebody copies them."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.installation import ROOT
from tests.event_webhooks.world import World
from tests.support.ports import free_port
from tests.support.waits import until
from tests.webhooks.world import SECRET

_EXAMPLES = ROOT / "docs/examples"


def _python(port: int) -> list[str]:
    return [
        sys.executable,
        "-m",
        "uvicorn",
        "receive_events:app",
        "--port",
        str(port),
        "--log-level",
        "error",
    ]


def _node(_: int) -> list[str]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node on this machine")
    return [node, "receive_events.mjs"]


def _stored(file: Path) -> list[str]:
    """Returns the ids of the events that the receiver has stored."""
    if file.suffix == ".sqlite":
        with suppress(sqlite3.OperationalError):
            return [id for (id,) in sqlite3.connect(file).execute("SELECT id FROM events")]
        return []
    return [json.loads(line).get("id") for line in file.read_text().splitlines()] if file.exists() else []


@pytest.mark.parametrize(
    ("command", "suffix"), [(_python, ".sqlite"), (_node, ".jsonl")], ids=["python", "node"]
)
@pytest.mark.parametrize(
    "more",
    [{}, {"batch": 10}, {"query": "subscription { events { type } }"}],
    ids=["one", "batch", "document"],
)
async def test_it_stores_each_event_once_and_refuses_strangers(
    world: World, tmp_path: Path, command, suffix: str, more: dict[str, Any]
):
    port, file = free_port(), tmp_path / f"received{suffix}"
    url = f"http://127.0.0.1:{port}/events"
    environment = {**os.environ, "SECRET": SECRET, "FILE": str(file), "PORT": str(port)}
    program = subprocess.Popen(command(port), cwd=_EXAMPLES, env=environment)
    try:

        async def is_up() -> bool:
            async with httpx.AsyncClient() as client:
                with suppress(httpx.TransportError):
                    return (await client.post(url, json={})).status_code == 401
            return False

        await until(is_up)
        body = {"url": url, "secret": SECRET, **more}
        assert (await world.ada.rest("POST", "/webhooks", json=body)).status_code == 201
        await world.blocks(50)
        async with world.delivering():
            await until(lambda: len(_stored(file)) == 50)
    finally:
        program.kill()
        program.wait()
    if "query" not in more:
        events = (await world.ada.rest("GET", "/events")).json()["events"]
        assert sorted(_stored(file)) == sorted(event["id"] for event in events)

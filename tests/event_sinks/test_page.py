"""docs/sinks.md: its cluster runs as the page has it, and its consumer stores what a sink publishes."""

import asyncio
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import nats
import pytest

from core.installation import ROOT
from core.settings import Settings
from engine.sinks.rounds import Publishing
from runtime.services import Services
from tests.conftest import MakeSettings
from tests.docs.pages import blocks, section
from tests.support.nats import PROGRAM
from tests.support.people import Person
from tests.support.ports import free_port
from tests.support.waits import until

pytestmark = pytest.mark.timeout(180)

_NAMES = [f"nats-{number}.example.com" for number in (1, 2, 3)]
_BLOCK = "INSERT INTO blocked_phones (id, owner_id, phone) VALUES (gen_random_uuid(), $1, $2)"


@pytest.fixture
def settings(make_settings: MakeSettings, certificates: Path) -> Settings:
    """Postern trusts the page's authority, and may connect to loopback."""
    return make_settings(outbound_allow=["127.0.0.0/8", "::1/128"])


@pytest.fixture
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs the page's commands, which make an authority and three certificates, for the names that this host has."""
    folder = tmp_path / "nats"
    folder.mkdir()
    script = blocks(section("docs/sinks.md", "A cluster of three"), "sh")[0]
    script = script.replace("DNS:%s", "DNS:localhost,DNS:%s")
    subprocess.run(["bash", "-euc", script], cwd=folder, check=True, capture_output=True, timeout=30)
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
    return folder


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [(free_port(), free_port()) for _ in _NAMES]

    def url(self, user: str) -> str:
        return ",".join(f"tls://{user}:{user}-password@localhost:{port}" for port, _ in self.ports)

    def start(self, number: int) -> subprocess.Popen[bytes]:
        """Starts a server with the page's configuration: on this host, with ports and folders of its own."""
        (text,) = blocks(section("docs/sinks.md", "A cluster of three"), "nats")
        for index, (_, port) in enumerate(self.ports):
            text = text.replace(f"tls://{_NAMES[index]}:6222", f"tls://localhost:{port}")
        port, cluster_port = self.ports[number]
        text = text.replace('listen: "0.0.0.0:4222"', f'listen: "127.0.0.1:{port}"')
        text = text.replace('listen: "0.0.0.0:6222"', f'listen: "127.0.0.1:{cluster_port}"')
        text = text.replace("nats-1.example.com:4222", f"localhost:{port}").replace(_NAMES[0], _NAMES[number])
        text = text.replace("server_name: nats-1", f"server_name: nats-{number + 1}")
        text = text.replace("/etc/nats/", f"{self.folder}/")
        text = text.replace("/var/lib/nats", f"{self.folder}/store-{number}")
        assert not re.search(r"0\.0\.0\.0|/etc/|/var/", text)
        path = self.folder / f"nats-{number}.conf"
        path.write_text(text)
        with (self.folder / f"log-{number}").open("ab") as log:
            return subprocess.Popen([PROGRAM, "-c", str(path)], stdout=log, stderr=log)

    async def answers(self) -> bool:
        try:
            client = await nats.connect(
                self.url("admin").split(","), connect_timeout=2, allow_reconnect=False
            )
            try:
                await client.jetstream(timeout=2).account_info()
            finally:
                await client.close()
        except Exception:
            return False
        return True


@asynccontextmanager
async def running(cluster: Cluster) -> AsyncIterator[list[subprocess.Popen[bytes]]]:
    servers = [cluster.start(number) for number in range(len(_NAMES))]
    try:
        await until(cluster.answers, 0.2)
        yield servers
    finally:
        for server in servers:
            server.kill()
            server.wait(10)


@asynccontextmanager
async def example(name: str, url: str, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs an example of the page until the end of the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "docs" / "examples" / name),
        *arguments,
        env={**os.environ, "NATS_URL": url},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()


def stored(path: Path) -> list[str]:
    """Returns the phones of the events that the consumer has stored, in their order."""
    if not path.exists():
        return []
    db = sqlite3.connect(path)
    try:
        return [row[0] for row in db.execute("SELECT data ->> '$.phone' FROM events ORDER BY rowid")]
    except sqlite3.OperationalError:
        return []
    finally:
        db.close()


async def test_the_cluster_of_the_page_takes_what_a_sink_publishes(
    services: Services, ada: Person, certificates: Path, tmp_path: Path
):
    assert shutil.which("openssl"), "openssl makes the page's certificates"
    cluster, table = Cluster(certificates), tmp_path / "events.db"
    async with running(cluster) as servers:
        await until(
            lambda: _makes_stream(cluster), 0.2
        )  # JetStream answers before the last server has joined
        body: dict[str, Any] = {"name": "Warehouse", "stream": "POSTERN", "makeStream": False}
        wrong = {**body, "url": cluster.url("postern").replace("postern-password", "wrong")}
        refused = await ada.rest("POST", "/event-sinks", json=wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "broker_refused"), refused.text
        answer = await ada.rest("POST", "/event-sinks", json={**body, "url": cluster.url("postern")})
        assert answer.status_code == 201, answer.text
        task = asyncio.create_task(Publishing(services).run())
        try:
            phones = [f"+1415555{number:04}" for number in range(30)]
            async with example("consume_events.py", cluster.url("warehouse"), str(table)):
                for phone in phones[:10]:
                    await services.db.fetch(_BLOCK, ada.id, phone)
                await _has(table, 10)
            servers[0].kill()  # one server fails, and the consumer was killed
            for phone in phones[10:]:
                await services.db.fetch(_BLOCK, ada.id, phone)
            async with example("consume_events.py", cluster.url("warehouse"), str(table)):
                await _has(table, 30)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    assert sorted(stored(table)) == phones


async def _makes_stream(cluster: Cluster) -> bool:
    async with example("make_stream.py", cluster.url("admin")) as made:
        return await made.wait() == 0


async def _has(table: Path, count: int) -> None:
    """Waits for so many events. One that was on its way to a killed consumer comes again after its `ack_wait`."""
    async with asyncio.timeout(90):
        while len(stored(table)) < count:
            await asyncio.sleep(0.1)

"""A database is upgraded while processes serve, as docs/operations.md says, without an error.

There is no release yet, so the processes run this code from the begin on, and the upgrade applies each function of the
database anew. With RELEASE_BEFORE=<folder of a checkout> they begin with that code, and its schema is migrated.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from core.ids import uuid7
from core.installation import ROOT
from db import functions
from tests.migrations.load import Load
from tests.process.serve import environment
from tests.support import servers
from tests.support.balancer import Balancer
from tests.support.ports import free_port
from tests.support.tcp import serving
from tests.support.waits import PATIENCE, until
from tests.webhooks.receiver import receiving

pytestmark = pytest.mark.rotating

KEYS = {"POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32}
LIMITS = ("LOGIN", "LOGIN_GLOBAL", "REGISTER", "MESSAGES", "GRAPHQL", "DOCUMENTS", "DOCUMENTS_GLOBAL")
APIS = 2
STAGE = 200  # answers that clients get at least before something changes
CREDIT = 100_000
BEFORE = Path(os.environ.get("RELEASE_BEFORE", ROOT))

_SETTLED = """
SELECT NOT EXISTS (SELECT FROM messages WHERE state IN ('queued', 'sending'))
  AND NOT EXISTS (SELECT FROM sending_projects WHERE status = 'running')
"""


class Provider:
    """Takes messages, and counts how often each text comes."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            length = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:"))
            self.taken[json.loads(await reader.readexactly(length))["body"]] += 1
            answer = json.dumps({"id": str(uuid4())}).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))


class Processes:
    """Starts processes of either release on one database, and ends them."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder, self._settings = folder, settings
        self.code = BEFORE
        self._logs: dict[subprocess.Popen[bytes], Path] = {}

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        log = self._folder / f"log-{len(self._logs)}"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "postern", *words],
                cwd=self._folder,
                env=environment(self._folder, **self._settings, PYTHONPATH=str(self.code)),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
            )
        self._logs[process] = log
        return process

    async def ended(self, process: subprocess.Popen[bytes]) -> None:
        """Waits until it has ended, as it should."""
        assert await asyncio.to_thread(process.wait, PATIENCE * 2) == 0, self.errors()

    async def stop(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        await self.ended(process)

    def end(self) -> None:
        for process in self._logs:
            if process.poll() is None:
                process.kill()
            process.wait()

    def errors(self) -> list[str]:
        """Lines of the log that tell of an error."""
        lines = [line for log in self._logs.values() for line in log.read_text().splitlines()]
        signs = ('"level":"error"', '"level":"critical"', "Traceback", "Error: ", "postern: ")
        return [line for line in lines if any(sign in line for sign in signs)]


@pytest.fixture
async def processes(tmp_path: Path) -> AsyncIterator[tuple[Processes, str, Provider]]:
    name, provider = f"upgraded_{uuid4().hex}", Provider()
    server = await asyncpg.connect(os.environ[servers.POSTGRES])
    await server.execute(f'CREATE DATABASE "{name}"')
    await server.close()
    url = servers.named(os.environ[servers.POSTGRES], name)
    async with serving(provider.serve) as port:
        settings = {
            **KEYS, **{f"POSTERN_LIMIT_{limit}": "10000000/60" for limit in LIMITS},
            "DB_STRING": url, "REDIS_URL": servers.redis_url(), "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8",
            "POSTERN_DRAIN_SECONDS": "2",
            "POSTERN_CHANNEL_SMS": f"post://127.0.0.1:{port}/send?scheme=http&timeout=20&connections=20",
        }  # fmt: skip
        made = Processes(tmp_path, settings)
        try:
            yield made, url, provider
        finally:
            made.end()
            await servers.drop(name)


async def credit(connection: asyncpg.Connection, user: UUID) -> None:
    account = await connection.fetchval(
        "UPDATE accounts SET balance = balance + $2 WHERE owner_id = $1 RETURNING id", user, CREDIT
    )
    await connection.execute(
        "INSERT INTO ledger_entries (id, account_id, kind, amount, reference) VALUES ($1, $2, 'credit', $3, $1)",
        uuid7(), account, CREDIT,
    )  # fmt: skip


@pytest.mark.alone
@pytest.mark.slow
async def test_an_upgrade_under_load(processes: tuple[Processes, str, Provider]) -> None:
    running, url, provider = processes
    ports = [free_port() for _ in range(APIS)]
    balancer = Balancer([f"http://127.0.0.1:{port}" for port in ports])
    checking = asyncio.create_task(balancer.check())
    load = Load(balancer)

    async def stage(name: str) -> None:
        before = load.answers
        await until(lambda: load.answers >= before + STAGE)
        print(f"{name}: {load.answers} answers, {sum(load.failures.values())} failures")

    await running.ended(running.start("migrate"))
    apis = [running.start("serve", "--no-worker", "--port", str(port)) for port in ports]
    worker = running.start("worker")
    connection = await asyncpg.connect(url)
    async with load.connected(), receiving() as receiver:
        await balancer.all_healthy()
        await credit(connection, await load.register())
        await load.call("POST", "/webhooks", {"url": receiver.url})
        async with load.running():
            await stage("before")
            running.code = ROOT
            await connection.execute("DELETE FROM schema_functions")
            await running.ended(running.start("migrate"))
            assert await connection.fetchval("SELECT count(*) FROM schema_functions") == len(
                functions.texts()
            )
            await stage("migrated")
            await running.stop(worker)
            for number, port in enumerate(ports):
                await running.stop(apis[number])
                apis[number] = running.start("serve", "--no-worker", "--port", str(port))
                await balancer.all_healthy()
                await stage(f"{number + 1} of {APIS} new")
            worker = running.start("worker")
            await stage("all new")
        await until(lambda: connection.fetchval(_SETTLED), 0.1)
        print(dict(load.outcomes), dict(load.refusals))
        failures = [f"{count} x {name}" for name, count in load.failures.items()]
        assert not load.failures, "\n".join([*failures, *running.errors()])
    for process in (*apis, worker):
        await running.stop(process)
    checking.cancel()
    expected = [*load.accepted, *(text for texts in load.projects.values() for text in texts)]
    assert provider.taken == Counter(expected)
    assert len(load.accepted) > STAGE / 10
    assert load.projects
    assert running.errors() == []
    await connection.close()

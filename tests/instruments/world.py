"""One installation whose every part can be broken: relays before PostgreSQL and Redis, a provider, and Prometheus."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
import asyncpg

from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.support.debian_postgres import debian_postgres
from tests.support.ports import free_port
from tests.support.receiving import Receiving, receiving
from tests.support.tcp import Network, serving

Process = asyncio.subprocess.Process

ADMIN: Final = "ada@instruments.test"
ALLOWLIST: Final = "ip-allowlist.conf"
VALID: Final = "127.0.0.0/8\n"
METRICS_TOKEN: Final = "metrics-of-the-instruments"
PROMETHEUS: Final = shutil.which("prometheus")
_KEYS: Final = {
    "POSTERN_SECRET_KEY": "Ks1-4f9aQz7Yb2Lw8Xe3Rt6Uv0Nm5Jh_Dc",
    "POSTERN_JWT_KEY": "Jw2-9c7eVb4Tn1Mq8Zx5Kp3Ld6Gf0Hs_Ra",
}
_SCRAPE: Final = """
global: {{scrape_interval: 5s, scrape_timeout: 5s, evaluation_interval: 2s}}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: postern
    authorization: {{credentials: "{token}"}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""
_WAITS = """
SELECT EXISTS (SELECT FROM messages WHERE state IN ('queued', 'sending') AND created_at < now() - interval '10 seconds')
"""


@dataclass
class Provider:
    """An HTTP server that takes messages, and can be broken. `mode`: well, hangs, refuses or slow."""

    mode: str = "well"
    taken: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
            await reader.readexactly(length)
            if self.mode == "hangs":
                await asyncio.Event().wait()
            status, body = (
                (b"401 Unauthorized", b"{}") if self.mode == "refuses" else (b"200 OK", b'{"id":"x"}')
            )
            self.taken += status.startswith(b"200")
            writer.write(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body))


class Relay:
    """The way to a server, which refuses connections, or leaves them without an answer, while it is broken."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.network = Network(parts.hostname or "127.0.0.1", parts.port or 0)
        self.port = 0
        self._open: AsyncExitStack | None = None

    async def open(self) -> None:
        """Listens, on the same port as before."""
        self._open = AsyncExitStack()
        self.port = await self._open.enter_async_context(serving(self.network.serve, port=self.port))

    async def close(self) -> None:
        """Ends all connections, and refuses new ones."""
        opened, self._open = self._open, None
        if opened is not None:
            await opened.aclose()

    @asynccontextmanager
    async def down(self) -> AsyncIterator[None]:
        """Refuses connections until the block ends."""
        await self.close()
        try:
            yield
        finally:
            await self.open()

    @asynccontextmanager
    async def hanging(self) -> AsyncIterator[None]:
        """Leaves connections open and silent until the block ends."""
        self.network.silence(new=True)
        try:
            yield
        finally:
            self.network.restore()


@dataclass
class World:
    """The installation. The URLs are those of the servers themselves, behind the relays."""

    folder: Path
    environment: dict[str, str]
    postgres_url: str
    redis_url: str
    to_postgres: Relay
    to_redis: Relay
    to_provider: Relay
    provider: Provider
    mailboxes: Receiving
    port: int
    prometheus_port: int = 0
    token: str = ""
    api: Process | None = None
    worker: Process | None = None
    _processes: list[Process] = field(default_factory=list)

    @property
    def log(self) -> Path:
        """Returns the file with the log of all processes."""
        return self.folder / "postern.log"

    async def start(self, *words: str) -> Process:
        """Starts `postern WORDS`, whose log goes to `log`."""
        with self.log.open("ab") as log:
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "postern", *words, cwd=ROOT, env={**os.environ, **self.environment},
                stdin=asyncio.subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self._processes.append(child)
        return child

    async def start_worker(self) -> None:
        self.worker = await self.start("worker", "--child")

    async def start_api(self) -> None:
        """Starts the API process, and waits until it answers."""
        self.api = await self.start("serve", "--no-worker", "--port", str(self.port))
        async with asyncio.timeout(120), aiohttp.ClientSession() as session:
            while True:
                assert self.api.returncode is None, self.log.read_text()[-2000:]
                with suppress(aiohttp.ClientError):
                    async with session.get(f"http://127.0.0.1:{self.port}/health"):
                        return
                await asyncio.sleep(0.2)

    async def stop(self, process: Process | None) -> None:
        """Ends a process, at once if need be."""
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def end(self) -> None:
        """Ends all that was started."""
        for process in self._processes:
            await self.stop(process)

    async def send(self) -> None:
        """Sends one message each second, until it is cancelled; what is refused meanwhile is of no interest."""
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                await self.ask("POST", "/messages", {"to": "+14155550100", "channel": "sms", "body": "hi"})
            await asyncio.sleep(1)

    async def waits(self) -> bool:
        """Returns whether a message has waited for longer than it does while all is well."""
        db = await asyncpg.connect(self.postgres_url)
        try:
            return bool(await db.fetchval(_WAITS))
        finally:
            await db.close()

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Returns the answer to a request of the administrator."""
        headers, timeout = {"Authorization": f"Bearer {self.token}"}, aiohttp.ClientTimeout(5)
        async with aiohttp.ClientSession(headers=headers, timeout=timeout, raise_for_status=True) as session:
            url = f"http://127.0.0.1:{self.port}{path}"
            async with session.request(method, url, json=body) as answer:
                return json.loads(await answer.read() or b"null")

    async def start_prometheus(self) -> None:
        """Starts Prometheus, which reads /metrics and the alert rules."""
        if PROMETHEUS is None:
            return
        self.prometheus_port = free_port()
        file = self.folder / "prometheus.yml"
        rules = ROOT / "docs/alerts/postern.yml"
        file.write_text(_SCRAPE.format(rules=rules, token=METRICS_TOKEN, port=self.port))
        with (self.folder / "prometheus.log").open("wb") as log:
            child = await asyncio.create_subprocess_exec(
                PROMETHEUS, f"--config.file={file}", f"--storage.tsdb.path={self.folder / 'prometheus'}",
                f"--web.listen-address=127.0.0.1:{self.prometheus_port}", stdout=log, stderr=log,
            )  # fmt: skip
        self._processes.append(child)


def _through(url: str, port: int) -> str:
    """Returns the same URL by way of a relay."""
    parts = urlsplit(url)
    user = parts.netloc.rpartition("@")[0]
    return parts._replace(netloc=f"{user}@127.0.0.1:{port}" if user else f"127.0.0.1:{port}").geturl()


@asynccontextmanager
async def world(folder: Path, *, debian: bool = False) -> AsyncIterator[World]:
    """Runs an installation with one administrator who has money, until the block ends.

    `debian`: PostgreSQL of Debian's package with its settings, in place of the embedded one.
    """
    async with AsyncExitStack() as stack:
        redis = EmbeddedRedis(folder)
        await asyncio.to_thread(redis.start)
        stack.push_async_callback(asyncio.to_thread, redis.stop)
        if debian:
            postgres_url = stack.enter_context(debian_postgres())
        else:
            postgres = EmbeddedPostgres(folder)
            await asyncio.to_thread(postgres.start)
            stack.push_async_callback(asyncio.to_thread, postgres.stop)
            postgres_url = postgres.url
        provider = Provider()
        mailboxes = await stack.enter_async_context(receiving())
        provider_port = await stack.enter_async_context(serving(provider.serve))
        relays = [Relay(url) for url in (postgres_url, redis.url, f"http://127.0.0.1:{provider_port}")]
        for relay in relays:
            await relay.open()
            stack.push_async_callback(relay.close)
        environment = {
            **_KEYS,
            "DB_STRING": _through(postgres_url, relays[0].port),
            "REDIS_URL": _through(redis.url, relays[1].port),
            "POSTERN_DATA_DIR": str(folder),
            "IP_ALLOWLIST_FILE": str(folder / ALLOWLIST),
            "POSTERN_METRICS_TOKEN": METRICS_TOKEN,
            "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8",
            "POSTERN_CHANNEL_SMS": f"post://127.0.0.1:{relays[2].port}/send?scheme=http&timeout=2&connections=4",
            "POSTERN_CHANNEL_EMAIL": f"smtp://127.0.0.1:{mailboxes.port}?from=news@example.com&starttls=off",
            "POSTERN_LOG_LEVEL": "info",
            "PYTHONPATH": str(ROOT),
        }
        keys: dict[str, Any] = {
            "secret_key": _KEYS["POSTERN_SECRET_KEY"],
            "jwt_key": _KEYS["POSTERN_JWT_KEY"],
        }
        settings = Settings(_env_file=None, db_string=postgres_url, redis_url=redis.url, **keys)
        (folder / ALLOWLIST).write_text(VALID)
        await prepare(settings)
        made = World(folder, environment, postgres_url, redis.url, *relays, provider, mailboxes, free_port())
        async with services(settings) as opened:
            await operator.create_user(opened, ADMIN, admin=True, password="instruments of the world")
            await operator.credit(opened, ADMIN, "100000", account_id=None, note="instruments")
            made.token = str(await operator.create_token(opened, ADMIN, "instruments", [], []))
        stack.push_async_callback(made.end)
        await made.start_api()
        await made.start_worker()
        await made.start_prometheus()
        sending = asyncio.create_task(made.send())
        stack.callback(sending.cancel)
        yield made

"""A whole Postern of its own: PostgreSQL (fsync on) and Redis, the processes of `postern`, and projects in its
database.

The fault tests and the benches start what they need through this. All processes listen on loopback only, and end with
the context manager, each by its own id.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import aiohttp
import asyncpg
import redis.asyncio as redis

from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.feed import event_feed
from engine.jobs import JobName, enqueue
from engine.webhooks import endpoints
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.sinks import made
from tests.support import prefork
from tests.support.ports import free_port

KEYS = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
CREDIT = Decimal(100_000)
STOP_SECONDS = 30.0  # until a process that was asked to end is killed
UP_SECONDS = 90.0  # until a worker must have reported that it is alive

Process = asyncio.subprocess.Process
PIPE, DEVNULL = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL


def end_in_order() -> None:
    """Makes Ctrl-C and SIGTERM cancel this task once: the context managers then end all processes."""
    task = asyncio.current_task()
    assert task is not None
    signals = (signal.SIGINT, signal.SIGTERM)
    loop = asyncio.get_running_loop()

    def cancel() -> None:
        for number in signals:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN)
        task.cancel()

    for number in signals:
        loop.add_signal_handler(number, cancel)


class Deployment:
    """Holds one installation: its servers, and the processes that were started for it."""

    postgres: EmbeddedPostgres  # of an installation whose servers are its own
    redis: EmbeddedRedis

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = folder, settings
        self.url = settings.db_string.get_secret_value()
        self.redis_url = settings.redis_url.get_secret_value()
        self.children: list[Process | prefork.Awaited] = []
        self.environment = {
            "DB_STRING": self.url,
            "REDIS_URL": self.redis_url,
            "POSTERN_SECRET_KEY": KEYS["secret_key"],
            "POSTERN_JWT_KEY": KEYS["jwt_key"],
            "POSTERN_DATA_DIR": str(folder),
            "POSTERN_LOG_LEVEL": "error",
            "POSTERN_DRAIN_SECONDS": "1",
            "PYTHONPATH": str(ROOT),
        }

    # Processes

    async def spawn(self, *words: str, output: int | None = None, **environment: str) -> Process:
        """Starts `python -m WORDS` with this installation's environment. `output`: as subprocess takes stdout."""
        return await self.program(sys.executable, "-m", *words, output=output, **environment)

    async def program(self, *words: str, output: int | None = None, **environment: str) -> Process:
        """Starts a program. Its standard input is a pipe, so that a worker or a server of ours ends when we do.

        It has a session of its own, so that a Ctrl-C reaches only this process, which then stops the others.
        """
        child = await asyncio.create_subprocess_exec(
            *words, cwd=ROOT, env={**os.environ, **self.environment, **environment}, start_new_session=True,
            stdin=asyncio.subprocess.PIPE, stdout=output,
        )  # fmt: skip
        self.children.append(child)
        return child

    async def worker(self, **environment: str) -> Process:
        """Starts a worker as `postern serve` does; it may need seconds until it works."""
        return await self.spawn("postern", "worker", "--child", **environment)

    @asynccontextmanager
    async def workers(self, count: int, **environment: str) -> AsyncIterator[list[Process]]:
        """Runs so many workers, which are up when this begins and have stopped when it ends."""
        children = [await self.worker(**environment) for _ in range(count)]
        try:
            async with asyncio.timeout(UP_SECONDS):
                await self._report(children)
            await asyncio.sleep(2)  # the rest of their start is over
            yield children
        finally:
            await self.stop(*children)

    @asynccontextmanager
    async def serving(self, **environment: str) -> AsyncIterator[tuple[Process, int]]:
        """Runs an API process without workers, and returns it with its port."""
        port = free_port()
        child = await self.spawn(
            "postern", "serve", "--no-worker", "--port", str(port), output=DEVNULL, **environment
        )
        try:
            async with asyncio.timeout(UP_SECONDS), aiohttp.ClientSession() as session:
                while True:
                    assert child.returncode is None, f"the API ended at once, with status {child.returncode}"
                    with suppress(aiohttp.ClientError):
                        async with session.get(f"http://127.0.0.1:{port}/health"):
                            break
                    await asyncio.sleep(0.1)
            yield child, port
        finally:
            await self.stop(child)

    async def _report(self, workers: Sequence[Process]) -> None:
        """Waits until each worker has told Redis that it is alive."""
        async with redis.from_url(self.redis_url) as store:
            for worker in workers:
                while not [key async for key in store.scan_iter(f"*worker:alive:*:{worker.pid}")]:
                    assert worker.returncode is None, (
                        f"a worker ended at once, with status {worker.returncode}"
                    )
                    await asyncio.sleep(0.1)

    async def stop(self, *children: Process | prefork.Awaited) -> None:
        """Asks these processes to end, and kills those that have not ended after STOP_SECONDS."""
        for child in children:
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    child.send_signal(signal.SIGCONT)
                    child.terminate()
        for child in children:
            try:
                await asyncio.wait_for(child.wait(), STOP_SECONDS)
            except TimeoutError:
                child.kill()
                await child.wait()
            if child in self.children:
                self.children.remove(child)

    async def kill(self) -> None:
        """Ends whatever is still running."""
        for child in self.children:
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    child.kill()
        for child in self.children:
            await child.wait()

    # Rows

    async def owner(self, credit: Decimal = CREDIT) -> UUID:
        """Makes a user with an account and money; nobody can log in as this user."""
        user, account = uuid7(), uuid7()
        db = await asyncpg.connect(self.url)
        async with db.transaction():
            await db.execute(
                "INSERT INTO users (id, email, roles) VALUES ($1, $2, '{user}')", user, f"{user}@bench.test"
            )
            await db.execute(
                "INSERT INTO accounts (id, owner_id, name, currency, balance) VALUES ($1, $2, 'x', 'USD', $3)",
                account, user, credit,
            )  # fmt: skip
            await db.execute(
                "INSERT INTO ledger_entries (id, account_id, kind, amount, reference)"
                    " VALUES ($1, $2, 'credit', $3, $1)",
                uuid7(), account, credit,
            )  # fmt: skip
        await db.close()
        return user

    async def make_project(
        self,
        owner: UUID,
        channel: str,
        text: str,
        recipients: Iterable[tuple[str, str, str]],
        *,
        subject: str | None = None,
        retry: dict[str, Any] | None = None,
    ) -> UUID:
        """Makes a project that is not started. A recipient is an address, a name, and its variables as JSON."""
        project = uuid7()
        content = {
            "subject": subject,
            "text": text,
            "on_missing_variable": "empty",
            "category": "transactional",
        }
        db = await asyncpg.connect(self.url)
        async with db.transaction():
            await db.execute(
                "INSERT INTO sending_projects (id, owner_id, account_id, name, channel, subject, text, retry, content,"
                " category) SELECT $1, $2, id, 'project', $3, $4, $5, COALESCE($6::text::jsonb, '{}'), 1,"
                " 'transactional' FROM accounts WHERE owner_id = $2",
                project, owner, channel, subject, text, json.dumps(retry) if retry else None,
            )  # fmt: skip
            await db.execute(
                "INSERT INTO project_contents (project_id, number, content) VALUES ($1, 1, $2::text::jsonb)",
                project, json.dumps(content),
            )  # fmt: skip
            await db.copy_records_to_table(
                "recipients",
                records=((uuid7(), project, *recipient) for recipient in recipients),
                columns=["id", "project_id", "address", "name", "variables"],
            )
        await db.execute("VACUUM ANALYZE recipients")
        await db.close()
        return project

    async def add_webhook(self, owner: UUID, url: str, batch: int, types: Sequence[str] = ()) -> None:
        """Makes a webhook of a user's event feed, which is open. `types`: the only ones that it receives."""
        columns = {"batch": batch, "events": list(types)}
        async with services(self.settings) as opened, opened.db.transaction() as db:
            await endpoints.save_of_feed(db, opened, owner, url, columns, None)

    async def add_sink(self, owner: UUID, url: str) -> None:
        """Makes a sink of a user's event feed, which is open, on a cluster of three servers."""
        async with services(self.settings) as opened:
            await made.add(opened, owner, url)

    async def record_events(self, owner: UUID) -> None:
        """Opens the event feed of a user."""
        db = await asyncpg.connect(self.url)
        try:
            await event_feed.record(db, owner)
            async with asyncio.timeout(UP_SECONDS):
                while True:
                    async with db.transaction():
                        feed = await event_feed.lock(db, owner)
                        assert feed is not None
                        if await event_feed.make_ready(db, feed):
                            break
                    await asyncio.sleep(0.01)
        finally:
            await db.close()

    async def start_project(self, project: UUID) -> None:
        """Starts it, as the operation does."""
        db = await asyncpg.connect(self.url)
        async with db.transaction():
            await db.execute(
                "UPDATE sending_projects SET status = 'running', preparation = 'freeze', "
                "started_at = now() WHERE id = $1",
                project,
            )
            await enqueue(db, JobName.prepare_project, project)
        await db.close()


@asynccontextmanager
async def ending(running: Deployment) -> AsyncIterator[None]:
    """Ends at the end whatever this installation has started."""
    try:
        yield
    finally:
        await asyncio.shield(running.kill())


@asynccontextmanager
async def deployment(
    folder: Path, kind: type[Deployment] = Deployment, **settings: Any
) -> AsyncIterator[Deployment]:
    """Starts the servers, makes the schema, and ends everything at the end."""
    postgres, redis_server = EmbeddedPostgres(folder), EmbeddedRedis(folder)
    try:
        await asyncio.to_thread(postgres.start)
        await asyncio.to_thread(redis_server.start)
        prepared = Settings(
            _env_file=None, db_string=postgres.url, redis_url=redis_server.url, **{**KEYS, **settings}
        )
        await prepare(prepared)
        running = kind(folder, prepared)
        running.postgres, running.redis = postgres, redis_server
        async with ending(running):
            yield running
    finally:
        await asyncio.to_thread(redis_server.stop)
        await asyncio.to_thread(postgres.stop)

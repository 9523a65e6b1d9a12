"""A project is restored while it is sent, in each way that people restore: real servers, real processes, real mail.

The mail server counts what each recipient gets. After the restore nobody may get a mail twice, and what the API
accepts meanwhile is sent after `postern resume`.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import aiohttp
import asyncpg
import pytest

from core.installation import ROOT
from core.settings import Settings
from postern.embedded import EmbeddedRedis
from postern.process import prepare
from tests.restore.clusters import Cluster
from tests.support.deployment import KEYS, Deployment
from tests.support.ports import free_port
from tests.support.smtp import Recorder, recording
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.rotating

PEOPLE, SENT_FIRST = 160, 30
_GAP = 10


class Story(Deployment):
    """An installation whose database is restored while it sends a project."""

    mail: Recorder
    cluster: Cluster
    project: UUID

    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            **self.environment,
            "POSTERN_CHANNEL_EMAIL": f"smtp://127.0.0.1:{self.mail.port}?from=a@example.com&pool=1",
            "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8",
            "POSTERN_RESTORE_GAP_SECONDS": str(_GAP),
            "POSTERN_LEASE_SECONDS": "2",
        }

    def use(self, url: str) -> None:
        """Lets the processes that start from now on use another database."""
        self.url = self.environment["DB_STRING"] = url

    async def begin(self) -> None:
        """Sends the project until some have got it."""
        owner = await self.owner()
        rows = [(f"p{number}@example.com", "x", "{}") for number in range(PEOPLE)]
        self.project = await self.make_project(owner, "email", "Hello", rows, subject="Hello")
        await self.start_project(self.project)
        await self.until(lambda: self.taken() >= SENT_FIRST, "the first have got it")

    def taken(self) -> int:
        return sum(self.mail.taken.values())

    def got(self) -> Counter[str]:
        """Counts the mails that each recipient has got."""
        return Counter(mail["To"] for mail in self.mail.mails)

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, what
            await asyncio.sleep(0.05)

    def command(self, *words: str, fails: bool = False) -> str:
        """Runs a command of `postern`, and returns what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "postern", *words],
            env=self.env(), cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert (done.returncode != 0) is fails, done.stdout + done.stderr
        print(f"$ postern {' '.join(Path(word).name for word in words)}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    async def start(self) -> None:
        """Starts an API process and a worker, and waits until the API answers."""
        self.port = free_port()
        environment = self.env()
        await self.spawn(
            "postern",
            "serve",
            "--no-worker",
            "--port",
            str(self.port),
            output=asyncio.subprocess.DEVNULL,
            **environment,
        )
        await self.spawn("postern", "worker", "--child", **environment)
        end = time.monotonic() + PATIENCE
        async with aiohttp.ClientSession() as session:
            while time.monotonic() < end:
                with suppress(aiohttp.ClientError):
                    async with session.get(f"http://127.0.0.1:{self.port}/health/v2") as answer:
                        if answer.status == 200:
                            return
                await asyncio.sleep(0.1)
        raise AssertionError("the API does not answer")

    async def health(self) -> Any:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}/health/v2") as answer,
        ):
            return await answer.json()

    async def metric(self, name: str) -> float:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}/metrics") as answer,
        ):
            text = await answer.text()
        return float(next(line.split()[1] for line in text.splitlines() if line.startswith(f"{name} ")))

    async def accept(self) -> None:
        """Sends one more mail by the API, as a user who goes on working does."""
        token = self.command("token", "create", await self.email(), "--scope", "messages:send").split()[-1]
        body = {"to": "later@example.com", "channel": "email", "body": "later", "metadata": {"subject": "x"}}
        async with (
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as session,
            session.post(f"http://127.0.0.1:{self.port}/messages", json=body) as answer,
        ):
            assert answer.status == 202, await answer.text()

    async def email(self) -> str:
        db = await asyncpg.connect(self.url)
        try:
            return str(await db.fetchval("SELECT email FROM users LIMIT 1"))
        finally:
            await db.close()

    async def row(self) -> Any:
        db = await asyncpg.connect(self.url)
        try:
            return await db.fetchrow("SELECT * FROM installation")
        finally:
            await db.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yields a folder to which the account of the servers has access, as it has not to those of other tests."""
    with tempfile.TemporaryDirectory(prefix="postern-restore-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


@pytest.fixture
async def story(folder: Path) -> AsyncIterator[Story]:
    """An installation on a Debian PostgreSQL, whose WAL is archived, and which sends its project."""
    archive = folder / "archive"
    archive.mkdir()
    archive.chmod(0o777)
    cluster = Cluster(folder / "first")
    store = EmbeddedRedis(folder)
    cluster.make(
        archive_mode="on", archive_command=f"cp %p {archive}/%f", wal_level="replica", max_wal_senders="4"
    )
    await asyncio.to_thread(store.start)
    try:
        settings = Settings(_env_file=None, db_string=cluster.url(), redis_url=store.url, **KEYS)
        await prepare(settings)
        async with recording(0.02) as mail:
            made = Story(folder, settings)
            made.mail, made.cluster = mail, cluster
            try:
                await made.start()
                await made.begin()
                yield made
            finally:
                await made.kill()
    finally:
        await asyncio.to_thread(store.stop)
        cluster.stop("immediate")


async def finish(story: Story) -> None:
    """Sends the rest, and ends the processes: what comes next is restored from before."""
    await story.until(lambda: story.taken() >= PEOPLE, "all have got it")
    await story.stop(*story.children)


async def fenced(story: Story, *, resume: tuple[str, ...] = ("resume",)) -> None:
    """Nothing is sent, everything says so; then it is resumed, and nobody has got anything twice."""
    before = story.taken()
    await story.accept()
    await asyncio.sleep(4)
    assert story.taken() == before
    doctor = story.command("doctor", fails=True)
    assert "✗ restore     nothing is sent" in doctor
    assert (await story.health())["status"] == "degraded"
    assert await story.metric("postern_fenced") == 1
    story.command("resume", "--dry-run")
    story.command(*resume)
    await story.until(lambda: story.got()["later@example.com"] == 1, "what was accepted since is sent")
    await asyncio.sleep(2)
    assert max(story.got().values()) == 1
    assert "✗ restore" not in story.command("doctor", fails=True)
    assert await story.metric("postern_fenced") == 0


async def dump_into_the_same_server(story: Story, folder: Path) -> Awaitable[None] | None:
    """By our own commands, into another database of the server."""
    story.command("backup", str(folder / "backup"))
    await finish(story)
    story.cluster.run("createdb", "-h", "127.0.0.1", "-p", story.cluster.port, "-U", "postern", "restored")
    story.use(story.cluster.url("restored"))
    assert "Nothing is sent until you decide" in story.command("restore", str(folder / "backup"))
    return None


async def dump_into_another_server(story: Story, folder: Path) -> Awaitable[None] | None:
    """By PostgreSQL's programs alone, beside an empty Redis and an empty data folder."""
    programs = ["-h", "127.0.0.1", "-U", "postern"]
    story.cluster.run(
        "pg_dump", "-Fc", *programs, "-p", story.cluster.port, "-f", folder / "first" / "dump", "postern"
    )
    await finish(story)
    other = Cluster(folder / "other").make()
    file = folder / "first" / "dump"
    other.run("pg_restore", *programs, "-p", other.port, "-d", "postern", "--no-owner", file)
    story.use(other.url())
    story.environment["POSTERN_DATA_DIR"] = str(folder / "another")

    async def stop() -> None:
        other.stop("immediate")

    return stop()


async def template(story: Story, folder: Path) -> Awaitable[None] | None:
    """A copy by TEMPLATE, which nobody else may use meanwhile."""
    await story.stop(*story.children)
    db = await story.cluster.connect("postgres")
    await db.execute("CREATE DATABASE copy TEMPLATE postern")
    await db.close()
    await story.start()
    await finish(story)
    story.use(story.cluster.url("copy"))
    return None


@pytest.mark.parametrize("restore", [dump_into_the_same_server, dump_into_another_server, template])
async def test_a_restored_copy_sends_nothing_twice(
    restore: Callable[[Story, Path], Awaitable[Awaitable[None] | None]], story: Story, folder: Path
) -> None:
    after = await restore(story, folder)
    try:
        await story.start()
        await fenced(story)
        row = await story.row()
        assert (row["fenced_at"], row["resumed_as"]) == (None, "unknown")
    finally:
        await story.kill()
        if after is not None:
            await after


async def test_pitr_under_running_processes(story: Story, folder: Path) -> None:
    base = Cluster(folder / "base").follow(story.cluster)
    db = await story.cluster.connect()
    await asyncio.sleep(11)  # a beat
    await db.execute("SELECT pg_create_restore_point('half')")
    await db.close()
    await story.until(lambda: story.taken() >= PEOPLE, "all have got it")
    await asyncio.sleep(_GAP + 13)  # the beats that the restored database will not have
    db = await story.cluster.connect()
    await db.execute("SELECT pg_switch_wal()")
    await db.close()
    await asyncio.sleep(1)
    story.cluster.stop()
    story.cluster.become(base, folder / "archive", "half")
    await story.cluster.writable()
    await fenced(story)
    row = await story.row()
    assert row["resumed_as"] == "unknown"


@pytest.mark.parametrize("loses", [False, True])
async def test_a_failover(loses: bool, story: Story, folder: Path) -> None:
    standby = Cluster(folder / "standby").follow(story.cluster, hot_standby="on")
    standby.start()
    try:
        await story.stop(*story.children)
        story.use(f"postgresql://postern@{story.cluster.address},{standby.address}/postern")
        await story.start()
        await asyncio.sleep(11)  # a beat
        if loses:
            standby.stop()
        await asyncio.sleep(_GAP + 13)
        await story.until(lambda: story.taken() >= PEOPLE, "all have got it")
        if not loses:
            await asyncio.sleep(1)  # what the standby is behind
        story.cluster.stop("immediate")
        if loses:
            standby.start()
        standby.promote()
        story.url = standby.url()
        if loses:
            await fenced(story)
        else:
            await story.accept()
            await story.until(lambda: story.got()["later@example.com"] == 1, "it goes on")
            assert max(story.got().values()) == 1
            assert (await story.row())["failed_over_at"] is None
            story.command("doctor", fails=True)
    finally:
        await story.kill()
        standby.stop("immediate")


async def test_an_empty_redis_is_no_restore(story: Story) -> None:
    await story.stop(*story.children)
    from redis.asyncio import from_url

    async with from_url(story.redis_url) as store:
        await store.flushall()
    await story.start()
    await story.until(lambda: story.taken() >= PEOPLE, "it goes on")
    assert max(story.got().values()) == 1
    assert (await story.row())["fenced_at"] is None

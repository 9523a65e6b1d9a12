"""Postern on the cluster: its processes, a load by its API, and the mail server that records what it is given."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import aiohttp

from core.installation import ROOT
from core.settings import Settings
from killtest.counter import Statement, Submission, count
from killtest.people import Person
from killtest.provider import Recorder, SmtpProvider
from postern import operator
from postern.embedded import EmbeddedRedis
from postern.process import prepare
from runtime.services import services
from tests.patroni.cluster import Cluster
from tests.support.deployment import KEYS, Deployment, ending
from tests.support.ports import free_port

GAP: Final = 10
"""POSTERN_RESTORE_GAP_SECONDS: a database that has lost more is a restored one."""
OWNER: Final = "ada@patroni.test"
_SENDERS = 4
_PAUSE = 0.4  # seconds between two messages of a sender
_AGAIN = 0.2  # seconds until a refused message is submitted again
_ANSWER = aiohttp.ClientTimeout(total=25)
_BACK = 120.0  # seconds within which a message must be accepted and delivered after a fault
_QUIET = 180.0
_STATEMENTS: Final = {
    **dict.fromkeys(("scheduled", "queued", "sending"), Statement.waiting),
    **dict.fromkeys(("sent", "delivered", "read"), Statement.sent),
    **dict.fromkeys(("failed", "skipped", "canceled"), Statement.failed),
    "unknown": Statement.unknown,
}
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) = (SELECT sum(amount) FROM ledger_entries)
  AND (SELECT -sum(amount) FROM ledger_entries WHERE kind <> 'credit') = (SELECT sum(price) FROM messages)
"""


@dataclass(frozen=True)
class Accepted:
    """A message that the API has accepted, by `time.monotonic()`."""

    begun: float  # when the request began that was answered 202
    answered: float


class World(Deployment):
    """The installation under load."""

    cluster: Cluster
    recorder: Recorder
    provider: SmtpProvider
    token = ""

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder, settings)
        self.people: list[Person] = []
        self.accepted: dict[int, Accepted] = {}
        self.refusals: Counter[str] = Counter()
        self._load: list[asyncio.Task[None]] = []

    @property
    def log(self) -> Path:
        """Returns the file with the log of all processes."""
        return self.folder / "postern.log"

    async def begin(self) -> None:
        """Starts an API process and two workers, and waits until the API answers."""
        self.port = free_port()
        for words in (("serve", "--no-worker", "--port", str(self.port)), *[("worker", "--child")] * 2):
            with self.log.open("ab") as log:
                child = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "postern", *words, cwd=ROOT, env={**os.environ, **self.environment},
                    start_new_session=True, stdin=asyncio.subprocess.PIPE, stdout=log, stderr=log,
                )  # fmt: skip
            self.children.append(child)
        async with asyncio.timeout(120), aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientError):
                    async with session.get(f"http://127.0.0.1:{self.port}/health"):
                        return
                await asyncio.sleep(0.2)

    # The load

    def load(self) -> None:
        """Begins to submit messages, each again with its key until it is accepted."""
        self._load = [asyncio.create_task(self._submit()) for _ in range(_SENDERS)]

    async def end_load(self) -> None:
        """Ends the load when each message that was begun is accepted."""
        load, self._load = self._load, []
        self._ends = True
        try:
            async with asyncio.timeout(_BACK):
                await asyncio.gather(*load)
        finally:
            self._ends = False

    _ends = False

    async def _submit(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with aiohttp.ClientSession(headers=headers, timeout=_ANSWER) as session:
            while not self._ends:
                person = Person(len(self.people) + 1, refused=False)
                self.people.append(person)
                while not await self._try(session, person):
                    await asyncio.sleep(_AGAIN)
                await asyncio.sleep(_PAUSE)

    async def _try(self, session: aiohttp.ClientSession, person: Person) -> bool:
        body = {
            "to": person.mail,
            "channel": "email",
            "body": f"Hello {person.number}",
            "metadata": {"subject": "x"},
        }
        key = {"Idempotency-Key": f"person-{person.number}"}
        begun = time.monotonic()
        try:
            url = f"http://127.0.0.1:{self.port}/messages"
            async with session.post(url, json=body, headers=key) as answer:
                if answer.status == 202:
                    await answer.read()
                    self.accepted[person.number] = Accepted(begun, time.monotonic())
                    return True
                self.refusals[f"{answer.status} {(await answer.json())['code']}"] += 1
        except (aiohttp.ClientError, TimeoutError) as error:
            self.refusals[type(error).__name__] += 1
        return False

    async def back(self, since: float) -> tuple[float, float]:
        """Returns the seconds from a moment to the first message that was accepted, and to the first one that was
        delivered, of those whose request began after it.
        """
        until = time.monotonic() + _BACK
        accepted = delivered = None
        while accepted is None or delivered is None:
            assert time.monotonic() < until, f"nothing is accepted or delivered: {dict(self.refusals)}"
            await asyncio.sleep(0.05)
            later = {number: each for number, each in self.accepted.items() if each.begun >= since}
            accepted = min((each.answered for each in later.values()), default=None)
            times = (
                self.recorder.started + a.at
                for a in self.recorder.attempts
                if a.accepted and a.person in later
            )
            delivered = min(times, default=None)
        return accepted - since, delivered - since

    def longest_gaps(self, since: float) -> tuple[float, float]:
        """Returns the longest time since a moment in which no message was accepted, and in which none was delivered."""
        answered = sorted(each.answered for each in self.accepted.values() if each.answered >= since)
        delivered = sorted(
            time_ for a in self.recorder.attempts if (time_ := self.recorder.started + a.at) >= since
        )
        return _longest(answered), _longest(delivered)

    # What the instruments say

    async def doctor(self) -> list[str]:
        """Returns the lines of `postern doctor`."""
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "postern", "doctor", cwd=ROOT, env={**os.environ, **self.environment},
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        output, _ = await asyncio.wait_for(child.communicate(), 90)
        return output.decode().splitlines()

    async def metric(self, name: str) -> float | None:
        """Returns a gauge of /metrics; None if it is not there."""
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(15)) as session,
            session.get(f"http://127.0.0.1:{self.port}/metrics") as answer,
        ):
            text = await answer.text()
        return next(
            (float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} ")), None
        )

    def logged(self, since: int) -> list[str]:
        """Returns the warnings and errors after this position of the log."""
        lines = []
        with self.log.open("rb") as file:
            file.seek(since)
            for line in file.read().decode(errors="replace").splitlines():
                with suppress(ValueError):
                    entry = json.loads(line)
                    if entry.get("level") in ("warning", "error", "critical"):
                        lines.append(line)
        return lines

    def command(self, *words: str) -> str:
        """Runs a command of `postern`, and returns what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "postern", *words], cwd=ROOT, env={**os.environ, **self.environment},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    async def row(self) -> Any:
        """Returns the row of the installation."""
        db = await self.cluster.connect()
        try:
            return await db.fetchrow("SELECT * FROM installation")
        finally:
            await db.close()

    # The count

    async def states(self) -> dict[int, str]:
        """Returns the state of the message of each person."""
        db = await self.cluster.connect()
        try:
            rows = await db.fetch('SELECT "to", state FROM messages')
        finally:
            await db.close()
        of = {person.mail: person.number for person in self.people}
        return {of[row["to"]]: row["state"] for row in rows if row["to"] in of}

    async def verdict(self, people: list[Person] | None = None) -> dict[str, Any]:
        """Waits until no message waits, and counts by person what the mail server has against what Postern says."""
        until = time.monotonic() + _QUIET
        while True:
            statements = {number: _STATEMENTS[state] for number, state in (await self.states()).items()}
            if Statement.waiting not in statements.values() or time.monotonic() > until:
                break
            await asyncio.sleep(0.5)
        submissions = {number: Submission(accepted=True) for number in self.accepted}
        counts = count(people or self.people, self.recorder.deliveries(), statements, submissions)
        db = await self.cluster.connect()
        try:
            money = await db.fetchval(_MONEY)
        finally:
            await db.close()
        return {**counts, "money": "right" if money else "wrong"}


def _longest(times: list[float]) -> float:
    return max(after - before for before, after in pairwise(times))


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    """Runs the cluster and an installation with one user who has money, until the block ends."""
    async with AsyncExitStack() as stack:
        cluster = Cluster(folder / "cluster")
        stack.push_async_callback(cluster.stop)
        await cluster.start()
        redis = EmbeddedRedis(folder)
        await asyncio.to_thread(redis.start)
        stack.push_async_callback(asyncio.to_thread, redis.stop)
        keys: dict[str, Any] = KEYS
        settings = Settings(
            _env_file=None, db_string=cluster.dsn, redis_url=redis.url, data_dir=folder, **keys
        )
        await prepare(settings)
        made = World(folder, settings)
        made.cluster, made.recorder = cluster, Recorder(seed=1, troubled=False, latency=(0.02, 0.2))
        made.provider = SmtpProvider(made.recorder)
        await made.provider.start()
        stack.push_async_callback(made.provider.stop)
        made.environment |= {
            "POSTERN_CHANNEL_EMAIL": f"smtp://127.0.0.1:{made.provider.port}?from=a@example.com",
            "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8",
            "POSTERN_LIMIT_MESSAGES": "1000000/60",
            "POSTERN_RESTORE_GAP_SECONDS": str(GAP),
            "POSTERN_LOG_LEVEL": "info",
            "POSTERN_LOG_FORMAT": "json",
        }
        async with services(settings) as opened:
            await operator.create_user(opened, OWNER, admin=True, password="a long password of this test")
            await operator.credit(opened, OWNER, "100000", account_id=None, note="patroni")
            made.token = str(await operator.create_token(opened, OWNER, "patroni", [], []))
        await stack.enter_async_context(ending(made))
        await made.begin()
        yield made

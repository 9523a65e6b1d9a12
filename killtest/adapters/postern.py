"""Postern from this checkout, by its REST API and its command line."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import aiohttp

from killtest.adapters.port import Adapter, Person, Place, Service, Statement, Submitted, Supervisor
from killtest.servers import Postgres, Redis, free_port, listening, missing

ROOT = Path(os.environ.get("KILLTEST_POSTERN", Path(__file__).resolve().parent.parent.parent))
_CODE = ("channels", "core", "db", "engine", "postern", "resolvers", "rest", "runtime", "shapes")
_EMAIL = "owner@example.com"
_CREDIT = 1000
_TIMEOUT = aiohttp.ClientTimeout(total=15)
_STATEMENTS = {
    "scheduled": Statement.waiting, "queued": Statement.waiting, "sending": Statement.waiting,
    "sent": Statement.sent, "delivered": Statement.sent, "read": Statement.sent,
    "failed": Statement.failed, "skipped": Statement.failed, "canceled": Statement.failed,
    "unknown": Statement.unknown,
}  # fmt: skip


class _Postern(Adapter):
    """Postern by its production checklist (docs/operations.md): Debian's PostgreSQL 15 and Redis, one API process and
    two workers, each a process of its own, all else at its defaults.

    Different: `POSTERN_LIMIT_MESSAGES`, because the default of 60 messages a minute and account would bound the run.
    """

    recognizes = True  # by its Idempotency-Key
    targets: ClassVar[Sequence[str]] = ("worker-1", "worker-2", "api", "postgres", "redis")
    senders: ClassVar[Sequence[str]] = ("worker-1", "worker-2")
    channel: ClassVar[str] = "email"

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.postgres, self.redis = Postgres(place.store), Redis(place.store)
        self.port = free_port()
        self.account = ""
        self._session: aiohttp.ClientSession | None = None
        self._credited = Decimal()

    @classmethod
    def missing(cls) -> str | None:
        return Postgres.missing() or missing("redis-server")

    def version(self) -> str:
        commit = subprocess.run(
            ["git", "log", "-1", "--abbrev=8", "--format=%h", "--", *_CODE],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--", *_CODE],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return commit.stdout.strip() + ("-dirty" if changed.stdout else "")

    def dsn(self) -> str:
        return f"smtp://127.0.0.1:{self.place.provider_port}?from=news@example.com"

    def address(self, person: Person) -> str:
        return person.mail if self.channel == "email" else person.phone

    def environment(self) -> dict[str, str]:
        data = self.place.store / "files"
        data.mkdir(exist_ok=True)
        return {
            "DB_STRING": self.postgres.dsn,
            "REDIS_URL": self.redis.url,
            "POSTERN_SECRET_KEY": "secret-" * 8,
            "POSTERN_JWT_KEY": "tokens-" * 8,
            "POSTERN_PUBLIC_URL": "https://postern.example.com",
            "POSTERN_DATA_DIR": str(data),
            "POSTERN_LIMIT_MESSAGES": "1000000/60",
            "POSTERN_LOG_FORMAT": "json",
            f"POSTERN_CHANNEL_{self.channel.upper()}": self.dsn(),
            "PYTHONPATH": str(ROOT),
        }

    async def start(self, supervisor: Supervisor) -> None:
        self.postgres.create()
        self.redis.create()
        await supervisor.start([self.postgres.service(), self.redis.service()])
        await self._command("migrate")
        await self._command(
            "user", "create", _EMAIL, "--admin", "--password", "a long password of the kill test"
        )
        await self._command("credit", _EMAIL, str(_CREDIT))
        token = (await self._command("token", "create", _EMAIL)).split()[-1]
        await supervisor.start(
            [
                self._service("api", "serve", "--no-worker", "--port", str(self.port)),
                self._service("worker-1", "worker"),
                self._service("worker-2", "worker"),
            ]
        )
        self._session = aiohttp.ClientSession(
            f"http://127.0.0.1:{self.port}", headers={"authorization": f"Bearer {token}"}, timeout=_TIMEOUT
        )
        account = (await self._call("GET", "/accounts"))["items"][0]
        self.account, self._credited = account["id"], Decimal(str(account["balance"]))

    def _service(self, name: str, *words: str) -> Service:
        ready = listening(self.port) if name == "api" else None
        command = [sys.executable, "-m", "postern", *words]
        return Service(name, command, self.environment(), folder=self.place.folder, ready=ready)

    async def _command(self, *words: str) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "postern", *words,
            env={**os.environ, **self.environment()}, cwd=self.place.folder,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        output, problem = await process.communicate()
        if process.returncode:
            raise RuntimeError(f"postern {' '.join(words)}: {problem.decode()}")
        return output.decode()

    async def _call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        assert self._session is not None
        async with self._session.request(method, path, json=body, headers=headers) as response:
            answer = await response.json()
            if response.status >= 300:
                raise RuntimeError(f"{method} {path}: {response.status} {answer}")
            return answer

    async def _pages(self, path: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for page in range(1, 1000):
            items = (await self._call("GET", f"{path}&limit=100&page={page}"))["items"]
            rows += items
            if len(items) < 100:
                break
        return rows

    async def messages(self) -> list[dict[str, Any]]:
        """Returns the messages of the run, each with `to`, `status` (Postern's own state) and `price`."""
        rows = await self._pages(f"/messages?channel={self.channel}")
        return [{**row, "status": row["deliveryState"]} for row in rows]

    async def submit(self, person: Person) -> Submitted:
        assert self._session is not None
        body = {"channel": self.channel, "to": self.address(person), "body": f"Hello {person.number}"}
        if self.channel == "email":
            body["metadata"] = {"subject": "Hello"}  # type: ignore[assignment]
        headers = {"Idempotency-Key": f"person-{person.number}"}
        try:
            async with self._session.post("/messages", json=body, headers=headers) as response:
                await response.read()
                return Submitted.accepted if response.status == 202 else Submitted.refused
        except (aiohttp.ClientError, TimeoutError):
            return Submitted.doubtful

    async def statements(self, everyone: Sequence[Person]) -> Mapping[int, Statement]:
        states = {row["to"]: row["status"] for row in await self.messages()}
        return {
            person.number: _STATEMENTS[states[self.address(person)]]
            for person in everyone
            if self.address(person) in states
        }

    async def money(self) -> str:
        """Compares what was charged with the prices of the messages, and each price with its state."""
        balance = Decimal(str((await self._call("GET", "/accounts"))["items"][0]["balance"]))
        messages = await self.messages()
        prices = sum((Decimal(str(row["price"])) for row in messages), Decimal())
        ended = [row for row in messages if _STATEMENTS[row["status"]] is not Statement.waiting]
        wrong = sum((_STATEMENTS[row["status"]] is Statement.failed) is bool(row["price"]) for row in ended)
        if not messages or wrong or self._credited - balance != prices:
            return f"charged {self._credited - balance} for {prices}, {wrong} messages with a wrong price"
        return "right"

    async def notes(self) -> dict[str, int]:
        rows = [row["waitingFor"] for row in await self.messages() if row.get("waitingFor")]
        return dict(Counter(row["code"] for row in rows))

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


class PosternSingle(_Postern):
    __doc__ = (
        f"{_Postern.__doc__}\n    Each person is one `POST /messages` with an Idempotency-Key; email by SMTP."
    )
    name = "postern-single"
    title = "Postern, single messages by SMTP"


class PosternProject(_Postern):
    __doc__ = f"""{_Postern.__doc__}
    All people are one Sending Project, whose `speed` spreads it over the run. Of its `retry`, `backoffSeconds` is 2 in
    the place of 60, so that it ends in time, and `maxAttempts` 5, as single messages have.
    """
    name = "postern-project"
    title = "Postern, a project by SMTP"
    bulk = True

    _project = ""

    async def submit_all(self, everyone: Sequence[Person], span: float) -> None:
        project = {
            "name": "Kill test", "channel": "email", "subject": "Hello", "text": "Hello",
            "speed": {"perMinute": int(len(everyone) / span * 60) + 1},
            "retry": {"maxAttempts": 5, "backoffSeconds": 2}, "category": "transactional",
        }  # fmt: skip
        self._project = (await self._call("POST", "/sending-project", project))["uuid"]
        for begin in range(0, len(everyone), 1000):
            recipients = [{"address": person.mail} for person in everyone[begin : begin + 1000]]
            await self._call("POST", f"/recipient/{self._project}", {"recipients": recipients})
        await self._call("POST", f"/sending-project/start/{self._project}", {})

    async def messages(self) -> list[dict[str, Any]]:
        return await self._pages(f"/message/list?sendingProjectUuid={self._project}")


class PosternSmpp(_Postern):
    __doc__ = f"{_Postern.__doc__}\n    Each person is one SMS by `POST /messages`, sent by SMPP."
    name = "postern-smpp"
    title = "Postern, single messages by SMPP"
    protocol = "smpp"
    channel: ClassVar[str] = "sms"

    def dsn(self) -> str:
        return f"smpp://killtest:secret@127.0.0.1:{self.place.provider_port}?from=Acme"


class PosternSmppSessions(PosternSmpp):
    __doc__ = f"""{_Postern.__doc__}
    Each person is one SMS by `POST /messages`, sent by SMPP in five sessions a worker, which share the window of ten
    (`connections=5`). Messages carry a reference, by which the SMSC's receipts name them (`reference=1`).
    """
    name = "postern-smpp-sessions"
    title = "Postern, single messages by SMPP, five sessions and references"

    def dsn(self) -> str:
        return f"{super().dsn()}&connections=5&reference=1"


class PosternHttp(_Postern):
    __doc__ = f"""{_Postern.__doc__}
    Each person is one SMS by `POST /messages`, sent by HTTP to a provider that has no keys (`idempotent=0`).
    """
    name = "postern-http"
    title = "Postern, single messages by HTTP"
    protocol = "http"
    channel: ClassVar[str] = "sms"

    def dsn(self) -> str:
        return f"post://127.0.0.1:{self.place.provider_port}/send?scheme=http"

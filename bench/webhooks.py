"""Webhooks: events a second to a local receiver, against bare httpx doing the same POSTs; and how soon one arrives.

`python -m bench.webhooks [--events 20000]`. The messages that are timed go from one sandbox account to another, through
the whole of what a live account does, and are told to the other's webhook. All numbers are from one run; the receiver is a process of its own, and
all of them share the machine.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx
import orjson

from bench.projects import workers
from core.ids import uuid7
from core.installation import ROOT
from core.settings import Settings
from engine.messengers import call_client
from engine.webhooks import endpoints, outbox
from engine.webhooks.delivery_loop import WORKERS
from engine.webhooks.outbox import OutboxEvent
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import Services, services

THREADS = 64
ONE_BY_ONE = 500  # messages whose way is timed
LOGINS = ("4915112345671", "4915112345672")
_OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


def body(number: int) -> dict[str, object]:
    """As a text message is told."""
    return {
        "hook_type": "message", "source": "telegram", "login": "14155550100", "item": str(uuid7()),
        "thread": f"chat{number % THREADS}", "from": "+14155550101", "to": "+14155550100", "time": int(time.time()),
        "text": f"{time.time()} was when I sent this.", "outgoing": False, "replyTo": None, "content": [], "name": "Bob",
    }  # fmt: skip


# the receiver's process


class Receiver(asyncio.Protocol):
    """Answers 200 to each POST and remembers when it came, and how old it said to be. GET asks for that."""

    came: list[float] = []  # noqa: RUF012  of all connections
    ages: list[float] = []  # noqa: RUF012

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.got = transport, b""

    def data_received(self, data: bytes) -> None:
        self.got += data
        while (end := self.got.find(b"\r\n\r\n")) >= 0:
            head = self.got[:end].lower()
            place = head.find(b"content-length:")
            length = int(head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else 0
            if len(self.got) < end + 4 + length:
                return
            told, self.got = self.got[end + 4 : end + 4 + length], self.got[end + 4 + length :]
            self.transport.write(self.take(told) if head.startswith(b"post") else self.report())

    def take(self, told: bytes) -> bytes:
        now = time.time()
        self.came.append(now)
        self.ages.append(now - float(orjson.loads(told)["text"].split()[0]))
        return _OK

    def report(self) -> bytes:
        answer = orjson.dumps({"came": self.came, "ages": self.ages})
        self.came.clear()
        self.ages.clear()
        return b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(answer), answer)


async def receive() -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


class Listener:
    """What the receiver's process has seen since it was asked last."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/hook"
        self.came: list[float] = []
        self.ages: list[float] = []

    async def until(self, count: int) -> None:
        async with httpx.AsyncClient() as client:
            while len(self.came) < count:
                await asyncio.sleep(0.2)
                seen = (await client.get(self.url)).json()
                self.came += seen["came"]
                self.ages += seen["ages"]

    def rate(self) -> float:
        """From the first to the last."""
        return (len(self.came) - 1) / (max(self.came) - min(self.came))

    def clear(self) -> None:
        self.came.clear()
        self.ages.clear()


@asynccontextmanager
async def receiver() -> AsyncIterator[Listener]:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.webhooks", "--receive", cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout
    try:
        yield Listener(int(await child.stdout.readline()))
    finally:
        child.terminate()
        await child.wait()


# what is compared


async def bare(listener: Listener, count: int) -> float:
    """Events a second of a loop that only posts, as many at once as we do to one endpoint."""
    numbers = iter(range(count))

    async def one(client: httpx.AsyncClient) -> None:
        for number in numbers:
            told = orjson.dumps(body(number))
            answer = await client.post(
                listener.url, content=told, headers={"content-type": "application/json"}
            )
            assert answer.status_code == 200

    async with httpx.AsyncClient() as client:
        begun = asyncio.create_task(listener.until(count))
        await asyncio.gather(*(one(client) for _ in range(WORKERS)))
        await begun
    rate = listener.rate()
    listener.clear()
    return rate


async def put(opened: Services, account: UUID, count: int) -> None:
    for first in range(0, count, 500):
        events = [body(number) for number in range(first, min(first + 500, count))]
        async with opened.db.reading() as db, db.transaction():
            await outbox.put(
                db, account, [OutboxEvent("message", event, str(event["thread"])) for event in events]
            )


async def ours(listener: Listener, count: int, processes: int, environment: dict[str, str]) -> float:
    """Events a second of workers that find them waiting."""
    async with workers(processes, environment):
        await listener.until(count)
        rate = listener.rate()
    listener.clear()
    return rate


_BOTH_WORK = """
SELECT count(*) = 2 FROM messenger_accounts AS a JOIN messenger_holds AS h ON h.account_id = a.id AND h.expires_at > now()
WHERE a.id = ANY($1::uuid[]) AND a.state = 'working' AND a.checked_at > now() - interval '5 seconds'
"""


async def chat(opened: Services, pair: tuple[UUID, UUID], listener: Listener) -> list[float]:
    """Seconds from the call of one sandbox account to the other's webhook, of messages one after the other."""

    async def say(number: int) -> None:
        given = {"item": str(uuid7()), "to": f"+{LOGINS[1]}", "text": str(body(number)["text"])}
        await call_client.ask(opened, pair[0], "send", given)

    while not await opened.db.fetchval(_BOTH_WORK, pair):
        await asyncio.sleep(0.1)
    await asyncio.sleep(2)  # what they do once after their start is done
    for number in range(ONE_BY_ONE):
        await say(number)
        await asyncio.sleep(0.02)
    await listener.until(ONE_BY_ONE)
    return sorted(listener.ages)


async def accounts(opened: Services, url: str) -> tuple[UUID, UUID]:
    """Two sandbox accounts, switched on; the second one's messages are told to `url`."""
    user = await operator.create_user(opened, "bench@example.com", admin=False, password="bench bench")
    pair = (uuid7(), uuid7())
    async with opened.db.reading() as db, db.transaction():
        for id, login in zip(pair, LOGINS, strict=True):
            await db.execute(
                "INSERT INTO messenger_accounts (id, owner_id, source, login, name, driver, wanted)"
                " VALUES ($1, $2, 'telegram', $3, $3, 'sandbox', true)", id, user.id, login,
            )  # fmt: skip
        await endpoints.save(db, opened, pair[1], url, ["message"])
    return pair


async def main(count: int) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        keys = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
        settings = Settings(
            _env_file=None,
            db_string=postgres.url,
            redis_url=redis.url,
            outbound_allow=["127.0.0.0/8"],
            **keys,
        )
        await prepare(settings)
        environment = {
            "DB_STRING": postgres.url, "REDIS_URL": redis.url, "POSTERN_SECRET_KEY": "s" * 32,
            "POSTERN_JWT_KEY": "j" * 32, "POSTERN_LOG_LEVEL": "error", "PYTHONPATH": str(ROOT),
            "POSTERN_OUTBOUND_ALLOW": "127.0.0.0/8",
        }  # fmt: skip
        async with services(settings) as opened, receiver() as listener:
            pair = await accounts(opened, listener.url)
            account = pair[1]
            before = await bare(listener, count // 2)
            await put(opened, account, count)
            one = await ours(listener, count, 1, environment)
            raw = (before + await bare(listener, count // 2)) / 2  # the machine may be busier by now
            print(f"bare httpx, {WORKERS} at once           {raw:8,.0f} events/s")
            print(f"one webhook, one worker           {one:8,.0f} events/s   {one / raw:.2f} of bare httpx")
            async with workers(1, environment):
                ages = await chat(opened, pair, listener)
            p50, p99 = (ages[int(len(ages) * part)] * 1000 for part in (0.5, 0.99))
            begun = time.perf_counter()
            async with httpx.AsyncClient() as client:
                for number in range(ONE_BY_ONE):
                    await client.post(listener.url, json=body(number))
            alone = (time.perf_counter() - begun) / ONE_BY_ONE * 1000
            print(
                f"a sandbox message to its webhook  p50 {p50:.1f} ms, p99 {p99:.1f} ms;"
                f" a bare POST takes {alone:.1f} ms"
            )


def run(count: int = 20_000) -> None:
    asyncio.run(main(count))


if __name__ == "__main__":
    parse = argparse.ArgumentParser(prog="python -m bench.webhooks")
    parse.add_argument("--events", type=int, default=20_000)
    parse.add_argument("--receive", action="store_true", help=argparse.SUPPRESS)
    given = parse.parse_args()
    if given.receive:
        asyncio.run(receive())
    else:
        run(given.events)

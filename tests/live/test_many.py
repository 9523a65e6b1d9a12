"""A thousand subscriptions of a real process, over WebSockets and as events; one that doesn't read; a stop."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson
import pytest
import redis
from websockets.asyncio.client import connect

from core.change_events import all_projects, projects_of
from core.ids import uuid7
from core.passwords import Passwords
from core.settings import Settings
from runtime.services import Services, services
from tests.support import servers
from tests.support.live import Live, serving
from tests.support.people import People, Person
from tests.support.waits import PATIENCE

pytestmark = pytest.mark.rotating

USERS = 50
EACH = 10  # subscriptions of a user by either door: one socket with ten, and ten streams
QUERY = "subscription($id: ID) { sendingProjectProgress(id: $id) { uuid status } }"
_COPIES = " ".join(f"t{n}: text" for n in range(25))
HEAVY = f"subscription($id: ID) {{ sendingProjectProgress(id: $id) {{ status {_COPIES} }} }}"
_TEXT = "x" * 60_000

_PROJECT = """
INSERT INTO sending_projects (id, owner_id, account_id, name, channel, status, text)
VALUES ($1, $2, $3, 'many', 'sms', 'stopped', $4)
"""
_MOVE = "UPDATE sending_projects SET status = $1 WHERE name = 'many'"


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(POSTERN_SHUTDOWN_SECONDS="60") as made:
        yield made


@asynccontextmanager
async def beside(live: Live) -> AsyncIterator[Services]:
    """Another process, as far as the service can tell."""
    settings: Any = Settings(
        _env_file=None,
        db_string=live.database,
        redis_url=servers.redis_url(),
        secret_key="s" * 32,
        jwt_key="j" * 32,
    )
    async with services(settings) as opened:
        opened.passwords = Passwords(memory_kib=64)
        yield opened


async def owners(opened: Services, count: int, text: str = "t") -> list[tuple[Person, UUID]]:
    nobody: Any = None
    people, ids = People(opened, nobody), []
    for _ in range(count):
        person, project = await people.make(), uuid7()
        await opened.db.fetchval(_PROJECT, project, person.id, person.account_id, text)
        ids.append((person, project))
    return ids


async def move(opened: Services, who: list[tuple[Person, UUID]], status: str) -> None:
    """A change, committed and announced by this process."""
    await opened.db.fetchval(_MOVE, status)
    with opened.change_events.emitting():
        for person, _ in who:
            all_projects(person.id)


class Streamed:
    """Reads one stream on a bare socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(
        cls, stack: AsyncExitStack, port: int, person: Person, request: dict[str, Any], small: bool = False
    ) -> "Streamed":
        bare = socket.socket()
        if small:
            bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        bare.setblocking(False)
        await asyncio.get_running_loop().sock_connect(bare, ("127.0.0.1", port))
        reader, writer = await asyncio.open_connection(sock=bare, limit=4096 if small else 2**20)
        stack.callback(writer.close)
        body = orjson.dumps(request)
        writer.write(
            b"POST /graphql/stream HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
            b"Content-Type: application/json\r\nAuthorization: Bearer %b\r\nContent-Length: %d\r\n\r\n%b"
            % (person.token.encode(), len(body), body)
        )
        await writer.drain()
        return cls(reader, writer)

    async def status(self) -> str:
        async with asyncio.timeout(PATIENCE):
            while True:
                line = await self.reader.readline()
                assert line, "the stream has ended"
                if line.startswith(b"data: {"):
                    status: str = orjson.loads(line[6:])["data"]["sendingProjectProgress"]["status"]
                    return status

    async def ended(self) -> None:
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                while await self.reader.read(65536):
                    pass


class Socketed:
    """Holds one socket with several subscriptions on it."""

    def __init__(self, socket: Any, count: int) -> None:
        self.socket, self.count = socket, count

    @classmethod
    async def open(cls, stack: AsyncExitStack, port: int, person: Person, project: UUID) -> "Socketed":
        made = await stack.enter_async_context(
            connect(
                f"ws://127.0.0.1:{port}/graphql", subprotocols=["graphql-transport-ws"], open_timeout=PATIENCE
            )  # type: ignore[list-item]
        )
        init = {"type": "connection_init", "payload": {"Authorization": f"Bearer {person.token}"}}
        await made.send(orjson.dumps(init).decode())
        assert orjson.loads(await made.recv()) == {"type": "connection_ack"}
        for number in range(EACH):
            request = {"query": QUERY, "variables": {"id": str(project)}}
            await made.send(
                orjson.dumps({"type": "subscribe", "id": str(number), "payload": request}).decode()
            )
        return cls(made, EACH)

    async def statuses(self) -> list[str]:
        """The next of each subscription."""
        sizes = {}
        async with asyncio.timeout(PATIENCE):
            while len(sizes) < self.count:
                message = orjson.loads(await self.socket.recv())
                assert message["type"] == "next", message
                sizes[message["id"]] = message["payload"]["data"]["sendingProjectProgress"]["status"]
        return [*sizes.values()]


def resident(live: Live) -> int:
    """MiB."""
    status = Path(f"/proc/{live.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def listeners() -> int:
    """Returns how many connections of this test process listen. Others, with databases of their own, may come and
    go.
    """
    database = servers.redis_url().rpartition("/")[2]
    with redis.Redis.from_url(servers.redis_url()) as client:
        return sum(each["db"] == database for each in client.client_list(_type="pubsub"))


@pytest.mark.alone
async def test_a_thousand_subscriptions(live: Live) -> None:
    since, before, connections = live.mark(), resident(live), listeners()
    async with beside(live) as opened, AsyncExitStack() as stack:
        who = await owners(opened, USERS)
        sockets, streams = [], []
        for person, project in who:
            sockets.append(await Socketed.open(stack, live.port, person, project))
            request = {"query": QUERY, "variables": {"id": str(project)}}
            streams += [await Streamed.open(stack, live.port, person, request) for _ in range(EACH)]

        async def reached(status: str) -> None:
            seen = await asyncio.gather(
                *(socket.statuses() for socket in sockets), *(stream.status() for stream in streams)
            )
            flat = [status for some in seen for status in (some if isinstance(some, list) else [some])]
            assert flat == [status] * (2 * USERS * EACH)

        await reached("stopped")  # what there is
        for status in ("draft", "stopped") * 3:
            await move(opened, who, status)
            await reached(status)
        assert listeners() == connections + 1  # one for a thousand
        # About 70 KiB a subscription, connection included; a leak would grow with the events.
        grown = resident(live) - before
        assert grown < 200, f"{grown} MiB for {2 * USERS * EACH} subscriptions"

        (heavy,) = await owners(opened, 1, _TEXT)
        request = {"query": HEAVY, "variables": {"id": str(heavy[1])}}
        slow = await Streamed.open(stack, live.port, heavy[0], request, small=True)
        slow.reader._transport.pause_reading()  # type: ignore[attr-defined]
        quick = await Streamed.open(stack, live.port, heavy[0], {**request, "query": QUERY})
        assert await quick.status() == "stopped"
        deadline, moves = time.monotonic() + 3 * PATIENCE, 0
        topic = projects_of(heavy[0].id)
        while established(live, slow):
            assert time.monotonic() < deadline, "it is still there"
            status = ("draft", "stopped")[moves % 2]
            moves += 1
            await move(opened, [*who, heavy], status)
            await reached(status)
            assert await quick.status() == status, topic
        assert resident(live) - before < 200

        os.kill(live.process.pid, signal.SIGTERM)
        begun = time.monotonic()
        await asyncio.gather(*(stream.ended() for stream in streams))
        for held in sockets:
            with suppress(Exception):
                while True:
                    await held.socket.recv()
            assert held.socket.close_code == 1012
        while live.process.poll() is None:
            assert time.monotonic() - begun < PATIENCE
            await asyncio.sleep(0.02)
        # A second in which /health says it, and a moment; 58 s if they were waited for.
        assert time.monotonic() - begun < 20
    assert live.process.returncode == 0
    new = live.log.read_bytes()[since:].decode(errors="replace")
    for wrong in ("Traceback", "unexpected failure", "Cancel ", "ASGI callable"):
        assert wrong not in new, new[new.index(wrong) - 500 :][:2000]


def established(live: Live, stream: Streamed) -> bool:
    """Returns whether the service still has its end of this connection."""
    port = stream.writer.get_extra_info("sockname")[1]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, remote, state = line.split()[1:4]
        if int(local.split(":")[1], 16) == live.port and int(remote.split(":")[1], 16) == port:
            return state == "01"
    return False

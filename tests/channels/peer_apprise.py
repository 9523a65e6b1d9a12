"""The receiving end of Apprise's json:// service: an HTTP server on loopback.

Apprise tells no reason for a refusal, so `refuse`, `throttle` and `bad_credentials` cannot be shown.
"""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import unquote

from tests.channels.peer import Received, Scenario
from tests.channels.peer_smtp import reset
from tests.support.waits import PATIENCE

USER, PASSWORD = "hook-user", "t0p-secret-word"
PATH_SECRET = "T0kenInThePath"


class Hook:
    driver = "apprise"
    supports = frozenset(
        {Scenario.accept, Scenario.transient, Scenario.hang_before, Scenario.hang_after, Scenario.reset_after}
    )
    recipient = "anna+test@example.com"
    bad_recipient = "nobody"
    longest = "A long text. " * 2_500 + "The end."  # Apprise strips space at the end
    secrets = (PASSWORD, PATH_SECRET)

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.scenario = Scenario.accept
        self.dsn = ""
        self.port = 0
        self.server: asyncio.Server | None = None
        self.handlers: set[asyncio.Task[None]] = set()
        self.opening: asyncio.Task[None] | None = None

    def script(self, scenario: Scenario) -> None:
        self.scenario = scenario
        if scenario is Scenario.hang_before and self.server is not None:
            self.server.close()  # nothing listens: the connect is dead
            self.server = None
        elif self.server is None:
            self.opening = asyncio.create_task(self.listen())

    async def listen(self) -> None:
        self.server = await asyncio.start_server(self.answer, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.handlers.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            lines = head.split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
            body = json.loads(await reader.readexactly(int(headers["content-length"])))
            basic = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
            authorized = headers.get("authorization") == f"Basic {basic}"
            taken = authorized and self.scenario in {
                Scenario.accept,
                Scenario.hang_after,
                Scenario.reset_after,
            }
            if taken:
                secret, _, to = unquote(lines[0].split()[1]).lstrip("/").partition("/")
                assert secret == PATH_SECRET
                self.received.append(Received(None, to, body["message"], {"title": body["title"]}))
            if self.scenario is Scenario.hang_after:
                await reader.read()  # until the client hangs up
            elif self.scenario is Scenario.reset_after:
                reset(writer.transport)
            else:
                status = b"204 No Content" if taken else b"503 Service Unavailable"
                writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            self.handlers.discard(task)


@asynccontextmanager
async def peer() -> AsyncIterator[Hook]:
    hook = Hook()
    await hook.listen()
    hook.dsn = f"apprise:json://{USER}:{PASSWORD}@127.0.0.1:{hook.port}/{PATH_SECRET}/{{to}}?rto=1.5&cto=1.5"
    try:
        yield hook
    finally:
        if hook.opening is not None:
            await hook.opening
        if hook.server is not None:
            hook.server.close()
        if hook.handlers:
            await asyncio.wait(hook.handlers, timeout=PATIENCE)

"""A receiver of webhooks on a real socket, which answers as a test tells it to."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson

from tests.support.tcp import serving
from tests.support.waits import until

Reply = int | bytes | Callable[["Call", asyncio.StreamWriter], Awaitable[None]]
"""A status, a whole answer as bytes, or what writes one."""


@dataclass(frozen=True)
class Call:
    headers: dict[str, str]
    body: bytes
    json: dict[str, Any] = field(repr=False)
    path: str = ""

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


class Receiver:
    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.tls = tls
        self.calls: list[Call] = []  # all that came
        self.taken: list[Call] = []  # what was answered with a 2xx status
        self.connections = 0
        self.busy = self.busiest = 0  # calls at once
        self.answer: Reply | Callable[[Call], Reply] = 200
        self.delay = 0.0
        self._server = AsyncExitStack()
        # Keeps the port ours while nobody listens on it: another process would be given it.
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._place.bind(("127.0.0.1", 0))
        self.port: int = self._place.getsockname()[1]

    @property
    def url(self) -> str:
        return f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}/hook"

    def texts(self) -> list[str]:
        return [call.json["text"] for call in self.taken]

    async def start(self) -> None:
        """Starts again on the same port after a `stop`."""
        server = serving(self.serve, port=self.port, backlog=512, reuse_port=True, ssl=self.tls)
        await self._server.enter_async_context(server)

    async def stop(self) -> None:
        """Stops as a machine that is switched off: connections break, new ones are refused."""
        await self._server.aclose()

    async def close(self) -> None:
        await self.stop()
        self._place.close()

    async def got(self, count: int) -> list[Call]:
        await until(lambda: len(self.taken) >= count)
        return self.taken

    async def tried(self, count: int) -> list[Call]:
        await until(lambda: len(self.calls) >= count)
        return self.calls

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while True:
            await self._one(reader, writer)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines[1:] if line)
        }
        body = await reader.readexactly(int(headers["content-length"]))
        call = Call(headers, body, orjson.loads(body), lines[0].split(" ")[1])
        self.calls.append(call)
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            await self._reply(call, writer)
        finally:
            self.busy -= 1

    async def _reply(self, call: Call, writer: asyncio.StreamWriter) -> None:
        reply = self.answer
        if callable(reply) and not asyncio.iscoroutinefunction(reply):
            reply = reply(call)  # type: ignore[call-arg, assignment]
        if isinstance(reply, int):
            if 200 <= reply < 300:
                self.taken.append(call)
            reply = plain(reply)
        if isinstance(reply, bytes):
            writer.write(reply)
            await writer.drain()
            return
        await reply(call, writer)  # type: ignore[misc, call-arg, operator]


def plain(status: int, *headers: str) -> bytes:
    more = "".join(f"{header}\r\n" for header in headers)
    return f"HTTP/1.1 {status} X\r\ncontent-length: 2\r\n{more}\r\nok".encode()


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    made = Receiver(tls)
    try:
        await made.start()
        yield made
    finally:
        await made.close()

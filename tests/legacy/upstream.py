"""An old service on loopback, at the level of bytes: it records what it got, and answers with exactly the given
bytes.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from core.legacy_answers import LegacyAnswer
from core.legacy_bridge import LegacyBridge, LegacyLimits
from tests.support.tcp import serving
from tests.support.waits import PATIENCE

Reply = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Got:
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name]


@dataclass
class Upstream:
    port: int = 0
    reply: Reply = b""
    got: list[Got] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def targets(self) -> list[str]:
        return [got.target for got in self.got]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while True:
            lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _ = lines[0].split(" ")
            headers = [(key, value) for key, _, value in (line.partition(": ") for line in lines[1:-2])]
            got = Got(method, target, headers, b"")
            got.body = await reader.readexactly(int((got.values("content-length") or ["0"])[0]))
            self.got.append(got)
            if callable(self.reply):
                await self.reply(writer)
            else:
                writer.write(self.reply)
                await writer.drain()


def answer(
    body: bytes, *headers: str, status: str = "200 OK", type: str | None = "application/json"
) -> bytes:
    head = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers]
    if type is not None:
        head.append(f"content-type: {type}")
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body


@contextlib.asynccontextmanager
async def upstream(reply: Reply = b"", tls: ssl.SSLContext | None = None) -> AsyncIterator[Upstream]:
    service = Upstream(reply=reply or answer(b'{"ok":true}'))
    async with serving(service.serve, ssl=tls) as service.port:
        yield service


async def ask(reply: Reply, path: str = "/x", **options: Any) -> LegacyAnswer:
    """Returns the bridge's answer to GET `path` of an old service that replies so."""
    async with upstream(reply) as old:
        limits = LegacyLimits(**({"total_timeout": PATIENCE, "connect_timeout": PATIENCE} | options))
        bridge = LegacyBridge(old.url, prefixes=["/"], limits=limits)
        try:
            return await bridge.call("GET", path)
        finally:
            await bridge.close()

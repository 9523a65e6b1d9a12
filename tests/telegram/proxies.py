"""SOCKS5 (RFC 1928, 1929) and HTTP CONNECT proxies on loopback that ask for a user and a password."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.support.tcp import relay, serving

USER, PASSWORD = "user", "p@ss:word/"


@dataclass
class Proxy:
    kind: str
    port: int = 0
    reached: list[tuple[str, int]] = field(default_factory=list)
    refused: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        place = await (self._socks if self.kind == "socks5" else self._http)(reader, writer)
        if place is None:
            self.refused += 1
        else:
            self.reached.append(place)
            await relay(reader, writer, *place)

    async def _socks(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[str, int] | None:
        await reader.readexactly((await reader.readexactly(2))[1])
        writer.write(b"\x05\x02")
        _, length = await reader.readexactly(2)
        user = await reader.readexactly(length)
        password = await reader.readexactly((await reader.readexactly(1))[0])
        right = (user.decode(), password.decode()) == (USER, PASSWORD)
        writer.write(b"\x01\x00" if right else b"\x01\x01")
        if not right:
            return None
        kind = (await reader.readexactly(4))[3]
        assert kind == 1  # an address, not a name
        host = ".".join(str(each) for each in await reader.readexactly(4))
        port = int.from_bytes(await reader.readexactly(2), "big")
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        return host, port

    async def _http(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[str, int] | None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        wanted = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if f"Basic {wanted}" not in head:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            return None
        host, _, port = head.split()[1].rpartition(":")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        return host, int(port)


@asynccontextmanager
async def proxying(kind: str) -> AsyncIterator[Proxy]:
    made = Proxy(kind)
    async with serving(made.serve) as made.port:
        yield made

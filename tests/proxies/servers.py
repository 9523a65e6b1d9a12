"""Real proxies on loopback: SOCKS5 (RFC 1928, 1929) and HTTP CONNECT, that lead to one place, or nowhere."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from tests.support.tcp import relay, serving

Way = Literal["works", "refuses", "hangs", "rubbish", "drips"]
Leads = Callable[[str, int], tuple[str, int] | None]


@dataclass
class Server:
    port: int = 0
    way: Way = "works"
    user: str | None = None
    password: str | None = None
    leads: Leads = lambda host, port: None  # where a target really is; None: nowhere, and all is well
    asked: list[tuple[str, int]] = field(default_factory=list)  # targets, in order
    logins: list[tuple[str, str]] = field(default_factory=list)
    connections: int = 0


@asynccontextmanager
async def socks5(**options: object) -> AsyncIterator[Server]:
    async with _serving(_socks5, Server(**options)) as server:  # type: ignore[arg-type]
        yield server


@asynccontextmanager
async def connect(tls: ssl.SSLContext | None = None, **options: object) -> AsyncIterator[Server]:
    async with _serving(_connect, Server(**options), tls) as server:  # type: ignore[arg-type]
        yield server


Handler = Callable[[Server, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def _serving(
    handler: Handler, server: Server, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        if server.way == "hangs":
            await asyncio.Event().wait()
        if server.way == "rubbish":
            writer.write(b"SSH-2.0-OpenSSH_9.6\r\n" * 3)
            await writer.drain()
            await reader.read(1024)
            return
        await handler(server, reader, writer)

    async with serving(one, ssl=tls) as server.port:
        yield server


async def _socks5(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    _, count = await reader.readexactly(2)
    methods = await reader.readexactly(count)
    wanted = 2 if server.user is not None else 0
    if wanted not in methods:
        writer.write(b"\x05\xff")
        return
    writer.write(bytes([5, wanted]))
    if wanted == 2:
        await reader.readexactly(1)
        user = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        password = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        server.logins.append((user, password))
        right = (user, password) == (server.user, server.password)
        writer.write(b"\x01\x00" if right else b"\x01\x01")
        if not right:
            return
    _, _, _, kind = await reader.readexactly(4)
    if kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
    else:
        host = ".".join(str(part) for part in await reader.readexactly(4))
    port = int.from_bytes(await reader.readexactly(2))
    server.asked.append((host, port))
    if server.way == "refuses":
        writer.write(b"\x05\x02\x00\x01" + bytes(6))
        return
    writer.write(b"\x05\x00\x00\x01" + bytes(6))
    await _lead(server, host, port, reader, writer)


async def _connect(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    method, target, _ = head.split("\r\n")[0].split(" ")
    assert method == "CONNECT"
    host, _, port = target.rpartition(":")
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
    if server.user is not None:
        chosen = next(
            (value for name, value in fields.items() if name.lower() == "proxy-authorization"), "Basic "
        )
        user, _, password = base64.b64decode(chosen.removeprefix("Basic ")).decode().partition(":")
        server.logins.append((user, password))
        if (user, password) != (server.user, server.password):
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
    server.asked.append((host, int(port)))
    if server.way == "refuses":
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        return
    if server.way == "drips":
        for _ in range(100_000):
            writer.write(b"x" * 1000)
            await writer.drain()
        return
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await _lead(server, host, int(port), reader, writer)


async def _lead(
    server: Server, host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    await writer.drain()
    if (place := server.leads(host, port)) is None:
        await reader.read()
        return
    await relay(reader, writer, *place)

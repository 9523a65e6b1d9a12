"""A real HTTP/1.1 server on loopback that answers as it is told, or misbehaves: hangs, resets, is not there.

It speaks through h11, so what a test sees is what went over the wire.
"""

import asyncio
import contextlib
import inspect
import json
import os
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Self
from urllib.parse import parse_qsl

import h11


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it came. Header names are lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, status: int, value: Any, **headers: str) -> "Reply":
        """A JSON answer; header names are given with `_` for `-`."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return cls(status, json.dumps(value).encode(), {"content-type": "application/json", **named})


class Wire(Enum):
    """Says what the stub does with a request that it has read, instead of answering it."""

    hang = "hang"
    reset = "reset"
    close = "close"


Answer = Callable[[Seen], Reply | Wire | Awaitable[Reply | Wire]]


class HttpStub:
    """`async with HttpStub(answer) as stub:` serves on `stub.url`. `seen` has every whole request."""

    def __init__(self, answer: Answer, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.answer = answer
        self.seen: list[Seen] = []
        self.connections = 0
        self.host = host
        self.port = 0
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._starting: asyncio.Task[None] | None = None
        self._live: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self._dead: list[socket.socket] = []

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    async def __aenter__(self) -> Self:
        await self._start(self._listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._starting:
            await self._starting
        self._stop()
        tasks = list(self._live.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # aborted transports close their sockets a moment later

    def die(self) -> None:
        """Accept nothing any more: connections are neither taken nor refused, as if packets were dropped."""
        self._stop()
        listener = self._bound()
        listener.listen(0)
        fillers = [socket.socket() for _ in range(3)]  # fill the queue that the kernel keeps all the same
        for filler in fillers:
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(listener.getsockname())
        self._dead = [listener, *fillers]

    def revive(self) -> None:
        """Undo `die`; nothing to do where the stub lives."""
        if self._dead:
            self._stop()
            self._starting = asyncio.get_running_loop().create_task(self._start(self._listen()))

    def drop_connections(self) -> None:
        """Close every open connection in good order, as a server that no longer keeps them alive."""
        for writer in self._live:
            writer.close()

    def _bound(self) -> socket.socket:
        listener = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((self.host, self.port))
        self.port = listener.getsockname()[1]
        return listener

    def _listen(self) -> socket.socket:
        listener = self._bound()
        listener.setblocking(False)
        listener.listen(100)
        return listener

    async def _start(self, listener: socket.socket) -> None:
        self._server = await asyncio.start_server(self._serve, sock=listener, ssl=self._tls)

    def _stop(self) -> None:
        if self._server:
            self._server.close()
            self._server = None
        for dead in self._dead:
            dead.close()
        self._dead = []
        for writer in self._live:
            # At once, not when the loop comes round: the client's next look must find the connection ended.
            # (On a duplicate, since uvloop's own has no shutdown.)
            with contextlib.suppress(OSError), stub_socket(writer) as live:
                live.shutdown(socket.SHUT_RDWR)
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._live[writer] = task
        self.connections += 1
        try:
            await self._talk(reader, writer)
        except (ConnectionError, h11.RemoteProtocolError, asyncio.CancelledError):
            pass  # the test is over, or the client went away: its business
        finally:
            del self._live[writer]
            writer.transport.abort()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
        while (seen := await self._read(wire, reader)) is not None:
            self.seen.append(seen)
            reply = self.answer(seen)
            if inspect.isawaitable(reply):
                reply = await reply
            if reply is Wire.hang:
                await reader.read()  # until the client gives up
                return
            if reply is Wire.reset:
                reset(writer)
                return
            if reply is Wire.close:
                return
            assert isinstance(reply, Reply)
            headers = {"content-length": str(len(reply.body)), **reply.headers}
            start = h11.Response(status_code=reply.status, headers=list(headers.items()))
            for event in (start, h11.Data(data=reply.body), h11.EndOfMessage()):
                writer.write(wire.send(event) or b"")
            await writer.drain()
            if wire.our_state is not h11.DONE or wire.their_state is not h11.DONE:
                return
            wire.start_next_cycle()

    @staticmethod
    async def _read(wire: h11.Connection, reader: asyncio.StreamReader) -> Seen | None:
        request: h11.Request | None = None
        body = b""
        while True:
            event = wire.next_event()
            if event is h11.NEED_DATA:
                wire.receive_data(await reader.read(65536))
            elif isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                assert request
                headers = {name.decode(): value.decode() for name, value in request.headers}
                return Seen(request.method.decode(), request.target.decode(), headers, body)
            else:
                return None


def reset(writer: asyncio.StreamWriter) -> None:
    """End a connection so that the other side sees a reset, not an orderly end."""
    with stub_socket(writer) as live:
        live.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def stub_socket(writer: asyncio.StreamWriter) -> socket.socket:
    """A second handle of a connection's socket, to be closed by the caller."""
    return socket.socket(fileno=os.dup(writer.get_extra_info("socket").fileno()))

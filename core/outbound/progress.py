"""Follows the progress of a request, which decides between "nothing was done" and "it may have been done".

A server cannot act on an incomplete body, so the line is where the last byte of the body is given to the kernel.
aiohttp's exceptions and its tracing do not show that moment, but its body does: aiohttp calls the body's
`write_with_length`, which returns when the transport has taken all of it.
"""

import asyncio
from contextvars import ContextVar
from enum import IntEnum

from aiohttp import Payload
from aiohttp.abc import AbstractStreamWriter

from core.outbound.errors import UrlRefused


class Stage(IntEnum):
    """The stages of a request, in their order."""

    waiting = 0  # for a connection of the pool
    connecting = 1
    connected = 2
    writing = 3  # the transport has a part of the body
    written = 4  # the transport has all of it, and the kernel may have it too
    interrupted = 5  # the connection broke while it was written: the last byte never reached the kernel


class Progress:
    """The progress of one request, and its connection."""

    __slots__ = ("has_body", "refused", "stage", "transport")

    def __init__(self, *, has_body: bool) -> None:
        self.has_body = has_body
        self.stage = Stage.waiting
        self.transport: asyncio.Transport | None = None
        self.refused: UrlRefused | None = None

    def connected(self, transport: asyncio.Transport | None) -> None:
        """Notes the connection. A request whose body is not watched may have left from now on."""
        self.transport = transport
        self.stage = Stage.connected if self.has_body else Stage.written

    def may_have_left(self, error: Exception) -> bool:
        """Returns whether the server may have the whole request, now that it ended with `error`.

        If a connection breaks while the body is written, the rest of the body is dropped with it. After any other
        error, as the end of our time or an answer that is not HTTP, the transport may still have passed on its octets.
        """
        if self.stage is Stage.writing:
            return not isinstance(error, OSError) or isinstance(error, TimeoutError)
        return self.stage is Stage.written

    def abort(self) -> None:
        """Closes the connection at once. aiohttp's close waits for the peer if data or TLS's farewell is
        outstanding.
        """
        if self.transport is not None:
            self.transport.abort()


current: ContextVar[Progress] = ContextVar("the request that needs a connection")


class Body(Payload):
    """The body of a request, which notes how much of it has left."""

    def __init__(self, data: bytes, progress: Progress) -> None:
        super().__init__(data)
        self._size = len(data)
        self._progress = progress

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return bytes(self._value).decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        await self.write_with_length(writer, None)

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        """Passes the whole body to the transport; `content_length` is its length, as the client sets no other."""
        self._progress.stage = Stage.writing
        try:
            await writer.write(self._value)
        except OSError:
            self._progress.stage = Stage.interrupted
            raise
        self._progress.stage = Stage.written

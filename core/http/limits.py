"""uvicorn's protocols for HTTP/1.1 and WebSockets, with bounds that uvicorn lacks.

uvicorn's httptools protocol reads a request's head without a bound on time or size: a few thousand connections that
send headers slowly occupy sockets and memory for ever ("slowloris"). And both protocols wait without a bound for a
client that does not read, even during shutdown.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 10.0  # from the first byte (or the connection) to the end of the head
IDLE_SECONDS = 20.0  # between two pieces of a body
BODY_SECONDS = 30.0  # from the end of the head to the end of a small body
BODY_RATE = 4096  # bytes a second: the least average rate of a larger body, after those seconds
UNREAD_SECONDS = 20.0  # in which a client must read some of the data that is buffered for it
GOODBYE_SECONDS = 1.0  # the same during shutdown, and between two pieces of a body


class _Unread:
    """Aborts the connection of a client that reads nothing while its buffer is full or the server stops."""

    unread_seconds = UNREAD_SECONDS
    goodbye_seconds = GOODBYE_SECONDS

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _looking: asyncio.TimerHandle | None = None
    _stopping = False

    def connection_lost(self, exc: Exception | None) -> None:
        self._look(None)
        super().connection_lost(exc)  # type: ignore[misc]

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        self._look(self.unread_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()  # type: ignore[misc]
        self._look(self.goodbye_seconds if self._stopping else None)

    def shutdown(self) -> None:
        super().shutdown()  # type: ignore[misc]
        self._stopping, self.unread_seconds = True, self.goodbye_seconds
        self._look(self.goodbye_seconds)

    def _look(self, seconds: float | None) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = None
        if seconds is not None:
            waits = self.transport.get_write_buffer_size()
            self._looking = self.loop.call_later(seconds, self._looked, waits, seconds)

    def _looked(self, before: int, seconds: float) -> None:
        self._looking = None
        if before and self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self._look(seconds)


class BoundedSocket(_Unread, WebSocketsSansIOProtocol):
    """A WebSocket whose client must keep reading."""


class BoundedHttp(_Unread, HttpToolsProtocol):
    """HTTP with bounds.

    Answers 431 to a head that is too long, 408 to one that is too slow, and 400 to one that has not exactly one Host.
    Closes the connection if a body stalls or is too slow, if the client does not read, and if it stays idle. Ignores
    trailers, which uvicorn would add to the headers.
    """

    head_bytes = HEAD_BYTES
    head_seconds = HEAD_SECONDS
    idle_seconds = IDLE_SECONDS
    body_seconds = BODY_SECONDS
    body_rate = BODY_RATE

    _head: int | None = 0  # bytes of the head so far; None: the head is complete
    _begun = False  # a request began in the current piece
    _body = False  # more of the body is expected
    _between = 0  # bytes received since the last of the body: trailers, and the framing of chunks
    _due = 0.0  # loop time by which the body must be complete; each piece extends it
    _unread_since: float | None = None  # loop time since when the application doesn't read the body
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._watch(None)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Also ends a request whose body has stopped coming: it would hold up the shutdown until its bound."""
        super().shutdown()
        self.idle_seconds = self.goodbye_seconds
        if self._body:
            self._watch(self.idle_seconds)

    def data_received(self, data: bytes) -> None:
        ours = self._head is not None  # otherwise the piece may begin with the end of the previous request
        self._begun = False
        self._between += len(data)
        super().data_received(data)
        # After parsing: most requests come in one piece, and a timer costs as much as a layer of the application.
        if self._head is not None:
            if self._begun:
                self._watch(self.head_seconds)
            self._head += len(data) if ours else 1
            if self._head > self.head_bytes:
                self._refuse(431)
        elif self._body:
            if self._between > self.head_bytes:
                self.transport.close()
            self._watch(self._body_seconds(len(data)))
        else:
            self._watch(self.head_seconds if self._is_idle() else None)

    def _body_seconds(self, size: int) -> float:
        """Returns the seconds in which the next piece of the body must come, after one of this size."""
        now = self.loop.time()
        if self._unread_since is not None:
            self._due += now - self._unread_since
        self._unread_since = now if self.flow.read_paused else None
        self._due += size / self.body_rate
        return max(0.0, min(self.idle_seconds, self._due - now))

    def _is_idle(self) -> bool:
        """Returns whether a request is awaited without uvicorn's own timer, which any received byte cancels."""
        return (
            self.timeout_keep_alive_task is None
            and self.cycle is not None
            and self.cycle.response_complete
            and self.transport.get_protocol() is self  # otherwise it has become a WebSocket
        )

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head is None:  # not the first request of the connection
            self._head, self._begun = 0, True

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.head_bytes:
            raise ValueError(
                "the head is too long"
            )  # httptools turns it into a parser error: 400, then closed
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (hosts == 0 and self.parser.get_http_version() == "1.1"):
            raise ValueError("the head has no Host, or several")  # RFC 9112 §3.2: 400
        self._head, self._body, self._between = None, True, 0
        self._due, self._unread_since = self.loop.time() + self.body_seconds, None
        super().on_headers_complete()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head is not None:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._between = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._body = False
        super().on_message_complete()

    def _watch(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        if self.flow.read_paused and (self._body or self._head):
            self._watch(
                self.idle_seconds if self._body else self.head_seconds
            )  # the client is not to blame while the application doesn't read
        elif self._head:
            self._refuse(408)
        else:
            self.transport.close()

    def _refuse(self, status: int) -> None:
        if not self.transport.is_closing():
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()

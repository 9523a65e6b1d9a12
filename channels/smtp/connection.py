"""One connection to a mail server that is ready for MAIL FROM: its replies, timeouts and unwritten octets.

aiosmtplib connects, starts TLS and logs in. Its reader takes one reply at a time and a lock, a timer and a task for
each, and knows no pipelining (RFC 2920), so from then on the transport belongs to this protocol.
"""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

from aiosmtplib.response import SMTPResponse

_LONGEST_LINE: Final = 8192  # octets of a reply's line; RFC 5321 §4.5.3.1.5 allows 512
_MOST_LINES: Final = 100  # of one reply (RFC 5321 §4.2.1 has no limit)


class Disconnected(Exception):
    """The server closed the connection, or it was lost."""


class BadReply(Exception):
    """The server has sent something that is no reply, or is too long for one."""


class Failed(Exception):
    """The connection failed with `error` before all replies came; `replies` are those that did."""

    def __init__(self, error: Exception, replies: Sequence[SMTPResponse] = ()) -> None:
        super().__init__(str(error))
        self.error = error
        self.replies = replies


class Connection(asyncio.Protocol):
    """Writes commands and collects their replies. One task at a time uses it."""

    def __init__(self, transport: asyncio.Transport, extensions: Collection[str]) -> None:
        self.extensions = frozenset(extensions)  # of the server's answer to EHLO, in lower case
        self.unwritten = False  # octets of what was written are still in this process
        self.idle_since = 0.0  # loop time; set by the pool
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._failure: Exception | None = None
        self._rest = b""  # an incomplete line
        self._lines: list[bytes] = []  # texts of an incomplete reply
        self._replies: list[SMTPResponse] = []
        self._expected = 0  # replies
        self._waiter: asyncio.Future[None] | None = None
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        # `unwritten` must tell whether anything is left. high=0 would be stricter, but asyncio's TLS then pauses for
        # ever on an empty buffer.
        transport.set_write_buffer_limits(high=1, low=0)
        transport.set_protocol(self)

    @property
    def usable(self) -> bool:
        """Returns whether commands can be written: nothing has failed, and no octet came that was not asked for."""
        return self._failure is None and not self._transport.is_closing()

    @property
    def answered(self) -> bool:
        """Returns whether all expected replies have come."""
        return len(self._replies) >= self._expected

    async def ask(self, octets: bytes, replies: int, seconds: float) -> list[SMTPResponse]:
        """Writes commands and returns their replies, the last of which comes within `seconds`. Raises Failed."""
        self.expect(replies)
        self.write(octets)
        self.limit(seconds)
        return await self.replies()

    def expect(self, replies: int) -> None:
        """Announces that this many replies may come from now on."""
        self._expected = replies

    def limit(self, seconds: float) -> None:
        """Lets waiting fail with TimeoutError from now plus `seconds` on."""
        self._deadline = self._loop.time() + seconds

    def write(self, octets: bytes) -> None:
        """Writes as much as the kernel takes, and the rest when it can. Raises Failed if the connection is closed."""
        if not self.usable:
            raise self._failed()
        self._transport.write(octets)
        if self._transport.is_closing():  # the kernel took nothing
            raise self._failed()

    async def written(self) -> None:
        """Waits until everything was given to the kernel, or all replies have come. Raises Failed."""
        while self.unwritten and not self.answered and self._failure is None:
            await self._wait()
        if self._failure is not None and not self.answered:
            raise self._failed()

    async def replies(self) -> list[SMTPResponse]:
        """Waits for the expected replies and returns them. Raises Failed."""
        while not self.answered and self._failure is None:
            await self._wait()
        if not self.answered:
            raise self._failed()
        replies, self._replies, self._expected = self._replies, [], 0
        return replies

    def abort(self) -> None:
        """Closes at once; unwritten octets are not sent."""
        self._transport.abort()
        self._fail(Disconnected("closed"))
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Called by the transport

    def data_received(self, data: bytes) -> None:
        if self._failure is not None:
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            # Whatever comes unasked would be read as the reply to the next command. It can be the 421 that is sent
            # before an idle connection is closed.
            if self.answered or not self._receive_line(line):
                self._fail(BadReply(f"not a reply: {line[:100].decode(errors='replace')}"))
                return
        if len(self._rest) > (0 if self.answered else _LONGEST_LINE):
            self._fail(BadReply("not a reply, or too long"))
        elif self.answered:
            self._wake()

    def eof_received(self) -> bool:
        self._fail(Disconnected("the server closed the connection"))
        return False  # the transport closes itself

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(Disconnected(str(exc) if exc else "the connection was lost"))

    def pause_writing(self) -> None:
        self.unwritten = True

    def resume_writing(self) -> None:
        self.unwritten = False
        self._wake()

    # Inside

    def _receive_line(self, line: bytes) -> bool:
        """Adds a line to its reply (RFC 5321 §4.2). Returns False for a line that is none."""
        code = line[:3]
        if (
            len(code) < 3
            or not code.isdigit()
            or len(line) > _LONGEST_LINE
            or len(self._lines) == _MOST_LINES
        ):
            return False
        self._lines.append(line[4:].strip(b" \t\r"))
        if line[3:4] != b"-":
            text = b"\n".join(self._lines).decode("utf-8", "surrogateescape")
            self._replies.append(SMTPResponse(int(code), text))
            self._lines.clear()
        return True

    async def _wait(self) -> None:
        """Waits for anything: a last reply, a failure, an empty write buffer."""
        if self._timer is None or self._timer_at > self._deadline:
            if self._timer is not None:
                self._timer.cancel()
            self._start_timer()
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _start_timer(self) -> None:
        self._timer_at = self._deadline
        self._timer = self._loop.call_at(self._timer_at, self._check_deadline)

    def _check_deadline(self) -> None:
        """One timer serves many waits: it looks at the deadline of the present one when it fires."""
        self._timer = None
        if self._waiter is not None and not self._waiter.done():
            if self._loop.time() >= self._deadline:
                self._fail(TimeoutError("no answer in time"))
            else:
                self._start_timer()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _fail(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        self._wake()

    def _failed(self) -> Failed:
        return Failed(self._failure or Disconnected("the connection was lost"), tuple(self._replies))

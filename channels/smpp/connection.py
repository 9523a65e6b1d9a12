"""The octets of one connection: what has arrived, and what may have left this process."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final, cast

MOST_UNREAD: Final = 1 << 20  # octets that the SMSC has not read; beyond it the link is closed
READ_OCTETS: Final = 1 << 16  # at once
LAST_READS: Final = 16  # from a connection that broke
QUICK_ACK: Final[int | None] = getattr(socket, "TCP_QUICKACK", None)  # Linux has it


class Connection(asyncio.Protocol):
    """Writes once a turn of the loop, and gives what it writes to the kernel by itself.

    So it is certain of each octet whether it can have reached the SMSC when the connection breaks, and the octets that
    had arrived by then can still be read: a loop that meets the error first would drop them. With TLS the loop writes
    and reads, and all that it was given may have left.
    """

    def __init__(self, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        """`receive` takes what has arrived; `lost` is called when the connection cannot be used any more."""
        self.written = 0  # octets that `write` has taken
        self.closed = asyncio.Event()
        self._receive, self._lost = receive, lost
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._socket: socket.socket | None = (
            None  # a second handle of the connection; None with TLS, or after it
        )
        self._unwritten: list[bytes] = []  # of this turn of the loop
        self._accepted = 0  # octets that the kernel has taken, or the transport

    @property
    def usable(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        if transport.get_extra_info("sslcontext") is None:
            self._socket = socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))
            self._socket.setblocking(False)

    def data_received(self, data: bytes) -> None:
        self._acknowledge()
        self._receive(data)

    def eof_received(self) -> None:
        self._lost("the SMSC closed the connection")

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost(f"the connection broke ({type(exc).__name__})" if exc else "the connection was closed")
        self._close_socket()
        self.closed.set()

    def _acknowledge(self) -> None:
        """Has the kernel acknowledge the octets that were read at once, instead of up to 40 ms later.

        An SMSC with Nagle's algorithm (RFC 896) on keeps its next answers back until this one is acknowledged. The
        option holds until the kernel decides anew (tcp(7)), so it is set at each read.
        """
        if QUICK_ACK is not None and self._transport is not None:
            owner = self._socket or self._transport.get_extra_info("socket")
            with suppress(OSError):  # the connection has ended; the next read says so
                owner.setsockopt(socket.IPPROTO_TCP, QUICK_ACK, 1)

    # writing

    def write(self, octets: bytes) -> None:
        """Writes at the end of this turn of the loop, together with all other writes of it."""
        if not self._unwritten:
            self._loop.call_soon(self.flush)
        self._unwritten.append(octets)
        self.written += len(octets)

    def flush(self) -> None:
        """Writes what waits for the end of this turn."""
        octets, self._unwritten = b"".join(self._unwritten), []
        transport = self._transport
        if not octets or transport is None or transport.is_closing():
            return
        if self._socket is not None and not transport.get_write_buffer_size():
            try:
                sent = self._socket.send(octets)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError as error:  # the kernel has taken none of them
                self._lost(f"the connection broke ({type(error).__name__})")
                return
            self._accepted += sent
            if not (octets := octets[sent:]):
                return
        self._accepted += len(octets)
        transport.write(octets)
        if transport.get_write_buffer_size() > MOST_UNREAD:
            self._lost("the SMSC does not read")

    def left(self) -> int:
        """Returns how many of the octets that were written may have left this process. The others surely have not, if
        `abort` follows in this turn of the loop.
        """
        if self._socket is None or self._transport is None:
            return self._accepted
        return self._accepted - self._transport.get_write_buffer_size()

    # the end

    def drain(self) -> None:
        """Receives what had arrived when the connection broke."""
        if self._socket is not None:
            with suppress(OSError):
                for _ in range(LAST_READS):
                    if not (octets := self._socket.recv(READ_OCTETS)):
                        break
                    self._receive(octets)

    def abort(self) -> None:
        """Closes the connection. Of what was not written yet, responses are tried at once, and nothing else leaves."""
        responses = b"".join(
            octets for octets in self._unwritten if octets[4] & 0x80
        )  # by command_id (§5.1.2.1)
        self._unwritten = []
        if self._transport is None:
            return
        writes = responses and self.usable and not self._transport.get_write_buffer_size()
        if self._socket is not None:
            with suppress(OSError):
                if writes:
                    self._socket.send(responses)
            with suppress(OSError):
                self._socket.shutdown(
                    socket.SHUT_RDWR
                )  # the transport closes later, and could write until then
            self._close_socket()
        elif writes:
            self._transport.write(responses)
        self._transport.abort()

    def _close_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

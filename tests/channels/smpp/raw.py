"""An SMSC whose socket the test itself reads and writes, so that several events reach the driver at one moment."""

import asyncio
import socket
import struct
from typing import Self

from channels.smpp import codec
from channels.smpp.codec import Command, Frame
from tests.support.waits import PATIENCE

_LINGER = struct.pack("ii", 1, 0)


class RawSession:
    """One bound connection. Its methods without `await` run before the driver's loop goes on."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._octets = b""
        self._frames: list[Frame] = []

    def _read(self) -> Frame:
        while not self._frames:
            octets = self._connection.recv(1 << 16)
            assert octets, "the driver closed the connection"
            self._frames, self._octets = codec.frames(self._octets + octets)
        return self._frames.pop(0)

    async def read(self) -> Frame:
        """Returns the next PDU of the driver."""
        return await asyncio.to_thread(self._read)

    async def read_all(self) -> list[Frame]:
        """Returns all further PDUs that arrive whole, until the driver closes the connection."""

        def read() -> list[Frame]:
            while octets := self._connection.recv(1 << 16):
                frames, self._octets = codec.frames(self._octets + octets)
                self._frames += frames
            return self._frames

        return await asyncio.to_thread(read)

    def answer(self, request: Frame, id: str = "m_1", *, command_status: int = 0) -> None:
        """Answers a PDU."""
        body = b"" if command_status else id.encode() + b"\0"
        command = request.command | codec.RESPONSE
        self._connection.sendall(codec.pdu(command, request.sequence, status=command_status, body=body))

    def reset(self) -> None:
        """Resets the connection."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
        self._connection.close()

    def close(self) -> None:
        self._connection.close()


class RawSmsc:
    """The listening socket. `received`: the bytes that its kernel takes before anything is read."""

    def __init__(self, received: int | None = None) -> None:
        self._server = socket.socket()
        if received is not None:
            self._server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received)
        self._server.bind(("127.0.0.1", 0))
        self._server.listen()
        self._sessions: list[RawSession] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions:
            session.close()
        self._server.close()

    def dsn(self, options: str = "") -> str:
        usual = f"timeout={PATIENCE:g}&reconnect_min=0.05&reconnect_max=0.2"
        return f"smpp://postern:secret@127.0.0.1:{self._server.getsockname()[1]}?{usual}{options}"

    async def bound(self) -> RawSession:
        """Returns the next connection, whose bind it has accepted."""

        def accept() -> RawSession:
            self._server.settimeout(PATIENCE)
            connection, _ = self._server.accept()
            connection.settimeout(PATIENCE)
            connection.setsockopt(
                socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
            )  # a reset discards what has not left
            session = RawSession(connection)
            self._sessions.append(session)
            bind = session._read()
            assert bind.command in (Command.bind_transceiver, Command.bind_transmitter)
            session.answer(bind, "smsc")
            return session

        return await asyncio.to_thread(accept)

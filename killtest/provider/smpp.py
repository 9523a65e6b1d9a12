"""An SMSC (SMPP 3.4) that takes submit_sm; the answers to messages that wait at once come in any order."""

import asyncio
import struct
from itertools import count
from typing import ClassVar

from killtest.provider.recorder import Decision
from killtest.provider.server import Broken, Provider

_HEAD = struct.Struct(">IIII")
_RESPONSE = 0x80000000
_SUBMIT, _UNBIND = 0x00000004, 0x00000006
_BINDS = {0x00000001, 0x00000002, 0x00000009}
_OK, _INVALID_ADDRESS, _THROTTLED = 0, 0x0B, 0x58


class SmppProvider(Provider):
    protocol: ClassVar[str] = "smpp"
    _ids = count(1)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                head = await reader.readexactly(_HEAD.size)
                length, command, _, sequence = _HEAD.unpack(head)
                body = await reader.readexactly(length - _HEAD.size)
                await self.recorder.opened()
                if command == _SUBMIT:
                    task = asyncio.create_task(self._submitted(body, sequence, reader, writer))
                    running.add(task)
                    task.add_done_callback(running.discard)
                elif command & _RESPONSE == 0:
                    writer.write(_pdu(command, _OK, sequence, b"killtest\0" if command in _BINDS else b""))
                    await writer.drain()
                    if command == _UNBIND:
                        return
        finally:
            await asyncio.gather(*running, return_exceptions=True)  # what has arrived is still accepted

    async def _submitted(
        self, body: bytes, sequence: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        answers = {
            Decision.accept: _pdu(_SUBMIT, _OK, sequence, b"%d\0" % next(self._ids)),
            Decision.busy: _pdu(_SUBMIT, _THROTTLED, sequence, b""),
            Decision.refuse: _pdu(_SUBMIT, _INVALID_ADDRESS, sequence, b""),
        }
        try:
            await self.attempt(destination(body), reader, writer, answers)
        except (Broken, ConnectionError):
            self._aborted.add(writer)  # the other messages on this connection are not accepted
            writer.transport.abort()


def _pdu(command: int, status: int, sequence: int, body: bytes) -> bytes:
    return _HEAD.pack(_HEAD.size + len(body), command | _RESPONSE, status, sequence) + body


def destination(body: bytes) -> str:
    """Returns destination_addr of a submit_sm (SMPP 3.4, section 4.4.1)."""
    _service, _, rest = body.partition(b"\0")
    _source, _, rest = rest[2:].partition(b"\0")
    return rest[2:].partition(b"\0")[0].decode("ascii", "replace")

"""An SMSC (SMPP 3.4) that takes submit_sm; the answers to messages that wait at once come in any order.

It sends a receipt of each accepted message that has a user_message_reference, and returns that (section 4.6.1), on any
connection: one to three seconds later, and again until it is answered. A message without one gets no receipt.
"""

import asyncio
import random
import struct
from itertools import count
from typing import ClassVar

from killtest.people import number_of
from killtest.provider.recorder import Decision, Recorder
from killtest.provider.server import Broken, Provider

_HEAD = struct.Struct(">IIII")
_RESPONSE = 0x80000000
_REFERENCE = b"\x02\x04\x00\x02"  # user_message_reference and its length
_DELIVER = 0x00000005
_RECEIPT_SECONDS = (1.0, 3.0)
_SUBMIT, _UNBIND = 0x00000004, 0x00000006
_BINDS = {0x00000001, 0x00000002, 0x00000009}
_OK, _INVALID_ADDRESS, _THROTTLED = 0, 0x0B, 0x58


class SmppProvider(Provider):
    protocol: ClassVar[str] = "smpp"
    _ids = count(1)

    def __init__(self, recorder: Recorder, port: int = 0) -> None:
        super().__init__(recorder, port)
        self._bound: list[asyncio.StreamWriter] = []
        self._receipts: set[asyncio.Task[None]] = set()
        self._unanswered: dict[int, asyncio.Event] = {}  # receipts by their sequence numbers

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
                elif command == _DELIVER | _RESPONSE:
                    if answered := self._unanswered.get(sequence):
                        answered.set()
                elif command & _RESPONSE == 0:
                    if command in _BINDS:
                        self._bound.append(writer)
                    writer.write(_pdu(command, _OK, sequence, b"killtest\0" if command in _BINDS else b""))
                    await writer.drain()
                    if command == _UNBIND:
                        return
        finally:
            if writer in self._bound:
                self._bound.remove(writer)
            await asyncio.gather(*running, return_exceptions=True)  # what has arrived is still accepted

    async def _submitted(
        self, body: bytes, sequence: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        id = b"%d" % next(self._ids)
        answers = {
            Decision.accept: _pdu(_SUBMIT, _OK, sequence, id + b"\0"),
            Decision.busy: _pdu(_SUBMIT, _THROTTLED, sequence, b""),
            Decision.refuse: _pdu(_SUBMIT, _INVALID_ADDRESS, sequence, b""),
        }
        try:
            await self.attempt(destination(body), reader, writer, answers)
        except (Broken, ConnectionError):
            self._aborted.add(writer)  # the other messages on this connection are not accepted
            writer.transport.abort()
        finally:
            self._report(body, id)

    def _report(self, body: bytes, id: bytes) -> None:
        """Sends a receipt of a message that was accepted in this attempt and asked for one by its reference."""
        if body[-6:-2] != _REFERENCE:
            return
        person = number_of(destination(body))
        attempts = [attempt for attempt in self.recorder.attempts if attempt.person == person]
        if attempts and attempts[-1].accepted:
            task = asyncio.create_task(self._deliver(body, id))
            self._receipts.add(task)
            task.add_done_callback(self._receipts.discard)

    async def _deliver(self, body: bytes, id: bytes) -> None:
        sequence = next(self._ids)
        answered = self._unanswered[sequence] = asyncio.Event()
        text = b"id:%s sub:001 dlvrd:001 stat:DELIVRD err:000 text:" % id
        source, to = b"\0\x01\x01" + destination(body).encode(), b"\0\x05\0Acme\0"
        kind = b"\x04" + bytes(8)  # esm_class, and the fields behind it
        receipt = source + to + kind + bytes([len(text)]) + text + body[-6:]
        while not answered.is_set():
            await asyncio.sleep(random.uniform(*_RECEIPT_SECONDS))
            await self.recorder.opened()
            if bound := [writer for writer in self._bound if not writer.is_closing()]:
                writer = random.choice(bound)
                writer.write(_HEAD.pack(_HEAD.size + len(receipt), _DELIVER, 0, sequence) + receipt)


def _pdu(command: int, status: int, sequence: int, body: bytes) -> bytes:
    return _HEAD.pack(_HEAD.size + len(body), command | _RESPONSE, status, sequence) + body


def destination(body: bytes) -> str:
    """Returns destination_addr of a submit_sm (SMPP 3.4, section 4.4.1)."""
    _service, _, rest = body.partition(b"\0")
    _source, _, rest = rest[2:].partition(b"\0")
    return rest[2:].partition(b"\0")[0].decode("ascii", "replace")

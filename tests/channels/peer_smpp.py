"""An SMSC on loopback that can be told to misbehave. Its PDUs are smpplib's work, its alphabet too, so that it
shares no bug with the driver, whose PDUs are smpp34's.
"""

import asyncio
import itertools
import socket
import ssl
import struct
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from smpplib import command, gsm, smpp

from tests.channels.peer import Received, Scenario
from tests.support.waits import PATIENCE

SYSTEM_ID, PASSWORD = "postern", "p4ss/wd!"
STATUS = {Scenario.refuse: 0x0B, Scenario.transient: 0x08, Scenario.throttle: 0x58}
HEADER = struct.Struct(">IIII")
UDHI = 0x40
# smpplib's table has no § (TS 23.038: 0x5F) and a ` for every gap.
ALPHABET = gsm.GSM_CHARACTER_TABLE[:0x5F] + "§" + gsm.GSM_CHARACTER_TABLE[0x60:]


class _Sequence:
    """Has the methods that smpplib needs of a client object."""

    def __init__(self) -> None:
        self.sequence = 0

    def next_sequence(self) -> int:
        self.sequence += 1
        return self.sequence


class Session:
    """One connection of an ESME."""

    def __init__(self, smsc: "Smsc", reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.smsc = smsc
        self.reader = reader
        self.writer = writer
        self.role: str | None = None
        self.numbers = _Sequence()
        self.answers: dict[int, asyncio.Future[int]] = {}

    async def run(self) -> None:
        try:
            while True:
                header = await self.reader.readexactly(16)
                length, *_ = HEADER.unpack(header)
                self.take(header + await self.reader.readexactly(length - 16))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.writer.transport.abort()

    def take(self, octets: bytes) -> None:
        pdu = smpp.parse_pdu(octets, client=self.numbers, sequence=0, allow_unknown_opt_params=True)
        self.smsc.commands.append(pdu.command)
        if pdu.is_response():
            if (answer := self.answers.pop(pdu.sequence, None)) and not answer.done():
                answer.set_result(pdu.status)
        elif pdu.command.startswith("bind_"):
            self.bind(pdu)
        elif pdu.command == "submit_sm":
            self.smsc.submit(self, pdu)
        elif pdu.command == "unbind":
            self.respond(pdu)
            self.writer.close()
        elif pdu.command == "enquire_link" and not self.smsc.deaf:
            self.respond(pdu)

    def bind(self, pdu: Any) -> None:
        smsc = self.smsc
        smsc.binds.append(pdu)
        if smsc.scenario is Scenario.hang_before:
            return
        good = (pdu.system_id, pdu.password) == (SYSTEM_ID.encode(), PASSWORD.encode())
        crowded = smsc.most_bound is not None and len(smsc.live()) >= smsc.most_bound
        status = (
            smsc.bind_status
            or (0x0D if crowded else 0)
            or (0 if good and smsc.scenario is not Scenario.bad_credentials else 0x0E)
        )
        self.respond(pdu, status, system_id="smsc")
        if not status:
            self.role = pdu.command

    def respond(self, pdu: Any, status: int = 0, **fields: object) -> None:
        """An answer that refuses has no body (§4.4.2)."""
        code = int.from_bytes(
            smpp.make_pdu(pdu.command, client=self.numbers, sequence=0).generate()[4:8], "big"
        )
        if status:
            self.writer.write(HEADER.pack(16, code | 0x80000000, status, pdu.sequence))
            return
        answer = smpp.make_pdu(f"{pdu.command}_resp", client=self.numbers, sequence=pdu.sequence, **fields)
        answer.sequence = pdu.sequence
        self.writer.write(answer.generate())

    async def request(self, pdu: Any, within: float = PATIENCE) -> int:
        """The command_status of the ESME's answer."""
        answer = asyncio.get_running_loop().create_future()
        self.answers[pdu.sequence] = answer
        self.writer.write(pdu.generate())
        return await asyncio.wait_for(answer, within)

    async def deliver(self, text: bytes = b"", **fields: object) -> int:
        numbers = {
            "source_addr": "14155550100",
            "source_addr_ton": 1,
            "source_addr_npi": 1,
            "destination_addr": "Acme",
            "dest_addr_ton": 5,
        }
        pdu = command.DeliverSM("deliver_sm", client=self.numbers, short_message=text, **(numbers | fields))
        return await self.request(pdu)

    async def data(self, **fields: object) -> int:
        """Sends a data_sm (§4.7) instead of a deliver_sm."""
        numbers = {"source_addr": "14155550100", "source_addr_ton": 1, "destination_addr": "Acme"}
        return await self.request(command.DataSM("data_sm", client=self.numbers, **(numbers | fields)))

    def reset(self) -> None:
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


class Smsc:
    driver = "smpp"
    supports = frozenset(Scenario)
    recipient = "+14155550100"
    bad_recipient = "+14155550199"
    longest = "жук 😀 in Wörtern\n".ljust(33, "я") * (67 * 255 // 34)
    secrets = (PASSWORD,)
    host = "127.0.0.1"

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.submitted: list[Any] = []  # every submit_sm as smpplib reads it
        self.binds: list[Any] = []
        self.commands: list[str] = []
        self.sessions: list[Session] = []
        self.scenario = Scenario.accept
        self.statuses: deque[int | None] = deque()  # of the next submit_sm; None: no answer
        self.bind_status = 0
        self.most_bound: int | None = None  # sessions; a further one is refused like a wrong password
        self.deaf = False  # answers no enquire_link
        self.nagle = (
            False  # an answer leaves when the one before is acknowledged (RFC 896); asyncio switches that off
        )
        self.before_answer: Callable[[Session, str], None] | None = None
        self.ids = itertools.count(1)
        self.form = "m_{:04}"  # of message ids
        self.port = 0
        self._parts: dict[tuple[bytes, int], dict[int, bytes]] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def options(self, more: str = "") -> str:
        """The DSN with `a=1&b=2` in place of, or beside, its patience with answers and its haste to bind anew."""
        usual = f"timeout={PATIENCE:g}&reconnect_min=0.05&reconnect_max=0.2&retry_after=7"
        pairs = dict(pair.split("=") for pair in f"{usual}&{more}".strip("&").split("&"))
        query = "&".join(f"{name}={value}" for name, value in pairs.items())
        return f"smpp://{SYSTEM_ID}:p4ss%2Fwd!@{self.host}:{self.port}?{query}"

    @property
    def dsn(self) -> str:
        return self.options("from=Acme&timeout=1.5")

    def script(self, scenario: Scenario) -> None:
        through = {Scenario.hang_before, Scenario.bad_credentials}
        if self.scenario in through:
            self.drop()
        if scenario in through:  # and a bound client must bind again
            for session in self.sessions:
                session.role = None
        self.scenario = scenario

    async def start(self, tls: ssl.SSLContext | None = None) -> None:
        self._server = await asyncio.start_server(self._accept, self.host, self.port, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self.drop()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._server.wait_closed()

    def drop(self) -> None:
        for session in self.sessions:
            session.writer.transport.abort()

    def live(self) -> list[Session]:
        """The bound sessions, in the order of their connections."""
        return [
            session for session in self.sessions if session.role and not session.writer.transport.is_closing()
        ]

    def bound(self, role: str = "bind_transceiver") -> Session:
        """The newest live session of a role."""
        return next(
            session
            for session in reversed(self.sessions)
            if session.role == role and not session.writer.transport.is_closing()
        )

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.nagle:
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
        session = Session(self, reader, writer)
        self.sessions.append(session)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await session.run()
        finally:
            self._tasks.discard(task)

    def submit(self, session: Session, pdu: Any) -> None:
        self.submitted.append(pdu)
        status: int | None = STATUS.get(self.scenario, 0)
        if pdu.destination_addr.decode() == self.bad_recipient.lstrip("+"):
            status = 0x0B
        if self.statuses:
            status = self.statuses.popleft()
        if session.role is None:
            status = 0x04
        if status:
            session.respond(pdu, status)
            return
        id = self.form.format(next(self.ids))
        self._keep(pdu, id)
        if self.scenario is Scenario.reset_after:
            session.reset()
        elif status is not None and self.scenario is not Scenario.hang_after:
            if self.before_answer:
                self.before_answer(session, id)
            session.respond(pdu, message_id=id)

    def _keep(self, pdu: Any, id: str) -> None:
        """A message is received when its last part is."""
        data, reference, total, number = pdu.message_payload or pdu.short_message or b"", 0, 1, 1
        if pdu.esm_class & UDHI:
            assert data[:3] == b"\x05\x00\x03"
            (reference, total, number), data = data[3:6], data[6:]
            assert len(data) <= (153 if pdu.data_coding == 0 else 134)
        elif pdu.sar_total_segments:
            reference, total, number = pdu.sar_msg_ref_num, pdu.sar_total_segments, pdu.sar_segment_seqnum
        parts = self._parts.setdefault((pdu.destination_addr, reference if total > 1 else -1), {})
        parts[number] = text(data, pdu.data_coding).encode()  # each part can be read alone
        if len(parts) == total:
            body = b"".join(parts[number] for number in sorted(parts)).decode()
            parts.clear()
            plus = "+" if pdu.dest_addr_ton == 1 else ""
            extra = {"id": id, "parts": total, "data_coding": pdu.data_coding, "pdu": pdu}
            self.received.append(Received(None, plus + pdu.destination_addr.decode(), body, extra))


def text(data: bytes, data_coding: int) -> str:
    if data_coding == 8:
        return data.decode("utf-16-be")
    assert data_coding == 0
    read = iter(data)
    return "".join(ALPHABET[next(read) + 0x80 if code == 0x1B else code] for code in read)


@asynccontextmanager
async def peer() -> AsyncIterator[Smsc]:
    smsc = Smsc()
    await smsc.start()
    try:
        yield smsc
    finally:
        await smsc.stop()

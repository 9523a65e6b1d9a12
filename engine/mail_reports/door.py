"""The door of returned mails: an SMTP or LMTP server that one worker of a machine runs, under a lease.

mail server ──► RCPT: an address whose token is ours, or complaints@ ──► DATA: at most 256 KiB are kept
                │ else 550                                                   │
                │                     250 ◄── committed ◄── inbox: read, recorded
                └                     451 ◄── not

It takes one recipient a transaction (452 to the next), so that one reply is right for the whole mail, by LMTP too. A
sender whose reply is lost sends the mail again, and then it changes nothing (engine/mail_reports/recording.py).
"""

import asyncio
import logging
import os
import socket
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from core.clock import steady
from core.errors import AppError
from engine.jobs import every
from engine.mail_reports import reference
from engine.mail_reports.inbox import MOST_OCTETS, Inbox, ReturnedMail
from runtime.database_errors import translate
from runtime.group_commit import NotStarted
from runtime.leases import leased
from runtime.services import Services

log = structlog.get_logger("postern.mail_reports")

COMPLAINTS: Final = "complaints"
"""The local part of the address for feedback loops, which send complaints to one address of a domain."""

MOST_CONNECTIONS: Final = 100
_MOST_OF_ADDRESS: Final = 50  # connections of one address
_SILENT: Final = 3.0  # seconds after which a silent connection makes room for a new one
_SECONDS: Final = 60.0  # of one command with its answer, such as a whole DATA
_LONGEST_MAIL: Final = 64 * 2**20  # octets after which a connection is closed
_LONGEST_LINE: Final = 64 * 1024
_MOST_REFUSED: Final = 20  # recipients of one connection
_COMMANDS: Final = {"*": 100, **dict.fromkeys(("MAIL", "RCPT", "DATA", "RSET"), 10**9)}  # of one connection
_LOOK: Final = 0.5  # seconds between two looks at the lease

# Its log has the addresses of recipients.
logging.getLogger("mail.log").setLevel(logging.ERROR)


class _Door:
    """The hooks of the server, for all connections."""

    def __init__(self, services: Services) -> None:
        self.services, self.inbox = services, Inbox(services)
        self.keys = services.keys(reference.KEY)
        self.connections: set[_Connection] = set()

    def has_room_for(self, new: "_Connection") -> bool:
        """Returns whether another connection may stay. If all places are taken, the longest silent one is closed."""
        of_address = sum(each.peer == new.peer for each in self.connections)
        if new.peer is not None and of_address >= _MOST_OF_ADDRESS:
            return False
        if len(self.connections) < MOST_CONNECTIONS:
            return True
        before = steady() - _SILENT
        silent = [each for each in self.connections if each.received_at < before and not each.is_taking]
        if not silent:
            return False
        longest = min(silent, key=lambda each: each.received_at)
        longest.close()
        self.connections.discard(longest)
        return True

    async def handle_RCPT(  # noqa: N802  the library calls it so
        self, server: "_Connection", session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accepts one recipient, whose address is one of ours."""
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient a transaction"
        ours, id = self.message_of(address)
        if not ours:
            server.refused += 1
            if server.refused >= _MOST_REFUSED:
                server.hang_up()
            return "550 5.1.1 There is no such address"
        server.message_id = id
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    def message_of(self, address: str) -> tuple[bool, UUID | None]:
        """Returns whether mail to an address is taken, and the message that the address names."""
        local, _, _ = address.rpartition("@")
        if local.lower() == COMPLAINTS:
            return True, None
        token = next(reference.in_text(address), "")
        if local.lower() != reference.local_part(token):
            return False, None
        id = reference.read(self.keys, token)
        return id is not None, id

    async def take(self, mail: bytes, message_id: UUID | None) -> str:
        """Returns the reply to a mail: 250 only if all that it leads to is committed."""
        try:
            await self.inbox.take(ReturnedMail(mail, message_id, self.services.db.now()))
        except Exception as error:
            passes = isinstance(error, (NotStarted, AppError, TimeoutError)) or translate(error) is not None
            log.log(
                logging.WARNING if passes else logging.ERROR,
                "a returned mail has to come again",
                error=f"{type(error).__name__}: {error}"[:200],
                exc_info=not passes,
            )
            return "451 4.3.0 Try again later"
        return "250 2.0.0 OK"

    async def handle_exception(self, error: Exception) -> str:
        """Answers a connection in which something unexpected was raised."""
        log.error("a connection of returned mails broke", error=error, exc_info=error)
        return "451 4.3.0 Try again later"


class _Connection(SMTP):
    """One connection."""

    line_length_limit = _LONGEST_LINE

    def __init__(self, door: _Door) -> None:
        super().__init__(
            door,
            data_size_limit=None,
            enable_SMTPUTF8=True,
            hostname=socket.gethostname(),
            ident="Postern returned mail",
            timeout=_SECONDS,
            command_call_limit=_COMMANDS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            loop=asyncio.get_running_loop(),
        )
        self.door, self.refused = door, 0
        self.message_id: UUID | None = None  # of the accepted recipient
        self.peer: str | None = None  # its address; None: a Unix socket
        self.received_at = steady()
        self.is_taking = False  # a mail, whose sender waits for us

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self.peer = peer[0] if isinstance(peer, tuple) else None
        if not self.door.has_room_for(self):
            transport.write(b"421 4.3.2 Too many connections\r\n")
            transport.close()
        self.door.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self.received_at = steady()
        super().data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.door.connections.discard(self)
        super().connection_lost(error)

    def hang_up(self) -> None:
        """Closes the connection when all that is written has been sent."""
        asyncio.get_running_loop().call_soon(self.close)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802  likewise
        """Takes a mail of any length, of which the beginning is kept. (The library refuses a long one.)"""
        if await self.check_helo_needed():
            return
        if self.envelope is None or not self.envelope.rcpt_tos or arg:
            await self.push("501 Syntax: DATA" if arg else "503 5.5.1 Need RCPT first")
            return
        await self.push("354 End with <CR><LF>.<CR><LF>")
        mail = await self._mail()
        if mail is None:
            self.close()
            return
        self.is_taking = True
        try:
            reply = await self.door.take(mail, self.message_id)
        finally:
            self.is_taking, self.received_at = False, steady()
        self.envelope = self._create_envelope()
        await self.push(reply)

    async def _mail(self) -> bytes | None:
        """Reads a mail to its end (RFC 5321 §4.5.2). None: it has none within all bounds."""
        mail, octets, begins = bytearray(), 0, True
        while octets <= _LONGEST_MAIL:
            try:
                line: bytes = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as error:
                line = await self._reader.read(error.consumed)
            if begins and line == b".\r\n":
                return bytes(mail)
            octets += len(line)
            mail += line[1 if begins and line.startswith(b".") else 0 :][: MOST_OCTETS - len(mail)]
            begins = line.endswith(b"\r\n")
        return None


class _Lmtp(_Connection, LMTP):
    """One connection by LMTP (RFC 2033), which greets by LHLO and has one reply for each recipient: there is one."""


@every(5)
async def listen(services: Services) -> None:
    """Takes returned mails while this worker has its machine's lease."""
    address = services.settings.bounce_listen
    if address is None:
        return
    async with leased(
        services.db, f"mail_reports:{socket.gethostname()}", services.settings.lease_seconds
    ) as lease:
        if lease is None:
            return
        door = _Door(services)
        try:
            server = await _listen(door, address)
        except OSError as error:
            log.warning("can't listen for returned mails", address=address, error=str(error))
            return
        log.info("listening for returned mails", address=address)
        try:
            while lease.valid and not services.stopping.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(services.stopping.wait(), _LOOK)
        finally:
            server.close()
            for connection in [*door.connections]:
                connection.close()
            await door.inbox.close()


async def _listen(door: _Door, address: str) -> asyncio.Server:
    """Begins to listen. Raises OSError."""
    scheme, separator, where = address.partition("://")
    kind, where = (scheme, where) if separator else ("smtp", address)
    loop = asyncio.get_running_loop()

    def connection() -> _Connection:
        return (_Lmtp if kind == "lmtp" else _Connection)(door)

    if where.startswith("/"):
        server = await loop.create_unix_server(connection, where)
        os.chmod(where, 0o666)  # noqa: PTH101, S103  its folder decides who may enter; the mail server is another user
        return server
    host, _, port = where.rpartition(":")
    return await loop.create_server(connection, host.strip("[]"), int(port))

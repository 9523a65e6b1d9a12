"""One connection of a mail program."""

import asyncio
import base64
import binascii
import logging
import re
import ssl
from typing import Any, Final
from uuid import UUID

from aiosmtpd.smtp import MISSING, SMTP, AuthResult

from core.clock import steady
from core.metrics import SMTP_REFUSED
from doors.smtp.door import Door
from doors.smtp.replies import is_final
from doors.smtp.tls import is_loopback
from runtime.context import Context

_SECONDS: Final = 60.0  # of one command, and between two pieces of a mail
_LONGEST_MAIL_SECONDS: Final = 600.0
_LOGIN_SECONDS: Final = 60.0  # from the beginning of a connection to its login
_LONGEST_LINE: Final = 64 * 1024  # of what the library reads at once
_PIECE: Final = 2**20  # more than a connection keeps unread, so that a read leaves nothing behind
_MOST_FAILED_LOGINS: Final = 3
_COMMANDS: Final = {
    "*": 100,
    **dict.fromkeys(("MAIL", "RCPT", "DATA", "RSET", "NOOP"), 10**9),
}  # of one connection
_END: Final = b"\r\n.\r\n"
_LONGEST_TOKEN: Final = 500
_PLAIN_ADDRESS: Final = re.compile(r"\s*<([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+)>\s*(.*)")
_BARE: Final = b"550 5.5.2 A line ends in CRLF; a bare CR or LF is refused\r\n"

# Its log has the addresses of recipients.
logging.getLogger("mail.log").setLevel(logging.ERROR)


class Connection(SMTP):
    """One connection. `tls`: for STARTTLS; a connection that began with TLS has none."""

    line_length_limit = _LONGEST_LINE

    def __init__(self, door: Door, hostname: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(
            door,
            data_size_limit=door.most_octets,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="Postern",
            tls_context=tls,
            timeout=_SECONDS,
            auth_required=True,
            command_call_limit=_COMMANDS,
            loop=asyncio.get_running_loop(),
        )
        self.door = door
        self.peer: str | None = None  # its address
        self.token: str | None = None
        self.owner_id: UUID | None = None
        self.context: Context | None = None  # of the mail that has begun
        self.recipients: list[str] = []
        self.refused = self._failed_logins = 0
        self.received_at = steady()
        self.is_taking = False  # a mail, whose sender waits for us
        self._last = b""  # a CR that ended what was received last
        self._login_timer: asyncio.TimerHandle | None = None

    def __dir__(self) -> list[str]:
        """Returns the names of commands and logins: the library looks through all names at each connection, which takes
        a millisecond.
        """
        return _NAMES

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Works as the library does, without its full parser for plain addresses."""
        match = _PLAIN_ADDRESS.fullmatch(arg)
        return (match[1], match[2]) if match else super()._getaddr(arg)

    # Octets

    def connection_made(self, transport: Any) -> None:
        again = self.transport is not None  # by STARTTLS
        super().connection_made(transport)
        self.token = self.owner_id = self.context = None
        if again:
            return
        peer = transport.get_extra_info("peername")
        self.peer = peer[0].partition("%")[0].removeprefix("::ffff:") if isinstance(peer, tuple) else None
        plain = self.door.services.settings.smtp_plain and is_loopback(self.peer)
        if plain or transport.get_extra_info("sslcontext") is not None:
            self._auth_require_tls = False
        if (refusal := self.door.refusal_of(self)) is not None:
            transport.write(f"{refusal}\r\n".encode())
            transport.close()
        self.door.connections.add(self)
        self._login_timer = self.loop.call_later(_LOGIN_SECONDS, self._close_unless_logged_in)

    def data_received(self, data: bytes) -> None:
        self.received_at = steady()
        text = self._last + data
        self._last = b"\r" if text.endswith(b"\r") else b""
        pairs = text.count(b"\r\n")
        if text.count(b"\n") != pairs or text.count(b"\r") - len(self._last) != pairs:
            # What one server takes for the end of a mail, and another one for a line of it, smuggles mails.
            SMTP_REFUSED.labels("bare_line").inc()
            if isinstance(self.transport, asyncio.WriteTransport):
                self.transport.write(_BARE)
                self.transport.close()
            return
        super().data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.door.connections.discard(self)
        if self._login_timer is not None:
            self._login_timer.cancel()
        super().connection_lost(error)

    def hang_up(self) -> None:
        """Closes the connection when all that is written has been sent."""
        self.loop.call_soon(self.close)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def _close_unless_logged_in(self) -> None:
        if self.owner_id is None:
            self.close()

    # Logins

    async def auth_PLAIN(self, _: Any, args: list[str]) -> AuthResult:  # noqa: N802  the library calls it so
        """Logs in by RFC 4616: the user name may be any, and the password is an API token."""
        blob = await self._answer(args, "")
        if blob is None:
            return AuthResult(success=False)
        return await self._log_in(blob.rpartition(b"\0")[2]) if blob.count(b"\0") == 2 else _malformed()

    async def auth_LOGIN(self, _: Any, args: list[str]) -> AuthResult:  # noqa: N802  likewise
        """Logs in as older programs do, which send the user name first."""
        if await self._answer(args, "Username:") is None:
            return AuthResult(success=False)
        password = await self._answer([], "Password:")
        return AuthResult(success=False) if password is None else await self._log_in(password)

    async def _answer(self, args: list[str], question: str) -> bytes | None:
        """Returns what the client has sent with its command, or answers to a question. None: it was refused."""
        if len(args) < 2:
            answer = await self.challenge_auth(question)
            return answer if answer is not MISSING and isinstance(answer, bytes) else None
        try:
            return base64.b64decode(b"" if args[1] == "=" else args[1].encode(), validate=True)
        except (binascii.Error, UnicodeEncodeError):
            await self.push("501 5.5.2 Can't decode base64")
            return None

    async def _log_in(self, password: bytes) -> AuthResult:
        if len(password) > _LONGEST_TOKEN or not password.isascii():
            refusal: str | None = "535 5.7.8 invalid_token: The password must be an API token."
        else:
            refusal = await self.door.log_in(self, password.decode())
        if refusal is None:
            return AuthResult(success=True, handled=True)
        self._failed_logins += 1
        if self._failed_logins >= _MOST_FAILED_LOGINS or is_final(refusal):
            self.hang_up()
        return AuthResult(success=False, handled=False, message=refusal)

    # Mails

    def begin(self) -> None:
        """Begins a mail, for which the token is looked at anew."""
        assert self.token is not None
        self.context, self.recipients = self.door.context_of(self, self.token), []

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802  likewise
        """Takes a mail, within the bounds of its length and of the memory for all mails."""
        if await self.check_helo_needed() or await self.check_auth_needed("DATA"):
            return
        if arg or self.envelope is None or not self.envelope.rcpt_tos or not self.recipients:
            await self.push("501 Syntax: DATA" if arg else "503 5.5.1 Need RCPT first")
            return
        await self.push("354 End with <CR><LF>.<CR><LF>")
        reply = await self._take()
        self.envelope, self.context, self.recipients = self._create_envelope(), None, []
        if reply is None:
            self.close()
            return
        await self.push(reply)
        if is_final(reply):
            self.hang_up()

    async def _take(self) -> str | None:
        """Returns the reply to a mail; None: it has no end within all bounds."""
        assert self.owner_id is not None
        budget, taken, refusal = self.door.budget, 0, None
        mail, until = bytearray(b"\r\n"), steady() + _LONGEST_MAIL_SECONDS
        try:
            begins = 0  # where the end may begin
            while (end := mail.find(_END, begins)) < 0:
                if steady() > until:
                    return None
                begins = max(0, len(mail) - len(_END) + 1)
                piece = await self._reader.read(_PIECE)
                if not piece:
                    return None
                self._reset_timeout()
                if refusal is None and len(mail) + len(piece) > self.door.most_octets + len(_END):
                    refusal = "552 5.3.4 The mail is larger than its bound"
                elif refusal is None and not budget.take(self.owner_id, len(piece)):
                    refusal = "452 4.3.1 Too many mails are in memory; try again later"
                elif refusal is None:
                    taken += len(piece)
                if refusal is not None:  # the rest is read, and not kept
                    mail, begins = mail[len(mail) - len(_END) + 1 :], 0
                mail += piece
            if rest := bytes(mail[end + len(_END) :]):
                self._reader.feed_data(rest)  # commands that came with the mail
            if refusal is not None:
                return refusal
            # RFC 5321 §4.5.2: the dot before a line that began with one is not of the mail.
            content = bytes(mail[2 : end + 2] if end else b"").replace(b"\r\n.", b"\r\n")
            content = content[1:] if content.startswith(b".") else content
            mail.clear()
            self.is_taking, submitted, taken = True, taken, 0
            return await self.door.submit(self, content, submitted)
        finally:
            self.is_taking, self.received_at = False, steady()
            budget.give_back(self.owner_id, taken)


_NAMES: Final = [name for name in dir(SMTP) if name.startswith(("smtp_", "auth_"))]


def _malformed() -> AuthResult:
    return AuthResult(success=False, handled=False, message="501 5.5.2 Can't split the login")

"""The SMTP channel: its connections, and the transaction of one message.

The final dot decides (RFC 5321, 4.1.1.4): before it is sent the server has accepted nothing, after it only the
server's reply tells. aiosmtplib writes content and dot at once and cannot tell on which side a failure was, so the
content is written here: the content, until the last byte was sent; the dot; the reply.
"""

import asyncio
import base64
import re
import ssl
from collections.abc import Sequence
from ipaddress import ip_address
from typing import ClassVar, Self, cast

import aiosmtplib
from aiosmtplib.response import SMTPResponse

from channels.batch import each
from channels.dsn import BadDsn, Dsn
from channels.mailbox import Mailbox
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink
from channels.smtp.mail import InvalidMail, Mail, compose
from channels.smtp.replies import read_reply

_CHUNK = 256 * 1024  # bytes written between two checks whether the server has replied early
_PROBE_SECONDS = 5.0  # how long a probe of an idle connection may take
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")


class _Ended(Exception):
    """The exchange is over, with this outcome."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.code)
        self.outcome = outcome


class _Stale(Exception):
    """A pooled connection was closed before anything was sent over it."""


class SmtpChannel:
    """Sends messages to one mail server over a pool of connections; one message a transaction."""

    name: ClassVar[str] = "smtp"
    idempotent = False  # no mail server drops a second message with the same Message-ID by contract

    def __init__(
        self,
        *,
        host: str,
        port: int,
        sender: Mailbox,
        credentials: tuple[str, str] | None,
        implicit_tls: bool,
        starttls: str,
        insecure: bool,
        tls: ssl.SSLContext,
        helo: str,
        pool: int,
        timeout: float,
    ) -> None:
        self.batch = pool
        self.probe_after = 5.0  # seconds: a connection idle for longer is probed before it is trusted
        self._host = host
        self._port = port
        self._sender = sender
        self._credentials = credentials
        self._implicit_tls = implicit_tls
        self._starttls = starttls
        self._insecure = insecure
        self._tls = tls
        self._helo = helo
        self._timeout = timeout
        self._slots = asyncio.Semaphore(pool)
        self._idle: list[tuple[float, aiosmtplib.SMTP]] = []  # since when (loop time)
        self._open = False

    @classmethod
    def from_dsn(cls, dsn: Dsn, kind: str) -> Self:
        """Raises BadDsn."""
        if not dsn.host:
            raise BadDsn(f"{dsn.scheme}: the mail server is missing; write {dsn.scheme}://host:port?from=…")
        if dsn.path.strip("/"):
            raise BadDsn(f"{dsn.scheme}: a path means nothing here; write {dsn.scheme}://host:port?from=…")
        if bool(dsn.user) != bool(dsn.password):
            raise BadDsn(f"{dsn.scheme}: give both user and password, or neither")
        address = dsn.required("from", "news@example.com")
        try:
            sender = Mailbox.parse(address)
        except ValueError:
            raise BadDsn(f"{dsn.scheme}: option from must be an email address") from None
        implicit_tls = dsn.scheme == "smtps"
        insecure = dsn.flag("insecure")
        helo = dsn.text("helo", sender.domain)
        if not re.fullmatch(r"[A-Za-z0-9.:\[\]-]{1,255}", helo):
            raise BadDsn(f"{dsn.scheme}: option helo must be a host name or an address in []")
        return cls(
            host=dsn.host,
            port=dsn.port or (465 if implicit_tls else 587),
            sender=sender,
            credentials=(dsn.user, dsn.password) if dsn.user and dsn.password else None,
            implicit_tls=implicit_tls,
            starttls="off"
            if implicit_tls
            else dsn.text("starttls", "auto", allowed=("auto", "required", "off")),
            insecure=insecure,
            tls=_tls_context(dsn, insecure=insecure),
            helo=helo,
            pool=dsn.whole("pool", 8, at_least=1, at_most=200),
            timeout=dsn.number("timeout", 60, at_least=0.05, at_most=900),
        )

    def __repr__(self) -> str:
        return f"<SmtpChannel {self._host}:{self._port}>"

    async def open(self, sink: Sink) -> None:
        """Opens no connection: they are made when needed, and a mail server sends no events."""
        self._open = True

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        if not self._open:
            raise RuntimeError(
                "the SMTP channel is not open: call open() first, and not send() after close()"
            )
        return await each(self._send_one, batch)

    async def close(self) -> None:
        self._open = False
        idle, self._idle = self._idle, []
        await asyncio.gather(*(self._leave(smtp) for _, smtp in idle))

    def hook(self, request: HookRequest) -> list[Event]:
        return []

    async def _send_one(self, message: Outgoing) -> Outcome:
        try:
            mail = await self._compose(message)
        except InvalidMail as error:
            return Outcome(Result.refused, code=error.code, reason=str(error), asked=False)
        async with self._slots:
            try:
                outcome = await self._hand_over(mail)
            except _Ended as ended:
                outcome = ended.outcome
        message_id = mail.message_id if outcome.result in (Result.sent, Result.unknown) else None
        reason = self._masked(outcome.reason) if outcome.reason else None
        return Outcome(outcome.result, message_id, outcome.code, reason, outcome.retry_after)

    async def _compose(self, message: Outgoing) -> Mail:
        """Composes a mail; with attachments in a thread, as base64 of megabytes takes long. Raises InvalidMail."""
        if message.attachments:
            return await asyncio.to_thread(compose, message, self._sender)
        return compose(message, self._sender)

    async def _hand_over(self, mail: Mail) -> Outcome:
        if (pooled := await self._pooled()) is not None:
            try:
                return await self._transaction(pooled, mail, pooled=True)
            except _Stale:
                pass  # nothing was sent yet, so a new connection is used
        return await self._transaction(await self._connect(), mail, pooled=False)

    # Connections

    async def _pooled(self) -> aiosmtplib.SMTP | None:
        """Returns an idle connection that seems to be alive, or None."""
        while self._idle:
            since, smtp = self._idle.pop()
            if smtp.is_connected:
                if asyncio.get_running_loop().time() - since < self.probe_after:
                    return smtp
                try:
                    await smtp.rset(timeout=min(self._timeout, _PROBE_SECONDS))
                    return smtp
                except (aiosmtplib.SMTPException, OSError):
                    pass
            _abort(smtp)
        return None

    async def _connect(self) -> aiosmtplib.SMTP:
        """Returns a connection that is ready for MAIL FROM. Raises _Ended."""
        smtp = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            local_hostname=self._helo,
            timeout=self._timeout,
            use_tls=self._implicit_tls,
            start_tls=False,
            tls_context=self._tls,
        )
        try:
            await smtp.connect()
            await self._greet(smtp)
            if self._starttls != "off":
                await self._upgrade(smtp)
            if self._credentials is not None:
                await self._login(smtp, *self._credentials)
        except BaseException as error:
            _abort(smtp)
            if isinstance(error, Exception) and not isinstance(error, _Ended):
                raise _Ended(_not_connected(error)) from error
            raise
        return smtp

    async def _greet(self, smtp: aiosmtplib.SMTP) -> None:
        try:
            await smtp.ehlo()
        except aiosmtplib.SMTPHeloError:
            if not smtp.is_connected:
                raise
            await smtp.helo()

    async def _upgrade(self, smtp: aiosmtplib.SMTP) -> None:
        if smtp.supports_extension("starttls"):
            await smtp.starttls()
            await self._greet(smtp)  # discards what the server sent before TLS (RFC 3207, 4.2)
        elif self._starttls == "required":
            raise _Ended(
                Outcome(
                    Result.misconfigured,
                    code="tls_required",
                    reason="starttls=required, but the server does not offer STARTTLS; use smtps:// or starttls=auto",
                )
            )

    async def _login(self, smtp: aiosmtplib.SMTP, user: str, password: str) -> None:
        encrypted = smtp.get_transport_info("sslcontext") is not None
        if not (encrypted or self._insecure or _is_loopback(smtp)):
            raise _Ended(
                Outcome(
                    Result.misconfigured,
                    code="tls_required",
                    reason="the server offers no encryption and the credentials were not sent in clear;"
                    " use smtps://, another port, or insecure=1 if the network is trusted",
                )
            )
        # Only one attempt, with the first method that the server supports, as each further one would count as a
        # failed login there. aiosmtplib's login() tries all, and forgets a 535 that is followed by a disconnect.
        methods = {"plain": smtp.auth_plain, "login": smtp.auth_login, "cram-md5": smtp.auth_crammd5}
        preferred = ("plain", "login", "cram-md5") if encrypted else ("cram-md5", "plain", "login")
        for method in preferred:
            if method in smtp.server_auth_methods:
                await methods[method](user, password)
                return
        raise _Ended(
            Outcome(
                Result.misconfigured,
                code="bad_credentials",
                reason="the server offers no supported login (PLAIN, LOGIN, CRAM-MD5);"
                " remove user and password, or use another port",
            )
        )

    async def _leave(self, smtp: aiosmtplib.SMTP) -> None:
        try:
            await smtp.quit(timeout=min(self._timeout, 1.0))
        except (aiosmtplib.SMTPException, OSError):
            pass
        finally:
            _abort(smtp)

    # One message

    async def _transaction(self, smtp: aiosmtplib.SMTP, mail: Mail, *, pooled: bool) -> Outcome:
        """Sends MAIL, RCPT, DATA and content. Raises _Ended, and _Stale if a pooled connection was closed."""
        transport = smtp.transport  # kept, because aiosmtplib drops it after an error
        reusable = False
        try:
            if mail.utf8 and not smtp.supports_extension("smtputf8"):
                reusable = True
                reason = "the server cannot take addresses with letters beyond ASCII (no SMTPUTF8)"
                return Outcome(Result.refused, code="invalid_recipient", reason=reason)
            for step, words in _commands(smtp, mail):
                try:
                    reply = await smtp.execute_command(*words)
                except (aiosmtplib.SMTPException, OSError) as error:
                    if (
                        pooled
                        and step == "MAIL FROM"
                        and isinstance(error, aiosmtplib.SMTPServerDisconnected)
                    ):
                        raise _Stale from None
                    return _broken_before_dot(step, error)
                if (
                    pooled and step == "MAIL FROM" and reply.code == 421
                ):  # "closing": it was idle for too long
                    raise _Stale
                if (outcome := read_reply(step, reply)) is not None:
                    reusable = await self._reset(smtp)
                    return outcome
            outcome, reusable = await self._content(smtp, mail)
            return outcome
        finally:
            if reusable and self._open and smtp.is_connected:
                self._idle.append((asyncio.get_running_loop().time(), smtp))
            else:
                if transport is not None:
                    cast("asyncio.WriteTransport", transport).abort()
                _abort(smtp)

    async def _reset(self, smtp: aiosmtplib.SMTP) -> bool:
        """Resets a refused transaction. Returns whether the connection can be used again."""
        try:
            await smtp.rset()
        except (aiosmtplib.SMTPException, OSError):
            return False
        return True

    async def _content(self, smtp: aiosmtplib.SMTP, mail: Mail) -> tuple[Outcome, bool]:
        """Sends the content after the 354. Returns the outcome, and whether the connection can be used again.

        After a failure the caller must abort the transport and not close it: close() would still send what is
        buffered, and a message reported as `transient` must not arrive.
        """
        protocol, transport = smtp.protocol, cast("asyncio.WriteTransport", smtp.transport)
        if protocol is None:  # the server hung up together with its 354
            return _broken_before_dot("content", aiosmtplib.SMTPServerDisconnected("Connection lost")), False
        reading = asyncio.ensure_future(protocol.read_response())
        dotted = False
        try:
            await asyncio.sleep(0)  # lets `reading` begin, so that a reply before the dot is not lost
            async with asyncio.timeout(self._timeout):
                # "Drained" must mean that nothing is left in this process. high=0 would be stricter, but asyncio's TLS
                # then pauses for ever on an empty buffer.
                transport.set_write_buffer_limits(high=1, low=0)
                for start in range(0, len(mail.content), _CHUNK):
                    if reading.done():
                        break
                    protocol.write(mail.content[start : start + _CHUNK])
                    # This is what StreamWriter.drain() awaits.
                    await protocol._drain_helper()  # noqa: SLF001
            if not reading.done():
                protocol.write(b".\r\n")
                dotted = True
            reply = await asyncio.wait_for(reading, self._timeout)
        except (aiosmtplib.SMTPException, OSError) as error:
            if not dotted:
                return _broken_before_dot("content", error), False
            code = "timeout" if isinstance(error, TimeoutError) else "disconnected"
            reason = f"the message was handed over whole, but the server did not confirm it ({_cause(error)})"
            return Outcome(Result.unknown, code=code, reason=reason), False
        finally:
            reading.cancel()
        if reply.code // 100 in (4, 5):
            return read_reply("content", reply) or Outcome(Result.sent), dotted
        if not dotted:  # a positive reply to an incomplete message means nothing
            return _broken_before_dot("content", aiosmtplib.SMTPException("unexpected reply")), False
        if reply.code // 100 != 2:
            reason = f"the message was handed over whole, but the server's reply means nothing ({reply.code})"
            return Outcome(Result.unknown, code="disconnected", reason=reason), False
        return Outcome(Result.sent), True

    def _masked(self, text: str) -> str:
        """Makes a reason that can be stored and shown: printable, of bounded length, without our credentials."""
        text = " ".join(text.encode("utf-8", "replace").decode().split())
        if self._credentials is not None:
            user, password = (part.encode() for part in self._credentials)
            blob = base64.b64encode(b"\0" + user + b"\0" + password)  # first, as it may contain the others
            for secret in (blob, base64.b64encode(password), password):
                text = text.replace(secret.decode(), "***")
        return _UNPRINTABLE.sub("", text)[:500]


def _commands(smtp: aiosmtplib.SMTP, mail: Mail) -> list[tuple[str, tuple[bytes, ...]]]:
    parameters: list[bytes] = []
    if smtp.supports_extension("size"):
        parameters.append(b"SIZE=%d" % mail.size)
    if mail.utf8:
        parameters += (
            [b"BODY=8BITMIME", b"SMTPUTF8"] if smtp.supports_extension("8bitmime") else [b"SMTPUTF8"]
        )
    return [
        ("MAIL FROM", (b"MAIL", b"FROM:<%b>" % mail.sender.encode(), *parameters)),
        ("RCPT TO", (b"RCPT", b"TO:<%b>" % mail.recipient.encode())),
        ("DATA", (b"DATA",)),
    ]


def _not_connected(error: Exception) -> Outcome:
    """Returns the outcome if connecting failed; nothing was sent, so it is never `unknown`."""
    cause = error.__cause__ or error
    if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        detail = getattr(cause, "verify_message", "") or cause.reason or "handshake failed"
        reason = f"no trusted TLS connection: {detail}; check host and port, or give ca=FILE"
        return Outcome(Result.misconfigured, code="tls_failed", reason=reason)
    if isinstance(error, aiosmtplib.SMTPAuthenticationError) and error.code >= 500:
        reason = f"login: {error.code} {error.message}"
        return Outcome(Result.misconfigured, code="bad_credentials", reason=reason)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        outcome = read_reply("connect", SMTPResponse(error.code, error.message))
        if outcome is not None and outcome.result is not Result.refused:
            return outcome
        reason = f"the server does not serve us: {error.code} {error.message}"
        return Outcome(Result.transient, code="unreachable", reason=reason)
    if isinstance(error, TimeoutError):
        return Outcome(
            Result.transient, code="timeout", reason=f"connecting to the mail server: {_cause(error)}"
        )
    return Outcome(
        Result.transient, code="unreachable", reason=f"no connection to the mail server: {_cause(error)}"
    )


def _broken_before_dot(step: str, error: Exception) -> Outcome:
    code = "timeout" if isinstance(error, TimeoutError) else "disconnected"
    return Outcome(
        Result.transient, code=code, reason=f"{step}: {_cause(error)}; the server has not taken the message"
    )


def _cause(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return str(error) or type(error).__name__


def _is_loopback(smtp: aiosmtplib.SMTP) -> bool:
    peer = smtp.get_transport_info("peername")
    return bool(peer) and ip_address(peer[0].partition("%")[0]).is_loopback


def _abort(smtp: aiosmtplib.SMTP) -> None:
    if smtp.transport is not None:
        cast("asyncio.WriteTransport", smtp.transport).abort()
    smtp.close()


def _tls_context(dsn: Dsn, *, insecure: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if (file := dsn.text("ca")) is not None:
        try:
            context.load_verify_locations(cafile=file)
        except OSError:  # ssl.SSLError included
            raise BadDsn(f"{dsn.scheme}: option ca must be a readable PEM file of certificates") from None
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context

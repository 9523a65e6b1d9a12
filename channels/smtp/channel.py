"""The SMTP channel: its options, and its connections."""

import asyncio
import base64
import re
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import ClassVar, Self, cast

import aiosmtplib
from aiosmtplib.response import SMTPResponse

from channels.batch import each
from channels.dsn import BadDsn, Dsn
from channels.mailbox import Mailbox
from channels.port import Event, HookRequest, Outcome, Outgoing, Result, Sink, Target
from channels.smtp import transaction
from channels.smtp.connection import Connection, Failed
from channels.smtp.hooks import ProviderHook, hook_of
from channels.smtp.mail import Composer, InvalidMail, Mail
from channels.smtp.replies import read_reply
from core.outbound import EVERYWHERE, Guard, UrlRefused

_PROBE_SECONDS = 5.0  # how long a probe of an idle connection may take
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")


class _Ended(Exception):
    """The exchange is over, with this outcome."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.code)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class SmtpOptions:
    """The options of a DSN; docs/channels.md explains them."""

    host: str
    port: int
    sender: Mailbox
    credentials: tuple[str, str] | None
    implicit_tls: bool
    starttls: str
    insecure: bool
    tls: ssl.SSLContext
    guard: Guard
    helo: str
    bounce: str | None
    reports: ProviderHook | None
    pool: int
    timeout: float
    pipelined: bool


class SmtpChannel:
    """Sends messages to one mail server over a pool of connections; one message a transaction."""

    name: ClassVar[str] = "smtp"
    idempotent = False  # no mail server drops a second message with the same Message-ID by contract

    def __init__(self, options: SmtpOptions) -> None:
        self.batch = options.pool
        self.probe_after = 5.0  # seconds: a connection idle for longer is probed before it is trusted
        self._options = options
        self._slots = asyncio.Semaphore(options.pool)
        self._idle: list[Connection] = []
        self.mail_hook = options.reports
        self.reports_delivery = options.reports is not None
        report_fields = None if options.reports is None else options.reports.header_fields
        self._composer = Composer(options.sender, options.bounce, report_fields)
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
        options = SmtpOptions(
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
            guard=dsn.guard,
            helo=helo,
            bounce=_bounce_domain(dsn),
            reports=hook_of(dsn),
            pool=dsn.integer("pool", 8, at_least=1, at_most=200),
            timeout=dsn.number("timeout", 60, at_least=0.05, at_most=900),
            pipelined=dsn.flag("pipelining", True),
        )
        return cls(options)

    def __repr__(self) -> str:
        return f"<SmtpChannel {self._options.host}:{self._options.port}>"

    @property
    def sender_domain(self) -> str:
        """Returns the domain of the From that messages get which name no other."""
        return self._options.sender.domain

    @property
    def default_sender(self) -> str:
        """Returns the From of messages that name none, as people read it."""
        sender = self._options.sender
        return f"{sender.name} <{sender.spec}>" if sender.name else sender.spec

    @property
    def relay(self) -> tuple[str, str, str, str | None]:
        """Returns the mail server's host, the name that we send, the domain of the From and that of bounces."""
        return self._options.host, self._options.helo, self.sender_domain, self._options.bounce

    def target(self) -> Target | None:
        options = self._options
        return Target(options.host, options.port, options.tls if options.implicit_tls else None)

    async def open(self, sink: Sink) -> None:
        """Opens no connection: they are made when needed, and a mail server sends no events."""
        self._open = True

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        if not self._open:
            raise RuntimeError(
                "the SMTP channel is not open: call open() first, and not send() after close()"
            )
        return await each(self._send_message, batch)

    async def close(self) -> None:
        self._open = False
        idle, self._idle = self._idle, []
        await asyncio.gather(*(self._leave(connection) for connection in idle))

    def hook(self, request: HookRequest) -> list[Event]:
        """Returns nothing: reports about emails are for `mail_hook`."""
        return []

    async def _send_message(self, message: Outgoing) -> Outcome:
        try:
            if message.attachments:
                await self._composer.prepare(message)
            mail = self._composer.compose(message)
            if mail.signers:  # the lock of the interpreter is free during most of it
                mail = await asyncio.to_thread(mail.signed)
        except InvalidMail as error:
            return Outcome(Result.refused, code=error.code, reason=str(error), asked=False)
        async with self._slots:
            try:
                outcome = await self._send_mail(mail)
            except _Ended as ended:
                outcome = ended.outcome
        message_id = mail.message_id if outcome.result in (Result.sent, Result.unknown) else None
        reason = self._masked(outcome.reason) if outcome.reason else None
        at_recipient = outcome.at_recipient
        return Outcome(
            outcome.result, message_id, outcome.code, reason, outcome.retry_after, at_recipient=at_recipient
        )

    async def _send_mail(self, mail: Mail) -> Outcome:
        if (pooled := await self._pooled()) is not None:
            try:
                return await self._transaction(pooled, mail, pooled=True)
            except transaction.Stale:
                pass  # nothing was sent yet, so a new connection is used
        return await self._transaction(await self._connect(), mail, pooled=False)

    async def _transaction(self, connection: Connection, mail: Mail, *, pooled: bool) -> Outcome:
        """Sends a message, and keeps the connection if it can be used again. Raises Stale."""
        reusable = False
        try:
            outcome, reusable = await transaction.send(
                connection, mail, self._options.timeout, pooled=pooled, pipelined=self._options.pipelined
            )
            return outcome
        finally:
            if reusable and self._open and connection.usable:
                connection.idle_since = asyncio.get_running_loop().time()
                self._idle.append(connection)
            else:
                connection.abort()

    # Connections

    async def _pooled(self) -> Connection | None:
        """Returns the idle connection that was used last and seems to be alive, or None."""
        while self._idle:
            connection = self._idle.pop()
            if connection.usable:
                if asyncio.get_running_loop().time() - connection.idle_since < self.probe_after:
                    return connection
                with suppress(Failed):
                    if await transaction.reset(connection, min(self._options.timeout, _PROBE_SECONDS)):
                        return connection
            connection.abort()
        return None

    async def _connect(self) -> Connection:
        """Returns a connection that is ready for MAIL FROM. Raises _Ended."""
        smtp: aiosmtplib.SMTP | None = None
        try:
            permitted = await self._permitted_socket()
            smtp = aiosmtplib.SMTP(
                hostname=self._options.host,
                port=self._options.port if permitted is None else None,
                sock=permitted,
                local_hostname=self._options.helo,
                timeout=self._options.timeout,
                use_tls=self._options.implicit_tls,
                start_tls=False,
                tls_context=self._options.tls,
            )
            await smtp.connect()
            await self._greet(smtp)
            if self._options.starttls != "off":
                await self._upgrade(smtp)
            if self._options.credentials is not None:
                await self._login(smtp, *self._options.credentials)
        except BaseException as error:
            if smtp is not None:
                _abort(smtp)
            if isinstance(error, Exception) and not isinstance(error, _Ended):
                raise _Ended(_not_connected(error)) from error
            raise
        return Connection(cast("asyncio.Transport", smtp.transport), smtp.esmtp_extensions)

    async def _permitted_socket(self) -> socket.socket | None:
        """Returns a connection to an address that the guard permits; None if the operator has chosen the server.

        The very address that was judged is connected to: the name may mean another one a second later. Raises
        UrlRefused, OSError, TimeoutError.
        """
        if self._options.guard is EVERYWHERE:
            return None
        async with asyncio.timeout(self._options.timeout):
            address = (await self._options.guard.addresses(self._options.host, self._options.port))[0]
            made = socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET)
            try:
                made.setblocking(False)
                await asyncio.get_running_loop().sock_connect(made, (str(address), self._options.port))
            except BaseException:
                made.close()
                raise
        return made

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
            await self._greet(smtp)  # discards all that the server sent before TLS (RFC 3207, 4.2)
        elif self._options.starttls == "required":
            raise _Ended(
                Outcome(
                    Result.misconfigured,
                    code="tls_required",
                    reason="starttls=required, but the server does not offer STARTTLS; use smtps:// or starttls=auto",
                )
            )

    async def _login(self, smtp: aiosmtplib.SMTP, user: str, password: str) -> None:
        encrypted = smtp.get_transport_info("sslcontext") is not None
        if not (encrypted or self._options.insecure or _is_loopback(smtp)):
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

    async def _leave(self, connection: Connection) -> None:
        with suppress(Failed):
            await connection.ask(b"QUIT\r\n", 1, min(self._options.timeout, 1.0))
        connection.abort()

    def _masked(self, text: str) -> str:
        """Makes a reason that can be stored and shown: printable, of bounded length, without our credentials."""
        text = " ".join(text.encode("utf-8", "replace").decode().split())
        if self._options.credentials is not None:
            user, password = (part.encode() for part in self._options.credentials)
            blob = base64.b64encode(b"\0" + user + b"\0" + password)  # first, as it may contain the others
            for secret in (blob, base64.b64encode(password), password):
                text = text.replace(secret.decode(), "***")
        return _UNPRINTABLE.sub("", text)[:500]


def _not_connected(error: Exception) -> Outcome:
    """Returns the outcome if connecting failed; nothing was sent, so it is never `unknown`."""
    cause = error.__cause__ or error
    if isinstance(error, UrlRefused):
        reason = "the mail server's address is not public, and POSTERN_OUTBOUND_ALLOW does not permit it"
        return Outcome(Result.misconfigured, code="wrong_address", reason=reason)
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


def _bounce_domain(dsn: Dsn) -> str | None:
    """Returns the domain to which bounces come, in ASCII. Raises BadDsn."""
    if (domain := dsn.text("bounce")) is None:
        return None
    try:
        return Mailbox.parse(f"b@{domain}").domain
    except ValueError:
        raise BadDsn(f"{dsn.scheme}: option bounce must be a domain, such as bounces.example.com") from None


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

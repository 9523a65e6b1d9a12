"""A mail server on loopback (aiosmtpd) that can be told to misbehave."""

import asyncio
import email
import email.policy
import socket
import ssl
import struct
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.channels.peer import Received, Scenario

USER, PASSWORD = "postern", "s3cret/pass word"


class MailServer:
    driver = "smtp"
    supports = frozenset(Scenario)
    recipient = "anna@example.com"
    bad_recipient = "nobody@refused.example"
    longest = "\n".join("The quick brown fox jumps over the lazy dog, 1234567890." for _ in range(5_000))
    secrets = (PASSWORD,)

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.raw: list[bytes] = []
        self.envelopes: list[Envelope] = []
        self.dsn = ""
        self.connections = 0
        self.live: set[asyncio.Transport] = set()
        self.scenario = Scenario.accept
        self.tls: ssl.SSLContext | None = None  # offered by STARTTLS

    def script(self, scenario: Scenario) -> None:
        through = {Scenario.hang_before, Scenario.bad_credentials}
        if scenario in through or self.scenario in through:
            self.drop()
        self.scenario = scenario

    def drop(self) -> None:
        """End every connection, as a server does with idle ones."""
        for transport in list(self.live):
            transport.abort()

    # aiosmtpd's hooks

    async def handle_RCPT(
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.scenario is Scenario.refuse or address == self.bad_recipient:
            return "550 5.1.1 No such user here"
        if self.scenario is Scenario.transient:
            return "451 4.3.0 Temporary local problem"
        if self.scenario is Scenario.throttle:
            return "450 4.7.1 Too many messages, try again in 7 seconds"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:
        content = cast("bytes", envelope.content)
        mail = cast("EmailMessage", email.message_from_bytes(content, policy=email.policy.default))
        part = mail.get_body(("plain",))
        assert part is not None
        body = part.get_content().replace("\r\n", "\n").removesuffix("\n")
        self.raw.append(content)
        self.envelopes.append(envelope)
        for address in envelope.rcpt_tos:
            self.received.append(Received(mail["Message-ID"], address, body, {"mail": mail}))
        if self.scenario is Scenario.hang_after:
            await asyncio.sleep(60)  # cancelled when the client hangs up
        if self.scenario is Scenario.reset_after:
            reset(server.transport)
        return "250 2.0.0 Taken"

    def authenticate(
        self, server: Any, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        accepted = data == LoginPassword(USER.encode(), PASSWORD.encode())
        return AuthResult(success=accepted and self.scenario is not Scenario.bad_credentials, handled=False)

    def connection(self) -> asyncio.Protocol:
        if self.scenario is Scenario.hang_before:
            return _Silent(self)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "AUTH without TLS": this is loopback
            return _Connection(self)


class _Connection(SMTP):
    def __init__(self, peer: MailServer) -> None:
        super().__init__(
            peer,
            hostname="mail.example",
            enable_SMTPUTF8=True,
            auth_required=True,
            auth_require_tls=False,
            authenticator=peer.authenticate,
            tls_context=peer.tls,
            loop=asyncio.get_running_loop(),
        )
        self.peer = peer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.peer.connections += 1
        self.peer.live.add(cast("asyncio.Transport", transport))

    def connection_lost(self, error: Exception | None) -> None:
        self.peer.live.discard(cast("asyncio.Transport", self.transport))
        super().connection_lost(error)


class _Silent(asyncio.Protocol):
    """Accepts and never greets."""

    def __init__(self, peer: MailServer) -> None:
        self.peer = peer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.peer.live.add(self.transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.peer.live.discard(self.transport)


def reset(transport: asyncio.Transport) -> None:
    """End a connection by RST instead of FIN."""
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


@asynccontextmanager
async def peer() -> AsyncIterator[MailServer]:
    mail_server = MailServer()
    server = await asyncio.get_running_loop().create_server(mail_server.connection, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    mail_server.dsn = (
        f"smtp://{USER}:s3cret%2Fpass%20word@127.0.0.1:{port}"
        "?from=Postern%20%3Cnews@example.com%3E&timeout=4&pool=8"
    )
    try:
        yield mail_server
    finally:
        server.close()
        mail_server.drop()
        await server.wait_closed()
        await asyncio.sleep(0)

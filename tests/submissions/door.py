"""The door for tests, and a client that waits for it in threads."""

import asyncio
import smtplib
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Any

from core.settings import Settings
from doors import smtp
from runtime.services import Services
from tests.support.waits import until

DOMAIN = "shop.example"
FROM = f"Shop <orders@{DOMAIN}>"


def port_of(settings: Settings, *, implicit: bool = False) -> int:
    return int(settings.smtp_listen[1 if implicit else 0].rpartition(":")[2])


@asynccontextmanager
async def listening(services: Services) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(smtp.serve(services, stop))

    async def is_open() -> bool:
        assert not task.done(), task.exception()
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port_of(services.settings))
        except OSError:
            return False
        writer.close()
        return True

    try:
        await until(is_open)
        yield
    finally:
        stop.set()
        await task


def trusting(settings: Settings) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(settings.smtp_certificate))


def mail(text: str = "Thank you for your order.\n", **fields: str) -> EmailMessage:
    made = EmailMessage()
    for name, value in {"From": FROM, "To": "anna@example.com", "Subject": "Order 4711", **fields}.items():
        if value:
            made[name.replace("_", "-")] = value
    made.set_content(text)
    return made


class Client:
    """Logs in, and submits."""

    def __init__(self, settings: Settings, token: str, **options: Any) -> None:
        self.settings, self.token = settings, token
        self.implicit: bool = options.get("implicit", False)
        self.logs_in: bool = options.get("logs_in", True)

    def open(self) -> smtplib.SMTP:
        """Connects, begins TLS, and logs in."""
        context = trusting(self.settings)
        port = port_of(self.settings, implicit=self.implicit)
        if self.implicit:
            client: smtplib.SMTP = smtplib.SMTP_SSL(
                "127.0.0.1", port, "shop.example", timeout=30, context=context
            )
        else:
            client = smtplib.SMTP("127.0.0.1", port, "shop.example", timeout=30)
            client.starttls(context=context)
        try:
            if self.logs_in:
                client.login("postern", self.token)
        except BaseException:
            client.close()
            raise
        return client

    def _send(self, content: bytes, to: Sequence[str]) -> list[tuple[int, str]]:
        with self.open() as client:
            return exchange(client, content, to)

    async def send(self, content: bytes | EmailMessage, *to: str) -> list[tuple[int, str]]:
        """Returns the replies to the recipients, and the reply to the mail if one was accepted."""
        raw = (
            content
            if isinstance(content, bytes)
            else content.as_bytes(policy=content.policy.clone(linesep="\r\n"))
        )
        return await asyncio.to_thread(self._send, raw, to or ("anna@example.com",))

    async def code(self, content: bytes | EmailMessage, *to: str) -> int:
        """Returns the code of the last reply."""
        return (await self.send(content, *to))[-1][0]


def exchange(client: smtplib.SMTP, content: bytes, to: Sequence[str]) -> list[tuple[int, str]]:
    """Submits a mail over a connection."""
    client.ehlo_or_helo_if_needed()
    replies = [client.mail("bounces@elsewhere.example")]
    replies += [client.rcpt(each) for each in to]
    if any(code == 250 for code, _ in replies[1:]):
        replies.append(client.data(content))
    return [(code, text.decode()) for code, text in replies[1:]]

"""A channel, and a mail server that says what a test wants."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import uuid4

from channels import connect
from channels.mailbox import Mailbox
from channels.port import Event, Outcome, Outgoing
from channels.smtp import SmtpChannel
from channels.smtp.mail import Composer, Mail
from tests.support.tcp import serving
from tests.support.waits import PATIENCE

SENDER = Mailbox.parse("Postern <news@example.com>")
LARGE = "\n".join(["0123456789" * 7] * 250_000)  # 18 MB: more than any socket buffer takes
Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


def message(to: str = "anna@example.com", body: str = "Hello", **more: Any) -> Outgoing:
    id = uuid4()
    return Outgoing(id=id, key=more.pop("key", f"key-{id}"), to=to, body=body, **more)


async def nowhere(channel: object, events: Sequence[Event]) -> None:
    raise AssertionError("a mail server tells nothing unasked")


def compose(message: Outgoing, sender: Mailbox) -> Mail:
    return Composer(sender).compose(message)


@asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[SmtpChannel]:
    channel = cast("SmtpChannel", connect("email", dsn))
    await channel.open(nowhere)
    try:
        yield channel
    finally:
        await channel.close()


async def send(channel: SmtpChannel, *messages: Outgoing) -> Outcome:
    [outcome] = await asyncio.wait_for(channel.send(messages or [message()]), 2 * PATIENCE)
    return outcome


# A mail server spoken line by line, for faults that no library offers.


class Raw:
    extensions = b""  # lines of the answer to EHLO

    def __init__(self) -> None:
        self.content: list[bytes] = []  # whole messages, with their final dot
        self.lines: list[bytes] = []
        self.connections = 0
        self.before: dict[bytes, list[bytes]] = {}  # verb: replies to give instead of the usual, once each
        self.end: Callable[[Reader, Writer], Awaitable[None]] = self.take

    async def __call__(self, reader: Reader, writer: Writer) -> None:
        self.connections += 1
        writer.write(b"220 raw.example ESMTP\r\n")
        while line := await reader.readline():
            self.lines.append(line.rstrip())
            verb = line.split()[0].upper() if line.strip() else b""
            if self.before.get(verb):
                if not (reply := self.before[verb].pop(0)):
                    return
                writer.write(reply)
            elif verb == b"EHLO":
                writer.write(b"250-raw.example\r\n" + self.extensions + b"250 SIZE 100000000\r\n")
            elif verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await self.end(reader, writer)
            elif verb == b"QUIT":
                writer.write(b"221 bye\r\n")
                return
            else:
                writer.write(b"250 fine\r\n")

    async def take(self, reader: Reader, writer: Writer) -> None:
        self.content.append(await reader.readuntil(b"\r\n.\r\n"))
        writer.write(b"250 taken\r\n")


@asynccontextmanager
async def raw(query: str = "timeout=30") -> AsyncIterator[tuple[Raw, SmtpChannel]]:
    server = Raw()
    async with (
        serving(server, limit=1 << 25) as port,
        opened(f"smtp://127.0.0.1:{port}?from=news@example.com&{query}") as channel,
    ):
        yield server, channel

"""A mail program that loses replies: it cuts its connections on purpose, and submits a mail until it has heard 250."""

import asyncio
import base64
import random
import socket
import ssl
from contextlib import suppress
from enum import Enum
from typing import Self

_LOST = (OSError, EOFError, asyncio.IncompleteReadError)


class Cut(Enum):
    """The moments at which a connection is cut."""

    never = "never"
    in_data = "after a part of the mail"
    after_data = "after the whole mail, before its reply is read"
    with_reset = "the same, by a reset"


class Refused(Exception):
    """A reply that was not expected."""


class Line:
    """One connection that has logged in."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, token: str, tls: ssl.SSLContext | None = None) -> Self:
        line = cls(*await asyncio.open_connection("127.0.0.1", port, ssl=tls))
        try:
            await line.reply(220)
            await line.say("EHLO shop.example", 250)
            login = base64.b64encode(b"\0shop\0" + token.encode()).decode()
            await line.say(f"AUTH PLAIN {login}", 235)
        except BaseException:
            line.close()
            raise
        return line

    async def reply(self, code: int) -> str:
        """Returns the text of a reply. Raises Refused for another code."""
        while True:
            line = await self.reader.readuntil(b"\n")
            if line[3:4] != b"-":
                break
        if int(line[:3]) != code:
            raise Refused(line.decode())
        return line[4:].decode().strip()

    async def say(self, command: str, code: int) -> None:
        self.writer.write(command.encode() + b"\r\n")
        await self.reply(code)

    async def submit(self, content: bytes, *to: str, cut: Cut = Cut.never) -> None:
        """Submits a mail. Raises ConnectionResetError when it has cut the connection."""
        await self.say("MAIL FROM:<>", 250)
        for each in to:
            await self.say(f"RCPT TO:<{each}>", 250)
        await self.say("DATA", 354)
        whole = content + b".\r\n"
        self.writer.write(whole[: len(whole) // 2] if cut is Cut.in_data else whole)
        if cut is Cut.never:
            await self.reply(250)
            return
        with suppress(*_LOST):
            await self.writer.drain()
            if random.random() < 0.5:
                await asyncio.sleep(random.random() * 0.02)
        if cut is Cut.with_reset:
            self.writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00"
            )
        self.close()
        raise ConnectionResetError

    def close(self) -> None:
        self.writer.transport.abort()


class Submitter:
    """Submits mails one after the other, over a connection that lives until it is cut."""

    def __init__(self, port: int, token: str, cuts: float, tls: ssl.SSLContext | None = None) -> None:
        """`cuts`: the share of submissions whose connection is cut."""
        self._port, self._token, self._cuts, self._tls = port, token, cuts, tls
        self._line: Line | None = None
        self.cut = 0
        self.retried = 0

    async def submit(self, content: bytes, to: str) -> None:
        """Submits a mail until it has heard 250."""
        while True:
            cut = Cut.never
            if random.random() < self._cuts:
                cut = random.choice([Cut.in_data, Cut.after_data, Cut.after_data, Cut.with_reset])
            try:
                if self._line is None:
                    self._line = await Line.open(self._port, self._token, self._tls)
                await self._line.submit(content, to, cut=cut)
            except (*_LOST, Refused) as error:
                if isinstance(error, Refused) and not str(error).startswith("4"):
                    raise
                self.cut += cut is not Cut.never
                self.retried += 1
                self.close()
                if cut is Cut.never:
                    await asyncio.sleep(0.1)
            else:
                return

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

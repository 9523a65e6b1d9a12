"""A recording SMTP server that deduplicates nothing: it counts every Message-ID it has taken."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import Message

from tests.support.tcp import serving


class Recorder:
    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.taken: Counter[str] = Counter()
        self.mails: list[Message] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(text: str) -> None:
            writer.write(text.encode() + b"\r\n")

        say("220 recorder")
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"EHLO":
                say("250-recorder\r\n250-8BITMIME\r\n250 SMTPUTF8")
            elif verb == b"DATA":
                say("354 go on")
                content = await reader.readuntil(b"\r\n.\r\n")
                # Taken from here on, whether or not anybody hears the answer.
                mail = message_from_bytes(content)
                self.taken[mail["Message-ID"].strip("<>").partition("@")[0]] += 1
                self.mails.append(mail)
                await asyncio.sleep(self.delay)
                say("250 taken")
            elif verb == b"QUIT":
                say("221 bye")
                break
            else:
                say("250 fine")


@asynccontextmanager
async def recording(delay: float = 0.0) -> AsyncIterator[Recorder]:
    recorder = Recorder(delay)
    async with serving(recorder.serve, limit=2**20) as recorder.port:
        yield recorder

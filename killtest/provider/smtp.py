"""A mail server (RFC 5321) that takes one message after the other, and offers PIPELINING and 8BITMIME."""

import asyncio
from typing import ClassVar

from killtest.provider.recorder import Decision
from killtest.provider.server import Provider


class SmtpProvider(Provider):
    protocol: ClassVar[str] = "smtp"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._say(writer, "220 killtest ESMTP")
        recipients: list[str] = []
        while line := await reader.readline():
            await self.recorder.opened()
            verb, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
            match verb.upper():
                case "EHLO":
                    await self._say(writer, "250-killtest", "250-PIPELINING", "250-8BITMIME", "250 SMTPUTF8")
                case "MAIL" | "RSET" | "HELO":
                    recipients = []
                    await self._say(writer, "250 2.1.0 Ok")
                case "RCPT":
                    recipients.append(rest.partition("<")[2].partition(">")[0])
                    await self._say(writer, "250 2.1.5 Ok")
                case "DATA" if recipients:
                    await self._say(writer, "354 Go ahead")
                    await self._text(reader)
                    # All products here send a mail to one person, so one answer belongs to one person.
                    await self.attempt(recipients[0], reader, writer, _ANSWERS)
                    recipients = []
                case "QUIT":
                    await self._say(writer, "221 2.0.0 Bye")
                    return
                case _:
                    await self._say(writer, "503 5.5.1 Not now" if verb.upper() == "DATA" else "250 Ok")

    async def _text(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line == b".\r\n":
                return
        raise ConnectionResetError

    async def _say(self, writer: asyncio.StreamWriter, *lines: str) -> None:
        writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await writer.drain()


_ANSWERS = {
    Decision.accept: b"250 2.0.0 Ok: queued\r\n",
    Decision.busy: b"451 4.3.0 Try again later\r\n",
    Decision.refuse: b"550 5.1.1 No such user\r\n",
}

"""A mail server that answers by the domain of the recipient, as a relay does that hands mail on at once."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support.tcp import serving

BY_POLICY = "550 5.7.1 Our system has detected an unusual rate of unsolicited mail; blocked by policy"
SLOW_DOWN = "421 4.7.28 Our system has detected an unusual rate of mail from your domain; rate limited"


class Receiving:
    """The server, and what it has counted by the domain of the recipient."""

    def __init__(self, delay: float) -> None:
        self.delay = delay  # seconds that each mail takes
        self.refuses: dict[str, str] = {}  # the answer to RCPT, by domain
        self.taken = Counter[str]()  # by recipient
        self.times: dict[str, list[float]] = {}  # when mails were taken, by domain
        self.refused = Counter[str]()
        self.busy, self.most = Counter[str](), Counter[str]()  # mails at once
        self.port = 0

    def taken_by(self, domain: str) -> int:
        """Returns how many mails a domain has taken."""
        return len(self.times.get(domain, ()))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection."""

        def say(text: str) -> None:
            writer.write(text.encode() + b"\r\n")

        say("220 receiving")
        to = domain = ""
        try:
            while line := await reader.readline():
                verb = line[:4].upper()
                if verb == b"EHLO":
                    say("250-receiving\r\n250-PIPELINING\r\n250 8BITMIME")
                elif verb == b"RCPT":
                    to = line.decode().partition("<")[2].partition(">")[0]
                    domain = to.rpartition("@")[2]
                    if answer := self.refuses.get(domain):
                        self.refused[domain] += 1
                        domain = ""
                        say(f"{answer} (<{to}>)")
                        if answer.startswith("421"):
                            break
                    else:
                        self.busy[domain] += 1
                        self.most[domain] = max(self.most[domain], self.busy[domain])
                        say("250 fine")
                elif verb == b"DATA" and not domain:
                    say("503 5.5.1 no recipient")
                elif verb == b"DATA":
                    say("354 go on")
                    await reader.readuntil(b"\r\n.\r\n")
                    if self.delay:
                        await asyncio.sleep(self.delay)
                    self.taken[to] += 1
                    self.times.setdefault(domain, []).append(time.monotonic())
                    self.busy[domain] -= 1
                    domain = ""
                    say("250 taken")
                elif verb == b"QUIT":
                    say("221 bye")
                    break
                else:
                    say("250 fine")
        finally:
            if domain:
                self.busy[domain] -= 1


@asynccontextmanager
async def receiving(delay: float = 0.0) -> AsyncIterator[Receiving]:
    """Runs the server until the end of the block."""
    server = Receiving(delay)
    async with serving(server.serve, limit=2**20) as server.port:
        yield server

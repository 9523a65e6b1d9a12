"""Sending Projects to postfix's smtp-sink, against a loop of aiosmtplib's and nodemailer, all with eight
connections.
"""

import asyncio
import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bench.wire import npm
from bench.wire.contest import Baseline, Received, Row, Unavailable, bare, python, rounds, send_project
from bench.wire.samples import rendered
from tests.support.deployment import PIPE, Deployment, Process
from tests.support.ports import free_port

CONNECTIONS = 8
MESSAGES = 4000
GOALS = {"aiosmtplib": 1.0, "nodemailer": 1.5}
_SINK = "/usr/sbin/smtp-sink"
_MAILS = re.compile(rb"mesg=(\d+)")


class Sink:
    """smtp-sink, which shows its counters whenever it has received a message."""

    def __init__(self, child: Process, port: int) -> None:
        self.port = port
        self._child = child
        self._total = self._before = 0
        self._last = 0.0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._child.stdout is not None
        rest = b""
        while data := await self._child.stdout.read(65536):
            *whole, rest = (rest + data).split(b"\r")
            if whole and (match := _MAILS.search(whole[-1])) and int(match[1]) != self._total:
                self._total, self._last = int(match[1]), time.monotonic()

    async def reset(self) -> None:
        await asyncio.sleep(0.2)  # what it has written is read
        self._before = self._total

    async def received(self) -> Received:
        await asyncio.sleep(0.2)
        return Received(self._total - self._before, 0, self._last)

    def close(self) -> None:
        self._reading.cancel()


@asynccontextmanager
async def sink(it: Deployment) -> AsyncIterator[Sink]:
    """Starts smtp-sink. Raises Unavailable."""
    program = _SINK if os.access(_SINK, os.X_OK) else shutil.which("smtp-sink")
    if program is None:
        raise Unavailable("smtp-sink is not installed here (it is a part of postfix)")
    port = free_port()
    user = ("-u", "nobody") if os.geteuid() == 0 else ()
    child = await it.program(program, "-c", *user, f"127.0.0.1:{port}", "1000", output=PIPE)
    try:
        async with asyncio.timeout(10):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    break
        server = Sink(child, port)
        yield server
        server.close()
    finally:
        await it.stop(child)


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    size = messages or MESSAGES
    async with sink(it) as server:
        loop = python("bench.wire.bare_smtp", str(server.port), str(size), str(CONNECTIONS))
        baselines: dict[str, tuple[float, Callable[[], Awaitable[Baseline]]]] = {
            "aiosmtplib": (GOALS["aiosmtplib"], lambda: bare(it, *loop))
        }
        try:
            client = await npm.script("mail_client.js")
        except Unavailable as error:
            print(f"\nnodemailer: not run, {error}", flush=True)
        else:
            words = (*client, str(server.port), str(size), str(CONNECTIONS), rendered(1000))
            baselines["nodemailer"] = (GOALS["nodemailer"], lambda: bare(it, *words))
        dsn = f"smtp://127.0.0.1:{server.port}?from=news@example.com&pool={CONNECTIONS}"
        table += await rounds(
            f"SMTP × {CONNECTIONS}", baselines, lambda: send_project(it, server, "email", dsn, size), count
        )

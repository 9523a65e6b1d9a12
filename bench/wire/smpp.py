"""Sending Projects to the SMPP server of npm's `smpp`, against the client of the same package, both with a window of
ten.

The server leaves Nagle's algorithm on, or switches it off, or answers after 20 ms.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import orjson

from bench.wire import npm
from bench.wire.contest import Received, Row, bare, line, rounds, send_project
from bench.wire.samples import rendered
from tests.support.deployment import PIPE, Deployment, Process

WINDOW = 10
MESSAGES = 20_000
SERVERS = {"Nagle": (0.6, "nagle", "0"), "no delay": (0.7, "nodelay", "0"), "20 ms": (0.9, "nodelay", "20")}
"""The goal for each server, and its arguments."""
_LOOK = 0.02  # seconds between two questions: the server does not say when its last message came


class Smsc:
    """The server, which says for each line that it is sent what has come since the last one."""

    def __init__(self, child: Process, port: int) -> None:
        self.port = port
        self._child = child
        self._count = 0
        self._last = 0.0
        self._asking = asyncio.Lock()
        self._looking = asyncio.create_task(self._look())

    async def _ask(self) -> None:
        assert self._child.stdin is not None
        async with self._asking:
            self._child.stdin.write(b"\n")
            if submitted := int(orjson.loads(await line(self._child))["submitted"]):
                self._count, self._last = self._count + submitted, time.monotonic()

    async def _look(self) -> None:
        while True:
            await self._ask()
            await asyncio.sleep(_LOOK)

    async def reset(self) -> None:
        await self._ask()
        self._count = 0

    async def received(self) -> Received:
        await self._ask()
        return Received(self._count, 0, self._last)

    def close(self) -> None:
        self._looking.cancel()


@asynccontextmanager
async def smsc(it: Deployment, *arguments: str) -> AsyncIterator[Smsc]:
    """Starts the server. Raises Unavailable."""
    child = await it.program(*await npm.script("smpp_server.js"), "0", *arguments, output=PIPE)
    try:
        server = Smsc(child, int((await line(child)).removeprefix("listening ")))
        yield server
        server.close()
    finally:
        await it.stop(child)


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    for name, (goal, *arguments) in SERVERS.items():
        size = messages or (MESSAGES if name != "20 ms" else MESSAGES // 5)
        async with smsc(it, *arguments) as server:
            words = (
                *await npm.script("smpp_client.js"), str(server.port), str(size), str(WINDOW), rendered(1000),
            )  # fmt: skip
            dsn = f"smpp://bench:bench@127.0.0.1:{server.port}?from=Acme&window={WINDOW}"
            table += await rounds(
                f"SMPP, window {WINDOW}, {name}",
                {"npm smpp": (goal, partial(bare, it, *words))},
                partial(send_project, it, server, "sms", dsn, size),
                count,
            )

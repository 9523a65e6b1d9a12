"""Sending Projects at an HTTP provider that answers after a latency, against a bare aiohttp loop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import orjson

from bench.wire.contest import Received, Row, bare, line, python, rounds, send_project
from tests.support.deployment import PIPE, Deployment

GOAL = 0.8
SECONDS = 10  # that the provider's limit lets a run of the default size take


@dataclass(frozen=True, slots=True)
class Case:
    latency: int  # milliseconds
    connections: int

    @property
    def messages(self) -> int:
        return SECONDS * self.connections * 1000 // self.latency


CASES = (Case(200, 100), Case(20, 32), Case(50, 10), Case(200, 300))


class HttpProvider:
    """The server of `http_provider.py`."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}/send"

    async def reset(self) -> None:
        async with aiohttp.ClientSession() as session, session.delete(self.url):
            pass

    async def report(self) -> dict[str, object]:
        async with aiohttp.ClientSession() as session, session.get(self.url) as answer:
            report: dict[str, object] = orjson.loads(await answer.read())
            return report

    async def received(self) -> Received:
        report = await self.report()
        return Received(report["messages"], report["duplicates"], report["last"])  # type: ignore[arg-type]

    def dsn(self, connections: int) -> str:
        return f"post://127.0.0.1:{self.port}/send?scheme=http&connections={connections}&idempotent=1"


@asynccontextmanager
async def http_provider(it: Deployment, *options: str) -> AsyncIterator[HttpProvider]:
    child = await it.spawn("bench.wire.http_provider", *options, output=PIPE)
    try:
        yield HttpProvider(int(await line(child)))
    finally:
        await it.stop(child)


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    for case in CASES:
        size = messages or case.messages
        async with http_provider(it, "--latency", str(case.latency)) as provider:
            words = python("bench.wire.bare_http", provider.url, str(size), str(case.connections), "message")
            table += await rounds(
                f"HTTP {case.latency} ms × {case.connections}",
                {"aiohttp": (GOAL, lambda words=words: bare(it, *words))},  # type: ignore[misc]
                lambda provider=provider, case=case, size=size: send_project(  # type: ignore[misc]
                    it, provider, "sms", provider.dsn(case.connections), size
                ),
                count,
            )

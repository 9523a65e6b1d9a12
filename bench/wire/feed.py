"""One project at a provider that answers after 20 ms, without and with an event feed that records all its messages."""

from bench.wire.contest import Baseline, Row, rounds, send_project
from bench.wire.http import Case, http_provider
from tests.support.deployment import Deployment

GOAL = 0.5  # of the rate without a feed


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    case = Case(20, 32)
    size = messages or case.messages
    async with http_provider(it, "--latency", str(case.latency)) as provider:
        dsn = provider.dsn(case.connections)

        async def without_feed() -> Baseline:
            run = await send_project(it, provider, "sms", dsn, size)
            return Baseline(run.finished, run.worker)

        table += await rounds(
            f"event feed, {case.latency} ms × {case.connections}",
            {"without a feed": (GOAL, without_feed)},
            lambda: send_project(it, provider, "sms", dsn, size, feed=True),
            count,
        )

"""Runs a project at a provider that answers after 20 ms: without an event feed, with one, and with a webhook for every
status.
"""

from bench.wire.contest import Baseline, Readers, Row, rounds, send_project
from bench.wire.http import Case, http_provider
from tests.support.deployment import Deployment

GOAL = 0.5  # of the rate without a feed
BATCHES = (1, 100)  # events of one request to the webhook


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    case = Case(20, 32)
    size = messages or case.messages
    wire = f"{case.latency} ms × {case.connections}"
    async with http_provider(it, "--latency", str(case.latency)) as provider, http_provider(it) as receiver:
        dsn = provider.dsn(case.connections)

        async def without_feed() -> Baseline:
            run = await send_project(it, provider, "sms", dsn, size)
            return Baseline(run.finished, run.worker)

        async def with_webhook(batch: int):
            await receiver.reset()
            run = await send_project(
                it, provider, "sms", dsn, size, readers=Readers(True, (receiver.url, batch))
            )
            requests = (await receiver.received()).messages
            print(f"    the webhook had {requests:,} requests when the project had finished")
            return run

        baseline = {"without a feed": (GOAL, without_feed)}
        table += await rounds(
            f"event feed, {wire}",
            baseline,
            lambda: send_project(it, provider, "sms", dsn, size, readers=Readers(True)),
            count,
        )
        for batch in BATCHES:
            table += await rounds(
                f"webhook, {batch} events a request, {wire}",
                baseline,
                lambda batch=batch: with_webhook(batch),  # type: ignore[misc]
                count,
            )

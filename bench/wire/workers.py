"""Runs a project with 1, 2 and 4 workers, at a provider that answers after 50 ms and takes 10 connections of each
worker.
"""

from bench.wire.contest import Row, bare, python, rounds, send_project
from bench.wire.http import GOAL, Case, http_provider
from tests.support.deployment import Deployment

WORKERS = (1, 2, 4)
GOALS = {2: 1.8, 4: 3.0}


async def run(it: Deployment, table: list[Row], count: int, messages: int | None) -> None:
    case = Case(50, 10)
    async with http_provider(it, "--latency", str(case.latency)) as provider:
        for workers in WORKERS:
            size = messages or case.messages * workers
            connections = case.connections * workers
            words = python("bench.wire.bare_http", provider.url, str(size), str(connections), "message")
            table += await rounds(
                f"{workers} × (50 ms × 10)",
                {"aiohttp": (GOAL, lambda words=words: bare(it, *words))},  # type: ignore[misc]
                lambda workers=workers, size=size: send_project(  # type: ignore[misc]
                    it, provider, "sms", provider.dsn(case.connections), size, workers
                ),
                count,
            )
    rates = {workers: row.run.finished for workers, row in zip(WORKERS, table[-len(WORKERS) :], strict=True)}
    for workers, goal in GOALS.items():
        print(f"  {workers} workers: {rates[workers] / rates[1]:.2f} times one worker (goal {goal})")

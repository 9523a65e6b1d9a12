"""`python -m bench.busy_owner` measures what one user with many connections makes others wait in one API process.

The busy user adds 1,000 contacts a request, or reports 1,000 replies to its hook a request, on 32 connections at once,
from a process of its own. Beside it a stranger reads a page of messages and adds a contact, ten times a second each. It
prints what the stranger waits alone and beside the busy user, and what the busy user was answered.
"""

import argparse
import asyncio
import itertools
import statistics
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import aiohttp

from bench.graphql import processor
from tests.support.deployment import deployment

_PASSWORD = "correct horse battery staple"
ROWS = 1_000


async def _login(http: aiohttp.ClientSession, name: str) -> tuple[dict[str, str], str]:
    """Registers a user, and returns the headers of its login and its id."""
    credentials = {"email": f"{name}@example.com", "password": _PASSWORD}
    async with http.post("/auth/register", json={**credentials, "displayName": name}) as answer:
        answer.raise_for_status()
        id = (await answer.json())["id"]
    async with http.post("/auth/login", json=credentials) as answer:
        answer.raise_for_status()
        return {"Authorization": f"Bearer {(await answer.json())['accessToken']}"}, id


def _contacts(number: int) -> dict[str, Any]:
    rows = range(number * ROWS, (number + 1) * ROWS)
    return {
        "contacts": [
            {"name": f"Person {row}", "addresses": [
                {"channel": "email", "address": f"p{row}@example.net"},
                {"channel": "sms", "address": f"+1415{5_000_000 + row % 4_000_000}"},
            ]}
            for row in rows
        ]
    }  # fmt: skip


def _replies(number: int) -> dict[str, Any]:
    rows = range(number * ROWS, (number + 1) * ROWS)
    return {
        "events": [
            {"id": f"r{row}", "event": "reply", "from": f"+1415{5_000_000 + row % 4_000_000}", "text": "yes"}
            for row in rows
        ]
    }


def busy(
    port: int, kind: str, headers: dict[str, str], id: str, connections: int, seconds: float
) -> Counter[int]:
    """Sends requests on all connections for so long. Returns the statuses of the answers."""
    return asyncio.run(_busy(port, kind, headers, id, connections, seconds))


async def _busy(
    port: int, kind: str, headers: dict[str, str], id: str, connections: int, seconds: float
) -> Counter[int]:
    statuses, numbers, until = Counter[int](), itertools.count(), time.monotonic() + seconds
    path, body = ("/contacts/bulk", _contacts) if kind == "bulk" else (f"/delivery-hook/{id}", _replies)

    async def one(http: aiohttp.ClientSession) -> None:
        while time.monotonic() < until:
            async with http.post(path, json=body(next(numbers)), headers=headers) as answer:
                await answer.read()
                statuses[answer.status] += 1
            if answer.status == 429:
                await asyncio.sleep(float(answer.headers["retry-after"]))

    connector = aiohttp.TCPConnector(limit=connections)
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(
        f"http://127.0.0.1:{port}", connector=connector, timeout=timeout
    ) as http:
        await asyncio.gather(*(one(http) for _ in range(connections)))
    return statuses


async def _stranger(
    http: aiohttp.ClientSession, headers: dict[str, str], seconds: float
) -> dict[str, list[float]]:
    """Reads and writes in turns, 20 times a second. Returns the milliseconds of each."""
    times: dict[str, list[float]] = {"reads": [], "writes": []}
    refused = Counter[int]()
    until, numbers = time.perf_counter() + seconds, itertools.count(time.time_ns())
    while (begun := time.perf_counter()) < until:
        what = "reads" if len(times["reads"]) <= len(times["writes"]) else "writes"
        if what == "reads":
            asked = http.get("/messages", headers=headers)
        else:
            person = {"externalId": f"x{next(numbers)}", "name": "Somebody"}
            asked = http.post("/contacts", json=person, headers=headers)
        async with asked as answer:
            await answer.read()
        if answer.status in (200, 201):
            times[what].append((time.perf_counter() - begun) * 1000)
        else:
            refused[answer.status] += 1
        await asyncio.sleep(max(0.0, begun + 0.05 - time.perf_counter()))
    if refused:
        print(f"  the stranger was refused: {dict(refused)}")
    return times


def _show(title: str, times: dict[str, list[float]]) -> None:
    for what, each in times.items():
        if len(each) < 2:
            print(f"  {title:14} {what:7} had {len(each)} answers")
            continue
        parts = statistics.quantiles(each, n=100)
        print(
            f"  {title:14} {what:7} p50 {parts[49]:7.1f}  p95 {parts[94]:7.1f}  p99 {parts[98]:7.1f} ms"
            f"  of {len(each)}", flush=True
        )  # fmt: skip


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    limits = {"POSTERN_LIMIT_REGISTER": "100/60", "POSTERN_LIMIT_LOGIN": "100/60"}
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with (
            deployment(Path(folder)) as it,
            it.serving(**limits) as (api, port),
            aiohttp.ClientSession(f"http://127.0.0.1:{port}", timeout=aiohttp.ClientTimeout(60)) as http,
        ):
            stranger, _ = await _login(http, "stranger")
            hostile, id = await _login(http, "busy")
            seconds, loop = arguments.seconds, asyncio.get_running_loop()
            await _stranger(http, stranger, 2)
            _show("alone", await _stranger(http, stranger, seconds))
            with ProcessPoolExecutor(1, get_context("spawn")) as processes:
                for kind in arguments.kinds:
                    before = processor(api.pid)
                    answering = loop.run_in_executor(
                        processes, busy, port, kind, hostile, id, arguments.connections, seconds + 3
                    )
                    await asyncio.sleep(2.5)  # the other process has begun
                    times = await _stranger(http, stranger, seconds)
                    answers = await answering
                    _show(f"beside {kind}", times)
                    used = processor(api.pid) - before
                    print(
                        f"    the busy user was answered {dict(answers)}, the API took {used:.1f} s",
                        flush=True,
                    )


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.busy_owner")
    parse.add_argument("--seconds", type=int, default=15, help="of each measurement")
    parse.add_argument("--connections", type=int, default=32, help="of the busy user")
    parse.add_argument("--kinds", nargs="+", choices=("bulk", "hook"), default=["bulk", "hook"])
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))

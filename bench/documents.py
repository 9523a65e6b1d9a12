"""Other callers beside anonymous ones that send the worst GraphQL documents.

    .venv/bin/python -m bench.documents [--rounds 3] [--seconds 10]

One service process. Eight connections of a user read by REST all the time, and one logs in ten times a second. Beside
them four anonymous connections send, in turns of one run: a small document that the service knows (the control), the
worst documents of `tests/support/worst_documents.py`, each of them new, and the worst variables. Printed are the 99th
percentiles of the others, and their ratios to the control. The goal is at most 2.
"""

import argparse
import asyncio
import itertools
import statistics
import time
from collections.abc import Callable, Iterator

import httpx
import orjson

from bench.load import request
from core.settings import Settings
from tests.support import servers
from tests.support.live import Live, serving
from tests.support.worst_documents import WORST_DOCUMENTS, WORST_VARIABLES

READERS, STRANGERS, LOGINS_A_SECOND = 8, 4, 10
_JSON = {"Content-Type": "application/json"}
_LOGIN = {"email": "stranger@example.com", "password": "correct horse battery staple"}
Bodies = Callable[[], Iterator[bytes]]


def known() -> Iterator[bytes]:
    return itertools.repeat(orjson.dumps({"query": "{ health { status } }"}))


def documents() -> Iterator[bytes]:
    for number in itertools.count():
        for text in WORST_DOCUMENTS.values():
            yield orjson.dumps({"query": f"{text[:64_000]} #{number}"})


def variables() -> Iterator[bytes]:
    bodies = [
        orjson.dumps({"query": text, "variables": values})[:2_000_000]
        for text, values in WORST_VARIABLES.values()
    ]
    return itertools.cycle(bodies)


async def answered(connection: tuple[asyncio.StreamReader, asyncio.StreamWriter], raw: bytes) -> bytes:
    """Sends a request and returns the head of its answer."""
    reader, writer = connection
    writer.write(raw)
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.partition(b":")[2]))
    return head


async def beside(live: Live, bodies: Bodies, seconds: float) -> tuple[float, float, int]:
    """Returns the 99th percentiles of reads and logins in milliseconds, and the number of requests of strangers."""
    until = time.perf_counter() + seconds
    reads: list[float] = []
    logins: list[float] = []
    sent = 0

    async def stranger(shared: Iterator[bytes]) -> None:
        nonlocal sent
        connection = await asyncio.open_connection("127.0.0.1", live.port)
        while time.perf_counter() < until:
            await answered(connection, request("/graphql", _JSON, next(shared)))
            sent += 1
        connection[1].close()

    async def timed(raw: bytes, times: list[float], pause: float) -> None:
        connection = await asyncio.open_connection("127.0.0.1", live.port)
        while (begun := time.perf_counter()) < until:
            head = await answered(connection, raw)
            assert head.startswith(b"HTTP/1.1 2"), head
            times.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(pause)
        connection[1].close()

    read = request("/accounts", dict(live.ada.headers))
    login = request("/auth/login", _JSON, orjson.dumps(_LOGIN))
    shared = bodies()
    await asyncio.gather(
        *(stranger(shared) for _ in range(STRANGERS)),
        *(timed(read, reads, 0) for _ in range(READERS)),
        timed(login, logins, 1 / LOGINS_A_SECOND),
    )
    return percentile(reads), percentile(logins), sent


def percentile(times: list[float]) -> float:
    """Returns the 99th percentile, or infinity if hardly anything was answered."""
    return statistics.quantiles(times, n=100)[98] if len(times) > 2 else float("inf")


def main(rounds: int, seconds: float) -> None:
    """Prints a table."""
    default = {
        name: Settings.model_fields[name].default for name in ("limit_documents", "limit_documents_global")
    }
    settings = {f"POSTERN_{name.upper()}": value for name, value in default.items()}
    settings |= {"POSTERN_LIMIT_LOGIN": "1000000/60", "POSTERN_LIMIT_LOGIN_GLOBAL": "1000000/60"}
    strangers: dict[str, Bodies] = {
        "a known document (control)": known,
        "the worst documents": documents,
        "the worst variables": variables,
    }
    with servers.running(), serving(**settings) as live:
        httpx.post(
            f"http://127.0.0.1:{live.port}/auth/register", json={**_LOGIN, "displayName": "S"}
        ).raise_for_status()
        asyncio.run(beside(live, known, 2))  # warms up
        results: dict[str, list[tuple[float, float, int]]] = {name: [] for name in strangers}
        for number in range(rounds):
            for name, bodies in strangers.items():
                results[name].append(asyncio.run(beside(live, bodies, seconds)))
                print(f"round {number + 1}, {name}: {results[name][-1]}", flush=True)
    control = [statistics.median(values) for values in zip(*next(iter(results.values())), strict=True)]
    print(
        f"\n{'four anonymous connections send':34} {'reads p99':>10} {'ratio':>6} {'logins p99':>11} "
        f"{'ratio':>6} {'sent':>7}"
    )
    for name, measured in results.items():
        read, login, sent = (statistics.median(values) for values in zip(*measured, strict=True))
        print(
            f"{name:34} {read:7.1f} ms {read / control[0]:6.2f} {login:8.1f} ms {login / control[1]:6.2f} {sent:7.0f}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    main(arguments.rounds, arguments.seconds)

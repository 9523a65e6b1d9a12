"""`python -m bench.hook_flood` floods one API process with reports of a mail provider, and measures what others wait.

Most of the flood has a wrong signature, as a stranger's has; the rest are signed reports of bounces, each sent three
times. It comes from a process of its own. Beside it a calm user reads a page of messages 20 times a second. It prints
what the calm user waits with and without the flood, and beside as many requests of another route without a login; what
the flood was answered; and whether each signed report was applied once.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import quote

import aiohttp
import asyncpg

from core.ids import uuid7
from engine.mail_reports import reference
from runtime.services import derived_keys
from tests.mail_reports.provider_calls import Call, SendGrid
from tests.support.deployment import Deployment, deployment

_MESSAGES = """
INSERT INTO messages (id, owner_id, account_id, direction, channel, state, "to", body, price, handed_at, sent_at)
SELECT i.id, $2, a.id, 'outbound', 'email', 'sent', 'person' || place || '@example.net', 'Hello', 0.01, now(), now()
FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, place), accounts AS a WHERE a.owner_id = $2
"""
_STATE = """
SELECT (SELECT count(*) FROM mail_reports) AS reports, (SELECT count(*) FROM messages WHERE state = 'failed') AS failed,
  (SELECT count(*) FROM ledger_entries WHERE kind = 'refund') AS refunds
"""
_EMAIL, _PASSWORD = "calm@example.com", "correct horse battery staple"


async def _login(http: aiohttp.ClientSession) -> dict[str, str]:
    body = {"email": _EMAIL, "password": _PASSWORD, "displayName": "Calm"}
    async with http.post("/auth/register", json=body) as answer:
        answer.raise_for_status()
    async with http.post("/auth/login", json={"email": _EMAIL, "password": _PASSWORD}) as answer:
        answer.raise_for_status()
        return {"Authorization": f"Bearer {(await answer.json())['accessToken']}"}


async def _calm(http: aiohttp.ClientSession, headers: dict[str, str], seconds: float) -> list[float]:
    """Reads a page every 50 ms, and returns the milliseconds of each answer."""
    times: list[float] = []
    until = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < until:
        async with http.get("/messages", headers=headers) as answer:
            await answer.read()
            assert answer.status == 200, answer.status
        times.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(max(0.0, begun + 0.05 - time.perf_counter()))
    return times


async def _send(port: int, calls: Iterator[Call], path: str, rate: int, seconds: float) -> Counter[int | str]:
    """Sends callbacks at this rate, whatever the answers; at most 500 wait for theirs."""
    answers: Counter[int | str] = Counter()
    slots = asyncio.Semaphore(500)
    connector, timeout = aiohttp.TCPConnector(limit=64), aiohttp.ClientTimeout(total=30)

    async def one(http: aiohttp.ClientSession, call: Call) -> None:
        try:
            async with http.post(path, data=call.content, headers=call.headers) as answer:
                await answer.read()
                answers[answer.status] += 1
        except (aiohttp.ClientError, TimeoutError):
            answers["none"] += 1
        finally:
            slots.release()

    base = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession(base, connector=connector, timeout=timeout) as http:
        begun, sent = time.perf_counter(), 0
        async with asyncio.TaskGroup() as group:
            while (elapsed := time.perf_counter() - begun) < seconds:
                for _ in range(int(elapsed * rate) - sent):
                    await slots.acquire()
                    group.create_task(one(http, next(calls)))
                    sent += 1
                await asyncio.sleep(0.005)
    return answers


def _flood(
    port: int, signed: list[Call], forged: Call, path: str, rate: int, seconds: int
) -> Counter[int | str]:
    """Does what `_send` does, in a process of its own."""
    every = max(1, rate * seconds // (2 * len(signed))) if signed else 0
    return asyncio.run(_send(port, _calls(signed, forged, every), path, rate, seconds))


def _calls(signed: list[Call], forged: Call, every: int) -> Iterator[Call]:
    """Yields forged callbacks, and of each `every` a signed one while there are any."""
    number = 0
    while True:
        number += 1
        yield signed.pop() if signed and number % every == 0 else forged


def _percentiles(times: list[float]) -> str:
    parts = statistics.quantiles(times, n=100)
    return f"p50 {parts[49]:6.1f} ms   p99 {parts[98]:6.1f} ms   of {len(times)} answers"


async def _measure(it: Deployment, arguments: argparse.Namespace) -> None:
    caller = SendGrid()
    owner, ids = await it.owner(), [uuid7() for _ in range(arguments.reports)]
    db = await asyncpg.connect(it.url)
    await db.execute(_MESSAGES, ids, owner)
    name, _, secret = caller.options.partition("&secret=")
    dsn = f"smtp://127.0.0.1:9?from=news@example.com&{name}&secret={quote(secret, safe='')}"
    key = derived_keys(it.settings, reference.KEY)[0]
    signed = [caller.call(caller.bounce(reference.token(key, id), id)) for id in ids] * 3
    forged = caller.call(caller.bounce(reference.token(key, ids[0]), ids[0]), other_key=True)
    rate, seconds = arguments.rate, arguments.seconds
    async with (
        it.serving(POSTERN_CHANNEL_EMAIL=dsn) as (_, port),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}", timeout=aiohttp.ClientTimeout(30)) as http,
    ):
        headers = await _login(http)
        await _calm(http, headers, 1)
        print(f"  alone                 {_percentiles(await _calm(http, headers, seconds))}", flush=True)
        loop = asyncio.get_running_loop()
        with ProcessPoolExecutor(1, get_context("spawn")) as processes:
            await loop.run_in_executor(
                processes, _flood, port, [], forged, "/hooks/smtp/email", 1, 1
            )  # it starts
            for title, path, some in (
                ("beside the hooks", "/hooks/smtp/email", signed),
                ("beside another route", "/messages", []),
            ):
                flood = loop.run_in_executor(processes, _flood, port, some, forged, path, rate, seconds)
                await asyncio.sleep(1.5)  # the other process has begun
                times = await _calm(http, headers, seconds - 2)
                answers = await flood
                print(f"  {title:21} {_percentiles(times)}")
                each = sum(answers.values()) / seconds
                print(f"  {'':21} {each:,.0f} requests a second, answered {dict(answers)}", flush=True)
    row = await db.fetchrow(_STATE)
    await db.close()
    print(f"  of {len(ids)} messages: " + ", ".join(f"{value} {name}" for name, value in row.items()))


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it:
            print(f"One API process, {arguments.rate} callbacks a second of a mail provider:", flush=True)
            await _measure(it, arguments)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.hook_flood")
    parse.add_argument("--rate", type=int, default=2_000, help="callbacks a second")
    parse.add_argument("--seconds", type=int, default=10, help="of each flood, at least 5")
    parse.add_argument("--reports", type=int, default=200, help="messages that bounce")
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))

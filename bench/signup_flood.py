"""`python -m bench.signup_flood` floods a public sign-up form of one API process, and measures what others wait.

The flood comes from a process of its own, each request with an email address that is new. Once it comes from one
network, which is refused soon, and once each request from another network, so that only the owner's limit is left.
Beside it a calm user reads a page of messages 20 times a second. It prints what the calm user waits with and without
the flood, and beside as many requests of another route without a login; what the flood was answered; and how many rows
and keys it has left. A worker sends what was queued to an HTTP provider.
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlencode
from uuid import UUID

import aiohttp
import asyncpg
import redis.asyncio as redis

from bench.hook_flood import _login, _percentiles, _send
from bench.wire.http import HttpProvider, http_provider
from tests.mail_reports.provider_calls import Call
from tests.support.deployment import Deployment, deployment

_KEEP = "UPDATE accounts SET balance = 100000"
_LEFT = """
SELECT (SELECT count(*) FROM contacts) AS contacts, (SELECT count(*) FROM topic_subscriptions) AS subscriptions,
  (SELECT count(*) FROM consent_entries) AS entries, (SELECT count(*) FROM opt_ins) AS requests,
  (SELECT count(*) FROM messages) AS messages
"""
_FORM = {"content-type": "application/x-www-form-urlencoded"}


def _calls(part: str, *, many: bool) -> Iterator[Call]:
    """Yields sign-ups of new addresses: of one network, or each of another one, every second of IPv6."""
    number = 0
    while True:
        number += 1
        network = f"2001:db8:{number >> 16 & 0xFFFF:x}:{number & 0xFFFF:x}::1"
        if number % 2:
            network = f"100.{number >> 16 & 0xFF}.{number >> 8 & 0xFF}.{number & 0xFF}"
        body = urlencode({"email": f"{part}{number}@example.net", "name": "Somebody"})
        yield Call(body.encode(), {**_FORM, "x-real-ip": network if many else "100.255.255.255"})


def _flood(port: int, path: str, part: str, many: bool, rate: int, seconds: int) -> Counter[int | str]:
    """Sends so many sign-ups a second, in a process of its own."""
    return asyncio.run(_send(port, _calls(part, many=many), path, rate, seconds))


async def _calm(http: aiohttp.ClientSession, headers: dict[str, str], seconds: float) -> str:
    """Reads a page every 50 ms. Returns what the answers took, and how many were no pages."""
    times: list[float] = []
    refused: Counter[int] = Counter()
    until = time.perf_counter() + seconds
    while (begun := time.perf_counter()) < until:
        async with http.get("/messages", headers=headers) as answer:
            text = await answer.text()
            if answer.status != 200:
                refused[answer.status, text[:200]] += 1
        times.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(max(0.0, begun + 0.05 - time.perf_counter()))
    return _percentiles(times) + (f", of which {dict(refused)}" if refused else "")


async def _form(http: aiohttp.ClientSession, headers: dict[str, str]) -> UUID:
    async def made(path: str, **body: object) -> UUID:
        async with http.post(path, json=body, headers=headers) as answer:
            answer.raise_for_status()
            return UUID((await answer.json())["id"])

    topic = await made("/topics", key="news", name="News")
    return await made("/signup-forms", name="News", topicUuids=[str(topic)], text="Yes, send me news.")


async def _left(it: Deployment, provider: HttpProvider) -> str:
    """Describes what the floods have left by now."""
    db = await asyncpg.connect(it.url)
    row = dict(await db.fetchrow(_LEFT))
    await db.close()
    async with redis.from_url(it.redis_url) as store:
        keys, memory = await store.dbsize(), (await store.info("memory"))["used_memory"]
    sent = (await provider.received()).messages
    rows = ", ".join(f"{count:,} {name}" for name, count in row.items())
    return f"{rows}; sent {sent:,}; Redis {keys:,} keys, {memory / 1e6:.1f} MB"


async def _measure(it: Deployment, provider: HttpProvider, arguments: argparse.Namespace) -> None:
    rate, seconds = arguments.rate, arguments.seconds
    email = {
        "POSTERN_CHANNEL_EMAIL": provider.dsn(32),
        "POSTERN_TRUSTED_PROXIES": "127.0.0.1/32",
        "POSTERN_PUBLIC_URL": "https://postern.example.com",
        "POSTERN_LIMIT_SIGNUP_OWNER": f"{arguments.cap}/86400",
    }
    async with (
        it.serving(**email) as (_, port),
        it.workers(1, **email),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}", timeout=aiohttp.ClientTimeout(30)) as http,
    ):
        headers = await _login(http)
        db = await asyncpg.connect(it.url)
        await db.execute(_KEEP)
        await db.close()
        form = await _form(http, headers)
        await _calm(http, headers, 1)
        loop = asyncio.get_running_loop()
        with ProcessPoolExecutor(1, get_context("spawn")) as processes:
            for title, path, many in (
                ("another route", "/messages", False),
                ("sign-ups, one network", f"/signup/{form}", False),
                ("sign-ups, many networks", f"/signup/{form}", True),
                ("the same when capped", f"/signup/{form}", True),
            ):
                print(f"  {'alone':24} {await _calm(http, headers, seconds / 2)}", flush=True)
                words = (port, path, title.split()[-1], many, rate, seconds)
                flood = loop.run_in_executor(processes, _flood, *words)
                await asyncio.sleep(2)  # the other process has begun
                times = await _calm(http, headers, seconds - 3)
                answers = await flood
                print(f"  {title:24} {times}")
                each = sum(answers.values()) / seconds
                print(f"  {'':24} {each:,.0f} requests a second, answered {dict(answers)}")
                await asyncio.sleep(2)
                print(f"  {'':24} {await _left(it, provider)}", flush=True)


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with (
            deployment(Path(folder), outbound_allow=["127.0.0.0/8"]) as it,
            http_provider(it) as provider,
        ):
            it.environment["POSTERN_OUTBOUND_ALLOW"] = "127.0.0.0/8"
            print(
                f"One API process, {arguments.rate} sign-ups a second, at most {arguments.cap} of them asked:",
                flush=True,
            )
            await _measure(it, provider, arguments)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.signup_flood")
    parse.add_argument("--rate", type=int, default=500, help="sign-ups a second")
    parse.add_argument("--seconds", type=int, default=12, help="of each flood, at least 6")
    parse.add_argument("--cap", type=int, default=1000, help="POSTERN_LIMIT_SIGNUP_OWNER of a day")
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))

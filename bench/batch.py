"""`python -m bench.batch` compares `POST /messages/batch` with as many `POST /messages`, over real sockets.

Both go to one API process, in turns: 500 messages in a request on each of four connections, and one message in a
request on each of sixteen. It prints the messages a second of both and their ratio, of which we want 5 at least. Then
one user keeps 32 connections busy with batches, or with single messages, while another one sends a message 20 times a
second: it prints how long that one waits.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import orjson

from bench.gateway import child, login
from bench.load import CONNECTIONS, Answers, in_turns, request
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

PORT = 3911
ITEMS, BATCHES, HOSTILE = 500, 4, 32
CALM = 0.05  # seconds between the messages of the calm user
GOAL = 5.0
Headers = dict[str, str]


def _message(number: int) -> dict[str, Any]:
    return {"to": f"+1415{number % 10_000_000:07}", "channel": "sms", "body": "Your code is 424242"}


def _single(headers: Headers) -> bytes:
    return request("/messages", headers, orjson.dumps(_message(5550100)))


def _batch(headers: Headers) -> bytes:
    body = orjson.dumps({"messages": [_message(5550000 + number) for number in range(ITEMS)]})
    return request("/messages/batch", headers, body)


async def _calm(headers: Headers, seconds: float) -> list[float]:
    """Sends a message now and then. Returns how many seconds each took."""
    until, times = time.perf_counter() + seconds, list[float]()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", headers=headers, timeout=30) as client:
        while (begun := time.perf_counter()) < until:
            answer = await client.post("/messages", json=_message(5550199))
            answer.raise_for_status()
            times.append(time.perf_counter() - begun)
            await asyncio.sleep(CALM)
    return times


async def _beside(
    load: Callable[[], Any], headers: Headers, seconds: float
) -> tuple[Answers | None, list[float]]:
    answers, times = await asyncio.gather(load(), _calm(headers, seconds))
    return answers, times


def _say(what: str, times: list[float], answers: Answers | None, items: int = 1) -> None:
    p50, p99 = statistics.median(times) * 1000, statistics.quantiles(times, n=100)[98] * 1000
    beside = ""
    if answers is not None:
        sent = (len(answers.times) - answers.failed) * items / answers.took
        beside = (
            f"; the other user sent {sent:,.0f} messages/s, {answers.failed} of {len(answers.times)} refused"
        )
    print(f"{what:46} p50 {p50:6.1f} ms, p99 {p99:6.1f} ms{beside}")


async def _measure(folder: Path, url: str, redis: str, rounds: int, seconds: float) -> None:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    environment = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_PORT": str(PORT), "POSTERN_LIMIT_MESSAGES": "1000000000/60", "PYTHONPATH": str(ROOT),
        "IP_ALLOWLIST_FILE": str(allowlist),
    }  # fmt: skip
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, secret_key="s" * 32, jwt_key="j" * 32)
    await prepare(settings)
    async with services(settings) as opened:
        for name in ("busy", "calm"):
            await operator.create_user(opened, f"{name}@example.com", admin=False, password="bench bench")
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE accounts SET balance = 100000000")
    await connection.close()
    async with child(PORT, "/", environment, "postern", "serve", "--no-worker"):
        json = {"Content-Type": "application/json"}
        busy, calm = [{**await login(PORT, f"{name}@example.com"), **json} for name in ("busy", "calm")]
        ratios = []
        for _ in range(rounds):
            single = await in_turns(PORT, [_single(busy)] * CONNECTIONS, seconds)
            batch = await in_turns(PORT, [_batch(busy)] * BATCHES, seconds)
            alone, together = len(single.times) / single.took, len(batch.times) * ITEMS / batch.took
            ratios.append(together / alone)
            print(
                f"single {alone:7,.0f}/s, in batches {together:7,.0f}/s ({batch.percentile(50):.0f} ms a batch): "
                f"{together / alone:.1f} times; {single.failed + batch.failed} failed"
            )
        print(
            f"batches of {ITEMS}: {statistics.median(ratios):.1f} times the rate of single messages (goal {GOAL:g})"
        )
        _say("alone", *reversed(await _beside(lambda: asyncio.sleep(0), calm, seconds)))
        for what, one, items in (("single messages", _single, 1), ("batches", _batch, ITEMS)):
            requests = [one(busy)] * HOSTILE
            answers, times = await _beside(lambda each=requests: in_turns(PORT, each, seconds), calm, seconds)
            _say(f"beside {HOSTILE} connections of {what}", times, answers, items)


async def main(rounds: int, seconds: float) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="postern-bench-") as folder,
        EmbeddedPostgres(Path(folder)) as postgres,
        EmbeddedRedis(Path(folder)) as redis,
    ):
        await _measure(Path(folder), postgres.url, redis.url, rounds, seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.rounds, chosen.seconds))

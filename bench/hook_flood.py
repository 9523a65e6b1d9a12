"""`python -m bench.hook_flood` floods one API process with reports of a mail provider, and measures what others wait.

Most of the flood has a wrong signature, as a stranger's has; the rest are signed reports of bounces, each sent three
times. It comes from a process of its own, and so many callbacks wait for an answer at once: fewer than the queue takes
from one network (engine/hooks/turns.py), as many, and more. Beside it a calm user reads a page of messages 20 times a
second. It prints what the calm user waits with and without the flood, and beside as many requests of another route
without a login; what the flood was answered, and the processor time of a callback. Each report that was answered 204 is
stored then. What was refused is sent again, as a provider does, until all reports are applied, each of them once.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import quote
from uuid import UUID

import aiohttp
import asyncpg

from bench.graphql import processor
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
SELECT (SELECT count(*) FROM mail_reports WHERE message_id = ANY($1)) AS reports,
  (SELECT count(*) FROM messages WHERE id = ANY($1) AND state = 'failed') AS failed,
  (SELECT count(*) FROM ledger_entries WHERE reference = ANY($1) AND kind = 'refund') AS refunds
"""
_STORED = "SELECT count(DISTINCT message_id) FROM mail_reports WHERE message_id = ANY($1)"

Calm = Callable[[float], Awaitable[list[float]]]
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


@dataclass(frozen=True, slots=True)
class Flood:
    """Says what a flood has to send, and how: at this rate, whatever the answers, while fewer than `at_once` wait."""

    port: int
    path: str
    signed: list[Call]
    forged: Call
    rate: int
    seconds: int
    at_once: int


@dataclass(slots=True)
class Answers:
    """Holds what a flood was answered; of signed callbacks also which were accepted, and which have to come again."""

    seconds: float = 0.0
    statuses: Counter[int | str] = field(default_factory=Counter)
    accepted: list[Call] = field(default_factory=list)
    refused: list[Call] = field(default_factory=list)


async def _send(flood: Flood) -> Answers:
    answers, signed = Answers(), {id(call) for call in flood.signed}
    slots = asyncio.Semaphore(flood.at_once)
    connector, timeout = aiohttp.TCPConnector(limit=flood.at_once), aiohttp.ClientTimeout(total=30)
    every = max(1, flood.rate * flood.seconds // (2 * len(flood.signed))) if flood.signed else 0

    async def one(http: aiohttp.ClientSession, call: Call) -> None:
        status: int | str = "none"
        try:
            status = await _post(http, flood.path, call)
        except (aiohttp.ClientError, TimeoutError):
            pass
        finally:
            slots.release()
            answers.statuses[status] += 1
            if id(call) in signed:
                (answers.accepted if status == 204 else answers.refused).append(call)

    calls = _calls([*flood.signed], flood.forged, every)
    base = f"http://127.0.0.1:{flood.port}"
    async with aiohttp.ClientSession(base, connector=connector, timeout=timeout) as http:
        begun, sent = time.perf_counter(), 0
        async with asyncio.TaskGroup() as group:
            while (elapsed := time.perf_counter() - begun) < flood.seconds:
                for _ in range(min(flood.at_once, int(elapsed * flood.rate) - sent)):
                    await slots.acquire()
                    group.create_task(one(http, next(calls)))
                    sent += 1
                await asyncio.sleep(0.005)
        answers.seconds = time.perf_counter() - begun
    return answers


async def _post(http: aiohttp.ClientSession, path: str, call: Call) -> int:
    async with http.post(path, data=call.content, headers=call.headers) as answer:
        await answer.read()
        return answer.status


def _flood(flood: Flood) -> Answers:
    """Does what `_send` does, in a process of its own."""
    return asyncio.run(_send(flood))


def _calls(signed: list[Call], forged: Call, every: int) -> Iterator[Call]:
    """Yields forged callbacks, and of each `every` a signed one while there are any."""
    number = 0
    while True:
        number += 1
        yield signed.pop() if signed and number % every == 0 else forged


def _percentiles(times: list[float]) -> str:
    parts = statistics.quantiles(times, n=100)
    return f"p50 {parts[49]:6.1f} ms   p99 {parts[98]:6.1f} ms   of {len(times)} answers"


@dataclass(frozen=True, slots=True)
class _Reports:
    """Messages, and the signed callbacks about them, each three times."""

    ids: list[UUID]
    calls: list[Call]

    def named(self, calls: list[Call]) -> list[UUID]:
        """Returns the messages that these callbacks are about."""
        contents = {call.content for call in calls}
        return [id for id, call in zip(self.ids, self.calls, strict=False) if call.content in contents]


class _Contest:
    """The floods of one API process, one after the other."""

    def __init__(self, it: Deployment, db: asyncpg.Connection, arguments: argparse.Namespace) -> None:
        self._it, self._db, self._arguments = it, db, arguments
        self._caller = SendGrid()
        self._key = derived_keys(it.settings, reference.KEY)[0]

    @property
    def dsn(self) -> str:
        name, _, secret = self._caller.options.partition("&secret=")
        return f"smtp://127.0.0.1:9?from=news@example.com&{name}&secret={quote(secret, safe='')}"

    async def reports(self, owner: UUID) -> _Reports:
        caller, ids = self._caller, [uuid7() for _ in range(self._arguments.reports)]
        await self._db.execute(_MESSAGES, ids, owner)
        return _Reports(
            ids, [caller.call(caller.bounce(reference.token(self._key, id), id)) for id in ids] * 3
        )

    def forged(self) -> Call:
        id = uuid7()
        return self._caller.call(self._caller.bounce(reference.token(self._key, id), id), other_key=True)

    async def run(
        self, processes: ProcessPoolExecutor, api: int, title: str, flood: Flood, calm: Calm
    ) -> Answers:
        """Prints what the calm user waits beside a flood, and what the flood was answered."""
        loop = asyncio.get_running_loop()
        before = processor(api)
        answering = loop.run_in_executor(processes, _flood, flood)
        await asyncio.sleep(1.5)  # the other process has begun
        times = await calm(flood.seconds - 2)
        answers = await answering
        used, count = processor(api) - before, answers.statuses.total()
        print(f"  {title:22} {_percentiles(times)}")
        print(
            f"  {'':22} {count / answers.seconds:,.0f} a second, answered {dict(answers.statuses)};", end=""
        )
        print(
            f" {used / count * 1e6:,.0f} µs of the API process each, {used / answers.seconds:.0%} of a core"
        )
        return answers

    async def settle(
        self, http: aiohttp.ClientSession, path: str, reports: _Reports, answers: Answers
    ) -> None:
        """Prints whether what was answered 204 is stored, and sends the rest again until it is."""
        acknowledged = reports.named(answers.accepted)
        stored = await self._db.fetchval(_STORED, acknowledged)
        again, refused = answers.refused, 0
        while again:
            answered = [(call, await _post(http, path, call)) for call in again]
            again = [call for call, status in answered if status != 204]
            refused += len(again)
        row = await self._db.fetchrow(_STATE, reports.ids)
        print(
            f"  {'':22} of {len(reports.ids)} messages {len(acknowledged)} had an answer of 204, and"
            f" {stored} of these a report;"
            f" {len(answers.refused)} callbacks came again ({refused} of them more than once): "
            + ", ".join(f"{value} {name}" for name, value in row.items()),
            flush=True,
        )


async def _measure(it: Deployment, db: asyncpg.Connection, arguments: argparse.Namespace) -> None:
    contest, owner = _Contest(it, db, arguments), await it.owner()
    rate, seconds, hook = arguments.rate, arguments.seconds, "/hooks/smtp/email"
    async with (
        it.serving(POSTERN_CHANNEL_EMAIL=contest.dsn) as (api, port),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}", timeout=aiohttp.ClientTimeout(30)) as http,
    ):
        headers = await _login(http)
        await _calm(http, headers, 1)
        print(f"  alone                  {_percentiles(await _calm(http, headers, seconds))}", flush=True)
        calm = partial(_calm, http, headers)
        with ProcessPoolExecutor(1, get_context("spawn")) as processes:
            processes.submit(_flood, Flood(port, hook, [], contest.forged(), 1, 1, 1)).result()  # it starts
            for at_once in arguments.at_once:
                reports = await contest.reports(owner)
                flood = Flood(port, hook, reports.calls, contest.forged(), rate, seconds, at_once)
                answers = await contest.run(processes, api.pid, f"hooks, {at_once} at once", flood, calm)
                await contest.settle(http, hook, reports, answers)
                other = replace(flood, path="/messages", signed=[])
                await contest.run(processes, api.pid, f"another route, {at_once}", other, calm)


async def main(arguments: argparse.Namespace) -> None:
    """Runs the measurement on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it:
            print(f"One API process, {arguments.rate} callbacks a second of a mail provider:", flush=True)
            db = await asyncpg.connect(it.url)
            await _measure(it, db, arguments)
            await db.close()


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.hook_flood")
    parse.add_argument("--rate", type=int, default=2_000, help="callbacks a second")
    parse.add_argument("--seconds", type=int, default=10, help="of each flood, at least 5")
    parse.add_argument("--reports", type=int, default=200, help="messages that bounce")
    parse.add_argument(
        "--at-once", type=int, nargs="+", default=[64, 200, 500], help="callbacks that wait, a flood each"
    )
    return parse.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_arguments()))

"""Direct messages: `POST /messages` by 40 clients at once, all of one account against those of sixteen accounts.

A real API process, a worker and an HTTP provider that answers after 20 ms over 32 connections run beside the clients. A
charge locks its account's balance, so that one account shows what a lock costs.
"""

import asyncio
import statistics
import time
from dataclasses import dataclass

import asyncpg

from bench.load import in_turns, request
from bench.wire.contest import LONGEST, STATISTICS_SECONDS
from bench.wire.http import Case, HttpProvider, http_provider
from bench.wire.usage import Usage, transactions, usage
from postern import operator
from runtime.services import services
from tests.support.deployment import Deployment

CLIENTS = 40
ACCOUNTS = 16
CASE = Case(20, 32)
GOAL = 0.5  # of sixteen accounts' rate
_BODY = b'{"to":"+14155550100","channel":"sms","body":"Your code is 424242"}'
_WAITING = "SELECT count(*) FROM messages WHERE state IN ('queued', 'sending')"
_OTHERS = "SELECT count(*) FROM messages WHERE state <> 'sent'"


@dataclass(frozen=True, slots=True)
class Leg:
    """Holds the numbers of one run: times in milliseconds, costs a message."""

    rate: float  # accepted a second
    p50: float
    p95: float
    late: float  # seconds from the last answer until every message was sent
    transactions: float
    wal: float
    api: float
    worker: float
    postgres: float
    wrong: int  # answers that are not 202, messages that are not sent, and those that the provider got twice or never


async def run(it: Deployment, count: int, seconds: float) -> None:
    tokens = []
    async with services(it.settings) as opened:
        for number in range(ACCOUNTS):
            email = f"direct{number}@bench.test"
            await operator.create_user(opened, email, admin=False, password="bench bench")
            await operator.credit(opened, email, "100000", account_id=None, note="bench")
            tokens.append(await operator.create_token(opened, email, "bench"))
    print(f"\ndirect messages, {CLIENTS} clients, {seconds:g} s each", flush=True)
    legs: dict[int, list[Leg]] = {ACCOUNTS: [], 1: []}
    async with http_provider(it, "--latency", str(CASE.latency)) as provider:
        for number in range(count):
            for accounts, done in legs.items():
                done.append(leg := await _leg(it, provider, tokens[:accounts], seconds))
                print(f"  round {number + 1}: {_describe(accounts, leg)}", flush=True)
    ratios = [single.rate / many.rate for single, many in zip(legs[1], legs[ACCOUNTS], strict=True)]
    each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"  one account is {statistics.median(ratios):.2f} of {ACCOUNTS} (goal {GOAL}; rounds {each})")
    print(
        "\n| direct messages | accepted/s | p50 ms | p95 ms | transactions | WAL bytes | API ms | "
        "worker ms | PostgreSQL ms | false |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for accounts, done in legs.items():
        middle = {
            name: statistics.median(getattr(leg, name) for leg in done) for name in Leg.__dataclass_fields__
        }
        print(
            f"| {_of(accounts)} | {middle['rate']:,.0f} | {middle['p50']:.0f} | {middle['p95']:.0f}"
            f" | {middle['transactions']:.2f} | {middle['wal']:,.0f} | {middle['api']:.2f} | {middle['worker']:.2f}"
            f" | {middle['postgres']:.2f} | {sum(leg.wrong for leg in done)} |"
        )


def _of(accounts: int) -> str:
    return "one account" if accounts == 1 else f"{accounts} accounts"


def _describe(accounts: int, leg: Leg) -> str:
    return (
        f"{_of(accounts):<12} {leg.rate:7,.0f} accepted/s, p50 {leg.p50:.0f} ms, p95 {leg.p95:.0f} ms; all sent"
        f" {leg.late:.1f} s later; a message: {leg.transactions:.2f} transactions, {leg.wal:,.0f} B of WAL,"
        f" API {leg.api:.2f} ms, worker {leg.worker:.2f} ms, PostgreSQL {leg.postgres:.2f} ms"
        + (f"; FALSE: {leg.wrong}" if leg.wrong else "")
    )


async def _leg(it: Deployment, provider: HttpProvider, tokens: list[str], seconds: float) -> Leg:
    requests = [
        request(
            "/messages",
            {"Authorization": f"Bearer {tokens[number % len(tokens)]}", "Content-Type": "application/json"},
            _BODY,
        )
        for number in range(CLIENTS)
    ]
    postmaster = it.postgres.pid
    assert postmaster is not None
    db = await asyncpg.connect(it.url)
    await db.execute("TRUNCATE messages CASCADE")
    ours = 4
    channel = {"POSTERN_CHANNEL_SMS": provider.dsn(CASE.connections)}
    async with (
        it.serving(POSTERN_LIMIT_MESSAGES="1000000000/60", **channel) as (api, port),
        it.workers(1, **channel) as (worker,),
    ):
        await in_turns(port, requests, 1.0)  # connections and caches are warm
        await _sent(db)
        await db.execute("TRUNCATE messages CASCADE")
        await provider.reset()
        await asyncio.sleep(STATISTICS_SECONDS)
        counted = await transactions(db)
        before = (await usage(db, postmaster, [worker.pid]), await usage(db, postmaster, [api.pid]))
        answers = await in_turns(port, requests, seconds)
        ended = time.monotonic()
        ours += await _sent(db)
        late = time.monotonic() - ended
        used: list[Usage] = [
            await usage(db, postmaster, [pid]) - start
            for pid, start in zip((worker.pid, api.pid), before, strict=True)
        ]
    counted = await transactions(db) - counted - ours
    accepted = len(answers.times) - answers.failed
    received = await provider.received()
    twice_or_never = received.duplicates + abs(accepted - received.messages)
    wrong = answers.failed + int(await db.fetchval(_OTHERS)) + twice_or_never
    await db.close()
    if not accepted:
        raise RuntimeError("no message was accepted")
    return Leg(
        accepted / answers.took,
        answers.percentile(50),
        answers.percentile(95),
        late,
        counted / accepted,
        used[0].wal / accepted,
        used[1].workers / accepted * 1000,
        used[0].workers / accepted * 1000,
        used[0].postgres / accepted * 1000,
        wrong,
    )


async def _sent(db: asyncpg.Connection) -> int:
    """Waits until nothing is queued. Returns how often it has asked."""
    requests = 1
    async with asyncio.timeout(LONGEST):
        while await db.fetchval(_WAITING):
            requests += 1
            await asyncio.sleep(0.05)
    return requests

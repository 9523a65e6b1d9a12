"""Random chains against a scripted provider, under kill -9: what must hold is printed, and red otherwise.

`python -m tests.faults.message_chains [--chains 10000] [--kills 40] [--workers 2]`. The provider is a real HTTP server
that drops duplicates by their key. By the recipient it refuses a message, delivers it, reports that in time, too late,
twice, before its own answer or never, or reports a failure.
"""

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import aiohttp.web
import httpx

from channels.port import Receipt, Result
from core import logs
from core.settings import Settings
from engine.reports import report_writer
from postern.app import make_app
from runtime.services import Services
from tests.faults.world import LEASE, World, world
from tests.support.arguments import integer
from tests.support.deployment import KEYS, end_in_order
from tests.support.people import People, Person

PLANS = ("delivered", "delivered", "early", "twice", "late", "silent", "refused", "failed")
WITHIN = (5, 6, 8)
LATENESS = 2.0  # seconds within which a stored report may be overtaken by the beginning of a step
SENDERS = 16  # requests at once
BUSY = (
    409,
    429,
    503,
)  # the key is in use, the account is locked, or the database is: the same key again is safe
CREDIT = "100000"
_DSN = "post://127.0.0.1:{port}/send?scheme=http&timeout=5&connections=50&idempotent=1&receipts={secret}"
_SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5"

_LEFT = """
SELECT (SELECT count(*) FROM message_chains WHERE settled_at IS NULL)
  + (SELECT count(*) FROM chain_signals) + (SELECT count(*) FROM messages WHERE state IN ('queued', 'sending'))
"""
_STEPS = """
SELECT m.id::text, m.chain_id::text AS chain, m.step, m.state, m.price, m.created_at, m."to"
FROM messages AS m WHERE m.chain_id IS NOT NULL ORDER BY m.chain_id, m.step
"""
_CHAINS = """
SELECT c.id::text, jsonb_array_length(c.steps) AS steps, c.steps AS asked, c.settled_at, c.not_begun, c.failure_code,
  h.state, h.price FROM message_chains AS c JOIN messages AS h ON h.id = c.id
"""
_MONEY = """
SELECT (SELECT sum(balance) FROM accounts) AS balance, (SELECT sum(amount) FROM ledger_entries) AS ledger,
  (SELECT -COALESCE(sum(amount), 0) FROM ledger_entries WHERE kind <> 'credit') AS spent,
  (SELECT count(*) FROM (SELECT FROM ledger_entries WHERE kind <> 'credit' GROUP BY reference, kind, attempt
    HAVING count(*) > 1) AS twice) AS twice
"""


@dataclass
class Provider:
    """A server that does with a message what is planned for its recipient."""

    services: Services
    plans: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)  # keys
    effects: Counter[str] = field(default_factory=Counter)  # by the id of a step's message
    reports: set[asyncio.Task[None]] = field(default_factory=set)
    # When a delivery was stored. One that came before its message was known is stored with the message's outcome, after
    # a worker's death perhaps a lease later.
    reported: dict[str, datetime] = field(default_factory=dict)

    async def send(self, request: aiohttp.web.Request) -> aiohttp.web.Response:
        message = await request.json()
        plan = self.plans[message["to"]]
        if plan == "refused":
            return aiohttp.web.json_response({"code": "bad"}, status=422)
        if message["key"] not in self.seen:
            self.seen.add(message["key"])
            self.effects[message["id"]] += 1
            self._report(message, plan)
            if plan == "early":
                await asyncio.sleep(0.3)
        return aiohttp.web.json_response({"id": f"p{message['id']}"})

    def _report(self, message: Any, plan: str) -> None:
        result = Result.refused if plan == "failed" else Result.delivered
        delays = {
            "delivered": [random.uniform(0.05, 2)], "early": [0.0], "twice": [0.2, 1.0], "failed": [1.0],
            "late": [random.uniform(5, 12)],
        }.get(plan, [])  # fmt: skip
        for delay in delays:
            task = asyncio.create_task(self._later(message, result, delay))
            self.reports.add(task)
            task.add_done_callback(self.reports.discard)

    async def _later(self, message: Any, result: Result, delay: float) -> None:
        await asyncio.sleep(delay)
        receipt = Receipt(f"p{message['id']}", result)
        while True:
            try:
                async with self.services.db.reading() as db:
                    applied = await report_writer.receive_receipts(db, "post", [receipt], message["channel"])
                if applied.changed and result is Result.delivered:
                    self.reported[message["id"]] = datetime.now(UTC)
                return
            except Exception:  # the server reports until it is heard, as providers do
                await asyncio.sleep(0.2)


def random_chain(dice: random.Random, number: int, plans: dict[str, str]) -> dict[str, Any]:
    """Returns a chain whose recipients say what the provider does, and adds these plans."""
    steps: list[dict[str, Any]] = []
    for step in range(dice.randint(1, 4)):
        channel = dice.choice(["sms", "email"])
        to = f"+1415{number:05}{step:02}" if channel == "sms" else f"u{number}.{step}@example.com"
        plans[to] = dice.choice(PLANS)
        within = dice.choice(WITHIN)
        steps.append({"channel": channel, "to": to, "within": within, "until": "delivered"})
        if dice.random() < 0.15:
            steps[-1]["until"] = "accepted"
    return {"chain": steps, "body": f"Code {number}"}


async def create(person: Person, bodies: Sequence[Any]) -> list[str]:
    """Sends the chains, some with a key that is used twice at once. Returns their ids."""
    ids: list[str] = []
    waiting = iter(enumerate(bodies))

    async def sender() -> None:
        for number, body in waiting:
            headers = {"Idempotency-Key": f"chain-{number}"}
            calls = [person.rest("POST", "/messages", json=body, headers=headers)] * (1 + (number % 20 == 0))
            answers = [*await asyncio.gather(*calls)]
            while not (answers := [answer for answer in answers if answer.status_code not in BUSY]):
                await asyncio.sleep(0.2)
                answers = [await person.rest("POST", "/messages", json=body, headers=headers)]
            assert {answer.status_code for answer in answers} == {202}, answers[0].text
            ids.append(answers[0].json()["id"])

    await asyncio.gather(*(sender() for _ in range(SENDERS)))
    return ids


@dataclass
class Verdict:
    """Holds what was counted when all was over."""

    chains: int = 0
    steps: int = 0
    effects: int = 0
    states: Counter[str] = field(default_factory=Counter)
    beyond: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.chains} chains {dict(self.states)}, {self.steps} steps begun, {self.effects} effects;"
            f" beyond the rules {len(self.beyond)}, lost {len(self.lost)}, twice in a step {len(self.twice)},"
            f" wrong {len(self.wrong)} {[*self.beyond, *self.lost, *self.twice, *self.wrong][:5]}"
        )

    @property
    def good(self) -> bool:
        return not (self.beyond or self.lost or self.twice or self.wrong)


async def judge(services: Services, provider: Provider, ids: Sequence[str]) -> Verdict:
    """Compares what the provider took with the rules, and the money with the steps."""
    verdict = Verdict(chains=len(ids), effects=sum(provider.effects.values()))
    of_chain: defaultdict[str, dict[int, Any]] = defaultdict(dict)
    spent = Decimal()
    for row in await services.db.fetch(_STEPS):
        of_chain[row["chain"]][row["step"]] = row
        verdict.steps += 1
        kept = row["price"] if row["state"] not in ("failed", "canceled") else Decimal()
        spent += kept
        took = provider.effects[row["id"]]
        if took > 1:
            verdict.twice.append(row["id"])
        if row["state"] in ("sent", "delivered") and took == 0:
            verdict.lost.append(f"{row['id']} was not taken")
        if row["state"] == "canceled" and took:
            verdict.beyond.append(f"{row['id']} was canceled and taken")
    rows = {row["id"]: row for row in await services.db.fetch(_CHAINS)}
    if {*rows} != {*ids} or len(ids) != len({*ids}):
        verdict.lost.append(f"{len(rows)} chains of {len(ids)}")
    for id, chain in rows.items():
        verdict.states[chain["state"]] += 1
        _judge_chain(verdict, provider, chain, of_chain[id])
    money = await services.db.fetchrow(_MONEY)
    if money["balance"] != money["ledger"] or money["spent"] != spent or money["twice"]:
        verdict.wrong.append(f"money {dict(money)}, steps {spent}")
    if spent != sum(chain["price"] for chain in rows.values()):
        verdict.wrong.append("the prices of the heads")
    return verdict


def _judge_chain(verdict: Verdict, provider: Provider, chain: Any, steps: dict[int, Any]) -> None:
    id, asked = chain["id"], chain["asked"]
    if chain["settled_at"] is None:
        verdict.lost.append(f"{id} is not settled")
    # One that was accepted, and has failed since, has ended its chain too.
    reached = any(
        step["state"] == "delivered"
        or (asked[number - 1]["until"] == "accepted" and provider.effects[step["id"]] > 0)
        for number, step in steps.items()
    )
    if not reached and len(steps) < chain["steps"]:
        verdict.lost.append(f"{id} ended after {len(steps)} of {chain['steps']}")
    delivered = any(step["state"] == "delivered" for step in steps.values())
    if (chain["state"] == "delivered") is not delivered:
        verdict.wrong.append(f"{id} shows {chain['state']}")
    for number in range(2, len(steps) + 1):
        before, step = steps[number - 1], steps[number]
        seconds = (step["created_at"] - before["created_at"]).total_seconds()
        is_over = seconds >= asked[number - 2]["within"]
        has_failed = provider.plans[before["to"]] in ("refused", "failed") or before["state"] == "failed"
        if not is_over and not has_failed:
            verdict.beyond.append(f"{id} began step {number} after {seconds:.1f} s")
        for earlier in (steps[each] for each in range(1, number)):
            at = provider.reported.get(earlier["id"])
            if at is not None and (step["created_at"] - at).total_seconds() > LATENESS:
                verdict.beyond.append(f"{id} began step {number} though one was delivered")


async def run(it: World, *, chains: int, kills: int, workers: int, seed: int) -> Verdict:
    """Sends chains while workers are killed, and waits until all is over."""
    dice = random.Random(seed)
    settings = Settings(
        _env_file=None, db_string=it.url, redis_url=it.redis_url, data_dir=it.folder, limit_messages="1000000/60",
        channel_sms=_DSN.format(port=1, secret=_SECRET), channel_email=_DSN.format(port=1, secret=_SECRET), **KEYS,
    )  # fmt: skip
    app = make_app(settings)
    async with app.api.router.lifespan_context(app.api):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://postern.test") as client:
            person = await People(app.services, client).make(credit=CREDIT)
            provider = Provider(app.services)
            server = aiohttp.web.Application()
            server.router.add_post("/send", provider.send)
            runner = aiohttp.web.AppRunner(server)
            await runner.setup()
            site = aiohttp.web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            dsn = _DSN.format(port=runner.addresses[0][1], secret=_SECRET)
            environment = {
                "POSTERN_LEASE_SECONDS": str(LEASE), "POSTERN_CHANNEL_SMS": dsn, "POSTERN_CHANNEL_EMAIL": dsn,
                "POSTERN_LIMIT_MESSAGES": "1000000/60",
            }  # fmt: skip
            alive = [await it.start_worker("postern", "worker", **environment) for _ in range(workers)]
            bodies = [random_chain(dice, number, provider.plans) for number in range(chains)]
            creating = asyncio.create_task(create(person, bodies))
            for number in range(kills):
                await asyncio.sleep(dice.uniform(0.5, 2.5))
                victim = dice.choice(alive)
                victim.send_signal(signal.SIGKILL)
                await victim.wait()
                alive.remove(victim)
                alive.append(await it.start_worker("postern", "worker", **environment))
                print(f"killed {number + 1} of {kills}", flush=True)
            ids = await creating
            quiet = 0
            while quiet < 3:  # a report may come between two looks
                await asyncio.sleep(1)
                left = await app.services.db.fetchval(_LEFT) - len(await _heads(app.services))
                quiet = quiet + 1 if left == 0 and not provider.reports else 0
            await it.stop(*alive)
            verdict = await judge(app.services, provider, ids)
            await runner.cleanup()
            return verdict


async def _heads(services: Services) -> Sequence[UUID]:
    """Returns the heads that show a step that is not over, which counts itself."""
    rows = await services.db.fetch("SELECT id FROM messages WHERE step = 0 AND state = 'queued'")
    return [row["id"] for row in rows]


async def main() -> int:
    parse = argparse.ArgumentParser(prog="python -m tests.faults.message_chains")
    parse.add_argument("--chains", type=integer(10, 1_000_000), default=10_000)
    parse.add_argument("--kills", type=integer(0, 1000), default=40)
    parse.add_argument("--workers", type=integer(1, 16), default=2)
    parse.add_argument("--seed", type=int, default=random.randrange(10**6))
    asked = parse.parse_args()
    end_in_order()
    logs.configure("error", "json")
    print(f"seed {asked.seed}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="postern-chains-") as folder:
        async with world(Path(folder)) as it:
            verdict = await run(
                it, chains=asked.chains, kills=asked.kills, workers=asked.workers, seed=asked.seed
            )
    print(f"{asked.kills} kills, {time.monotonic() - begun:.0f} s: {verdict}")
    print("all of it holds" if verdict.good else json.dumps(verdict.beyond[:50]))
    return 0 if verdict.good else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except asyncio.CancelledError:
        sys.exit(130)

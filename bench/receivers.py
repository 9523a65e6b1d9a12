"""Mails to five providers of which one refuses the sender by its policy: what the others lose, and what a rule costs.

`python -m bench.receivers [--each 4000] [--workers 2] [--rounds 1]`: a project of `each` mails to each of five classes
of providers, through an SMTP server of this process over sockets, sent by worker processes.

alone       the four that take mails, and no fifth: what the others are compared with
refusing    the fifth refuses each mail (550 5.7.1, then 421 4.7.28): with a rule it is paused, its mails wait and go
            out when the pause is over, each once. The ratio of the processor's time says more on a busy machine
no rule     the same without a rule: as it was before there were rules

Then the cost: what one mail does more in a process without any rule, beside the time of a mail; and a rule that limits
nothing beside none, in alternating rounds.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import psutil

from bench.idle import postgres_of, processor_seconds
from core.ids import uuid7
from engine.projects.items import Item
from engine.receivers.admission import admission_of
from engine.sending.limits import Limits
from resolvers.receivers import lifting
from runtime.services import services
from tests.support.deployment import Deployment, deployment
from tests.support.receiving import BY_POLICY, SLOW_DOWN, Receiving, receiving

DOMAINS = ("gmail.com", "outlook.com", "yahoo.com", "icloud.com", "example.net")
REFUSING = DOMAINS[0]
ZERO = Decimal(0)
LIMIT = 900.0  # seconds that one run may take
_RULE = "INSERT INTO receiver_rules (id, domain, pauses) VALUES ($1, 'example.com', true)"


@dataclass
class Run:
    """Holds the results of one run."""

    seconds: float  # until the mails of the providers that take them were taken
    processor: float  # seconds that the workers and PostgreSQL took until then
    refused: int
    states: dict[str, int]
    waiting: dict[str | None, int]  # queued ones by failure code
    pauses: list[Any]


async def states(url: str, project: UUID) -> tuple[dict[str, int], dict[str | None, int]]:
    db = await asyncpg.connect(url)
    rows = await db.fetch(
        "SELECT status, failure_code, count(*) FROM message_records WHERE project_id = $1 GROUP BY 1, 2",
        project,
    )
    await db.close()
    found, codes = Counter[str](), Counter[str | None]()
    for row in rows:
        found[row["status"]] += row["count"]
        if row["status"] == "queued":
            codes[row["failure_code"]] += row["count"]
    return dict(found), dict(codes)


async def until(what: str, condition: Any) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():
            await asyncio.sleep(0.02)
    if what:
        print(f"  {what}", flush=True)


def forget(server: Receiving) -> None:
    server.taken.clear()
    server.times.clear()
    server.refused.clear()
    server.refuses.clear()


async def project(it: Deployment, owner: UUID, domains: tuple[str, ...], each: int) -> UUID:
    people = ((f"u{n}@{domain}", f"Name {n}", "{}") for n in range(each) for domain in domains)
    return await it.make_project(owner, "email", "Hello {{ name }}.", people, subject="Hi")


async def send(
    it: Deployment, server: Receiving, domains: tuple[str, ...], each: int, *, answer: str | None, rule: bool
) -> tuple[Run, UUID]:
    """Sends a project, and waits until the providers that take mails have theirs, and until the rest has an outcome."""
    forget(server)
    db = await asyncpg.connect(it.url)
    await db.execute("DELETE FROM receiver_pauses")
    await db.execute("DELETE FROM receiver_rules")
    if rule:
        await db.execute(_RULE, uuid7())
    owner = await it.owner()
    made = await project(it, owner, domains, each)
    if answer is not None:
        server.refuses[REFUSING] = answer
    taking = [domain for domain in domains if domain not in server.refuses]
    await asyncio.sleep(2.5)  # workers have read the rule
    processes = [postgres_of(it.folder), *(psutil.Process(child.pid) for child in it.children)]
    begun, processor = time.monotonic(), sum(map(processor_seconds, processes))
    await it.start_project(made)
    await until("", lambda: all(server.taken_by(domain) >= each for domain in taking))
    processor = sum(map(processor_seconds, processes)) - processor
    seconds = max(server.times[domain][-1] for domain in taking) - begun
    async with asyncio.timeout(LIMIT):
        while True:
            found, codes = await states(it.url, made)
            rest = sum(found.values()) - found.get("sent", 0) - found.get("failed", 0)
            if not rest or (rule and codes.get("receiver_paused", 0) == rest) or (answer and not rule):
                break
            await asyncio.sleep(0.2)
    pauses = await db.fetch(
        "SELECT domain, provider_class, until - now() AS left, answer FROM receiver_pauses"
    )
    await db.close()
    return Run(seconds, processor, server.refused[REFUSING], found, codes, pauses), made


async def after(it: Deployment, server: Receiving, made: UUID, each: int) -> None:
    """Ends the pause, as an administrator does, and waits until all mails are sent."""
    server.refuses.clear()
    begun = time.monotonic()
    async with services(it.settings) as opened, opened.db.transaction() as db:
        await db.execute("DELETE FROM receiver_pauses")
        await lifting.make_due(db, None)
    await until("", lambda: server.taken_by(REFUSING) >= each)
    async with asyncio.timeout(LIMIT):
        while (found := (await states(it.url, made))[0]) != {"sent": each * len(DOMAINS)}:
            await asyncio.sleep(0.2)
    twice = sum(count > 1 for count in server.taken.values())
    print(
        f"  after the pause, within {time.monotonic() - begun:.1f} s: {found}; taken twice {twice}",
        flush=True,
    )
    assert len(server.taken) == each * len(DOMAINS)
    assert not twice


async def steps(it: Deployment) -> float:
    """Returns the microseconds that a mail takes in what rules have added, without any rule."""

    async def admit(items: list[Item], count: int) -> None:
        for _ in range(count):
            whose = ((owner, "A <a@example.com>", item.to) for item in items)
            await admission.admit(items, whose)

    async with services(it.settings) as opened:
        admission, limits, owner = admission_of(opened), Limits(opened), uuid7()
        receivers = limits.receivers
        text: Any = None
        item: Any = Item(uuid7(), {"to": "u@gmail.com"}, 1, None, text, ZERO, ZERO, 0, 0, uncertain=False)
        await opened.db.fetchval("DELETE FROM receiver_rules")
        await receivers.refresh()
        rounds = 200_000
        begun = time.perf_counter()
        for _ in range(rounds):
            if item.receiver is not None:  # admits
                raise AssertionError
            receivers.wait(item.receiver)  # before the call
            if receivers.active:  # after it
                raise AssertionError
            if receivers.is_busy:
                raise AssertionError
        each = (time.perf_counter() - begun) / rounds
        group = [item] * 5
        begun = time.perf_counter()
        for _ in range(rounds // 10):
            receivers.split(group)
        each += (time.perf_counter() - begun) / (rounds // 10) / len(group)
        batch = [item] * 500
        begun = time.perf_counter()
        await admit(batch, 2_000)
        each += (time.perf_counter() - begun) / 2_000 / len(batch)
        return each * 1e6


async def main(arguments: argparse.Namespace) -> None:
    each, result = arguments.each, dict[str, Any]()
    async with receiving(arguments.delay) as server:
        dsn = f"smtp://127.0.0.1:{server.port}?from=news@example.com&starttls=off&pool=16"
        with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
            async with (
                deployment(Path(folder), channel_email=dsn) as it,
                it.workers(arguments.workers, POSTERN_CHANNEL_EMAIL=dsn),
            ):
                await send(it, server, DOMAINS[1:], max(each // 10, 50), answer=None, rule=False)  # warm
                for number in range(arguments.rounds):
                    print(f"round {number + 1}: {each:,} mails to each of {', '.join(DOMAINS)}", flush=True)
                    for answer in (BY_POLICY, SLOW_DOWN):
                        alone, _ = await send(it, server, DOMAINS[1:], each, answer=None, rule=True)
                        print(
                            f"  alone: {4 * each / alone.seconds:,.0f} mails/s of four providers", flush=True
                        )
                        run, made = await send(it, server, DOMAINS, each, answer=answer, rule=True)
                        ratio, spent = alone.seconds / run.seconds, alone.processor / run.processor
                        result.setdefault(answer[:3], []).append(ratio)
                        result.setdefault(f"{answer[:3]}, processor", []).append(spent)
                        print(
                            f"  {answer[:10]}: {4 * each / run.seconds:,.0f} mails/s of these four, ratio {ratio:.3f},"
                            f" of the processor {spent:.3f}; refused {run.refused}, {run.states},"
                            f" waiting {run.waiting}", flush=True
                        )  # fmt: skip
                        for row in run.pauses:
                            print(
                                f"  paused: {row['domain']} to {row['provider_class']}, {row['answer']}",
                                flush=True,
                            )
                        await after(it, server, made, each)
                    if arguments.before:
                        run, _ = await send(it, server, DOMAINS, each, answer=BY_POLICY, rule=False)
                        print(f"  550 without a rule: {4 * each / run.seconds:,.0f} mails/s, refused {run.refused},"
                              f" {run.states}", flush=True)  # fmt: skip
                cost = await steps(it)
                alone, _ = await send(it, server, DOMAINS[1:], each, answer=None, rule=False)
                mail = alone.seconds / (4 * each) * 1e6
                print(
                    f"without a rule a mail takes {cost:.2f} µs more, {cost / mail:.3%} of {mail:,.0f} µs",
                    flush=True,
                )
                ratios = []
                for _ in range(arguments.cost_rounds):
                    taken = {}
                    for rule in (False, True):
                        run, _ = await send(it, server, DOMAINS[1:], each, answer=None, rule=rule)
                        taken[rule] = run.seconds
                    ratios.append(taken[False] / taken[True])
                if ratios:
                    print(f"a rule that limits nothing beside none: ratio {statistics.median(ratios):.3f} of"
                          f" {[round(ratio, 3) for ratio in ratios]}", flush=True)  # fmt: skip
    print(json.dumps({name: round(statistics.median(ratios), 3) for name, ratios in result.items()}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=4_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--cost-rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.01)
    parser.add_argument("--before", action="store_true", help="also without a rule, as it was before")
    asyncio.run(main(parser.parse_args()))

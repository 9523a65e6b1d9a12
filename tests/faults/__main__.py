"""`make faults`: projects of 20,000 messages, 4 workers, every kind of fault; what must hold is printed, red otherwise.

`python -m tests.faults [--channel http] [--messages 2000]`. The channels are real servers in processes of their own:
HTTP that drops duplicates by their key and HTTP that doesn't, SMTP, SMPP, HTTP that hangs again and again (`hanging`);
and the sandbox, whose effects can't be seen from outside. Under fire a webhook, which refuses one request in a hundred
and is down at times, receives the events of all messages.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from engine.faultpoints import PROJECT_POINTS
from tests.faults.channels import HTTP, SANDBOX, SMPP, SMTP, Channel
from tests.faults.mutants import DELIVERERS, MUTANTS
from tests.faults.world import BREAKER, LEASE, Verdict, World, cut_off_later, world
from tests.support.arguments import integer
from tests.support.deployment import Process, end_in_order
from tests.support.tcp import Network
from tests.support.waits import freeze

KILLED, FROZEN, AHEAD = "worker killed", "worker frozen", "worker with a clock that is 25 hours ahead"
CUT_OFF = "worker cut off from PostgreSQL"
RESTARTED, WIPED, REDIS_HUNG = "PostgreSQL restarted", "Redis killed and wiped", "Redis hung"
HUNG, HUNG_AND_KILLED = "provider hung", "provider hung, worker killed meanwhile"
DOWN = "receiver of the webhook down"

ALL = {RESTARTED: 5, WIPED: 2, KILLED: 6, FROZEN: 4, CUT_OFF: 3, AHEAD: 2, REDIS_HUNG: 2, HUNG: 2, DOWN: 2}
HANGING = {HUNG: 4, HUNG_AND_KILLED: 3, RESTARTED: 1}
HANG_SECONDS = 15.0  # five of the routes' timeouts


@dataclass(frozen=True, slots=True)
class Fire:
    """Describes one run: a channel, whether its provider drops duplicates, and the faults."""

    title: str
    channel: Channel
    honours: bool
    faults: dict[str, int]
    trouble: bool = True  # the provider spoils some messages


FIRES = {
    "sandbox": [Fire("sandbox", SANDBOX, True, {kind: ALL[kind] for kind in ALL if kind != HUNG}, False)],
    "http": [
        Fire("HTTP that honours keys", HTTP, True, ALL),
        Fire("HTTP that ignores keys", HTTP, False, ALL),
    ],
    "smtp": [Fire("SMTP", SMTP, False, ALL)],
    "smpp": [Fire("SMPP", SMPP, False, ALL)],
    "hanging": [Fire("HTTP that hangs and ignores keys", HTTP, False, HANGING, False)],
}


async def burn(
    it: World, fire: Fire, workers: int, messages: int, dice: random.Random, mutant: str | None
) -> None:
    """Makes the faults, one after the other, while nine tenths of the messages are sent."""
    alive = [await it.worker(mutant) for _ in range(workers)]
    async with cut_off_later(it) as (network, settings):
        if CUT_OFF in fire.faults:  # a worker that no other fault ends
            await it.worker(mutant, **settings)
        await _burn(it, fire, alive, network, messages, dice, mutant)


async def _burn(
    it: World,
    fire: Fire,
    alive: list[Process],
    network: Network,
    messages: int,
    dice: random.Random,
    mutant: str | None,
) -> None:
    thawing: set[asyncio.Task[None]] = set()
    plan = list(Counter(fire.faults).elements())
    dice.shuffle(plan)
    for number, kind in enumerate(plan, 1):
        await it.taken(messages * 9 // 10 * number // len(plan))
        print(f"{number}/{len(plan)} {kind}", flush=True)
        if kind == RESTARTED:
            await asyncio.to_thread(it.postgres.kill)
            await asyncio.sleep(dice.uniform(0.1, 1.0))
            await asyncio.to_thread(it.postgres.ensure)
        elif kind == WIPED:
            await asyncio.to_thread(it.redis.kill)
            for left in it.folder.glob("redis/*.*"):
                if left.suffix in (".rdb", ".aof"):
                    left.unlink()
            await asyncio.to_thread(it.redis.ensure)
        elif kind == REDIS_HUNG:
            assert it.redis.pid
            await _hang(it.redis.pid, 6)
        elif kind == DOWN:
            it.receiver.send_signal(signal.SIGUSR1)
        elif kind == HUNG:
            it.concerned(len(alive), BREAKER)
            await _hang(it.server.pid, HANG_SECONDS)
        elif kind == HUNG_AND_KILLED:
            it.concerned(len(alive) + 1, BREAKER)
            hanging = asyncio.create_task(_hang(it.server.pid, HANG_SECONDS))
            await asyncio.sleep(HANG_SECONDS / 3)
            await _kill(it, alive, dice, mutant)
            await hanging
        elif kind == FROZEN:
            it.concerned()
            victim = dice.choice(alive)
            victim.send_signal(signal.SIGSTOP)
            thawing.add(asyncio.create_task(_thaw(victim)))
        elif kind == CUT_OFF:
            it.concerned()
            network.silence(new=True)
            thawing.add(asyncio.create_task(_restore(network)))
        else:
            it.concerned()
            await _kill(it, alive, dice, "clock_ahead" if kind == AHEAD else mutant)
    await asyncio.gather(*thawing)


async def _kill(it: World, alive: list[Process], dice: random.Random, mutant: str | None = None) -> None:
    """Kills a worker; another one comes in its place."""
    victim = dice.choice(alive)
    victim.kill()
    await victim.wait()
    alive.remove(victim)
    alive.append(await it.worker(mutant))


async def _hang(pid: int, seconds: float) -> None:
    """It keeps its connections, takes new ones, and answers nobody."""
    freeze(pid)
    await asyncio.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


async def _thaw(frozen: Process) -> None:
    """Waits two and a half leases, then thaws a frozen worker."""
    await asyncio.sleep(2.5 * LEASE)
    if frozen.returncode is None:
        frozen.send_signal(signal.SIGCONT)


async def _restore(network: Network) -> None:
    """Waits two and a half leases, then connects the worker again."""
    await asyncio.sleep(2.5 * LEASE)
    network.restore()


async def points(fire: Fire, messages: int, mutant: str | None) -> bool:
    """Runs each crash point on a small project."""
    good = True
    for point in PROJECT_POINTS:
        with tempfile.TemporaryDirectory(prefix="postern-faults-") as folder:
            async with world(Path(folder)) as it:
                await it.provider(honours=fire.honours, seed=1, trouble=0, channel=fire.channel)
                await it.start(messages)
                dying = await it.worker(mutant, FAULT_AT=point)
                assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL, point
                it.concerned()
                await it.worker(mutant)
                await it.quiet()
                verdict = await it.verdict()
                print(
                    f"{fire.title}, killed at {point:<14} {dict(verdict.states)} lost {verdict.lost} "
                    f"twice {verdict.twice}"
                    f" {verdict.problems or 'ok'}",
                    flush=True,
                )
                good &= not verdict.problems
    return good


async def under_fire(
    fire: Fire, workers: int, messages: int, seed: int, trouble: float, mutant: str | None
) -> bool:
    """Runs all the faults of one channel."""
    with tempfile.TemporaryDirectory(prefix="postern-faults-") as folder:
        async with world(Path(folder)) as it:
            begun = time.monotonic()
            spoiled = trouble if fire.trouble else 0.0
            await it.provider(honours=fire.honours, seed=seed, trouble=spoiled, channel=fire.channel)
            await it.start(messages, listens=True)
            await burn(it, fire, workers, messages, random.Random(seed), mutant)
            await it.quiet()
            await it.until_delivered()
            verdict = await it.verdict()
            _report(fire, it, verdict, time.monotonic() - begun)
            return not verdict.problems


def _report(fire: Fire, it: World, verdict: Verdict, seconds: float) -> None:
    print(f"\n{fire.title}, {seconds:.0f} s")
    print(", ".join(f"{count} × {kind}" for kind, count in fire.faults.items()))
    print(verdict)
    print(
        f"unknown {verdict.states['unknown']}, at most {it.unknown_at_most}; failed {verdict.states['failed']};"
        f" {it.in_flight} may have had an intent at the faults"
    )
    print("\n".join(verdict.problems) or "all of it holds", flush=True)


async def main() -> int:
    parse = argparse.ArgumentParser(prog="python -m tests.faults")
    parse.add_argument("--channel", choices=(*FIRES, "all"), default="all")
    parse.add_argument(
        "--messages", type=integer(200, 1_000_000), default=20_000, help="of a project under fire"
    )
    parse.add_argument("--workers", type=integer(1, 16), default=4)
    parse.add_argument("--seed", type=int, default=random.randrange(10**6))
    parse.add_argument(
        "--trouble", type=float, default=0.02, help="share of messages that the provider spoils, below 0.5"
    )
    parse.add_argument("--only", choices=("points", "fire"), help="one half of it")
    parse.add_argument(
        "--mutant",
        choices=sorted(MUTANTS),
        help="the crash points with a broken engine, or the fire with a broken deliverer: must be red",
    )
    arguments = parse.parse_args()
    if not 0 <= arguments.trouble < 0.5:
        parse.error("--trouble: a share from 0 to 0.5")
    end_in_order()
    print(f"seed {arguments.seed}")
    fires = [
        fire
        for name, of_channel in FIRES.items()
        if arguments.channel in (name, "all")
        for fire in of_channel
    ]
    good = True
    for fire in fires:
        mutant = arguments.mutant
        if arguments.only != "fire" and fire.faults is ALL and mutant not in DELIVERERS:
            good &= await points(fire, 600, mutant)
        if arguments.only != "points" and (mutant is None or mutant in DELIVERERS):
            good &= await under_fire(
                fire, arguments.workers, arguments.messages, arguments.seed, arguments.trouble, mutant
            )
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except asyncio.CancelledError:
        sys.exit(130)

"""`make faults`: 20,000 messages, 4 workers, every kind of fault; what must hold is printed, and red otherwise."""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from engine.faultpoints import PROJECT_POINTS
from tests.faults.world import CONNECTIONS, LEASE, World, world
from tests.support.waits import freeze

BREAKER = 10  # messages that may become unknown besides those in flight until the breaker of a route is open


async def fire(it: World, workers: int, messages: int, dice: random.Random) -> dict[str, int]:
    """Random faults until nine tenths are taken; how many of each kind."""
    counts = dict.fromkeys(
        (
            "worker killed",
            "worker frozen",
            "worker with a clock that is 25 hours ahead",
            "PostgreSQL restarted",
            "Redis killed and wiped",
            "Redis hung",
            "provider hung",
        ),
        0,
    )
    alive = [await it.worker() for _ in range(workers)]
    thawing: dict[asyncio.Task[None], asyncio.subprocess.Process] = {}
    plan = (
        ["PostgreSQL restarted"] * 5
        + ["Redis killed and wiped"] * 2
        + ["worker killed"] * 6
        + ["worker frozen"] * 4
        + ["worker with a clock that is 25 hours ahead"] * 2
        + ["Redis hung"] * 2
        + ["provider hung"] * 2
    )
    dice.shuffle(plan)
    for number, kind in enumerate(plan, 1):
        await it.taken(messages * 9 // 10 * number // len(plan))
        counts[kind] += 1
        print(f"{number}/{len(plan)} {kind}", flush=True)
        if kind == "PostgreSQL restarted":
            await asyncio.to_thread(it.postgres.kill)
            await asyncio.sleep(dice.uniform(0.1, 1.0))
            await asyncio.to_thread(it.postgres.ensure)
        elif kind == "Redis killed and wiped":
            await asyncio.to_thread(it.redis.kill)
            for left in it.folder.glob("redis/*.*"):
                if left.suffix in (".rdb", ".aof"):
                    left.unlink()
            await asyncio.to_thread(it.redis.ensure)
        elif kind == "Redis hung":
            await _hang(it.redis._process.pid, 6)
        elif kind == "provider hung":  # for five of its time-outs
            it.in_flight += CONNECTIONS * len(alive) + BREAKER
            await _hang(it.children[0].pid, 15)
        elif kind != "worker frozen":  # another one comes in its place
            victim = dice.choice(alive)
            it.in_flight += CONNECTIONS
            victim.kill()
            await victim.wait()
            alive.remove(victim)
            alive.append(await it.worker("clock_ahead" if "clock" in kind else None))
        else:
            victim = dice.choice(alive)
            it.in_flight += CONNECTIONS
            victim.send_signal(signal.SIGSTOP)
            thawing[asyncio.create_task(_thaw(victim))] = victim
    await asyncio.gather(*thawing)
    return counts


async def _hang(pid: int, seconds: float) -> None:
    """It keeps its connections, takes new ones, and answers nobody."""
    freeze(pid)
    await asyncio.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


async def _thaw(frozen: asyncio.subprocess.Process) -> None:
    """After its lease, and half of one more."""
    await asyncio.sleep(2.5 * LEASE)
    if frozen.returncode is None:
        frozen.send_signal(signal.SIGCONT)


async def points(messages: int) -> bool:
    """Each crash point, on a small project."""
    good = True
    for point in PROJECT_POINTS:
        with tempfile.TemporaryDirectory(prefix="postern-faults-") as folder:
            async with world(Path(folder)) as it:
                await it.provider(honours=True, seed=1, trouble=0)
                await it.start(messages)
                dying = await it.worker(FAULT_AT=point)
                assert await asyncio.wait_for(dying.wait(), 120) == -signal.SIGKILL, point
                await it.worker()
                await it.quiet()
                found = await it.verdict()
                print(
                    f"killed at {point:<14} {dict(found.states)} twice {found.twice} {found.problems or 'ok'}"
                )
                good &= not found.problems
    return good


async def main() -> int:
    parse = argparse.ArgumentParser(prog="python -m tests.faults")
    parse.add_argument("--messages", type=int, default=20_000)
    parse.add_argument("--workers", type=int, default=4)
    parse.add_argument("--seed", type=int, default=random.randrange(10**6))
    parse.add_argument(
        "--trouble", type=float, default=0.02, help="share of requests that the provider spoils"
    )
    parse.add_argument("--only", choices=("points", "fire"), help="one half of it")
    given = parse.parse_args()
    print(f"seed {given.seed}")
    good = given.only == "fire" or await points(600)
    for honours in (True, False) if given.only != "points" else ():
        with tempfile.TemporaryDirectory(prefix="postern-faults-") as folder:
            async with world(Path(folder)) as it:
                begun = time.monotonic()
                await it.provider(honours=honours, seed=given.seed, trouble=given.trouble)
                await it.start(given.messages)
                counts = await fire(it, given.workers, given.messages, random.Random(given.seed))
                await it.quiet()
                found = await it.verdict()
                print(
                    f"\na provider that {'honours' if honours else 'ignores'} the key, {time.monotonic() - begun:.0f} s"
                )
                print(", ".join(f"{count} × {kind}" for kind, count in counts.items()))
                print(found)
                print(f"unknown {found.states['unknown']}, in flight at the faults at most {it.in_flight}")
                print("\n".join(found.problems) or "all of it holds")
                good &= not found.problems
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

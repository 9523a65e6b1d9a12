"""`make bench-graphql`: the GraphQL door against three others, in one run, on one PostgreSQL, the same rows.

`python -m bench.graphql [--seconds 4] [--rounds 3] [--only list] [--without-postgraphile]`

Every server is one process. Where the machine has two processors, all servers share one of them, and
PostgreSQL, Redis and the load the other; only one server is asked at a time, in rounds, and each round gives
one ratio, so that what else the machine does meets all of them. What a server works for a request (its
processor's time) hardly depends on that at all. All must give the same answer first.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench import contest, postgraphile
from bench.gateway import login
from bench.load import Measured, drive
from core.installation import ROOT
from core.settings import Settings
from postern import operator
from postern.embedded import EmbeddedPostgres, EmbeddedRedis
from postern.process import prepare
from runtime.services import services

PORT = 3910
JSON = {"Content-Type": "application/json"}


class Unfair(Exception):
    """Two contestants give different answers, so none of their numbers would mean anything."""


@dataclass(slots=True)
class Contestant:
    name: str
    title: str
    port: int
    command: Sequence[str]
    environment: dict[str, str]
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    taken: list[Measured] = field(default_factory=list)  # one a round, of the query at hand
    worked: list[float] = field(default_factory=list)  # its processor's µs for a request, in each round
    pid: int = 0

    def path(self, query: contest.Query) -> str:
        return f"/{query.name}" if self.name == "handwritten" else "/graphql"


_PROCESSORS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
PINNED = len(_PROCESSORS) > 1


@contextmanager
def on_processor(number: int) -> Iterator[None]:
    """Keeps the processes that are started inside on that processor, if the system can do that and has two."""
    if not PINNED:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {_PROCESSORS[number]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@asynccontextmanager
async def serving(contestant: Contestant, folder: Path) -> AsyncIterator[None]:
    """Runs a contestant's server. Its log goes to a file, so that logging costs what it costs elsewhere."""
    log = folder / f"{contestant.name}.log"
    with log.open("wb") as output, on_processor(0):
        child = await asyncio.create_subprocess_exec(
            *contestant.command, cwd=ROOT, env={**os.environ, **contestant.environment}, stdout=output, stderr=output
        )  # fmt: skip
    try:
        async with httpx.AsyncClient() as client, asyncio.timeout(180):
            while True:
                if child.returncode is not None:
                    raise RuntimeError(f"{contestant.title} ended: {log.read_text()[-2000:]}")
                try:
                    await client.get(f"http://127.0.0.1:{contestant.port}/")
                    contestant.pid = child.pid
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
        yield
    finally:
        if child.returncode is None:
            child.terminate()
            try:
                await asyncio.wait_for(child.wait(), 15)
            except TimeoutError:
                child.kill()
                await child.wait()


def contestants(url: str, redis: str, folder: Path, owner: str, message: str) -> list[Contestant]:
    allowlist = folder / "allow.conf"
    allowlist.write_text("127.0.0.0/8\n")
    ours = {
        "DB_STRING": url, "REDIS_URL": redis, "POSTERN_SECRET_KEY": "s" * 32, "POSTERN_JWT_KEY": "j" * 32,
        "POSTERN_ACCESS_TOKEN_SECONDS": "86400", "IP_ALLOWLIST_FILE": str(allowlist),
        "IP_ALLOWLIST_MODE": "Enforce", "POSTERN_LIMIT_GRAPHQL": "1000000000/60", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    theirs = {"DB_STRING": url, "BENCH_OWNER": owner, "BENCH_MESSAGE": message, "PYTHONPATH": str(ROOT)}

    def postern(port: int) -> tuple[str, ...]:
        return (sys.executable, "-m", "postern", "serve", "--no-worker", "--port", str(port))

    def uvicorn(app: str, port: int) -> tuple[str, ...]:
        quiet = ("--no-access-log", "--log-level", "warning")
        return (sys.executable, "-m", "uvicorn", app, "--port", str(port), *quiet)

    return [
        Contestant("ours", "Postern", PORT, postern(PORT), ours),
        Contestant(
            "unplanned", "  without compiled plans", PORT + 1, postern(PORT + 1),
            {**ours, "POSTERN_GRAPHQL_PLANS": "false"},
        ),
        Contestant("stock", "Strawberry + SQLAlchemy", PORT + 2, uvicorn("bench.stock:app", PORT + 2), theirs),
        Contestant(
            "handwritten", "asyncpg + orjson by hand", PORT + 3, uvicorn("bench.handwritten:app", PORT + 3), theirs
        ),
    ]  # fmt: skip


# Answers


async def answer(contestant: Contestant, query: contest.Query, ids: dict[str, str]) -> Any:
    """Raises Unfair for anything but data."""
    async with httpx.AsyncClient() as client:
        response = await client.post(
            f"http://127.0.0.1:{contestant.port}{contestant.path(query)}",
            content=query.body(contestant.name, ids),
            headers=contestant.headers,
            timeout=30,
        )
    body = response.json()
    if response.status_code != 200 or "errors" in body or not body.get("data"):
        raise Unfair(f"{contestant.title.strip()} answers {query.name!r} with {response.text[:500]}")
    return contest.plain(body["data"])


async def agree(everybody: Sequence[Contestant], query: contest.Query, ids: dict[str, str]) -> None:
    """Raises Unfair unless all give the same, whole answer."""
    first, *others = everybody
    right = await answer(first, query, ids)
    if contest.leaves(right) != query.size:
        raise Unfair(f"{query.name!r} has {contest.leaves(right)} values, not {query.size}")
    for other in others:
        if problem := contest.difference(await answer(other, query, ids), right):
            raise Unfair(
                f"{other.title.strip()} and {first.title.strip()} differ in {query.name!r}: {problem}"
            )


# Measuring


async def measure(
    everybody: Sequence[Contestant], query: contest.Query, ids: dict[str, str], rounds: int, seconds: float
) -> None:
    await agree(everybody, query, ids)
    for contestant in everybody:
        contestant.taken.clear()
        contestant.worked.clear()
        await _drive(contestant, query, ids, 1.0)  # connections open, caches fill, V8 compiles
    for number in range(rounds):
        turn = number % len(everybody)
        for contestant in (*everybody[turn:], *everybody[:turn]):
            before = processor(contestant.pid)
            contestant.taken.append(await _drive(contestant, query, ids, seconds))
            contestant.worked.append(
                (processor(contestant.pid) - before) * 1e6 / max(1, contestant.taken[-1].per_second * seconds)
            )
    await agree(everybody, query, ids)  # nobody ran into a limit meanwhile
    _say(everybody, query)


async def _drive(
    contestant: Contestant, query: contest.Query, ids: dict[str, str], seconds: float
) -> Measured:
    return await drive(
        contestant.port, contestant.path(query), contestant.headers, seconds, query.body(contestant.name, ids)
    )


def processor(pid: int) -> float:
    """Seconds that a process has worked, where the system tells."""
    try:
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _say(everybody: Sequence[Contestant], query: contest.Query) -> None:
    ours = everybody[0]
    print(f"\n{query.name}: {query.title}")
    for contestant in everybody:
        speed = statistics.median(taken.per_second for taken in contestant.taken)
        late = statistics.median(taken.p99_ms for taken in contestant.taken)
        failed = sum(taken.failed for taken in contestant.taken)
        work = statistics.median(contestant.worked)
        line = (
            f"  {contestant.title:26} {speed:8,.0f}/s   p99 {late:6.1f} ms   works {work:6,.0f} µs a request"
        )
        if contestant is not ours:
            ratios = sorted(
                mine.per_second / other.per_second
                for mine, other in zip(ours.taken, contestant.taken, strict=True)
            )
            each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
            line += f"   ours is {statistics.median(ratios):5.2f} of it (rounds {each})"
            if (goal := query.goals.get(contestant.name)) is not None:
                reached = "reached" if statistics.median(ratios) >= goal else "NOT reached"
                line += f", goal {goal:g}: {reached}"
        print(line + (f", {failed} FAILED" if failed else ""), flush=True)


def _arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(prog="python -m bench.graphql")
    parse.add_argument("--seconds", type=int, default=4, help="of load, for each contestant in each round")
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--only", choices=[query.name for query in contest.QUERIES], help="one of the queries")
    parse.add_argument("--without-postgraphile", action="store_true")
    parse.add_argument("--hold", action="store_true", help="start and compare all, then wait: for a profiler")
    return parse.parse_args()


@contextmanager
def own_servers() -> Iterator[tuple[Path, str, str]]:
    """Runs PostgreSQL and Redis beside the load. Gives a folder for files, and their two addresses."""
    if not PINNED:
        print("Nothing is pinned to a processor here; the ratios say less.")
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as name, on_processor(1):
        folder = Path(name)
        with EmbeddedPostgres(folder) as postgres, EmbeddedRedis(folder) as redis:
            yield folder, postgres.url, redis.url


async def main(arguments: argparse.Namespace) -> None:
    node = None
    if not arguments.without_postgraphile:
        try:
            node = await asyncio.to_thread(postgraphile.install)
        except postgraphile.NotInstalled as why:
            print(f"PostGraphile is not compared: {why}")
    with own_servers() as (folder, url, redis):
        await _contest(arguments, folder, url, redis, node)


async def _contest(
    arguments: argparse.Namespace, folder: Path, url: str, redis: str, node: Path | None
) -> None:
    keys = {"secret_key": "s" * 32, "jwt_key": "j" * 32}
    settings = Settings(_env_file=None, db_string=url, redis_url=redis, **keys)
    await prepare(settings)
    async with services(settings) as opened:
        owner, other = [
            (await operator.create_user(opened, f"{who}@example.com", admin=False, password="bench bench")).id
            for who in ("bench", "other")
        ]
    message = await contest.fill(url, owner, other)
    variables = {"owner": str(owner), "id": str(message)}
    everybody = contestants(url, redis, folder, str(owner), str(message))
    if node is not None:
        everybody.append(
            Contestant(
                "postgraphile", "PostGraphile 5.1.5", PORT + 4, postgraphile.command(node, url, PORT + 4),
                {"NODE_ENV": "production", "GRAPHILE_ENV": "production"},
            )
        )  # fmt: skip
    async with AsyncExitStack() as stack:
        for contestant in everybody:
            await stack.enter_async_context(serving(contestant, folder))
        for contestant in everybody:
            if contestant.name in ("ours", "unplanned"):
                contestant.headers |= await login(contestant.port, "bench@example.com")
        for query in contest.QUERIES:
            if arguments.only in (None, query.name):
                await measure(everybody, query, variables, arguments.rounds, arguments.seconds)
        if arguments.hold:
            print(f"\n{everybody[0].headers}\n{variables}\nEnter ends it.")
            await asyncio.to_thread(input)


if __name__ == "__main__":
    try:
        asyncio.run(main(_arguments()))
    except Unfair as why:
        sys.exit(f"The contestants don't agree: {why}")

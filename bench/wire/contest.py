"""Runs a baseline and Postern alternately at the same provider, and prints what the medians are."""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import asyncpg
import orjson

from bench.wire.samples import SUBJECT, TEXT, recipient
from bench.wire.usage import Usage, transactions, usage
from tests.support.deployment import PIPE, Deployment, Process

LONGEST = 1800.0  # seconds of one run; what is not finished then is a failure
STATISTICS_SECONDS = 11.0  # an idle connection tells PostgreSQL within 10 s how many transactions it had
POLL = 0.05  # seconds between two looks at the project's status

_STATUS = "SELECT status FROM sending_projects WHERE id = $1"
_STATES = "SELECT status, count(*) FROM message_records WHERE project_id = $1 GROUP BY 1"


class Unavailable(Exception):
    """Something that a contest needs is not installed here; the message says what."""


@dataclass(frozen=True, slots=True)
class Received:
    """Holds what a provider has received since its last reset; times are seconds of the monotonic clock."""

    messages: int
    duplicates: int
    last: float


class Provider(Protocol):
    """A real server in a process of its own."""

    async def reset(self) -> None: ...

    async def received(self) -> Received: ...


@dataclass(frozen=True, slots=True)
class Baseline:
    """Holds the numbers of one run of a bare client."""

    rate: float  # messages a second
    cpu: float  # processor milliseconds a message


@dataclass(frozen=True, slots=True)
class Run:
    """Holds the numbers of one run of Postern."""

    received: float  # messages a second, from the start until the provider has them all
    finished: float  # messages a second, from the start until Postern is done
    transactions: float  # a message
    wal: float  # bytes a message
    worker: float  # processor milliseconds a message, of all workers
    postgres: float  # processor milliseconds a message
    false: dict[str, int] = field(default_factory=dict)  # messages that are not sent, by state
    duplicates: int = 0
    missing: int = 0  # messages that the provider has never received


@dataclass(frozen=True, slots=True)
class Row:
    """The medians of one contest, as the table at the end shows them."""

    title: str
    baseline: str
    bare: float
    ratio: float  # of the rates until Postern is done
    received_ratio: float  # of the rates until the provider has everything
    goal: float
    run: Run


@dataclass(frozen=True, slots=True)
class Readers:
    """Says who reads the events of the owner of a project."""

    feed: bool = False  # they are recorded
    webhook: tuple[str, int] | None = None  # an endpoint's URL, and how many a request brings at most
    sink: str | None = None  # the address of a broker


async def bare(it: Deployment, *words: str) -> Baseline:
    """Runs a baseline, which prints a line of JSON: `messages`, `seconds`, `cpu`."""
    child = await it.program(*words, output=PIPE)
    assert child.stdout is not None
    try:
        async with asyncio.timeout(LONGEST):
            report = orjson.loads(await child.stdout.readline() or b"{}")
        if not report:
            raise RuntimeError(f"the baseline failed: {' '.join(words[:4])}")
        return Baseline(report["messages"] / report["seconds"], report["cpu"] / report["messages"] * 1000)
    finally:
        await it.stop(child)


def python(*words: str) -> tuple[str, ...]:
    return (sys.executable, "-m", *words)


async def send_project(
    it: Deployment,
    provider: Provider,
    channel: str,
    dsn: str,
    count: int,
    workers: int = 1,
    *,
    readers: Readers = Readers(),
) -> Run:
    """Sends one project by new workers."""
    environment = {f"POSTERN_CHANNEL_{channel.upper()}": dsn}
    subject = SUBJECT if channel == "email" else None
    owner = await it.owner()
    recipients = (recipient(channel, number) for number in range(count))
    project = await it.make_project(owner, channel, TEXT, recipients, subject=subject)
    await provider.reset()
    if readers.feed:
        await it.record_events(owner)
    if readers.webhook is not None:
        await it.add_webhook(owner, *readers.webhook)
    if readers.sink is not None:
        await it.add_sink(owner, readers.sink)

    async def start() -> None:
        await it.start_project(project)

    async def finished(db: asyncpg.Connection) -> bool:
        return bool(await db.fetchval(_STATUS, project) == "finished")

    db = await asyncpg.connect(it.url)
    try:
        load = Load(provider, count, start, finished, workers, environment, project)
        return await measure(it, db, load)
    finally:
        await db.execute("DELETE FROM webhooks WHERE owner_id = $1", owner)
        await db.execute("DELETE FROM event_sinks WHERE owner_id = $1", owner)
        await db.close()


@dataclass(frozen=True, slots=True)
class Load:
    """Says what new workers send in a run: so many messages to a provider, from `start` until `finished`. Both of these
    use one transaction each time.
    """

    provider: Provider
    count: int
    start: Callable[[], Awaitable[None]]
    finished: Callable[[asyncpg.Connection], Awaitable[bool]]
    workers: int = 1
    environment: dict[str, str] = field(default_factory=dict)
    project: Any = None


async def measure(it: Deployment, db: asyncpg.Connection, load: Load) -> Run:
    """Measures new workers at this load."""
    ours = 4  # transactions of this function, besides those of the polls
    async with it.workers(load.workers, **load.environment) as children:
        await asyncio.sleep(STATISTICS_SECONDS)
        counted, before = await transactions(db), await _usage(it, db, children)
        begun = time.monotonic()
        await load.start()
        async with asyncio.timeout(LONGEST):
            while not await load.finished(db):
                ours += 1
                await asyncio.sleep(POLL)
        ended = time.monotonic()
        used = await _usage(it, db, children) - before
    counted = await transactions(db) - counted - ours
    received, count = await load.provider.received(), load.count
    rows = [] if load.project is None else await db.fetch(_STATES, load.project)
    states = {row["status"]: row["count"] for row in rows}
    return Run(
        count / (received.last - begun) if received.messages else 0.0,
        count / (ended - begun),
        max(counted, 0) / count,
        used.wal / count,
        used.workers / count * 1000,
        used.postgres / count * 1000,
        {state: number for state, number in states.items() if state not in ("sent", "delivered")},
        received.duplicates + max(0, received.messages - count),
        max(0, count - received.messages),
    )


async def _usage(it: Deployment, db: asyncpg.Connection, children: Sequence[Process]) -> Usage:
    postmaster = it.postgres.pid
    assert postmaster is not None
    return await usage(db, postmaster, [child.pid for child in children])


async def rounds(
    title: str,
    baselines: dict[str, tuple[float, Callable[[], Awaitable[Baseline]]]],
    ours: Callable[[], Awaitable[Run]],
    count: int,
) -> list[Row]:
    """Runs every baseline (its goal and what runs it, by name) and ours in turns, `count` times."""
    print(f"\n{title}", flush=True)
    bare_runs: dict[str, list[Baseline]] = {name: [] for name in baselines}
    runs: list[Run] = []
    for number in range(count):
        for name, (_, baseline) in baselines.items():
            taken = await baseline()
            bare_runs[name].append(taken)
            print(f"  round {number + 1}: {name:<22} {taken.rate:8,.0f}/s   {taken.cpu:.2f} ms", flush=True)
        runs.append(run := await ours())
        print(f"  round {number + 1}: {'Postern':<22} {describe(run)}", flush=True)
    table = []
    for name, (goal, _) in baselines.items():
        pairs = list(zip(runs, bare_runs[name], strict=True))
        ratios = [run.finished / other.rate for run, other in pairs]
        received = statistics.median(run.received / other.rate for run, other in pairs)
        rate = statistics.median(other.rate for other in bare_runs[name])
        table.append(Row(title, name, rate, statistics.median(ratios), received, goal, middle(runs)))
        each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"  Postern is {table[-1].ratio:.2f} of {name} (goal {goal}; rounds {each})", flush=True)
    return table


def describe(run: Run) -> str:
    wrong = [f"{number} {state}" for state, number in run.false.items()]
    wrong += [f"{run.duplicates} duplicates"] * bool(run.duplicates)
    wrong += [f"{run.missing} never received"] * bool(run.missing)
    return (
        f"{run.received:8,.0f}/s received, "
        f"{run.finished:,.0f}/s finished; a message: {run.transactions:.2f} transactions,"
        f" {run.wal:,.0f} B of WAL, worker {run.worker:.2f} ms, PostgreSQL {run.postgres:.2f} ms"
        + (f"; FALSE: {', '.join(wrong)}" if wrong else "")
    )


def middle(runs: Sequence[Run]) -> Run:
    """Returns the median of each number; what went wrong is added up."""
    numbers = ("received", "finished", "transactions", "wal", "worker", "postgres")
    medians = [statistics.median(getattr(run, name) for run in runs) for name in numbers]
    false: dict[str, int] = {}
    for run in runs:
        for state, number in run.false.items():
            false[state] = false.get(state, 0) + number
    return Run(*medians, false, sum(run.duplicates for run in runs), sum(run.missing for run in runs))


def table(rows: Sequence[Row]) -> None:
    """Prints all rows as a Markdown table."""
    print(
        "\n| | received/s | finished/s | baseline | baseline/s | ratio received | ratio finished | goal"
        " | transactions | WAL bytes | worker ms | PostgreSQL ms | false "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for row in rows:
        run = row.run
        false = sum(run.false.values()) + run.duplicates + run.missing
        print(
            f"| {row.title} | {run.received:,.0f} | {run.finished:,.0f} | {row.baseline} | {row.bare:,.0f}"
            f" | {row.received_ratio:.2f} | {row.ratio:.2f} | {row.goal:g} | {run.transactions:.2f} "
            f"| {run.wal:,.0f} | {run.worker:.2f}"
            f" | {run.postgres:.2f} | {false} |"
        )


async def line(child: Process, within: float = 30.0) -> str:
    """Returns the next line of a child's output. Raises Unavailable if it ended instead."""
    assert child.stdout is not None
    with suppress(TimeoutError):
        async with asyncio.timeout(within):
            if text := (await child.stdout.readline()).decode().strip():
                return text
    raise Unavailable("its server does not start")

"""Tells what so many messages a day need, from measured costs of one message: `python -m bench.simulate plan`.

`measure` measures the costs on this machine, over real sockets against an HTTP provider, and prints them as they stand
in COSTS below. `plan` computes which part of named hardware each resource uses at the busiest hour, and which saturates
first. `check` sends direct messages and a project at the same time, and compares the time with that of the model.
"""

import argparse
import asyncio
import math
import os
import sys
import tempfile
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import asyncpg
import psutil

from bench.idle import postgres_of, processor_seconds
from bench.wal import LOADS, UNLIMITED, Meter, Window, accept, all_sent, finished, sender
from bench.wire.http import http_provider
from bench.wire.samples import TEXT, recipient
from tests.support.arguments import integer
from tests.support.deployment import Deployment, deployment, end_in_order

MICRO = 1e6
_CONNECTIONS = 200  # of `check`, so that the provider with its 20 ms is not what saturates first
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one message: microseconds of a core in each part, bytes of WAL, bytes that stay."""

    api: float
    worker: float
    database: float
    around: float = 0.0  # of the benchmark itself: its client, and the provider
    wal: float = 0.0
    stored: float = 0.0


# Printed by `measure`, on a virtual machine of 2 cores.
COSTS = {
    "direct": Cost(373, 266, 444, 87, 3640, 1438),
    "direct with the feed": Cost(413, 293, 530, 99, 5377, 2807),
    "project": Cost(0, 216, 132, 50, 1710, 714),
    "project with the feed": Cost(0, 284, 227, 66, 3693, 1622),
}
RECIPIENT = Cost(0, 0, 4, 5, 511, 324)


@dataclass(frozen=True, slots=True)
class Hardware:
    """Machines: cores of PostgreSQL's, its disk, and the cores of those with API processes and workers."""

    name: str
    database_cores: int
    wal_megabytes: float  # a second that the disk sustains with its fsyncs
    disk_terabytes: float
    app_cores: int


HARDWARE = (
    Hardware("one machine of 2 cores, network disk", 1, 100, 0.25, 1),
    Hardware("one machine of 8 cores, NVMe", 4, 500, 1, 4),
    Hardware("PostgreSQL 16 cores, NVMe; 2 × 8 cores", 16, 800, 4, 16),
    Hardware("PostgreSQL 64 cores, 4 × NVMe; 8 × 16 cores", 64, 2000, 16, 128),
)


@dataclass(frozen=True, slots=True)
class Volume:
    """The traffic: messages a day, the share of projects' messages, of those that the feed records, and how many times
    the busiest hour has of a mean one. Messages are kept for so many days.
    """

    a_day: float
    of_projects: float = 0.8
    recorded: float = 0.5
    peak: float = 4.0
    days: int = 30

    def mean(self, name: str) -> float:
        """Returns a resource's mean cost of a message, its recipient included."""
        direct, direct_fed, project, project_fed, recipient = (
            getattr(cost, name) for cost in (*COSTS.values(), RECIPIENT)
        )
        return (1 - self.of_projects) * ((1 - self.recorded) * direct + self.recorded * direct_fed) + (
            self.of_projects * ((1 - self.recorded) * project + self.recorded * project_fed + recipient)
        )

    @property
    def peak_rate(self) -> float:
        """Returns the messages a second of the busiest hour."""
        return self.a_day / DAY * self.peak


def used(volume: Volume, hardware: Hardware) -> dict[str, float]:
    """Returns the part of each resource that is used: 1.0 is all of it. The disk's is that after `days`."""
    rate = volume.peak_rate / MICRO
    return {
        "PostgreSQL's cores": rate * volume.mean("database") / hardware.database_cores,
        "cores of API and workers": rate * (volume.mean("api") + volume.mean("worker")) / hardware.app_cores,
        "WAL": rate * volume.mean("wal") / hardware.wal_megabytes,
        "disk": volume.a_day * volume.days * volume.mean("stored") / (hardware.disk_terabytes * 1e12),
    }


def plan(volume: Volume) -> None:
    """Prints a table."""
    print(
        f"{volume.a_day:,.0f} messages a day, {volume.peak_rate:,.0f} a second in the busiest hour, "
        f"{volume.of_projects:.0%} of projects, {volume.recorded:.0%} with the feed, kept for {volume.days} days"
    )
    processes = {
        name: math.ceil(volume.peak_rate * volume.mean(name) / MICRO / 0.7) for name in ("api", "worker")
    }
    print(f"  API processes {processes['api']}, workers {processes['worker']}, each below 70 % of a core")
    for hardware in HARDWARE:
        parts = used(volume, hardware)
        first = max(parts, key=lambda name: parts[name])
        shares = ", ".join(f"{name} {part:.0%}" for name, part in parts.items())
        most = volume.a_day / parts[first]
        print(f"  {hardware.name}: {shares}; {first} first, at {most:,.0f} a day")


class _Costs(Meter):
    """Measures costs in place of printing what the database wrote."""

    def __init__(self, it: Deployment, db: asyncpg.Connection) -> None:
        super().__init__(it, db)
        self.found = list[tuple[str, Cost]]()
        self._before: dict[str, float] = {}
        self._after: dict[str, float] = {}

    def begin(self) -> None:
        self._before = _processor(self.it)

    def end(self) -> None:
        self._after = _processor(self.it)

    def report(self, window: Window) -> None:
        micro = {
            name: (self._after[name] - self._before.get(name, 0.0)) * MICRO / window.messages
            for name in self._after
        }
        wal = sum(each["bytes"] for each in window.sums.values()) / window.messages
        stored = sum(counts["size"] for counts in window.tables.values()) / window.messages
        self.found.append((window.title, Cost(**micro, wal=wal, stored=stored)))


def _processor(it: Deployment) -> dict[str, float]:
    """Returns the processor time that each part has used."""
    seconds = {"api": 0.0, "worker": 0.0, "database": processor_seconds(postgres_of(it.folder))}
    own = psutil.Process().cpu_times()
    seconds["around"] = own.user + own.system
    for child in it.children:
        if child.returncode is None:
            process = psutil.Process(child.pid)
            words = process.cmdline()
            part = "worker" if "worker" in words else "api" if "serve" in words else "around"
            seconds[part] += processor_seconds(process)
    return seconds


async def measure(count: int) -> None:
    """Prints the costs."""
    end_in_order()
    for load in LOADS.values():
        for feed in (False, True):
            with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
                async with deployment(Path(folder)) as it, http_provider(it, "--latency", "20") as provider:
                    db = await asyncpg.connect(it.url)
                    meter = _Costs(it, db)
                    await load(it, meter, provider, count, feed=feed)
                    await db.close()
            for title, cost in meter.found:
                values = ", ".join(f"{value:.0f}" for value in astuple(cost))
                print(
                    f"{title}: Cost({values})  # {', '.join(each.name for each in fields(Cost))}", flush=True
                )


async def check(count: int) -> int:
    """Sends so many messages of each kind at the same time, and compares. Returns the exit code."""
    end_in_order()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        async with deployment(Path(folder)) as it, http_provider(it, "--latency", "20") as provider:
            db = await asyncpg.connect(it.url)
            owner, token = await it.owner(), await sender(it, feed=False)
            project = await it.make_project(owner, "sms", TEXT, (recipient("sms", n) for n in range(count)))
            channel = {"POSTERN_CHANNEL_SMS": provider.dsn(_CONNECTIONS)}
            async with it.serving(**UNLIMITED, **channel) as (_, port), it.workers(1, **channel):
                begun = time.perf_counter()
                await it.start_project(project)
                accepted = await accept(port, token, count)
                await finished(db, project)
                await all_sent(db)
                took = time.perf_counter() - begun
            await db.close()
    parts = [
        [each / MICRO * number for each in astuple(COSTS[name])[:4]]
        for name, number in (("direct", accepted), ("project", count))
    ]
    of_part = [sum(each) for each in zip(*parts, strict=True)]
    # Each process of ours has one core at most; the machine's cores are shared by all.
    expected = max(sum(of_part) / (os.cpu_count() or 1), of_part[0], of_part[1])
    off = took / expected - 1
    print(
        f"{accepted:,} direct messages and {count:,} of a project: {took:.1f} s, by the model {expected:.1f} s "
        f"({off:+.0%}, goal within 20 %)"
    )
    return 0 if abs(off) <= 0.2 else 1


def _main() -> int:
    parse = argparse.ArgumentParser(prog="python -m bench.simulate")
    commands = parse.add_subparsers(dest="command", required=True)
    for name in ("measure", "check"):
        commands.add_parser(name).add_argument("--messages", type=integer(100, 100_000), default=10_000)
    planning = commands.add_parser("plan")
    planning.add_argument("--a-day", type=float, nargs="*", default=[1e6, 1e7, 1e8])
    planning.add_argument("--of-projects", type=float, default=0.8, help="the share of projects' messages")
    planning.add_argument("--recorded", type=float, default=0.5, help="the share that event feeds record")
    planning.add_argument("--peak", type=float, default=4.0, help="the busiest hour, of a mean one")
    planning.add_argument("--days", type=int, default=30, help="that messages are kept")
    asked = parse.parse_args()
    if asked.command == "measure":
        asyncio.run(measure(asked.messages))
    elif asked.command == "check":
        return asyncio.run(check(asked.messages))
    else:
        for a_day in asked.a_day:
            plan(Volume(a_day, asked.of_projects, asked.recorded, asked.peak, asked.days))
    return 0


if __name__ == "__main__":
    sys.exit(_main())

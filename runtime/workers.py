"""The counters of workers and whether they are alive, shared through Redis, since a worker has no port of its own.

Each worker adds what it has counted since its last report to one hash that all workers share, and renews a key that
says that it is alive; an API process shows the sums and the living workers in `/metrics`. While Redis is unreachable
a worker keeps its numbers and adds them later. If Redis is emptied, the sums begin at zero, which Prometheus treats
as a restart.

    worker:sums         hash: a sample, as JSON `[name, labels]` → its value
    worker:names        set: workers that were alive recently
    worker:alive:NAME   JSON of `Heartbeat`, for ALIVE_SECONDS; NAME is `host:pid`
    worker:told:NAME    the number of that worker's last report
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric

from core.metrics import WORKERS
from core.store import DOWN, Store, is_full

log = structlog.get_logger("postern.workers")

REPORT_SECONDS = 5.0
ALIVE_SECONDS = 16  # three reports may fail
READ_SECONDS = 1.0  # bounds the reading of the sums, because Prometheus waits for it

WORKER = "worker"
"""The role of a process that sends; `smtpd` is another one, which keeps keys of its own beside the same sums."""

_SUMS, _NAMES = "worker:sums", "{}:names"

# A report whose response was lost is repeated under the same number, and added only once.
_REPORT = """
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3])
if redis.call('GET', KEYS[2]) == ARGV[4] then return 0 end
for place = 5, #ARGV, 2 do redis.call('HINCRBYFLOAT', KEYS[4], ARGV[place], ARGV[place + 1]) end
redis.call('SET', KEYS[2], ARGV[4], 'EX', 86400)
return 1
"""

Key = tuple[str, tuple[tuple[str, str], ...]]
"""Name and labels of a sample."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A worker that has reported in the last ALIVE_SECONDS. Times in seconds of the Unix epoch."""

    name: str
    started: float
    at: float
    handed: int  # messages dispatched to providers since it started


@dataclass(frozen=True, slots=True)
class WorkerReports:
    """All that workers have reported."""

    families: Sequence[Metric]
    alive: Sequence[Heartbeat]


class Reporter:
    """Reports the counters of this worker."""

    def __init__(
        self,
        store: Store,
        name: str,
        registry: CollectorRegistry = WORKERS,
        clock: Callable[[], float] = time.time,
        role: str = WORKER,
    ) -> None:
        """`clock` returns Unix time in seconds; a worker passes the database's, which the readers use too. `role`: the
        kind of its process, whose living ones have names of their own.
        """
        self._store, self._name, self._registry, self._role = store, name, registry, role
        self._script = store.script(_REPORT)
        self._clock = clock
        self._started = clock()
        # What was counted before belongs to an earlier Reporter of this process; there is only one at a time.
        self._before: dict[Key, float] = dict(_samples(registry))
        self._handed_before = _handed(self._before)
        self._waiting: tuple[int, dict[Key, float]] | None = None
        self._number = 0

    async def run(self) -> None:
        """Reports regularly until it is cancelled."""
        while True:
            await self.report()
            await asyncio.sleep(REPORT_SECONDS)

    async def report(self) -> bool:
        """Reports once. Returns whether Redis has taken the report; if not, the next call repeats it."""
        now = dict(_samples(self._registry))
        if self._waiting is None:
            self._number += 1
            self._waiting = self._number, _changes(self._before, now)
            self._before = now
        number, changes = self._waiting
        alive = {"started": self._started, "at": self._clock(), "handed": _handed(now) - self._handed_before}
        keys = [
            f"{self._role}:alive:{self._name}",
            f"{self._role}:told:{self._name}",
            _NAMES.format(self._role),
            _SUMS,
        ]
        # Another process can get the same name later, in a restarted container for example: hence the start time.
        args: list[Any] = [orjson.dumps(alive), ALIVE_SECONDS, self._name, f"{self._started}:{number}"]
        for (name, labels), value in changes.items():
            args += [orjson.dumps([name, dict(labels)]), repr(value)]
        taken = await self._store.attempt(lambda _: self._script(keys=keys, args=args), None)
        if taken is None:
            return False
        self._waiting = None
        return True

    async def close(self) -> None:
        """Reports the rest, and that this worker has ended. Takes a bounded time, even if Redis is unreachable."""
        try:
            async with asyncio.timeout(2 * READ_SECONDS):
                # The first report may be an old one that was repeated; the second has what was counted since.
                if await self.report():
                    await self.report()
                await self._store.attempt(self._leave, None)
        except TimeoutError:
            log.warning("redis is away; the last counts of this worker are lost", worker=self._name)

    async def _leave(self, client: Any) -> None:
        async with client.pipeline(transaction=True) as pipe:
            pipe.delete(f"{self._role}:alive:{self._name}", f"{self._role}:told:{self._name}")
            pipe.srem(_NAMES.format(self._role), self._name)
            await pipe.execute()


async def seen(store: Store, registry: CollectorRegistry = WORKERS) -> WorkerReports | None:
    """Returns what workers have reported; None if Redis doesn't answer within READ_SECONDS."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            return await store.attempt(lambda client: _read(client, registry), None)
    except TimeoutError:
        return None


async def living(store: Store, role: str = WORKER) -> list[Heartbeat]:
    """Returns the processes of a role that are alive. Raises the errors of `core.store.DOWN`."""
    return await _living(store.client, role)


async def _read(client: Any, registry: CollectorRegistry) -> WorkerReports:
    sums = {_key(field): float(value) for field, value in (await client.hgetall(_SUMS)).items()}
    return WorkerReports(_families(registry, sums), await _living(client))


async def _living(client: Any, role: str = WORKER) -> list[Heartbeat]:
    names = sorted(name.decode() for name in await client.smembers(_NAMES.format(role)))
    if not names:
        return []
    reports = await client.mget([f"{role}:alive:{name}" for name in names])
    if gone := [name for name, report in zip(names, reports, strict=True) if report is None]:
        try:  # a worker that is back adds its name within REPORT_SECONDS
            await client.srem(_NAMES.format(role), *gone)
        except DOWN as error:
            if not is_full(error):  # then it refuses even this, if the disk of its files is full
                raise
    return [
        Heartbeat(name, **orjson.loads(report)) for name, report in zip(names, reports, strict=True) if report
    ]


def _samples(registry: CollectorRegistry) -> Iterator[tuple[Key, float]]:
    for family in registry.collect():
        for sample in family.samples:
            if not sample.name.endswith("_created"):
                yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value


def _changes(before: Mapping[Key, float], now: Mapping[Key, float]) -> dict[Key, float]:
    """Returns what was added to each sample. Of a changed histogram it has all buckets, since none may be missing."""
    grown = {key: value - before.get(key, 0.0) for key, value in now.items()}
    changed = {_series(key) for key, value in grown.items() if value}
    return {key: value for key, value in grown.items() if _series(key) in changed}


def _series(key: Key) -> tuple[str, tuple[tuple[str, str], ...]]:
    name, labels = key
    for part in ("_bucket", "_count", "_sum"):
        name = name.removesuffix(part)
    return name, tuple(label for label in labels if label[0] != "le")


def _handed(samples: Mapping[Key, float]) -> int:
    return int(sum(value for (name, _), value in samples.items() if name == "postern_handovers_total"))


def _key(field: bytes) -> Key:
    name, labels = orjson.loads(field)
    return name, tuple(sorted(labels.items()))


def _families(registry: CollectorRegistry, sums: Mapping[Key, float]) -> list[Metric]:
    """Returns the sums with the names and descriptions of this release's counters."""
    families = []
    for metric in registry.collect():
        family = Metric(metric.name, metric.documentation, metric.type)
        for name, labels in sorted(
            (key for key in sums if _series(key)[0] in _names(metric.name)), key=_order
        ):
            family.add_sample(name, dict(labels), sums[name, labels])
        families.append(family)
    return families


def _names(family: str) -> Iterable[str]:
    return (family, f"{family}_total")


def _order(key: Key) -> tuple[Any, ...]:
    """Sorts by series, its buckets by their bound, then count and sum."""
    name, labels = key
    bound = next((float(value) for label, value in labels if label == "le"), float("inf"))
    return _series(key)[1], bound, name


__all__ = ["ALIVE_SECONDS", "DOWN", "Heartbeat", "Reporter", "WorkerReports", "living", "seen"]

"""What workers count, and that they are alive: told through Redis, since a worker has no port of its own.

Each worker adds what it has counted since the last time to one hash that all share, and renews a key that
says that it lives; an API process shows the sums and the living in `/metrics`. While Redis is away a worker
keeps its numbers and adds them later. A Redis that was wiped begins at zero, which Prometheus takes for a
restart.

    worker:sums         hash: a sample, as JSON `[name, labels]` → its value
    worker:names        set: workers that were alive lately
    worker:alive:NAME   JSON of `Alive`, for ALIVE_SECONDS; NAME is `host:pid`
    worker:told:NAME    the number of that worker's last telling
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

from postern.metrics import WORKERS
from postern.store import DOWN, Store

log = structlog.get_logger("postern.workers")

TELL_SECONDS = 5.0
ALIVE_SECONDS = 16  # three tellings may fail
READ_SECONDS = 1.0  # that reading may take; Prometheus waits for it

_SUMS, _NAMES = "worker:sums", "worker:names"

# A telling whose answer was lost is told again under the same number, and added once.
_TELL = """
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
class Alive:
    """A worker that has told of itself in the last ALIVE_SECONDS. Times in seconds of the Unix epoch."""

    name: str
    started: float
    at: float
    handed: int  # messages handed to providers since it started


@dataclass(frozen=True, slots=True)
class Seen:
    """All that workers have told."""

    families: Sequence[Metric]
    alive: Sequence[Alive]


class Teller:
    """A worker's side."""

    def __init__(
        self,
        store: Store,
        name: str,
        registry: CollectorRegistry = WORKERS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` tells seconds of the Unix epoch; a worker gives the database's, which others read it by."""
        self._store, self._name, self._registry = store, name, registry
        self._script = store.script(_TELL)
        self._clock = clock
        self._started = clock()
        # What this process counted before is another Teller's; two at once are not meant.
        self._before: dict[Key, float] = dict(_samples(registry))
        self._handed_before = _handed(self._before)
        self._waiting: tuple[int, dict[Key, float]] | None = None
        self._number = 0

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await self.tell()
            await asyncio.sleep(TELL_SECONDS)

    async def tell(self) -> bool:
        """Whether Redis has taken it. Nothing is lost when it hasn't."""
        now = dict(_samples(self._registry))
        if self._waiting is None:
            self._number += 1
            self._waiting = self._number, _changes(self._before, now)
            self._before = now
        number, changes = self._waiting
        alive = {"started": self._started, "at": self._clock(), "handed": _handed(now) - self._handed_before}
        keys = [f"worker:alive:{self._name}", f"worker:told:{self._name}", _NAMES, _SUMS]
        # Another process may get our name one day, of a restarted container for example: hence the start.
        args: list[Any] = [orjson.dumps(alive), ALIVE_SECONDS, self._name, f"{self._started}:{number}"]
        for (name, labels), value in changes.items():
            args += [orjson.dumps([name, dict(labels)]), repr(value)]
        taken = await self._store.attempt(lambda _: self._script(keys=keys, args=args), None)
        if taken is None:
            return False
        self._waiting = None
        return True

    async def close(self) -> None:
        """Tells what is left, and that this worker lives no more. Bounded, whether Redis is there or not."""
        try:
            async with asyncio.timeout(2 * READ_SECONDS):
                # The first telling may be an old one that waited; what was counted since goes with the second.
                if await self.tell():
                    await self.tell()
                await self._store.attempt(self._leave, None)
        except TimeoutError:
            log.warning("redis is away; the last counts of this worker are lost", worker=self._name)

    async def _leave(self, client: Any) -> None:
        async with client.pipeline(transaction=True) as pipe:
            pipe.delete(f"worker:alive:{self._name}", f"worker:told:{self._name}")
            pipe.srem(_NAMES, self._name)
            await pipe.execute()


async def seen(store: Store, registry: CollectorRegistry = WORKERS) -> Seen | None:
    """What workers have told; None while Redis doesn't answer within READ_SECONDS."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            return await store.attempt(lambda client: _read(client, registry), None)
    except TimeoutError:
        return None


async def living(store: Store) -> list[Alive]:
    """Raises what a Redis raises that is away (`postern.store.DOWN`)."""
    return await _living(store.client)


async def _read(client: Any, registry: CollectorRegistry) -> Seen:
    sums = {_key(field): float(value) for field, value in (await client.hgetall(_SUMS)).items()}
    return Seen(_families(registry, sums), await _living(client))


async def _living(client: Any) -> list[Alive]:
    names = sorted(name.decode() for name in await client.smembers(_NAMES))
    if not names:
        return []
    told = await client.mget([f"worker:alive:{name}" for name in names])
    if gone := [name for name, facts in zip(names, told, strict=True) if facts is None]:
        await client.srem(_NAMES, *gone)  # one that is back tells so within TELL_SECONDS
    return [Alive(name, **orjson.loads(facts)) for name, facts in zip(names, told, strict=True) if facts]


def _samples(registry: CollectorRegistry) -> Iterator[tuple[Key, float]]:
    for family in registry.collect():
        for sample in family.samples:
            if not sample.name.endswith("_created"):
                yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value


def _changes(before: Mapping[Key, float], now: Mapping[Key, float]) -> dict[Key, float]:
    """What was added, by sample; of a histogram that changed all buckets, since none may be missing."""
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
    """The sums under the names and descriptions that the counters have in this release."""
    families = []
    for known in registry.collect():
        family = Metric(known.name, known.documentation, known.type)
        for name, labels in sorted(
            (key for key in sums if _series(key)[0] in _names(known.name)), key=_order
        ):
            family.add_sample(name, dict(labels), sums[name, labels])
        families.append(family)
    return families


def _names(family: str) -> Iterable[str]:
    return (family, f"{family}_total")


def _order(key: Key) -> tuple[Any, ...]:
    """By series; its buckets by their bound, then count and sum."""
    name, labels = key
    bound = next((float(value) for label, value in labels if label == "le"), float("inf"))
    return _series(key)[1], bound, name


__all__ = ["ALIVE_SECONDS", "DOWN", "Alive", "Seen", "Teller", "living", "seen"]

"""One history: a seed draws what happens, the sending core runs through it, and what must hold is checked."""

import asyncio
import gc
import random as global_dice
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

from core.clock import CLOCK
from tests.simulation import quiet
from tests.simulation.connections import Fate
from tests.simulation.loop import Spins, virtual
from tests.simulation.provider import MOODS, Phase, Provider
from tests.simulation.store import Row, Store, Violation
from tests.simulation.worker import Worker

HORIZON = 25 * 3600.0
"""Virtual seconds after which nothing may wait: a provider is asked about an uncertain message for 24 hours."""
STOP_SECONDS = 300.0  # a stop lasts no longer, once everything is well
MOST_STEPS = 400_000
_SETTLED = (
    90.0  # virtual seconds after the last outcome in which claims, calls and reports come to their ends
)
_FAULTS = (Fate.before, Fate.after, Fate.silent, Fate.late, Fate.slow)


@dataclass(slots=True)
class Result:
    """The end of a history."""

    seed: int
    violations: list[str] = field(default_factory=list)
    messages: int = 0
    hours: float = 0.0
    states: dict[str, int] = field(default_factory=dict)
    trace: list[str] = field(default_factory=list)


class History:
    """One history."""

    def __init__(self, seed: int, loop: Any, *, traced: bool = False) -> None:
        self.random = random = Random(seed)
        global_dice.seed(seed)  # those of the core and of tenacity
        self.loop, self.result = loop, Result(seed)
        self.store = Store()
        self.traced = traced
        self.begun = loop.time()
        # Until then providers, the database and workers fail.
        self.calm = self.begun + random.choice((0.0, 2.0, 10.0, 30.0, 60.0, 120.0, 600.0))
        if random.random() < 0.003:
            self.calm = self.begun + random.choice((6, 23.5)) * 3600
        self.fault_share = random.choice((0.0, 0.0, 0.02, 0.1, 0.3))
        self.faults = tuple(random.sample(_FAULTS, random.randint(1, len(_FAULTS))))
        self.disturbed = False  # a worker has died, or the database has failed, so that a claim may be left
        self.accepted: dict[UUID, dict[str, int]] = {}
        self.groups: list[UUID | None] = random.choice(
            ([None], [None], [UUID(int=1)], [None, UUID(int=1)], [UUID(int=1), UUID(int=2)])
        )
        self.providers = [self._provider(f"sms-{number}") for number in range(random.choice((1, 1, 2)))]
        self.workers: list[Worker] = []
        self.numbers = 0
        self.away: dict[str, float] = {}  # until when a worker does not reach the database
        self.final = asyncio.Event()
        self.store.changed += [self._changed]
        self.plan: list[tuple[float, Callable[[], Any]]] = []

    def _provider(self, name: str) -> Provider:
        random = self.random
        phases, at = [], self.begun
        moods = random.sample(MOODS, random.randint(1, 3))
        while at < self.calm:
            at += random.expovariate(1 / max((self.calm - self.begun) / 4, 0.5))
            phases.append(Phase(min(at, self.calm), random.choice((*moods, "well"))))
        return Provider(
            name, random.choice((1, 2, 3, 5, 8)), random.random() < 0.5, random.choice((0.005, 0.05, 0.4)), phases,
            random.choice((None, None, None, 1, 3)), random, self.store, random.choice((0.0, 0.5)), self.accepted,
        )  # fmt: skip

    def _trace(self, *words: Any) -> None:
        if self.traced:
            self.result.trace.append(f"{self.loop.time() - self.begun:11.4f}  {' '.join(map(str, words))}")

    def _fate(self, worker: Worker) -> Fate:
        now = self.loop.time()
        if now < self.away.get(worker.name, 0.0):
            self.disturbed = True
            return self.random.choice((Fate.before, Fate.silent))
        if now < self.calm and self.fault_share and self.random.random() < self.fault_share:
            self.disturbed = True
            return self.random.choice(self.faults)
        return Fate.well

    def _changed(self) -> None:
        if Violation.found or self._all_final():
            self.final.set()
        for worker in self.workers:
            worker.wake()

    # what happens

    def _at(self, share: float, event: Callable[[], Any]) -> None:
        """Plans an event at a time before the calm, at a share of histories."""
        if self.random.random() < share:
            self.plan.append((self.begun + self.random.random() * (self.calm - self.begun), event))

    def _draw(self) -> None:
        random, now = self.random, CLOCK.wall()
        count = random.choice((1, 2, 3, 5, 8, 13))
        late = self.random.choice((0.0, 0.0, 1.0, 60.0))
        for number in range(1, count + 1):
            created = now + late * random.random()
            row = Row(UUID(int=number), random.choice(self.groups), created, created)
            row.poison, row.invalid = random.random() < 0.004, random.random() < 0.05
            self.store.rows[row.id] = row
            if created > now:
                self.loop.call_later(created - now, self._changed)
        for _ in range(3):
            self._at(0.25, self._kill)
            self._at(0.15, self._stop)
            self._at(0.05, self._cancel)
            self._at(0.2, self._lose_database)
            self._at(0.1, self._switch_off)
            self._at(0.2, self._share)
            self._at(0.3, self._cancel_message)
        self.plan.sort(key=lambda entry: entry[0])

    def _start(self) -> None:
        self.numbers += 1
        name = f"w{self.numbers}"
        worker = Worker(
            name, self.store, self.providers, self.random, self._fate, self.groups, self._trace,
            lambda: self.disturbed,
        )  # fmt: skip
        self.workers.append(worker)
        self._trace(name, "starts")
        worker.start()
        self._shares()

    def _shares(self) -> None:
        names = [worker.name for worker in self.workers]
        for worker in self.workers:
            worker.streams.share(names)

    def _any(self) -> Worker:
        return self.random.choice(self.workers)

    async def _kill(self) -> None:
        worker = self._any()
        self._trace(worker.name, "is killed")
        self.disturbed = True
        worker.kill()
        await self._replace(worker)

    async def _stop(self) -> None:
        worker, disturbed = self._any(), self.disturbed
        self._trace(worker.name, "stops")
        begun = max(self.loop.time(), self.calm)
        self.workers.remove(worker)
        await worker.stop()
        self._trace(worker.name, "has stopped")
        if self.loop.time() - begun > STOP_SECONDS:
            Violation(f"a stop took {self.loop.time() - begun:.0f} s after everything was well")
        if any(each is worker for each, _ in self.store.intents) and not (disturbed or self.disturbed):
            Violation("a worker that stopped in order leaves an intent")
        await self._replace(worker)

    async def _cancel(self) -> None:
        worker = self._any()
        self._trace(worker.name, "is cancelled")
        self.disturbed = True
        self.workers.remove(worker)
        await worker.cancel()
        await self._replace(worker)

    async def _replace(self, worker: Worker) -> None:
        if worker in self.workers:
            self.workers.remove(worker)
        self._shares()
        await asyncio.sleep(self.random.choice((0.0, 1.0, 40.0)))
        self._start()

    async def _lose_database(self) -> None:
        worker = self._any()
        seconds = self.random.choice((3.0, 20.0, 70.0))
        self._trace(worker.name, "loses the database for", seconds)
        self.away[worker.name] = min(self.loop.time() + seconds, max(self.calm, self.loop.time() + 1.0))

    async def _switch_off(self) -> None:
        provider = self.random.choice(self.providers)
        provider.off_until = self.loop.time() + self.random.choice((2.0, 30.0))
        self._trace(provider.name, "is switched off")

    async def _cancel_message(self) -> None:
        row = self.random.choice([*self.store.rows.values()])
        if self.store.cancel(row):
            self._trace("message", row.id.int, "is canceled")

    async def _share(self) -> None:
        if len(self.workers) > 1:
            worker = self._any()
            self._trace(worker.name, "sees other workers")
            worker.streams.share([*(each.name for each in self.workers), "w0", "w00"])
            await asyncio.sleep(self.random.choice((1.0, 10.0)))
            self._shares()

    # the run

    async def run(self) -> None:
        """Runs to the end. What does not hold is in `Violation.found`."""
        self._draw()
        for _ in range(self.random.choice((1, 2))):
            self._start()
        self._trace(
            "messages", *(f"{row.id.int}{'p' if row.group else ''}" for row in self.store.rows.values())
        )
        events = [asyncio.create_task(self._happen(at, event)) for at, event in self.plan]
        ended = await self._wait()
        self.result.hours = (self.loop.time() - self.begun) / 3600
        if ended:
            for event in events:
                event.cancel()
            if not self.workers:  # the last one was just being replaced
                self._start()
            await asyncio.sleep(_SETTLED)
        self._check(ended=ended)

    async def _wait(self) -> bool:
        """Waits until each message has its end. Returns False at the horizon."""
        horizon = self.begun + HORIZON
        while (left := horizon - self.loop.time()) > 0:
            try:
                await asyncio.wait_for(self.final.wait(), left)
            except TimeoutError:
                break
            await asyncio.sleep(_SETTLED)  # a message that is `unknown` may get an outcome or be queued again
            self.final.clear()
            if Violation.found:
                return False
            if self._all_final():
                return True
        return False

    def _all_final(self) -> bool:
        return all(row.final for row in self.store.rows.values())

    async def _happen(self, at: float, event: Callable[[], Any]) -> None:
        await asyncio.sleep(max(at - self.loop.time(), 0.0))
        if self.workers:
            try:
                await event()
            except Exception as error:
                Violation(f"{event.__name__} raises {error!r}")

    def _check(self, *, ended: bool) -> None:
        store = self.store
        for row in store.rows.values():
            taken = sum(self.accepted.get(row.id, {}).values())
            name = f"message {row.id.int}, {row.state}"
            if not row.final and not Violation.found:
                Violation(f"{name}, waits after {self.result.hours:.0f} hours")
            if taken > 1:
                Violation(f"{name}, was sent {taken} times")
            if row.state in ("sent", "delivered") and not taken:
                Violation(f"{name}, was never sent")
            if row.state in ("failed", "canceled") and taken:
                Violation(f"{name}, was sent")
            if row.state == "failed" and not row.failures and row.code != "expired":
                Violation(f"{name}, no provider has refused it: {row.code}")
            if row.state == "unknown" and not row.doubt and not row.poison:
                Violation(f"{name}, and nothing was uncertain")
            stored_by = row.stored_by
            if row.id in store.early and row.state == "sent" and stored_by is not None and not stored_by.dead:
                Violation(f"{name}, its report waits for ever")
        if not ended:
            return
        for worker in self.workers:
            for stream in worker.streams._streams.values():
                calls = stream._in_flight
                if not worker.dead and any((
                    stream._open, len(stream._ready), calls.count, calls.prepared, stream._finished, stream._withdrawn
                )):  # fmt: skip
                    Violation(
                        f"{worker.name} counts {stream._open} intents, and {calls.count} calls, and has none"
                    )
        for claim in store.claims.values():
            if not claim.worker.dead and not self.disturbed:
                Violation(f"{claim.worker.name} leaves a claim")


def run(seed: int, *, traced: bool = False) -> Result:
    """Runs the history of a seed."""
    before = global_dice.getstate()
    Violation.found.clear()
    with virtual(MOST_STEPS) as loop, quiet.logs() as bugs:
        loop.found = Violation.found
        history = History(seed, loop, traced=traced)
        try:
            loop.run_until_complete(history.run())
        except Spins as error:
            if not Violation.found:
                Violation(str(error))
        except Violation:
            pass
        result = history.result
        result.violations = [*dict.fromkeys([*Violation.found, *bugs])]
        result.messages = len(history.store.rows)
        for row in history.store.rows.values():
            result.states[row.state] = result.states.get(row.state, 0) + 1
        _end(loop)
    global_dice.setstate(before)
    return result


def _end(loop: Any) -> None:
    """Ends what is left of a history."""
    loop.found = []
    for _ in range(20):
        if not (tasks := asyncio.all_tasks(loop)):
            break
        for task in tasks:
            task.cancel()
        loop._left = 10_000
        try:
            loop.run_until_complete(asyncio.wait(tasks, timeout=0.0))
        except Spins:
            break
    for task in asyncio.all_tasks(loop):
        task._log_destroy_pending = False  # type: ignore[attr-defined]


def many(seeds: range, *, stop: bool = False) -> list[Result]:
    """Runs histories one after another; with `stop` to the first that breaks something. The collector of garbage runs
    between them, and never looks through what was imported.
    """
    gc.freeze()
    gc.disable()
    try:
        results = []
        for seed in seeds:
            results.append(run(seed))
            if stop and results[-1].violations:
                break
            if seed % 50 == 0:
                gc.collect()
        return results
    finally:
        gc.enable()
        gc.unfreeze()

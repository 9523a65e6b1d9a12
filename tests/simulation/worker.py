"""A worker process of a simulation: it claims, sends, renews, recovers, stops and dies."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from core.clock import CLOCK
from core.tasks import ignore_result
from engine.sending.concurrency import AHEAD, MOST_AHEAD
from engine.sending.delivery import Delivery
from engine.sending.port import FaultPoints
from engine.sending.streams import Streams
from runtime.breakers import Breakers
from runtime.leases import renewed
from runtime.retry import away, until_stored
from tests.simulation.claims import (
    LEASE,
    BatchClaim,
    ExpiringClaim,
    Item,
    LoadingClaim,
    ModelClaim,
    too_late,
)
from tests.simulation.connections import Fate, ModelDatabase
from tests.simulation.provider import Provider, Routes
from tests.simulation.store import Row, Store, Violation

_BATCH = 20  # messages of a claim
_CLAIMS = 2  # of one drain
_POINTS = FaultPoints("simulated", "simulated", "simulated")
_LOOK = 60.0  # seconds after which a worker looks without a reason


class _ChangeEvents:
    @contextmanager
    def emitting(self) -> Any:
        yield


class Thread:
    """The thread of the leases, as tasks."""

    def __init__(self, db: ModelDatabase, tasks: set[asyncio.Task[Any]]) -> None:
        self._db, self._tasks = db, tasks
        self._repeating: dict[Any, asyncio.Task[None]] = {}

    def add(self, work: Any) -> None:
        """Repeats the work until it is discarded."""
        self._repeating[work] = task = asyncio.create_task(self._repeat(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def discard(self, work: Any) -> None:
        """Does not begin the work again."""
        self._repeating.pop(work).cancel()

    async def _repeat(self, work: Any) -> None:
        while True:
            await asyncio.sleep(max(work.due - CLOCK.steady(), 0.01))
            await work.repeat()

    async def run(self, work: Callable[[Any], Awaitable[Any]], seconds: float) -> Any:
        """Runs a statement within its time."""
        async with asyncio.timeout(seconds):
            return await work(None)


class Worker:
    """One worker process."""

    def __init__(
        self,
        name: str,
        store: Store,
        providers: Sequence[Provider],
        random: Random,
        fate: Callable[["Worker"], Fate],
        groups: Sequence[UUID | None],
        trace: Callable[..., None],
        is_disturbed: Callable[[], bool],
    ) -> None:
        self.name, self.store, self.random, self.groups = name, store, random, groups
        self.dead = self.ended = False
        self.accepted = providers[0].accepted
        self.db = ModelDatabase(store, random, lambda: fate(self), lambda: self.dead)
        self.tasks: set[asyncio.Task[Any]] = set()
        self.db.thread = Thread(self.db, self.tasks)
        self.routes = Routes(providers, self)
        self.breakers = Breakers(self.db)  # type: ignore[arg-type]  of the model
        self.stopping = asyncio.Event()
        services: Any = SimpleNamespace(
            db=self.db, routes=self.routes, breakers=self.breakers, change_events=_ChangeEvents(),
            stopping=self.stopping, worker=name, single=lambda _kind, make, _close=None: make(),
        )  # fmt: skip
        self.streams = Streams(services)
        self.by_claim: dict[ModelClaim, set[UUID]] = {}
        self.overdrawn = False  # outcomes that can't be written leave intents beyond the bound
        self._trace, self.is_disturbed = trace, is_disturbed
        self._wakes: list[asyncio.Event] = []
        self._has_totals = any(provider.total for provider in providers)
        self._idempotent = {provider.name for provider in providers if provider.idempotent}

    def trace(self, *words: Any) -> None:
        """Writes a line of the history."""
        self._trace(self.name, *words)

    def ids_of(self, claim: ModelClaim) -> set[UUID]:
        """Returns the messages that a claim has had."""
        return self.by_claim.get(claim, set())

    def check_intents(self, label: str) -> None:
        """Raises Violation if a route has more intents without a stored outcome than it may have."""
        count = sum(worker is self and of == label for (worker, _), of in self.store.intents.items())
        batch = next(route.batch for route in self.routes.all if route.provider.name == label)
        most = max(int(batch * AHEAD), batch + MOST_AHEAD)
        if count > most and not self.overdrawn:
            self.trace(
                "too many intents",
                *(id.int for (worker, id), of in self.store.intents.items() if of == label),
            )
            raise Violation(f"{count} intents without an outcome, of {most}")

    def start(self) -> None:
        """Begins to work."""
        for work in (self._refresh(), self._recover(), *(self._drain(group) for group in self.groups)):
            self._spawn(work)

    def _spawn(self, work: Any) -> "asyncio.Task[Any]":
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self.tasks.discard(task)
        if (
            not task.cancelled()
            and (error := task.exception()) is not None
            and not isinstance(error, Violation)
        ):
            Violation(f"a task of a worker raises {error!r}")

    def wake(self) -> None:
        """Makes the worker look at the store."""
        for event in self._wakes:
            event.set()

    def _event(self) -> asyncio.Event:
        self._wakes.append(event := asyncio.Event())
        return event

    # rounds

    async def _refresh(self) -> None:
        wake = self._event()
        while True:
            while self.breakers.all_settled and not self.store.breakers:
                wake.clear()
                await wake.wait()
            try:
                await self.breakers.refresh()
            except Exception as error:
                if not away(error):
                    raise
            quiet = CLOCK.wall() - self.store.moved_at > 10
            probe = min((row.probe_at for row in self.store.breakers.values()), default=0.0) - CLOCK.wall()
            await asyncio.sleep(max(1.0, min(probe, _LOOK)) if quiet else 1.0)

    async def _recover(self) -> None:
        wake = self._event()
        while True:
            while not self.store.claims:
                wake.clear()
                await wake.wait()
            soonest = min(claim.expires for claim in self.store.claims.values()) - CLOCK.wall()
            await asyncio.sleep(max(soonest, 0.0) + 5.0 * self.random.random())
            try:
                await self.db.run(
                    lambda: self.store.recover(self._idempotent, undisturbed=not self.is_disturbed())
                )
            except Exception as error:
                if not away(error):
                    raise

    async def _drain(self, group: UUID | None) -> None:
        """Sends the due messages of one group, as Dispatcher.drain does."""
        wake = self._event()
        at_work: set[asyncio.Task[Any]] = set()

        def ended(task: asyncio.Task[Any]) -> None:
            at_work.discard(task)
            wake.set()

        while not self.stopping.is_set():
            wake.clear()
            limit, pause = self._admitted()
            if len(at_work) < _CLAIMS and limit and (task := await self._claim(group, limit)) is not None:
                at_work.add(task)
                task.add_done_callback(ended)
                continue
            seconds = _LOOK if len(at_work) == _CLAIMS else pause or min(_LOOK, self._until_due(group))
            timer = asyncio.get_running_loop().call_later(seconds, wake.set)
            await wake.wait()
            timer.cancel()
        if at_work:
            await asyncio.wait(at_work)

    def _admitted(self) -> tuple[int, float]:
        if self._has_totals and (
            shares := min(self.streams.without_share(route) for route in self.routes.all)
        ):
            return 0, shares
        if off := min([self.streams.limits.off(route) for route in self.routes.all]):
            return 0, off
        if self.breakers.all_closed:
            return _BATCH, 0.0
        names = [self.routes.label(route) for route in self.routes.all]
        if any(self.breakers.closed(name) for name in names):
            return _BATCH, 0.0
        wait = min(self.breakers.wait(name) for name in names)
        return (0, min(*map(self.breakers.until_probe, names), _LOOK)) if wait else (1, 0.0)

    def _until_due(self, group: UUID | None) -> float:
        due = (row.due for row in self.store.rows.values() if row.state == "queued" and row.group == group)
        return max(min(due, default=CLOCK.wall() + _LOOK) - CLOCK.wall(), 0.01)

    async def _claim(self, group: UUID | None, limit: int) -> "asyncio.Task[Any] | None":
        now = CLOCK.wall()
        rows: Sequence[Row] = [*self.store.rows.values()]
        if not any(row.state == "queued" and row.due <= now and row.group == group for row in rows):
            return None
        kind = (
            BatchClaim if group is not None else self.random.choice((ExpiringClaim, LoadingClaim, ModelClaim))
        )
        claim = kind(self, UUID(int=self.random.getrandbits(64)), group)
        try:
            rows = await self.db.run(lambda: self.store.claim_due(claim.id, self, group, limit, LEASE))
        except Exception as error:
            if not away(error):
                raise
            await asyncio.sleep(1.0)
            return None
        if not rows:
            return None
        assert rows[0].claim is not None
        claim.row = rows[0].claim
        self.trace("claims", *(row.id.int for row in rows))
        return self._spawn(self._deliver(claim, rows))

    async def _deliver(self, claim: ModelClaim, rows: Sequence[Row]) -> None:
        """Sends the claimed messages, and releases the claim, as Dispatcher._deliver does."""
        messages = [Item(row) for row in rows]
        self.by_claim[claim] = {message.id for message in messages}
        try:
            with renewed(self.db.thread, claim, LEASE, claim.renew, ModelClaim.stop):
                over = [message for message in messages if too_late(message)]
                delivery = Delivery(
                    self.streams, claim, self.routes.all, channel="sms", group=claim.group, points=_POINTS
                )
                claim.deliveries.append(delivery)
                delivery.start([message for message in messages if message.outcome is None])
                await claim.store_unsent(over)
                until = CLOCK.monotonic() + 2.0 if claim.group is not None else None
                await delivery.wait(until)
                await claim.store_unsent(delivery.unsent)
                if claim.ended:
                    await asyncio.sleep(1.0)
        except Exception as error:
            if isinstance(error, Violation):
                raise
            self.trace("a delivery failed", repr(error))
        finally:
            await until_stored(
                self.db, lambda db: self.db.run(lambda: self.store.release(claim.row, claim.delay))
            )  # type: ignore[arg-type]
            self.trace("released", claim.id.int % 1000)

    # the end

    async def stop(self) -> None:
        """Ends in order: what is dispatched gets its outcome, and everything else goes back."""
        self.stopping.set()
        self.wake()
        drains = [task for task in self.tasks if task.get_coro().__name__ == "_drain"]  # type: ignore[union-attr]
        if drains:
            await asyncio.wait(drains)
        await self.streams.close()
        self.kill()
        self.ended = True

    async def cancel(self) -> None:
        """Ends at once: what is in flight is left to the recovery of its claim."""
        self.stopping.set()
        names = ("_drain", "_deliver")
        for task in [task for task in self.tasks if getattr(task.get_coro(), "__name__", "") in names]:
            ignore_result(task).cancel()
        await self.streams.close()
        self.kill()

    def kill(self) -> None:
        """Dies: nothing that it does has an effect any more."""
        self.dead = True
        for task in self.all_tasks():
            ignore_result(task).cancel()

    def all_tasks(self) -> list["asyncio.Task[Any]"]:
        """Returns the tasks of this worker."""
        tasks = [*self.tasks]
        for stream in self.streams._streams.values():
            tasks += [stream.writer] if stream.writer is not None else []
            tasks += stream._in_flight.calls
        return tasks

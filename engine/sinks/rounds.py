"""Finds the sinks that have events to publish, and publishes them: fair to owners, and no broker delays another one.

One statement looks at all sinks. A sink that has something to do gets a slot of this process and its lease; an owner
has few slots, and sinks that failed before have slots of their own.
"""

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import Final
from uuid import UUID

import structlog
from cachetools import LRUCache

from core.tasks import end, surely
from engine.feed.inbox_floor import inbox_floors
from engine.jobs import every
from engine.sinks import cursors
from engine.sinks.cursors import DueSink
from engine.sinks.publisher import Publisher
from runtime.database_errors import translate
from runtime.fair_slots import FairSlots
from runtime.leases import leased
from runtime.services import Services
from sinks.port import Sink

log = structlog.get_logger("postern.sinks")

SLOTS: Final = 24
"""Sinks at once in one process."""
FAILING_SLOTS: Final = 24
"""Slots for sinks that failed before, in addition."""
MOST_TASKS: Final = 200
"""Sinks that have a slot, or wait for one, before no others are looked for."""
SLOTS_EACH: Final = 3
"""Slots of one owner, of either kind."""
SLOT_SECONDS: Final = 5.0
"""Seconds for which a sink keeps its slot while others wait."""
LOOK_SECONDS: Final = 0.25
"""Seconds between two looks."""
INSTALLATION_SECONDS: Final = 1.0
"""Seconds between two looks at the installation's sinks, which cost more."""
READS: Final = 4
"""Batches that are read from the database at once."""
STOP_SECONDS: Final = 3.0
"""Seconds that batches get to be acknowledged when the process stops."""

_INSTALLATION = UUID(int=0)  # counts as an owner
_MOST_FLOORS = 1000
_MOST_DRIVERS = 500  # that are remembered without a connection; each may have a batch's acknowledgements


@every(1.0, due=f"EXISTS (SELECT FROM event_sinks WHERE enabled) AND NOT {cursors.IS_APART}")
async def publish(services: Services) -> None:
    """Publishes events as long as there are sinks, and the worker lives."""
    if not services.stopping.is_set():
        await Publishing(services).run()


class Publishing:
    """The sinks that this process works at."""

    def __init__(self, services: Services, *, apart: bool = False) -> None:
        """`apart`: this process does nothing else, and others leave sinks to it."""
        self._services, self._apart = services, apart
        self._slots = {False: FairSlots(SLOTS, SLOTS_EACH), True: FairSlots(FAILING_SLOTS, SLOTS_EACH)}
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._publishers: dict[UUID, tuple[Publisher, DueSink, float]] = {}
        self._reads = asyncio.Semaphore(READS)
        self._drivers: LRUCache[UUID, tuple[int, Sink]] = LRUCache(_MOST_DRIVERS)
        self._feeds: dict[UUID, None] = {}  # whose sinks this process knows
        self._installation_at = 0.0

    async def run(self) -> None:
        """Looks and publishes until it is cancelled, the services stop, or there has been no sink for a while."""
        idle_since = time.monotonic()
        try:
            while not self._services.stopping.is_set():
                if await self._look_again() or self._tasks:
                    idle_since = time.monotonic()
                elif time.monotonic() > idle_since + 60:
                    return  # the round begins anew while there are sinks
                self._make_way()
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._services.stopping.wait()
        finally:
            await surely(self._end())

    async def _look_again(self) -> bool:
        """Works as `_look` does, unless enough sinks wait already. The database may be away for a moment."""
        if len(self._tasks) >= MOST_TASKS:
            return True
        try:
            return await self._look()
        except Exception as error:
            if translate(error) is None:
                raise
            await asyncio.sleep(1)
            return True

    async def _look(self) -> bool:
        """Begins to work at sinks that have something to publish. Returns whether there are some."""
        now = time.monotonic()
        installation = now >= self._installation_at
        if installation:
            self._installation_at = now + INSTALLATION_SECONDS
        floors = inbox_floors(self._services)
        due = await cursors.due(
            self._services.db,
            self._tasks.keys(),
            {owner_id: floors.of(owner_id).seq for owner_id in self._feeds},
            installation=installation,
            apart=self._apart,
        )
        for sink in due:
            if sink.owner_id is not None and len(self._feeds) < _MOST_FLOORS:
                self._feeds[sink.owner_id] = None
            task = self._tasks[sink.id] = asyncio.create_task(self._work(sink))
            task.add_done_callback(partial(self._forget, sink.id))
        return bool(due)

    def _forget(self, sink_id: UUID, _: "asyncio.Task[None]") -> None:
        self._tasks.pop(sink_id, None)

    def _make_way(self) -> None:
        """Ends publishers that had their time slice, while others wait for a slot."""
        over = time.monotonic() - SLOT_SECONDS
        for publisher, sink, begun in list(self._publishers.values()):
            if begun <= over and self._slots[sink.failing].contested:
                publisher.end()

    async def _work(self, sink: DueSink) -> None:
        services = self._services
        try:
            async with (
                self._slots[sink.failing].slot(sink.owner_id or _INSTALLATION),
                leased(
                    services.db, f"{cursors.LEASE}{sink.id}", float(services.settings.lease_seconds)
                ) as lease,
            ):
                if lease is None:
                    return
                publisher = Publisher(services, sink.id, lease, self._reads, self._drivers, apart=self._apart)
                self._publishers[sink.id] = (publisher, sink, time.monotonic())
                await publisher.run()
        except Exception as error:  # the next look finds it again
            unexpected = translate(error) is None
            log.log(
                40 if unexpected else 10, "a sink broke off", sink=str(sink.id), error=type(error).__name__,
                exc_info=unexpected,
            )  # fmt: skip
            await asyncio.sleep(5 if unexpected else 1)  # its error may come again at once
        finally:
            self._publishers.pop(sink.id, None)

    async def _end(self) -> None:
        """Gives batches on their way a moment, then cancels them; their events are published again with the same
        ids.
        """
        for publisher, _, _ in list(self._publishers.values()):
            publisher.end()
        if tasks := list(self._tasks.values()):
            await asyncio.wait(tasks, timeout=STOP_SECONDS)
            await end(tasks)

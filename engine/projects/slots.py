"""Concurrency slots of a worker: how many visits of one kind, such as of one channel, run at once."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import asyncpg

from db.session import Database
from engine.projects import jobs

_LATER = timedelta(seconds=0.5)
_STALE = 5.0  # seconds after which a refused project has been visited elsewhere: it asks again every `_LATER`


class Slot:
    """A slot that one visit has."""

    def __init__(self, slots: "Slots", slot: str) -> None:
        self._slots, self._slot, self._gave = slots, slot, False

    async def give_way(self, db: asyncpg.Connection) -> None:
        """Puts a visit of the project that waits longest into the queue. Call it before a project's own next visits:
        else one that always has visits there takes each slot as soon as it is free.
        """
        if not self._gave:
            self._gave = True
            if (project := self._slots.next(self._slot)) is not None:
                await jobs.enqueue_cycle(db, project, timedelta())


class Slots:
    """One a worker process. A project that finds no slot free is the next to get one."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._busy: Counter[str] = Counter()
        # By slot, the projects that found it full, in the order in which they came, with the time of their last try.
        self._refused: dict[str, dict[UUID, float]] = {}

    async def within(
        self, slot: str, most: int, project: UUID, work: Callable[[Slot], Awaitable[object]]
    ) -> bool:
        """Does the work and returns True, unless `most` visits have this slot: then the project is visited later."""
        if self._busy[slot] >= most:
            self._refused.setdefault(slot, {})[project] = time.monotonic()
            async with self._db.reading() as db:
                await jobs.enqueue_cycle(db, project, _LATER)
            return False
        self._busy[slot] += 1
        self._refused.get(slot, {}).pop(project, None)
        turn = Slot(self, slot)
        try:
            await work(turn)
        finally:
            self._busy[slot] -= 1
            if not self._busy[slot]:
                del self._busy[slot]
            if self._refused.get(slot):
                async with self._db.reading() as db:
                    await turn.give_way(db)
        return True

    def next(self, slot: str) -> UUID | None:
        """Takes out the project that waits longest for this slot."""
        waiting = self._refused.get(slot, {})
        found = None
        while waiting and found is None:
            project = next(iter(waiting))
            if time.monotonic() - waiting.pop(project) < _STALE:
                found = project
        if not waiting:
            self._refused.pop(slot, None)
        return found

"""Concurrency slots of a worker: how many visits of one kind, such as of one channel, run at once."""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import asyncpg

from db.session import Database
from engine.projects import lanes

_LATER = timedelta(seconds=0.5)


class Slots:
    """One a worker process. A project that finds no slot free is the next to get one."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._busy: Counter[str] = Counter()
        self._refused: defaultdict[str, dict[UUID, None]] = defaultdict(
            dict
        )  # in the order in which they came

    async def within(
        self, slot: str, most: int, project: UUID, work: Callable[[], Awaitable[object]]
    ) -> bool:
        """Does the work and returns True, unless `most` visits have this slot: then the project is visited later."""
        if self._busy[slot] >= most:
            self._refused[slot][project] = None
            async with self._db.reading() as db:
                await lanes.visit_later(db, project, _LATER)
            return False
        self._busy[slot] += 1
        self._refused[slot].pop(project, None)
        try:
            await work()
        finally:
            self._busy[slot] -= 1
        return True

    async def give_way(self, slot: str, db: asyncpg.Connection) -> None:
        """Puts a visit of the project that waits longest into the line. Call it before a project's own next visits:
        else one that always has visits there takes each slot as soon as it is free.
        """
        if (project := next(iter(self._refused[slot]), None)) is not None:
            del self._refused[slot][project]
            await lanes.visit_later(db, project, timedelta())

"""Connections to the model of the database, which fail.

A statement, or a transaction of several, takes effect at one virtual moment. Before and after it the connection may
fail, or answer so late that its caller has given up. `Fate` says which.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from random import Random
from typing import Any
from uuid import UUID

import asyncpg

from core.clock import CLOCK
from runtime import breakers
from tests.simulation.store import BreakerRow, Store, Violation

SILENCE = 30.0  # seconds after which a connection gives up that gets no answer


class Fate(Enum):
    """Names the fates of a statement and its answer."""

    well = auto()
    before = auto()  # it fails and has no effect
    after = auto()  # it has its effect, and the answer is lost
    silent = auto()  # it has no effect, and no answer comes
    late = auto()  # it has its effect, and no answer comes
    slow = auto()  # it takes seconds


class Connection:
    """A connection of one worker."""

    def __init__(self, db: "ModelDatabase") -> None:
        self._db = db

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Runs statements that take effect together, or not at all."""
        db, store = self._db, self._db.store
        fate = await db.before()
        if store.undo is not None:
            raise Violation("two transactions at one moment")  # a fault of this model
        store.undo = []
        try:
            yield
        except BaseException:
            store.rollback()
            raise
        if fate is Fate.before or fate is Fate.silent:
            store.rollback()
        else:
            store.end()
        await db.after(fate)

    async def fetchval(self, statement: str, *arguments: Any) -> Any:
        """Runs the look for early reports."""
        return await self._db.run(lambda: bool(self._db.store.early))


class ModelDatabase:
    """The database, as one worker reaches it."""

    def __init__(
        self, store: Store, random: Random, fate: Callable[[], Fate], is_dead: Callable[[], bool]
    ) -> None:
        """`fate` draws what becomes of a statement. `is_dead`: the worker was killed, and reaches nothing any more."""
        self.store, self._random, self._fate, self._is_dead = store, random, fate, is_dead
        self.thread: Any = None

    def now(self) -> datetime:
        return datetime.fromtimestamp(CLOCK.wall(), UTC)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Gives a connection."""
        yield Connection(self)

    async def before(self) -> Fate:
        """Waits until the statement takes effect, and draws its fate."""
        self._alive()
        fate = self._fate()
        slow = self._random.uniform(0.5, 40.0) if fate is Fate.slow else 0.0
        await asyncio.sleep(self._random.uniform(0.0003, 0.004) + slow)
        self._alive()
        return fate

    async def after(self, fate: Fate) -> None:
        """Waits for the answer to a statement, or raises what a lost connection raises."""
        if fate is Fate.silent or fate is Fate.late:
            await asyncio.sleep(SILENCE)
            raise TimeoutError
        await asyncio.sleep(self._random.uniform(0.0001, 0.001))
        self._alive()
        if fate is Fate.before or fate is Fate.after:
            raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    def _alive(self) -> None:
        if self._is_dead():
            raise asyncio.CancelledError

    async def run(self, work: Callable[[], Any]) -> Any:
        """Runs one statement."""
        fate = await self.before()
        result = None
        if fate is not Fate.before and fate is not Fate.silent:
            result = work()
            self.store.end()
        await self.after(fate)
        return result

    # the statements of runtime/breakers.py

    async def fetch(self, statement: str) -> Any:
        assert statement == breakers.READ
        return await self.run(self._open_breakers)

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        assert statement == breakers._TAKE_PROBE
        return await self.run(lambda: self._take_probe(*arguments))

    async def fetchval(self, statement: str, *arguments: Any) -> Any:
        return await self.run(lambda: self._write(statement, arguments))

    def _open_breakers(self) -> list[dict[str, Any]]:
        now = CLOCK.wall()
        return [
            {
                "name": name,
                "wait": row.probe_at - now,
                "probing": row.expires is not None and row.expires > now,
            }
            for name, row in self.store.breakers.items()
        ]

    def _take_probe(self, name: str, holder: UUID, lease: timedelta) -> dict[str, bool]:
        row, now = self.store.breakers.get(name), CLOCK.wall()
        ours = row is not None and row.probe_at <= now and (row.expires is None or row.expires < now)
        if row is not None and ours:
            row.holder, row.expires = holder, now + lease.total_seconds()
        return {"ours": ours, "open": row is not None}

    def _write(self, statement: str, arguments: tuple[Any, ...]) -> None:
        store, now = self.store, CLOCK.wall()
        store.moved_at = now
        if statement == breakers._RENEW:
            holders, lease = arguments
            for row in store.breakers.values():
                if row.holder in holders:
                    row.expires = now + lease.total_seconds()
            return
        name = arguments[0]
        row = store.breakers.get(name)
        if statement == breakers._OPEN:
            if row is None:
                pause = arguments[1]
                store.is_changed = True
                store.breakers[name] = BreakerRow(self.now(), pause, now + pause.total_seconds())
        elif row is None:
            pass
        elif statement == breakers._CLOSE:
            store.is_changed = True
            del store.breakers[name]
        elif statement == breakers._STILL_SILENT:
            _, holder, longest, least = arguments
            if row.holder == holder or row.expires is None or row.expires < now:
                row.pause = min(max(row.pause * 2, least), longest)
                row.holder, row.expires, row.probe_at = None, None, now + row.pause.total_seconds()
        elif statement == breakers._GIVE_BACK:
            _, holder, pause = arguments
            if row.holder == holder:
                row.holder, row.expires = None, None
                row.probe_at = max(row.probe_at, now + pause.total_seconds())
        else:
            raise Violation(f"a statement that the model does not have: {statement}")

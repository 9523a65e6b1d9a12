"""Sessions that wait before each statement until the stepper lets them go on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from tests.support.waits import PATIENCE

_SOON = 0.0015  # seconds until it is looked whether a statement waits for a lock
_BLOCKERS = "SELECT pid, pg_blocking_pids(pid) AS blockers FROM unnest($1::int[]) AS pid"


class Actor:
    """One session, and the work that it does."""

    def __init__(self, name: str, work: Callable[["Session"], Awaitable[None]]) -> None:
        self.name, self.work = name, work
        self.pid = 0
        self.steps: list[str] = []  # statements that it has begun
        self.error: BaseException | None = None
        self.blocked = self.done = False
        self.transactions = 0  # that it has open
        self.gave_back = False  # its last step may have given back a lock
        self._at_gate = asyncio.Event()
        self._may_go: asyncio.Future[None] | None = None

    @property
    def waits(self) -> bool:
        """Returns whether it stands before a statement."""
        return self._may_go is not None and not self.done

    async def gate(self, label: str) -> None:
        """Waits until the stepper lets the next statement through."""
        self._may_go = asyncio.get_running_loop().create_future()
        self._at_gate.set()
        await self._may_go
        self._may_go = None
        self.gave_back = not self.transactions
        self.steps.append(label)

    def go(self) -> None:
        """Lets the statement through."""
        assert self._may_go is not None
        self._at_gate.clear()
        self._may_go.set_result(None)

    async def run(self, connection: asyncpg.Connection) -> None:
        """Works to the end."""
        self.pid = connection.get_server_pid()
        try:
            await self.work(Session(connection, self))
        except Exception as error:
            self.error = error
        finally:
            self.done = True
            self._at_gate.set()

    async def arrived(self, seconds: float | None) -> bool:
        """Waits until it stands before its next statement, or is done. Returns False after so many seconds."""
        if self._at_gate.is_set():
            return True
        try:
            await asyncio.wait_for(self._at_gate.wait(), seconds)
        except TimeoutError:
            return False
        return True


class Session:
    """A connection whose statements and commits are steps."""

    def __init__(self, connection: asyncpg.Connection, actor: Actor) -> None:
        self._connection, self._actor = connection, actor

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Opens a transaction; its commit is a step."""
        transaction = self._connection.transaction()
        await transaction.start()
        self._actor.transactions += 1
        try:
            yield
            if self._actor.transactions == 1:
                await self._actor.gate("COMMIT")
        except BaseException:
            await transaction.rollback()
            raise
        else:
            await transaction.commit()
        finally:
            self._actor.transactions -= 1
            self._actor.gave_back = True

    async def fetch(self, statement: str, *arguments: Any) -> Any:
        await self._actor.gate(_label(statement))
        return await self._connection.fetch(statement, *arguments)

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        await self._actor.gate(_label(statement))
        return await self._connection.fetchrow(statement, *arguments)

    async def fetchval(self, statement: str, *arguments: Any) -> Any:
        await self._actor.gate(_label(statement))
        return await self._connection.fetchval(statement, *arguments)

    async def execute(self, statement: str, *arguments: Any) -> Any:
        await self._actor.gate(_label(statement))
        return await self._connection.execute(statement, *arguments)


def _label(statement: str) -> str:
    return " ".join(statement.split())[:40]


class Stepper:
    """Lets one session after the other do one statement."""

    def __init__(self, actors: Sequence[Actor], monitor: asyncpg.Connection) -> None:
        self.actors, self._monitor = actors, monitor
        self.moves: list[str] = []

    async def run(
        self, connections: Sequence[asyncpg.Connection], choose: Callable[[list[int], int | None], int]
    ) -> None:
        """Runs all to the end. `choose` returns which of those that may go does, of their indexes and the last one's.

        Raises the first error of a session.
        """
        tasks = [
            asyncio.create_task(actor.run(connection))
            for actor, connection in zip(self.actors, connections, strict=True)
        ]
        try:
            async with asyncio.timeout(PATIENCE):
                await self._steps(choose)
                await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for actor in self.actors:
            if actor.error is not None:
                raise actor.error

    async def _steps(self, choose: Callable[[list[int], int | None], int]) -> None:
        for actor in self.actors:
            await actor.arrived(None)
        last: int | None = None
        while not all(actor.done for actor in self.actors):
            free = [index for index, actor in enumerate(self.actors) if actor.waits and not actor.blocked]
            if free:
                last = choose(free, last)
                actor = self.actors[last]
                actor.go()
                await self._until_still([actor])
                self.moves.append(f"{actor.name} {actor.steps[-1]}{' …' if actor.blocked else ''}")
            # Sessions go on to their next statement when the lock that they wait for is given back: at the end of a
            # transaction, or of a statement outside of one.
            blocked = [actor for actor in self.actors if actor.blocked]
            if blocked and (not free or actor.gave_back or actor.done):
                await self._until_still(blocked)

    async def _until_still(self, actors: Sequence[Actor]) -> None:
        """Waits until each stands before a statement, is done, or waits for the lock of one that does not move."""
        moving = [*actors]
        while moving := [actor for actor in moving if not await actor.arrived(_SOON)]:
            rows = await self._monitor.fetch(_BLOCKERS, [actor.pid for actor in moving])
            blockers = {row["pid"]: {*row["blockers"]} for row in rows}
            still = {actor.pid for actor in self.actors if actor not in moving}
            waiting = {pid for pid, others in blockers.items() if others}
            # Two that wait for each other are a deadlock, which the database ends.
            while falsely := {pid for pid in waiting if not blockers[pid] <= still | waiting}:
                waiting -= falsely
            for actor in moving:
                actor.blocked = actor.pid in waiting
            moving = [actor for actor in moving if not actor.blocked]
        for actor in actors:
            if actor.waits or actor.done:
                actor.blocked = False

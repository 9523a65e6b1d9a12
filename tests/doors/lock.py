"""A lock that makes a part of a response slow, as long as a test wants."""

from typing import Any

from tests.support.waits import WAITING


class Lock:
    """Locks a table, so that a query for the reasons of failures waits."""

    def __init__(self, connection: Any) -> None:
        self._connection, self._begun = connection, connection.transaction()

    async def take(self) -> None:
        await self._begun.start()
        await self._connection.execute("LOCK TABLE failure_counters IN ACCESS EXCLUSIVE MODE")

    async def waited_for(self) -> bool:
        return bool(await self._connection.fetchval(WAITING))

    async def forgotten(self) -> bool:
        return not await self.waited_for()

    async def release(self) -> None:
        await self._begun.rollback()

"""Keeps the number up to which the inbox of a feed is empty for good, so that a look passes nothing from before it.

An event that gets its position is deleted from the inbox. Vacuum can't remove it while a snapshot from before is held,
as by a backup, and each look would pass all of it.

A number is taken before the commit, so a number below one that is moved may still come. It can't any more when these
have happened one after another: the last number that was taken is read; a transaction that began after that has its id;
every transaction with a smaller id has ended. A number up to that one that the inbox does not have then never comes.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from runtime.services import Services

FORGET_SECONDS = 300
_FEEDS = 1000  # that are remembered in a process
_ANY = "SELECT EXISTS (SELECT FROM event_inbox WHERE owner_id = $1 AND seq > $2 AND seq <= $3)"


@dataclass(frozen=True, slots=True)
class Horizon:
    """Holds the values that a transaction sees that has locked a feed."""

    taken: int  # the last number of the inbox
    read_at: datetime  # when that was read
    transaction: int  # its own id
    begun_at: datetime  # when it began, before it took its id
    oldest: int  # every transaction with a smaller id has ended


class InboxFloor:
    """The number of one feed, as this process knows it."""

    def __init__(self) -> None:
        self.seq = 0
        self._next: Horizon | None = None
        self._transaction: int | None = None

    async def look(self, db: asyncpg.Connection, owner_id: UUID, horizon: Horizon) -> int:
        """Returns the number, in a transaction that has locked the feed."""
        if horizon.taken < self.seq or (self._transaction or 0) > horizon.transaction:
            self.seq, self._next, self._transaction = 0, None, None  # a backup was restored
        if self._next is None:
            self._next = horizon
        elif self._transaction is None:
            # One that began before may have taken its id before a writer that has taken a number.
            if horizon.begun_at > self._next.read_at:
                self._transaction = horizon.transaction
        elif horizon.oldest >= self._transaction and not await db.fetchval(
            _ANY, owner_id, self.seq, self._next.taken
        ):
            self.seq, self._next, self._transaction = self._next.taken, None, None
        return self.seq


class InboxFloors:
    """The floors that a process knows. It forgets them every five minutes: if numbers begin at a lower one, as after
    a failover to a server that was behind, a floor may be too high, and events below it would wait for ever.
    """

    def __init__(self) -> None:
        self._floors: OrderedDict[UUID, InboxFloor] = OrderedDict()
        self._cleared_at = time.monotonic()

    def of(self, owner_id: UUID) -> InboxFloor:
        """Returns that of a feed."""
        floor = self._current().setdefault(owner_id, InboxFloor())
        self._floors.move_to_end(owner_id)
        if len(self._floors) > _FEEDS:
            self._floors.popitem(last=False)
        return floor

    def arrays(self) -> tuple[list[UUID], list[int]]:
        """Returns the owners of feeds that this process knows, and up to which number each one's inbox is empty."""
        floors = self._current()
        return list(floors), [floor.seq for floor in floors.values()]

    def _current(self) -> OrderedDict[UUID, InboxFloor]:
        if time.monotonic() - self._cleared_at > FORGET_SECONDS:
            self._floors.clear()
            self._cleared_at = time.monotonic()
        return self._floors


def inbox_floors(services: Services) -> InboxFloors:
    """Returns those of this process."""
    return services.single(InboxFloors, InboxFloors)

"""Bounds how many changes of one owner run at a time in a process.

    a change ──► its owner has a free slot ──────────────────────────► a connection of the pool ──► commit
            └──► waits for one, in turns between the owners ──┘
                      └──► it has waited for too long: RateLimited (429)

A change holds a connection of the database until its commit. Without this, one user with as many requests as the pool
has connections would keep everybody else waiting. Reads hold theirs for a statement only, and messages that are joined
(runtime/group_commit.py) hold none, so both need no slot. The frame of an operation takes the slot
(runtime/operation.py). An operation of the mode `outside` that changes much takes it itself, once it knows the owner.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from core.database_options import DatabaseOptions
from core.errors import RateLimited
from runtime.fair_slots import FairSlots
from runtime.services import Services


class OwnerSlots:
    """The slots of one process: as many as the smaller pool has connections. An owner has at most two in five of them,
    so that two busy owners leave some for others.
    """

    def __init__(self, options: DatabaseOptions, seconds: float | None = None) -> None:
        """`seconds`: how long a change waits for a slot; None: as long as others wait for a connection."""
        most = min(options.pool_size, options.read_pool_size)
        self._seconds = options.pool_timeout if seconds is None else seconds
        self._slots = FairSlots(most, max(1, most * 2 // 5))

    @asynccontextmanager
    async def slot(self, owner_id: UUID) -> AsyncIterator[None]:
        """Waits for a slot of this owner, and gives it back at the end of the block. A block never takes a second one.

        Raises RateLimited `too_many_changes` if none becomes free.
        """
        granted = self._slots.request(owner_id)
        try:
            if not granted.done():
                try:
                    async with asyncio.timeout(self._seconds):
                        await granted
                except TimeoutError:
                    raise _busy() from None
            yield
        finally:
            self._slots.give_back(owner_id, granted)


def owner_slots(services: Services) -> OwnerSlots:
    """Returns the slots of this process."""
    return services.single(OwnerSlots, lambda: OwnerSlots(services.db.options))


def _busy() -> RateLimited:
    return RateLimited(
        "Too many changes of yours run at once, and none of them ended in time. Nothing was changed by this request;"
        " send it again, and fewer at a time.",
        code="too_many_changes",
        headers={"Retry-After": "1"},
    )

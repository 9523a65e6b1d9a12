"""Turns of callbacks, which anybody can make: one callback a pass of the event loop, in turns between networks.

a callback ──► too many of its network, or of all, wait: RateLimited
           └──► its turn ──► its signature is checked, and so on

So a flood of callbacks costs every other request of this process the time of one callback a pass, and not that of all
that have arrived. A turn is over at once: a callback that calls its provider, or the database, keeps nobody waiting.
"""

import asyncio
from collections import Counter
from typing import Final

from core.errors import RateLimited
from runtime.fair_slots import FairSlots

WAITING: Final = 500
"""Callbacks that wait in this process, with their bodies."""

PER_NETWORK: Final = 200


class HookTurns:
    """The callbacks of one process that wait for their turn."""

    def __init__(self) -> None:
        self._slots = FairSlots(1)
        self._waiting: Counter[str] = Counter()
        self._count = 0

    async def wait(self, network: str) -> None:
        """Waits for the turn of a callback from this network. Raises RateLimited: the provider has to call again."""
        if self._count >= WAITING or self._waiting[network] >= PER_NETWORK:
            raise RateLimited(
                "Too many callbacks wait. Call again in a moment.", headers={"Retry-After": "1"}
            )
        self._count += 1
        self._waiting[network] += 1
        try:
            async with self._slots.slot(network):
                await asyncio.sleep(0)  # until the next pass of the event loop
        finally:
            self._count -= 1
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]

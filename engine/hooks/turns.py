"""The order of callbacks, which come without a login: in each round of the event loop one is begun.

a callback ──► RateLimited: too many of its network wait, or of all, and its network has the most
           └──► its turn, between networks ──► its signature is checked, and so on

So a flood of callbacks costs every other request of this process the time of one callback a round, and not that of all
that have arrived. The turn is over when the callback begins: one that calls its provider, or the database, delays no
other.
"""

import asyncio
from typing import Final

from core.errors import RateLimited
from runtime.fair_queue import Bounds, FairQueue

WAITING: Final = 500
"""Callbacks that wait in this process, with their bodies."""

PER_NETWORK: Final = 200
_SECONDS: Final = 10.0  # that one waits at most; providers give up about then


class HookTurns(FairQueue):
    """The callbacks of one process that wait for their turn."""

    def __init__(self) -> None:
        super().__init__(
            Bounds(
                slots=1,
                slots_per_network=1,
                waiting=WAITING,
                per_user=PER_NETWORK,
                per_network=PER_NETWORK,
                seconds=_SECONDS,
            ),
            lambda: RateLimited(
                "Too many callbacks wait. Call again in a moment.", headers={"Retry-After": "1"}
            ),
        )

    async def wait(self, network: str) -> None:
        """Waits for the turn of a callback from this network. Raises RateLimited: the provider has to call again."""
        async with self.alone(network, network), self.slot(network):
            await asyncio.sleep(0)  # until the next round of the event loop

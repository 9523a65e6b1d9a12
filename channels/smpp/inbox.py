"""Passes single deliver_sm to the sink: in order, in batches, and each with its own answer."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from channels.port import Event

MOST_AT_ONCE: Final = 100


class Inbox:
    """Collects events while the sink is busy into its next batch: one transaction for many receipts."""

    def __init__(self, sink: Callable[[list[Event]], Awaitable[None]]) -> None:
        self._sink = sink
        self._waiting: deque[tuple[Event, asyncio.Future[None]]] = deque()
        self._pump: asyncio.Task[None] | None = None

    async def put(self, event: Event) -> None:
        """Passes an event on. Returns when the sink has accepted it; raises the sink's error."""
        taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((event, taken))
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._run())
        await taken

    async def close(self) -> None:
        """Stops. Events that the sink has not accepted were not answered, so the SMSC delivers them again."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        while self._waiting:
            self._waiting.popleft()[1].cancel()

    async def _run(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(self._waiting)))]
            batch = [(event, taken) for event, taken in batch if not taken.done()]  # its link may have ended
            try:
                if not await self._hand_over(batch) and len(batch) > 1:
                    for entry in batch:  # one by one, so that a bad event does not delay the others for ever
                        await self._hand_over([entry], last=True)
            except BaseException:
                for _, taken in batch:
                    taken.cancel()
                raise

    async def _hand_over(
        self, batch: list[tuple[Event, asyncio.Future[None]]], *, last: bool = False
    ) -> bool:
        try:
            if batch:
                await self._sink([event for event, _ in batch])
        except Exception as error:
            if last or len(batch) == 1:
                for _, taken in batch:
                    if not taken.done():
                        taken.set_exception(error)
            return False
        for _, taken in batch:
            if not taken.done():
                taken.set_result(None)
        return True

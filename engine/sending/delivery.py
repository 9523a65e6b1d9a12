"""The messages of one claim on their way through the routes, until each has an outcome or is left over."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from channels.port import Channel
from engine.sending.port import Claim, Streams


class Delivery:
    """The messages of one claim. Each goes to the first route, and to the next one if that one surely took nothing.

    A message whose outcome is not known is asked about only by the route that was given it.
    """

    def __init__(self, streams: Streams, claim: Claim, routes: Sequence[Channel]) -> None:
        self.claim, self.routes = claim, routes
        self.rest: list[Any] = []  # messages that were not dispatched, and have no outcome that is stored
        self._streams = streams
        self._waiting = 0
        self._done = asyncio.Event()
        self._error: BaseException | None = None
        self._closing = False  # nothing more is given to a route

    def start(self, messages: Sequence[Any]) -> None:
        """Begins to send the messages."""
        self._waiting += len(messages)
        self._offer(messages, 0)
        self._check()

    async def wait(self, until: float | None = None) -> None:
        """Waits until every message is done. Nothing is chosen after `until` (time.monotonic()), nor after a stop.

        Raises the error that staying messages from being stored.
        """
        loop = asyncio.get_running_loop()
        stopping = loop.create_task(self._streams.stopping.wait())
        done = loop.create_task(self._done.wait())
        try:
            seconds = None if until is None else max(0.0, until - time.monotonic())
            await asyncio.wait({stopping, done}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if not done.done() and not stopping.done():
                self._take_back()
                await asyncio.wait({stopping, done}, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                self.stop()
                await done
        finally:
            if not done.done():
                self.stop()
            for task in (stopping, done):
                task.cancel()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Takes back what was not dispatched. Its intents are withdrawn."""
        self._closing = True
        for route in self.routes:
            self.left_over(self._streams.of(route).take_back(self, withdraw=True))

    def _take_back(self) -> None:
        self._closing = True
        for route in self.routes:
            self.left_over(self._streams.of(route).take_back(self))

    def _offer(self, messages: Sequence[Any], index: int) -> None:
        """Gives messages to the first route from `index` on that they fit; those that fit none are left over."""
        for at in range(index, len(self.routes)):
            if not messages:
                return
            stream = self._streams.of(self.routes[at])
            fitting = [message for message in messages if _fits(message, stream.label)]
            if fitting:
                messages = [message for message in messages if not _fits(message, stream.label)]
                stream.add(self, fitting)
        self.left_over(messages)

    # what the streams ask and say

    @property
    def stopped(self) -> bool:
        """Returns whether nothing more is dispatched: this process is to end, or another may have the claim."""
        return self._streams.stopping.is_set() or self.claim.lost

    def is_last(self, route: Channel, message: Any) -> bool:
        """Returns whether no further route may try the message."""
        return bool(message.uncertain) or route is self.routes[-1]

    def next_route(self, route: Channel, messages: Sequence[Any]) -> None:
        """Gives the next route messages that this one surely did not take."""
        if self._closing or self.claim.ended or self.stopped:
            self.left_over(messages)
        else:
            self._offer(messages, self.routes.index(route) + 1)

    async def no_room(self, route: Channel, waiting: Sequence[tuple[Any, float]]) -> None:
        """Gives the next route messages that this one does not want for so many seconds; the claim keeps the others."""
        staying = [entry for entry in waiting if self.is_last(route, entry[0])]
        others = [message for message, _ in waiting if not self.is_last(route, message)]
        if others:
            self.next_route(route, others)
        if staying:
            await self.claim.put_off(route, staying)
            self.left_over([message for message, _ in staying])

    def left_over(self, messages: Sequence[Any]) -> None:
        """Takes messages that are not sent now."""
        self.rest.extend(messages)
        self.done(len(messages))

    def done(self, count: int) -> None:
        """Counts messages that are left over or stored."""
        self._waiting -= count
        self._check()

    def fail(self, error: BaseException) -> None:
        """Makes `wait` raise the error, once all messages are done."""
        self._error = error

    def _check(self) -> None:
        if self._waiting <= 0:
            self._done.set()


def _fits(message: Any, label: str) -> bool:
    """Returns whether the route may send the message: a key is known only where it was used."""
    return not message.uncertain or message.dispatched_by == label

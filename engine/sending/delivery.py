"""The messages of one claim on their way through the routes, until each has an outcome or is given back."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from channels.port import Channel
from core.clock import CLOCK
from engine.sending.port import (
    Claim,
    CoolsDown,
    CountsIntents,
    Expires,
    FaultPoints,
    LoadsFiles,
    Message,
    StoresGroups,
    Streams,
)

NO_ORDERS: Final[Mapping[UUID, Sequence[Channel]]] = {}


class Delivery:
    """The messages of one claim. Each goes to the first route, and to the next one if that one surely took nothing.

    A message whose outcome is not known is retried only through the route that got it.
    """

    def __init__(
        self,
        streams: Streams,
        claim: Claim[Any],
        routes: Sequence[Channel],
        *,
        channel: str,
        group: UUID | None,
        points: FaultPoints,
        orders: Mapping[UUID, Sequence[Channel]] = NO_ORDERS,
        others: Sequence[Channel] = (),
    ) -> None:
        """`routes`: in the order in which they are tried. `group`: the project, which takes turns with others; None for
        direct messages, which go first. `orders`: the routes of messages that have their own, by their ids. `others`:
        all further routes that may have a message of the claim.
        """
        self.claim, self.routes = claim, routes
        self.channel, self.group, self.points = channel, group, points
        self.group_writer = claim if isinstance(claim, StoresGroups) else None
        self.intent_counter = claim if isinstance(claim, CountsIntents) else None
        self.expiry = claim if isinstance(claim, Expires) else None
        self.file_loader = claim if isinstance(claim, LoadsFiles) else None
        self._cooldowns = claim if isinstance(claim, CoolsDown) else None
        self._orders = orders
        chosen = (route for order in orders.values() for route in order)
        self._all = tuple(dict.fromkeys((*routes, *others, *chosen)))
        self.unsent: list[Any] = []  # messages that were not dispatched, and have no outcome that is stored
        self._streams = streams
        self._waiting = 0
        self._done = asyncio.Event()
        self._error: BaseException | None = None
        self._closing = False  # nothing more is given to a route

    def start(self, messages: Sequence[Message]) -> None:
        """Begins to send the messages."""
        self._waiting += len(messages)
        self._offer(messages)
        self._check()

    async def wait(self, until: float | None = None) -> None:
        """Waits until every message is done. Nothing is chosen after `until` (CLOCK.monotonic()), nor after a stop.

        Raises the error that staying messages from being stored.
        """
        loop = asyncio.get_running_loop()
        stopping = loop.create_task(self._streams.stopping.wait())
        done = loop.create_task(self._done.wait())
        try:
            seconds = None if until is None else max(0.0, until - CLOCK.monotonic())
            await asyncio.wait({stopping, done}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if not done.done() and not stopping.done():
                self._remove_waiting()
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
        """Takes back the messages that were not dispatched. Its intents are withdrawn."""
        self._closing = True
        for route in self._all:
            self.give_back(self._streams.of(route).remove(self, withdraw=True))

    def _remove_waiting(self) -> None:
        self._closing = True
        for route in self._all:
            self.give_back(self._streams.of(route).remove(self))

    def _offer(self, messages: Sequence[Message], after: Channel | None = None) -> None:
        """Gives each message to the first of its routes, or to the first after `after`; those that have none are given
        back.
        """
        by_route: dict[Channel, list[Message]] = {}
        over: list[Message] = []
        for message in messages:
            route = self._next(message, after)
            (over if route is None else by_route.setdefault(route, [])).append(message)
        for route, fitting in by_route.items():
            self._streams.of(route).add(self, fitting)
        self.give_back(over)

    def _next(self, message: Message, after: Channel | None) -> Channel | None:
        routes = self._routes_of(message)
        if message.uncertain:
            return next(
                (route for route in routes if self._streams.of(route).label == message.dispatched_by), None
            )
        index = 0 if after is None else routes.index(after) + 1
        return routes[index] if index < len(routes) else None

    def _routes_of(self, message: Message) -> Sequence[Channel]:
        """Returns the routes of a message. One that may have gone out is asked about by the route that has it, whatever
        the rules say now.
        """
        return self._all if message.uncertain else self._orders.get(message.id, self.routes)

    # calls of the streams

    @property
    def stopped(self) -> bool:
        """Returns whether nothing more is dispatched: this process is to end, or the claim has ended."""
        return self._streams.stopping.is_set() or self.claim.ended

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        """Returns the seconds for which the route wants nothing of this sender; 0 if it takes messages."""
        return self._cooldowns.cooling(route, sender) if self._cooldowns is not None else 0.0

    def throttled(self, route: Channel, message: Message) -> None:
        """Is called as soon as a route says "too fast"."""
        if self._cooldowns is not None:
            self._cooldowns.throttled(route, message)

    def is_last(self, route: Channel, message: Message) -> bool:
        """Returns whether no further route may try the message."""
        return bool(message.uncertain) or route is self._routes_of(message)[-1]

    def next_route(self, route: Channel, messages: Sequence[Message]) -> None:
        """Gives the next route messages that this one surely did not take."""
        if self._closing or self.stopped:
            self.give_back(messages)
        else:
            self._offer(messages, after=route)

    async def route_unavailable(self, route: Channel, waiting: Sequence[tuple[Message, float]]) -> None:
        """Gives the next route messages that this one does not want for so many seconds: its breaker is open, or their
        sender cools down. The claim keeps those that no further route may try.
        """
        staying = [entry for entry in waiting if self.is_last(route, entry[0])]
        others = [message for message, _ in waiting if not self.is_last(route, message)]
        if others:
            self.next_route(route, others)
        if staying:
            await self.defer(route, staying)

    async def defer(self, route: Channel, waiting: Sequence[tuple[Message, float]]) -> None:
        """Has the claim keep messages that no route wants now; each with the seconds for which they wait."""
        await self.claim.defer(route, waiting)
        self.give_back([message for message, _ in waiting])

    def give_back(self, messages: Sequence[Message]) -> None:
        """Leaves messages that are not sent now to their claim, in `unsent`."""
        self.unsent.extend(messages)
        self.done(len(messages))

    def done(self, count: int) -> None:
        """Counts messages that are given back or stored."""
        self._waiting -= count
        self._check()

    def fail(self, error: BaseException) -> None:
        """Makes `wait` raise the error, once all messages are done."""
        self._error = error

    def _check(self) -> None:
        if self._waiting <= 0:
            self._done.set()

"""Limits the projects that a worker sends at once, and names the routes of a project's messages."""

from collections.abc import AsyncIterator, Hashable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from channels.port import Channel
from engine.messengers.channel import messenger_route
from engine.projects.context import ProjectContext
from engine.sending.streams import Streams
from engine.sms.route_rules import routing_of
from runtime import breakers
from runtime.fair_slots import FairSlots
from runtime.services import Services


class Slots:
    """Concurrency slots by name, which owners get in turns."""

    def __init__(self) -> None:
        self._slots: dict[Hashable, FairSlots] = {}

    @asynccontextmanager
    async def within(self, name: Hashable, most: int, owner: UUID) -> AsyncIterator[None]:
        """Takes one of `most` slots until the end of the block."""
        slots = self._slots.setdefault(name, FairSlots(most))
        try:
            async with slots.slot(owner):
                yield
        finally:
            if slots.idle and self._slots.get(name) is slots:
                del self._slots[name]

    def contested(self, *names: Hashable) -> bool:
        """Returns whether another cycle waits for one of these slots."""
        return any(name in self._slots and self._slots[name].contested for name in names)


class ProjectRoutes:
    """The routes of projects' messages, and for how long they want nothing."""

    def __init__(self, services: Services, streams: Streams) -> None:
        self._routes, self._messengers = services.routes, messenger_route(services)
        self._streams, self._limits = streams, streams.limits
        self._routing = routing_of(services)

    def of(self, project: ProjectContext, sender: UUID | None) -> Sequence[Channel]:
        """Returns all routes that may have a message. Behind a messenger account there is one only."""
        return (self._messengers,) if sender in project.accounts else self._routes.all(project.channel)

    def delay(self, project: ProjectContext, sender: UUID | None) -> float:
        """Returns the seconds until the first of its routes takes something from this sender."""
        routes = self.of(project, sender)
        if sender not in project.accounts:
            routes = self._routing.reachable(project.channel)
        waits = [self._wait(project, route, sender) for route in routes]
        return min(waits, default=0.0)

    def others(self, project: ProjectContext) -> bool:
        """Returns whether one of the project's senders may send now."""
        return any(not self.delay(project, sender) for sender in project.senders)

    def _wait(self, project: ProjectContext, route: Channel, sender: UUID | None) -> float:
        if route is self._messengers:
            account = project.accounts.get(sender) if sender else None
            breaker = breakers.account_name(account) if account else None
        else:
            breaker = self._limits.route_breaker(route)
        limits = self._limits
        waits = limits.cooling(route, sender), limits.breakers.wait(breaker), limits.off(route)
        return max(*waits, self._streams.without_share(route))

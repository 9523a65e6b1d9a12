"""The ways of a project's messages in this worker: which there are, which are told to wait, which have no hand free."""

import time
from collections import Counter, deque
from collections.abc import Sequence
from uuid import UUID

from channels.port import Channel
from engine.messengers.channel import MessengerChannel
from engine.projects.context import ProjectContext
from engine.projects.items import Item
from runtime import breakers
from runtime.services import Services

AT_ONCE_EACH = 4
"""Messages that one messenger account has in its hands, of one worker's."""


class ConcurrencyLimits:
    """One a worker process."""

    def __init__(self, services: Services) -> None:
        self._routes, self.breakers = services.routes, services.breakers
        self.messengers = MessengerChannel(services)
        self._cooldowns: dict[tuple[Channel, UUID | None], float] = {}
        self._busy: Counter[UUID] = Counter()  # by sender, of those with a messenger account

    def routes(self, known: ProjectContext, sender: UUID | None) -> Sequence[Channel]:
        """In the order in which they are tried. Behind a messenger account there is one way only."""
        return (self.messengers,) if sender in known.accounts else self._routes.of(known.channel)

    # those that wait

    def cool_down(self, route: Channel, sender: UUID | None, seconds: float) -> None:
        """The provider said "too fast": nothing more goes there, from this sender, for so long."""
        now = time.monotonic()
        if len(self._cooldowns) > 1000:
            self._cooldowns = {key: until for key, until in self._cooldowns.items() if until > now}
        self._cooldowns[route, sender] = max(now + seconds, self._cooldowns.get((route, sender), 0.0))

    def wait(self, known: ProjectContext, route: Channel, sender: UUID | None) -> float:
        """Seconds for which it wants nothing more; 0 when it takes messages."""
        told = self._cooldowns.get((route, sender), 0.0) - time.monotonic()
        return max(told, self.breakers.wait(self._breaker_of_all(known, route, sender)), 0.0)

    def _breaker_of_all(self, known: ProjectContext, route: Channel, sender: UUID | None) -> str | None:
        """The name of the breaker that everything of this sender stands behind, if there is one such."""
        if route is self.messengers:
            return breakers.account_name(known.accounts[sender]) if sender in known.accounts else None
        return breakers.whole(self._routes, route)

    def whole(self, route: Channel) -> str | None:
        """The name of the breaker that everything on this route stands behind, if there is one such."""
        return breakers.whole(self._routes, route)

    def breaker(self, route: Channel, item: Item) -> str | None:
        """The name of the breaker that the message stands behind."""
        assert item.outgoing is not None
        return breakers.name_of(self._routes, route, item.outgoing)

    def pause(self, known: ProjectContext, sender: UUID | None) -> float:
        """Seconds until the first of its routes takes something from this sender again."""
        return min((self.wait(known, route, sender) for route in self.routes(known, sender)), default=0.0)

    def others(self, known: ProjectContext) -> bool:
        """Returns whether one of the project's senders may send now."""
        return any(not self.pause(known, sender) for sender in known.senders)

    # those that have enough

    def take(self, route: Channel, todo: "deque[Item]", most: int) -> list[Item]:
        """From the front. One messenger account that hangs doesn't get the slots of all."""
        if route is not self.messengers:
            return [todo.popleft() for _ in range(min(len(todo), most))]
        taken: list[Item] = []
        left: list[Item] = []
        while todo and len(taken) < most:
            item = todo.popleft()
            assert item.sender is not None
            if self._busy[item.sender] < AT_ONCE_EACH:
                self._busy[item.sender] += 1
                taken.append(item)
            else:
                left.append(item)
        todo.extendleft(reversed(left))
        return taken

    def done(self, route: Channel, items: Sequence[Item]) -> None:
        """They are out of its hands again."""
        if route is self.messengers:
            for item in items:
                assert item.sender is not None
                self._busy[item.sender] -= 1
                if not self._busy[item.sender]:
                    del self._busy[item.sender]

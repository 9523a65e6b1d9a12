"""Finds the reason that keeps a message from its route now: a provider that wants a pause, a breaker, a busy messenger
account.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from channels.port import Channel
from core.clock import CLOCK
from engine.receivers.rules import PAUSED, receivers_of
from runtime import breakers
from runtime.routes import MESSENGER
from runtime.services import Services

MESSAGES_PER_ACCOUNT = 4
"""Messages that one messenger account has in flight, of one worker's."""

OFF = "route_off"
"""The code of a message that waits because its route is switched off."""
OFF_SECONDS = 5.0
"""Seconds until messages look again whether their route is still switched off."""

_OFF_REASON = "Its route is switched off. The message waits until an administrator switches it on."
_REMEMBERED = 1000  # pauses, before those that are over are forgotten


class Limits:
    """The limits of one worker process."""

    def __init__(self, services: Services) -> None:
        self._routes, self.breakers = services.routes, services.breakers
        self.receivers = receivers_of(services)
        self._cooldowns: dict[tuple[Channel, UUID | None], float] = {}
        self._busy: Counter[UUID] = Counter()  # by sender, of those with a messenger account

    def cool_down(self, route: Channel, sender: UUID | None, seconds: float) -> None:
        """Stops the messages of this sender by the route for so long: the provider said "too fast"."""
        now = CLOCK.monotonic()
        if len(self._cooldowns) > _REMEMBERED:
            self._cooldowns = {key: until for key, until in self._cooldowns.items() if until > now}
        self._cooldowns[route, sender] = max(now + seconds, self._cooldowns.get((route, sender), 0.0))

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        """Returns the seconds of the pause that are left; 0 if there is none."""
        return max(self._cooldowns.get((route, sender), 0.0) - CLOCK.monotonic(), 0.0)

    def off(self, route: Channel) -> float:
        """Returns the seconds until it is looked again whether the route is still switched off; 0 if it is not."""
        return OFF_SECONDS if self._routes.is_off(route) else 0.0

    def why(self, route: Channel, message: Any) -> tuple[str, str]:
        """Returns code and reason of a message that waits for the route, or for its receiver."""
        if self.receivers.wait(message.receiver):
            return PAUSED, self.receivers.why(message.receiver)
        if self._routes.is_off(route):
            return OFF, _OFF_REASON
        if self.cooling(route, message.sender):
            return "throttled", "The provider asks for a pause. The message waits."
        if self.breakers.closed(self.breaker(route, message)):
            return (
                "route_busy",
                "Other workers have all that may be in flight by its route. The message waits.",
            )
        return breakers.CODE, breakers.REASON

    def route_breaker(self, route: Channel) -> str | None:
        """Returns the name of the breaker that everything on this route stands behind, if there is one such."""
        return breakers.route_breaker(self._routes, route)

    def breaker(self, route: Channel, message: Any) -> str | None:
        """Returns the name of the breaker that the message stands behind."""
        return breakers.name_of(self._routes, route, message.outgoing)

    def admits(self, route: Channel, message: Any) -> bool:
        """Takes a place of the message's messenger account, so that one that hangs does not take the places of all, or
        of its receiver.

        Returns whether there was one; other messages need none.
        """
        if message.receiver is not None:
            return self.receivers.admits(message)
        if route.name != MESSENGER or message.sender is None:
            return True
        if self._busy[message.sender] >= MESSAGES_PER_ACCOUNT:
            return False
        self._busy[message.sender] += 1
        return True

    def done(self, route: Channel, messages: Sequence[Any]) -> None:
        """Gives the places back."""
        if self.receivers.is_busy:
            self.receivers.done(messages)
        if route.name != MESSENGER:
            return
        for message in messages:
            if message.sender is not None:
                self._busy[message.sender] -= 1
                if not self._busy[message.sender]:
                    del self._busy[message.sender]

"""Routes whose provider hangs, throttles, refuses and loses connections, as a plan says; and what it has accepted."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

from channels.port import LostConnection, Outcome, Outgoing, Result
from core.clock import CLOCK
from tests.simulation.store import Store, Violation

MOODS = (
    "well", "slow", "hangs", "loses", "throttles", "transient", "misconfigured", "unreachable", "raises", "decides",
    "mixed",
)  # fmt: skip
"""The ways in which a provider behaves for a while."""


@dataclass(slots=True)
class Phase:
    """A time in which a provider behaves in one way."""

    until: float  # of CLOCK.monotonic
    mood: str


@dataclass(eq=False)
class Provider:
    """The provider behind a route. All workers reach the same one."""

    name: str
    batch: int
    idempotent: bool
    latency: float
    phases: list[Phase]
    total: int | None
    random: Random
    store: Store
    reports: float  # the share of messages that get a delivery report
    accepted: dict[UUID, dict[str, int]]  # of all providers: by message, how often each key was accepted
    taken: dict[str, Outcome] = field(default_factory=dict)  # the outcomes of keys, if it honors these
    lost: LostConnection = field(default_factory=LostConnection)
    off_until: float = 0.0  # an administrator has switched the route off

    def mood(self) -> str:
        """Returns how it behaves now."""
        now = CLOCK.monotonic()
        while self.phases and self.phases[0].until <= now:
            del self.phases[0]
            self.lost = LostConnection()
        mood = self.phases[0].mood if self.phases else "well"
        return self.random.choice(MOODS[:-1]) if mood == "mixed" else mood

    def accept(self, message: Outgoing) -> Outcome:
        """Takes a message. Raises Violation if it has taken it before under another key, or twice under this one."""
        if self.idempotent and (outcome := self.taken.get(message.key)) is not None:
            return outcome
        if self.store.rows[message.id].invalid:
            outcome = Outcome(Result.refused, code="invalid_recipient")
        else:
            keys = self.accepted.setdefault(message.id, {})
            keys[message.key] = keys.get(message.key, 0) + 1
            if sum(keys.values()) > 1:
                raise Violation(f"sent twice: {keys}")
            outcome = Outcome(Result.sent, provider_message_id=message.key)
            if self.random.random() < self.reports:
                delay = self.random.choice((0.0, 0.01, 0.2, 5.0))
                asyncio.get_running_loop().call_later(delay, self.store.report, message.id, message.key)
        if self.idempotent:
            self.taken[message.key] = outcome
        return outcome


class Route:
    """A channel of one worker to a provider."""

    def __init__(self, provider: Provider, worker: Any) -> None:
        self.provider, self._worker = provider, worker
        self.name, self.batch, self.idempotent = "http", provider.batch, provider.idempotent
        self._in_flight = 0

    async def close(self) -> None:
        """Has nothing to close."""

    async def send(self, batch: Sequence[Outgoing]) -> list[Outcome]:
        """Sends messages. Raises Violation if one has no stored intent, or too many are in flight."""
        for message in batch:
            if self.provider.store.intents.get((self._worker, message.id)) != self.provider.name:
                raise Violation(f"dispatched without a stored intent: {message.id.int}")
        self._in_flight += len(batch)
        if self._in_flight > self.batch:
            raise Violation(f"{self._in_flight} in flight, of {self.batch}")
        try:
            return [await self._sent(message) for message in batch]
        finally:
            self._in_flight -= len(batch)

    async def _sent(self, message: Outgoing) -> Outcome:
        provider, random = self.provider, self.provider.random
        row = provider.store.rows[message.id]
        mood = provider.mood()
        if mood == "decides":  # without a request
            row.failures += 1
            return Outcome(Result.refused, code="text_too_long", asked=False)
        self._worker.trace("dispatch", provider.name, message.id.int, message.key[-2:], mood)
        await asyncio.sleep(provider.latency * random.uniform(0.5, 2.0) * (20 if mood == "slow" else 1))
        if self._worker.dead:
            raise asyncio.CancelledError
        if mood in ("well", "slow"):
            outcome = provider.accept(message)
            row.failures += outcome.result is Result.refused
            return outcome
        if mood == "throttles":
            row.failures += 1
            return Outcome(Result.throttled, retry_after=random.choice((None, 0.5, 3.0, 30.0)))
        if mood == "transient":
            row.failures += 1
            return Outcome(Result.transient, code="server_error")
        if mood == "misconfigured":
            return Outcome(Result.misconfigured, code="bad_credentials")
        if mood == "unreachable":
            row.failures += 1
            return Outcome(Result.transient, code="connect_failed")
        # The provider may have it, or get it yet.
        row.doubt = True
        if random.random() < 0.5:
            provider.accept(message)
        if mood == "raises":
            raise RuntimeError("a driver with a bug")
        if mood == "hangs":
            await asyncio.sleep(random.choice((3.0, 10.0, 30.0)))
            return Outcome(Result.unknown, code="timeout")
        return Outcome(Result.unknown, code="connection_lost", lost_connection=provider.lost)


class Routes:
    """The routes of one worker, as engine/sending and the breakers read them."""

    def __init__(self, providers: Sequence[Provider], worker: Any) -> None:
        self.all = [Route(provider, worker) for provider in providers]

    def label(self, route: Any) -> str:
        return str(route.provider.name)

    name = label

    def total(self, route: Any) -> int | None:
        total: int | None = route.provider.total
        return total

    def is_off(self, route: Any) -> bool:
        return bool(CLOCK.monotonic() < route.provider.off_until)

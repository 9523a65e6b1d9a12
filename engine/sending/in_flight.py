"""The calls of one route: prepared messages are sent, as many at once as the route may have."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence

import structlog

from channels.batch import BROKE
from channels.port import Channel, Result
from core.clock import CLOCK
from core.metrics import HANDOVERS
from engine.sending.ask import ask
from engine.sending.concurrency import AdaptiveLimit
from engine.sending.delivery import Delivery
from engine.sending.limits import Limits
from engine.sending.port import Message

log = structlog.get_logger("postern.sending")


class InFlight:
    """Messages whose intents are stored: those that wait for a call, and the calls."""

    def __init__(
        self,
        route: Channel,
        label: str,
        limits: Limits,
        concurrency: AdaptiveLimit,
        chunk: int,
        *,
        answered: Callable[[Delivery, list[Message]], None],
        withdraw: Callable[[Delivery, list[Message]], None],
    ) -> None:
        """`label`: of the route. `chunk`: the most messages of a call.

        `answered` takes the messages of a call that ended. `withdraw` takes messages that are not dispatched although
        their intents are recorded: it withdraws these.
        """
        self.prepared: deque[tuple[Delivery, Message]] = deque()
        self.count = 0  # messages of calls
        self.calls: set[asyncio.Task[None]] = set()
        self.chunk = chunk
        self._route, self._label = route, label
        self._limits, self.concurrency = limits, concurrency
        self._answered, self._withdraw = answered, withdraw
        self._goes_alone: Callable[[str], bool] | None = getattr(route, "goes_alone", None)  # the sandbox's

    def deliveries(self) -> list[Delivery]:
        """Returns the deliveries whose messages wait for a call."""
        return [*dict.fromkeys(delivery for delivery, _ in self.prepared)]

    def remove(self, delivery: Delivery) -> list[Message]:
        """Takes out the messages of a delivery that wait for a call."""
        removed = [message for other, message in self.prepared if other is delivery]
        if removed:
            self.prepared = deque(entry for entry in self.prepared if entry[0] is not delivery)
        return removed

    def dispatch(self) -> None:
        """Sends prepared messages, as far as the limit allows."""
        while self.prepared and self.count < self.concurrency.limit:
            delivery, message = self.prepared.popleft()
            part = [message]
            while (
                len(part) < self.chunk
                and self.prepared
                and self._goes_with(delivery, part[0])
                and self.count + len(part) < self.concurrency.limit
            ):
                part.append(self.prepared.popleft()[1])
            if delivery.stopped or self._defers(delivery, message):
                self._withdraw(delivery, part)
                continue
            self.count += len(part)
            task = asyncio.create_task(self._send(delivery, part))
            self.calls.add(task)
            task.add_done_callback(self.calls.discard)

    def _goes_with(self, delivery: Delivery, first: Message) -> bool:
        """Returns whether the next message may be in one call of the sandbox with `first`, which is of `delivery`."""
        other, message = self.prepared[0]
        return other is delivery and not (
            self._goes_alone is not None and (self._goes_alone(message.to) or self._goes_alone(first.to))
        )

    def _defers(self, delivery: Delivery, message: Message) -> bool:
        """Returns whether the route wants nothing more since the intent of this message was recorded."""
        if self._limits.off(self._route) or self._limits.receivers.wait(message.receiver):
            return True
        breakers = self._limits.breakers
        if not breakers.all_closed and message.probe is None:
            return not breakers.closed(self._limits.breaker(self._route, message))
        return delivery.cooling(self._route, message.sender) > 0

    async def _send(self, delivery: Delivery, part: list[Message]) -> None:
        started = CLOCK.monotonic()
        busy = self.count >= self.concurrency.limit
        try:
            going = part
            if (files := delivery.file_loader) is not None:
                going = [message for message in part if await files.load(message)]
                await self._limits.breakers.give_back(without(part, going))
                started = CLOCK.monotonic()  # the time of loading says nothing about the provider
            if going:
                names = [self._limits.breaker(self._route, message) for message in going]
                await ask(self._route, going, names, self._limits.breakers, point=delivery.points.sent)
                if self._limits.receivers.active:
                    await self._limits.receivers.hear(going)
                self._measure(delivery, going, started, busy=busy)
        except Exception:
            log.exception("messages can't be sent", route=self._label)
            await self._limits.breakers.give_back(part)
        finally:
            # Without an outcome if this process ends: then the claim's recovery decides.
            self.count -= len(part)
            self._limits.done(self._route, part)
        for message in part:
            if (
                message.outcome is None
            ):  # by a bug, which must not keep the outcomes of the others from being stored
                log.error("a message has no outcome", route=self._label, id=str(message.id))
                message.outcome = BROKE
        self._answered(delivery, part)

    def _measure(self, delivery: Delivery, part: Sequence[Message], started: float, *, busy: bool) -> None:
        outcomes = [(message, message.outcome) for message in part if message.outcome is not None]
        results = Counter(outcome.result for _, outcome in outcomes)
        for result, count in results.items():
            HANDOVERS.labels(delivery.channel, self._route.name, result.value).inc(count)
        for message, outcome in outcomes:
            # A provider of mailboxes that slows us down says nothing of the route, which has others.
            if outcome.result is Result.throttled and (message.receiver is None or not outcome.at_recipient):
                delivery.throttled(self._route, message)
                self.concurrency.throttled(started)
            if outcome.asked and outcome.result in (Result.sent, Result.delivered, Result.refused):
                self.concurrency.succeeded(started, busy=busy)


def without(messages: Sequence[Message], others: Sequence[Message]) -> list[Message]:
    """Returns the messages that are not among the others."""
    ids = {message.id for message in others}
    return [message for message in messages if message.id not in ids]

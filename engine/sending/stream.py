"""The stream of messages to one route: it keeps as many in flight as the route may have.

    add ──► ready ──► intents recorded ──► dispatched ──► outcome ──► stored ──► settled
             queue      ahead of time        in flight      finished     │
                  ▲                                                      └► next route, if this one surely took nothing
                  └── one transaction stores the outcomes of a group and records the intents of the next one ──┘

At no moment is a message that was dispatched indistinguishable from one that was not: its intent is committed before
the provider is called, its outcome after. Intents without a stored outcome are never more than `AdaptiveLimit.ahead`,
which is what a kill may leave unknown. An outcome is stored after `_LATEST` at the latest, and at once when nothing
else is in flight.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextvars import Context
from functools import partial
from typing import Any

import structlog

from channels.batch import BROKE
from channels.port import Channel, Outcome, Result
from core.change_events import ChangeEvents
from core.metrics import HANDOVERS
from core.tasks import end
from db.session import Database
from engine.faultpoints import reach
from engine.sending.ask import ask
from engine.sending.concurrency import AdaptiveLimit
from engine.sending.delivery import Delivery
from engine.sending.groups import GroupStore
from engine.sending.judge import History, judge
from engine.sending.limits import Limits
from engine.sending.port import Claim, WithVerdict
from engine.sending.ready import ReadyQueue
from runtime.retry import until_stored
from runtime.routes import SANDBOX

log = structlog.get_logger("postern.sending")

_LATEST = 0.05  # seconds until an outcome is stored
_LOOK = 0.1  # seconds until early reports of stored messages are looked for
_SANDBOX_CALLS = (
    32  # at once: an answer of the sandbox costs less than a task, so a call has several messages
)
_EARLY = "SELECT EXISTS (SELECT FROM early_reports)"


class RouteStream:
    """The stream of one route in this process."""

    def __init__(
        self,
        db: Database,
        route: Channel,
        label: str,
        limits: Limits,
        change_events: ChangeEvents,
        *,
        most: int,
    ) -> None:
        """`label`: under which the route stands in the tables. `most`: messages that it may have in flight."""
        self.route, self.label = route, label
        sandbox = route.name == SANDBOX  # which has no connections that could be too many
        self.concurrency = AdaptiveLimit(most, most) if sandbox else AdaptiveLimit(most)
        self._db, self._limits, self._change_events = db, limits, change_events
        self._groups = GroupStore(db, label, change_events)
        self._chunk = max(1, most // _SANDBOX_CALLS) if sandbox else 1
        self._goes_alone: Callable[[str], bool] | None = getattr(route, "goes_alone", None)  # the sandbox's
        self._ready = ReadyQueue()
        self._prepared: deque[tuple[Delivery, Any]] = deque()  # their intents are stored
        self._in_flight = 0
        self._open = 0  # intents, being stored or stored, whose outcome is not stored yet
        self._finished: list[tuple[Delivery, Any]] = []  # their outcomes are to be stored
        self._withdrawn: list[tuple[Delivery, Any]] = []  # their intents are to be withdrawn
        self._unsettled: list[tuple[Delivery, list[WithVerdict]]] = []
        self._flush = self._look = False  # it is time to store, or to look for early reports
        self._blocked = False  # nothing that is ready can be taken before something changes
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()

    # what deliveries ask for

    def add(self, delivery: Delivery, messages: Sequence[Any]) -> None:
        """Takes messages that are to be sent by this route."""
        self._ready.add(delivery, messages)
        self._changed()
        if self._writer is None or self._writer.done():
            # In a context of its own: the events of other claims are not the caller's.
            self._writer = asyncio.create_task(self._run(), context=Context())

    def take_back(self, delivery: Delivery, *, withdraw: bool = False) -> list[Any]:
        """Returns the messages that wait here. `withdraw`: those with an intent that were not dispatched, too.

        The delivery gets these back as left over, when it is stored that they were not dispatched.
        """
        if withdraw and self._prepared:
            mine = [entry for entry in self._prepared if entry[0] is delivery]
            self._prepared = deque(entry for entry in self._prepared if entry[0] is not delivery)
            self._limits.done(self.route, [message for _, message in mine])
            self._withdrawn.extend(mine)
            self._changed()
        return self._ready.remove(delivery)

    def share(self, most: int) -> None:
        """Sets how many messages the route may have in flight in this process."""
        if most != self.concurrency.most:
            self.concurrency.most = most
            if not most:  # other workers have it all: what waits here is given back
                for delivery in {*self._ready.deliveries(), *(delivery for delivery, _ in self._prepared)}:
                    delivery.stop()
            self._changed()
            self._dispatch()

    async def close(self) -> None:
        """Ends the stream; what is in flight is left to the recovery of its claim."""
        await end([task for task in (self._writer, *self._sending) if task is not None])

    # the writer: one transaction at a time

    def _changed(self) -> None:
        self._blocked = False
        self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            if self._step_due():
                try:
                    await self._step()
                except Exception:  # a bug: the stream goes on with the others
                    log.exception("the stream of a route broke", route=self.label)
                    await asyncio.sleep(_LATEST)
            elif self._is_idle():
                return
            else:
                await self._wake.wait()

    def _is_idle(self) -> bool:
        return not (
            self._ready
            or self._prepared
            or self._in_flight
            or self._finished
            or self._withdrawn
            or self._unsettled
        )

    def _budget(self) -> int:
        """Returns how many intents may be recorded in the transaction that stores what is finished."""
        return self.concurrency.ahead - (self._open - len(self._finished) - len(self._withdrawn))

    def _group(self) -> int:
        """Returns how many messages are worth a transaction while others are in flight."""
        return (self.concurrency.ahead - self.concurrency.limit) * 2 // 5 + 1

    def _step_due(self) -> bool:
        idle = not self._in_flight and not self._prepared
        if self._withdrawn or (self._unsettled and (self._look or (idle and not self._finished))):
            return True
        if self._finished and (idle or self._flush or len(self._finished) >= self._group()):
            return True
        if not self._ready or self._blocked:
            return False
        budget = self._budget()
        starving = not self._prepared and self._in_flight < self.concurrency.limit
        return budget > 0 and (starving or budget >= self._group())

    async def _step(self) -> None:
        finished, self._finished, self._flush = self._finished, [], False
        withdrawn, self._withdrawn = self._withdrawn, []
        self._open -= len(finished) + len(withdrawn)
        decided = self._verdicts(finished)
        chosen = await self._choose()
        if decided or withdrawn or chosen:
            await self._store(decided, withdrawn, chosen)
        if self._unsettled and (self._look or not (self._in_flight or self._prepared or self._finished)):
            await self._settle()

    def _verdicts(self, finished: Iterable[tuple[Delivery, Any]]) -> dict[Delivery, list[WithVerdict]]:
        decided: dict[Delivery, list[WithVerdict]] = {}
        now = self._db.now()
        # The sandbox is not asked again: it is meant to show `unknown`.
        asks_again = self.route.idempotent and self.route.name != SANDBOX
        for delivery, message in finished:
            verdict = judge(
                message.outcome,
                History(message.attempts, message.tries, message.first_dispatch),
                delivery.claim.policy(message),
                last=delivery.is_last(self.route, message),
                asks_again=asks_again,
                now=now,
            )
            message.attempts = verdict.attempts
            decided.setdefault(delivery, []).append((message, verdict))
        return decided

    # what is sent next

    async def _choose(self) -> list[tuple[Delivery, list[Any]]]:
        chosen: list[tuple[Delivery, list[Any]]] = []
        budget = self._budget()
        self._blocked = True
        while budget > 0:
            # The sandbox is faster with whole batches; a real route is not to wait for room.
            whole = self.concurrency.ahead if self._chunk > 1 else 0
            taken = self._ready.take(budget, whole, self._admits)
            if taken is None:
                break
            delivery, messages = taken
            try:
                going = await self._sift(delivery, messages)
            except Exception as error:  # the store refuses to keep what a breaker holds up
                log.exception("messages can't be put off", route=self.label)
                delivery.fail(error)
                self._limits.done(self.route, messages)
                await self._left_over(delivery, [message for message in messages if message.outcome is None])
                continue
            if len(going) < len(messages):
                self._limits.done(self.route, set_aside(messages, going))
            if going:
                chosen.append((delivery, going))
                budget -= len(going)
                self._open += len(going)
            self._blocked = False
        return chosen

    def _admits(self, message: Any) -> bool:
        return self._limits.admits(self.route, message)

    async def _sift(self, delivery: Delivery, messages: list[Any]) -> list[Any]:
        """Returns those that may go now. The others are left over, stored, put off or given to another route."""
        claim = delivery.claim
        if claim.ended or delivery.stopped:
            await self._left_over(delivery, messages)
            return []
        late = claim.expired(messages)
        if late:
            messages = set_aside(messages, late)
            await self._limits.breakers.give_back(late)
            self._open += len(late)
            self._finish(delivery, late)
            self._wake.set()
        pauses = {
            sender: claim.cooling(self.route, sender) for sender in {message.sender for message in messages}
        }
        breakers = self._limits.breakers
        if breakers.all_closed and not any(pauses.values()):
            return messages
        waiting = [(message, pauses[message.sender]) for message in messages if pauses[message.sender]]
        going = [message for message in messages if not pauses[message.sender]]
        if not breakers.all_closed:
            going, behind = await breakers.sift(
                going, lambda message: self._limits.breaker(self.route, message)
            )
            waiting += behind
        await delivery.no_room(self.route, waiting)
        return going

    async def _left_over(self, delivery: Delivery, messages: Sequence[Any]) -> None:
        await self._limits.breakers.give_back(messages)
        delivery.left_over(messages)

    # storing

    async def _store(
        self,
        decided: dict[Delivery, list[WithVerdict]],
        withdrawn: Sequence[tuple[Delivery, Any]],
        chosen: Sequence[tuple[Delivery, list[Any]]],
    ) -> None:
        try:
            recorded = await self._groups.commit(decided, withdrawn, chosen)
        except Exception as error:
            log.error(
                "a group of outcomes and intents can't be stored", route=self.label, error=str(error)[:200]
            )
            decided = await self._groups.store_apart(decided)
            recorded = await self._commit_intents(withdrawn, chosen)
        await self._hand_back(withdrawn)
        for (delivery, messages), mine in zip(chosen, recorded, strict=True):
            if len(mine) < len(messages):
                others = set_aside(messages, mine)
                self._open -= len(others)
                self._limits.done(self.route, others)
                await self._left_over(delivery, others)
            if mine:
                for message in mine:
                    message.outcome = None
                delivery.claim.recorded(mine)
                reach(delivery.claim.points.recorded)
                self._prepared.extend((delivery, message) for message in mine)
        self._dispatch()
        for delivery, entries in decided.items():
            reach(delivery.claim.points.written)
            try:
                with self._change_events.emitting():
                    await delivery.claim.stored(entries)
            except Exception as error:  # the outcomes are stored; what follows from them is not
                log.exception("what follows from outcomes can't be stored", route=self.label)
                delivery.fail(error)
            again = [message for message, verdict in entries if verdict.another_route]
            for message in again:
                message.outcome = None  # the next route's counts
            if again:
                delivery.next_route(self.route, again)
            if rest := [entry for entry in entries if not entry[1].another_route]:
                self._unsettled.append((delivery, rest))
                if len(self._unsettled) == 1:
                    asyncio.get_running_loop().call_later(_LOOK, self._look_now)

    async def _hand_back(self, withdrawn: Sequence[tuple[Delivery, Any]]) -> None:
        """Gives messages whose intents are withdrawn to the next route, or back to their claim."""
        breakers = self._limits.breakers
        for delivery, message in withdrawn:
            delivery.claim.withdrawn([message])
            await breakers.give_back([message])
            name = self._limits.breaker(self.route, message)
            pause = max(delivery.claim.cooling(self.route, message.sender), breakers.wait(name))
            if not pause or delivery.stopped or delivery.claim.ended:
                delivery.left_over([message])
                continue
            try:
                await delivery.no_room(self.route, [(message, pause)])
            except Exception as error:
                log.exception("a message can't be put off", route=self.label)
                delivery.fail(error)
                delivery.left_over([message])

    async def _commit_intents(
        self, withdrawn: Sequence[tuple[Delivery, Any]], chosen: Sequence[tuple[Delivery, list[Any]]]
    ) -> list[list[Any]]:
        try:
            return await self._groups.commit({}, withdrawn, chosen)
        except Exception as error:
            log.exception("intents can't be stored", route=self.label)
            for delivery, _ in chosen:
                delivery.fail(error)
            return [[] for _ in chosen]

    def _look_now(self) -> None:
        self._look = True
        self._wake.set()

    async def _settle(self) -> None:
        """Applies reports that came before our commit. Who stores one after this look finds our commit."""
        unsettled, self._unsettled, self._look = self._unsettled, [], False
        try:
            with self._change_events.emitting():
                if await until_stored(self._db, lambda db: db.fetchval(_EARLY)):
                    for delivery, entries in unsettled:
                        await until_stored(self._db, partial(delivery.claim.settle, decided=entries))
        finally:
            for delivery, entries in unsettled:
                if delivery.claim.points.settled:
                    reach(delivery.claim.points.settled)
                delivery.done(len(entries))

    # sending

    def _dispatch(self) -> None:
        """Sends what is prepared, as far as the limit allows."""
        while self._prepared and self._in_flight < self.concurrency.limit:
            delivery, message = self._prepared.popleft()
            part = [message]
            while (
                len(part) < self._chunk
                and self._prepared
                and self._goes_with(delivery, part[0])
                and self._in_flight + len(part) < self.concurrency.limit
            ):
                part.append(self._prepared.popleft()[1])
            if delivery.stopped or delivery.claim.ended or self._defers(delivery, message):
                self._withdrawn.extend((delivery, message) for message in part)
                self._limits.done(self.route, part)
                self._wake.set()
                continue
            self._in_flight += len(part)
            task = asyncio.create_task(self._send(delivery, part))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _goes_with(self, delivery: Delivery, first: Any) -> bool:
        """Returns whether the next message may be in one call of the sandbox with `first`, which is of `delivery`."""
        other, message = self._prepared[0]
        return other is delivery and not (
            self._goes_alone is not None and (self._goes_alone(message.to) or self._goes_alone(first.to))
        )

    def _defers(self, delivery: Delivery, message: Any) -> bool:
        """Returns whether the route wants nothing more since the intent of this message was recorded."""
        breakers = self._limits.breakers
        if not breakers.all_closed and message.probe is None:
            return not breakers.closed(self._limits.breaker(self.route, message))
        return delivery.claim.cooling(self.route, message.sender) > 0

    async def _send(self, delivery: Delivery, part: list[Any]) -> None:
        claim = delivery.claim
        started = time.monotonic()
        busy = self._in_flight >= self.concurrency.limit
        try:
            going = part
            if claim.loads:
                going = [message for message in part if await claim.load(message)]
                await self._limits.breakers.give_back(set_aside(part, going))
                started = time.monotonic()  # what loading took says nothing about the provider
            if going:
                names = [self._limits.breaker(self.route, message) for message in going]
                await ask(self.route, going, names, self._limits.breakers, point=claim.points.sent)
                self._count(claim, going, started, busy=busy)
        except Exception:
            log.exception("messages can't be sent", route=self.label)
            await self._limits.breakers.give_back(part)
            for message in part:
                message.outcome = message.outcome or BROKE
        finally:
            # Without an outcome if this process ends: then the claim's recovery decides.
            self._in_flight -= len(part)
            self._limits.done(self.route, part)
        self._finish(delivery, part)
        self._blocked = False
        self._dispatch()
        if self._step_due():
            self._wake.set()

    def _finish(self, delivery: Delivery, messages: Sequence[Any]) -> None:
        """Takes messages whose outcomes are to be stored."""
        if not self._finished:
            asyncio.get_running_loop().call_later(_LATEST, self._flush_now)
        self._finished.extend((delivery, message) for message in messages)

    def _flush_now(self) -> None:
        if self._finished:
            self._flush = True
            self._wake.set()

    def _count(self, claim: Claim, part: Sequence[Any], started: float, *, busy: bool) -> None:
        results = Counter(message.outcome.result for message in part)
        for result, count in results.items():
            HANDOVERS.labels(claim.channel, self.route.name, result.value).inc(count)
        for message in part:
            outcome: Outcome = message.outcome
            if outcome.result is Result.throttled:
                claim.throttled(self.route, message)
                self.concurrency.throttled(started)
            if outcome.asked and outcome.result in (Result.sent, Result.delivered, Result.refused):
                self.concurrency.succeeded(started, busy=busy)


def set_aside(messages: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Returns the messages that are not among the others."""
    ids = {message.id for message in others}
    return [message for message in messages if message.id not in ids]

"""The stream of messages to one route: it keeps as many in flight as the route may have.

    add ──► ready ──► intents recorded ──► dispatched ──► outcome ──► stored ──► early reports
             queue      ahead of time        in flight      finished     │
                  ▲                                                      └► next route, if this one surely took nothing
                  └── one transaction stores the outcomes of a group and records the intents of the next one ──┘

At no moment is a message that was dispatched indistinguishable from one that was not: its intent is committed before
the provider is called, its outcome after. Intents without a stored outcome are never more than `AdaptiveLimit.ahead`,
so many a kill may leave unknown. An outcome is stored after `_LATEST` at the latest, and at once when nothing
else is in flight.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextvars import Context
from functools import partial

import structlog

from channels.port import Channel
from core.change_events import ChangeEvents
from core.clock import CLOCK
from core.tasks import end
from db.session import Database
from engine.faultpoints import fault_point
from engine.receivers.rules import CODES
from engine.sending.concurrency import AdaptiveLimit
from engine.sending.delivery import Delivery
from engine.sending.groups import GroupStore
from engine.sending.in_flight import InFlight, without
from engine.sending.judge import History, judge
from engine.sending.limits import Limits
from engine.sending.pass_on import NO_SHARE_SECONDS, hand_back, pass_on
from engine.sending.port import Message, WithVerdict
from engine.sending.ready import ReadyQueue
from runtime.retry import until_stored
from runtime.routes import SANDBOX

log = structlog.get_logger("postern.sending")

_LATEST = 0.05  # seconds until an outcome is stored
_EARLY_AFTER = 0.1  # seconds until early reports of stored messages are looked for
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
        concurrency = AdaptiveLimit(most, most) if sandbox else AdaptiveLimit(most)
        self._db, self._limits, self._change_events = db, limits, change_events
        self._groups = GroupStore(db, label, change_events)
        chunk = max(1, most // _SANDBOX_CALLS) if sandbox else 1
        self._in_flight = InFlight(
            route, label, limits, concurrency, chunk, answered=self._answered, withdraw=self._withdraw
        )
        self._ready = ReadyQueue()
        self._open = 0  # intents, being stored or stored, whose outcome is not stored yet
        self._finished: list[tuple[Delivery, Message]] = []  # their outcomes are to be stored
        self._withdrawn: list[tuple[Delivery, Message]] = []  # their intents are to be withdrawn
        self._awaiting_early: list[tuple[Delivery, list[WithVerdict]]] = []
        self._flush_due = self._early_due = False  # it is time to store, or to look for early reports
        self._blocked = False  # nothing that is ready can be popped before something changes
        self._wake = asyncio.Event()
        self.writer: asyncio.Task[None] | None = None  # it ends when nothing is left to do

    @property
    def concurrency(self) -> AdaptiveLimit:
        """Returns the limit of the messages that the route has in flight in this process."""
        return self._in_flight.concurrency

    def receiver_freed(self) -> None:
        """Looks again for messages that may go: one to a receiver of which there may be few is not in flight now."""
        if self._blocked and self._ready:
            self._changed()

    # the messages that deliveries request

    def add(self, delivery: Delivery, messages: Sequence[Message]) -> None:
        """Takes messages that are to be sent by this route."""
        self._ready.add(delivery, messages)
        self._changed()
        if self.writer is None or self.writer.done():
            # In a context of its own: the events of other claims are not the caller's.
            self.writer = asyncio.create_task(self._run(), context=Context())

    def remove(self, delivery: Delivery, *, withdraw: bool = False) -> list[Message]:
        """Returns the messages that wait here. `withdraw`: those with an intent that were not dispatched, too.

        The delivery gets these back when it is stored that they were not dispatched.
        """
        if withdraw and (messages := self._in_flight.remove(delivery)):
            self._blocked = False
            self._withdraw(delivery, messages)
        return self._ready.remove(delivery)

    def share(self, most: int) -> None:
        """Sets how many messages the route may have in flight in this process."""
        if most != self.concurrency.most:
            self.concurrency.most = most
            if not most:  # other workers have it all
                self._stop_waiting()
            self._changed()
            self._in_flight.dispatch()

    def _stop_waiting(self) -> None:
        """Gives back the messages that wait here."""
        for delivery in dict.fromkeys([*self._ready.deliveries(), *self._in_flight.deliveries()]):
            delivery.stop()

    async def close(self) -> None:
        """Ends the stream; messages in flight are left to the recovery of their claims."""
        await end([task for task in (self.writer, *self._in_flight.calls) if task is not None])

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
            or self._in_flight.prepared
            or self._in_flight.count
            or self._finished
            or self._withdrawn
            or self._awaiting_early
        )

    def _budget(self) -> int:
        """Returns how many intents may be recorded in the transaction that stores finished messages."""
        return self.concurrency.ahead - (self._open - len(self._finished) - len(self._withdrawn))

    def _group(self) -> int:
        """Returns how many messages are worth a transaction while others are in flight."""
        return (self.concurrency.ahead - self.concurrency.limit) * 2 // 5 + 1

    def _step_due(self) -> bool:
        idle = not self._in_flight.count and not self._in_flight.prepared
        if self._withdrawn or (self._awaiting_early and (self._early_due or (idle and not self._finished))):
            return True
        if self._finished and (idle or self._flush_due or len(self._finished) >= self._group()):
            return True
        if not self._ready or self._blocked:
            return False
        if not self.concurrency.most:
            return True
        budget = self._budget()
        starving = not self._in_flight.prepared and self._in_flight.count < self.concurrency.limit
        return budget > 0 and (starving or budget >= self._group())

    async def _step(self) -> None:
        finished, self._finished, self._flush_due = self._finished, [], False
        withdrawn, self._withdrawn = self._withdrawn, []
        self._open -= len(finished) + len(withdrawn)
        decided = self._verdicts(finished)
        chosen = await self._choose()
        if decided or withdrawn or chosen:
            await self._store(decided, withdrawn, chosen)
        if self._awaiting_early and (
            self._early_due or not (self._in_flight.count or self._in_flight.prepared or self._finished)
        ):
            await self._apply_early()

    def _verdicts(self, finished: Iterable[tuple[Delivery, Message]]) -> dict[Delivery, list[WithVerdict]]:
        decided: dict[Delivery, list[WithVerdict]] = {}
        now = self._db.now()
        # The sandbox is not asked again: it is meant to show `unknown`.
        asks_again = self.route.idempotent and self.route.name != SANDBOX
        for delivery, message in finished:
            assert message.outcome is not None
            verdict = judge(
                message.outcome,
                History(message.attempts, message.tries, message.first_dispatch),
                delivery.claim.policy(message),
                last=message.outcome.code in CODES or delivery.is_last(self.route, message),
                asks_again=asks_again,
                now=now,
            )
            message.attempts = verdict.attempts
            decided.setdefault(delivery, []).append((message, verdict))
        return decided

    # the messages to send next

    async def _choose(self) -> list[tuple[Delivery, list[Message]]]:
        if not self.concurrency.most:  # other workers have it all
            for delivery in dict.fromkeys(self._ready.deliveries()):
                waiting = [(message, NO_SHARE_SECONDS) for message in self._ready.remove(delivery)]
                await pass_on(delivery, self.route, waiting)
            return []
        chosen: list[tuple[Delivery, list[Message]]] = []
        budget = self._budget()
        self._blocked = True
        while budget > 0:
            # The sandbox is faster with whole batches; a real route is not to wait for room.
            unsplit = self.concurrency.ahead if self._in_flight.chunk > 1 else 0
            popped = self._ready.pop(budget, unsplit, self._admits)
            if popped is None:
                break
            delivery, messages = popped
            try:
                going = await self._sift(delivery, messages)
            except Exception as error:  # the store refuses to keep messages that a breaker holds up
                log.exception("messages can't be deferred", route=self.label)
                delivery.fail(error)
                self._limits.done(self.route, messages)
                await self._give_back(delivery, [message for message in messages if message.outcome is None])
                continue
            if len(going) < len(messages):
                self._limits.done(self.route, without(messages, going))
            if going:
                chosen.append((delivery, going))
                budget -= len(going)
                self._open += len(going)
            self._blocked = False
        return chosen

    def _admits(self, message: Message) -> bool:
        return self._limits.admits(self.route, message)

    async def _sift(self, delivery: Delivery, messages: list[Message]) -> list[Message]:
        """Returns those that may go now. The others are given back, stored, deferred or given to another route."""
        if delivery.stopped:
            await self._give_back(delivery, messages)
            return []
        late = delivery.expiry.expire(messages) if delivery.expiry is not None else []
        if late:
            messages = without(messages, late)
            await self._limits.breakers.give_back(late)
            self._open += len(late)
            self._finish(delivery, late)
            self._wake.set()
        messages, paused = self._limits.receivers.split(messages)
        if paused:
            await self._limits.breakers.give_back([message for message, _ in paused])
            wait = self._limits.receivers.wait  # of those that are not popped yet, too
            others = self._ready.remove(delivery, leaves=lambda message: not wait(message.receiver))
            paused += [(message, wait(message.receiver)) for message in others]
            await pass_on(delivery, self.route, paused, Delivery.defer)
        delays = {
            sender: delivery.cooling(self.route, sender)
            for sender in {message.sender for message in messages}
        }
        breakers = self._limits.breakers
        if off := self._limits.off(self.route):
            delays = dict.fromkeys(delays, off)
        if breakers.all_closed and not any(delays.values()):
            return messages
        waiting = [(message, delays[message.sender]) for message in messages if delays[message.sender]]
        going = [message for message in messages if not delays[message.sender]]
        if not breakers.all_closed:
            going, behind = await breakers.sift(
                going, lambda message: self._limits.breaker(self.route, message)
            )
            waiting += behind
        await delivery.route_unavailable(self.route, waiting)
        return going

    async def _give_back(self, delivery: Delivery, messages: Sequence[Message]) -> None:
        await self._limits.breakers.give_back(messages)
        delivery.give_back(messages)

    # storing

    async def _store(
        self,
        decided: dict[Delivery, list[WithVerdict]],
        withdrawn: Sequence[tuple[Delivery, Message]],
        chosen: Sequence[tuple[Delivery, list[Message]]],
    ) -> None:
        started = CLOCK.monotonic()
        try:
            recorded = await self._groups.commit(decided, withdrawn, chosen)
            self.concurrency.stored(CLOCK.monotonic() - started)
        except Exception as error:
            log.error("a group of outcomes and intents can't be stored", route=self.label, error=error)
            decided = await self._groups.store_apart(decided)
            recorded = await self._commit_intents(withdrawn, chosen)
        await hand_back(self.route, withdrawn, self._limits)
        for (delivery, messages), mine in zip(chosen, recorded, strict=True):
            if len(mine) < len(messages):
                others = without(messages, mine)
                self._open -= len(others)
                self._limits.done(self.route, others)
                await self._give_back(delivery, others)
            if mine:
                for message in mine:
                    message.outcome = None
                if delivery.intent_counter is not None:
                    delivery.intent_counter.intents_recorded(mine)
                fault_point(delivery.points.recorded)
                self._in_flight.prepared.extend((delivery, message) for message in mine)
        if not self.concurrency.most:  # it was taken away while the intents were stored
            self._stop_waiting()
        self._in_flight.dispatch()
        for delivery, entries in decided.items():
            fault_point(delivery.points.written)
            try:
                with self._change_events.emitting():
                    await delivery.claim.outcomes_stored(entries)
            except Exception as error:  # the outcomes are stored; their consequences are not
                log.exception("what follows from outcomes can't be stored", route=self.label)
                delivery.fail(error)
            again = [message for message, verdict in entries if verdict.another_route]
            for message in again:
                message.outcome = None  # the next route's counts
            if again:
                delivery.next_route(self.route, again)
            if done := [entry for entry in entries if not entry[1].another_route]:
                self._awaiting_early.append((delivery, done))
                if len(self._awaiting_early) == 1:
                    asyncio.get_running_loop().call_later(_EARLY_AFTER, self._set_early_due)

    async def _commit_intents(
        self, withdrawn: Sequence[tuple[Delivery, Message]], chosen: Sequence[tuple[Delivery, list[Message]]]
    ) -> list[list[Message]]:
        try:
            return await self._groups.commit({}, withdrawn, chosen)
        except Exception as error:
            log.exception("intents can't be stored", route=self.label)
            for delivery, _ in chosen:
                delivery.fail(error)
            return [[] for _ in chosen]

    def _set_early_due(self) -> None:
        self._early_due = True
        self._wake.set()

    async def _apply_early(self) -> None:
        """Applies reports that came before our commit. Who stores one after this look finds our commit."""
        stored, self._awaiting_early, self._early_due = self._awaiting_early, [], False
        try:
            with self._change_events.emitting():
                if await until_stored(self._db, lambda db: db.fetchval(_EARLY)):
                    for delivery, entries in stored:
                        await until_stored(self._db, partial(delivery.claim.apply_early, decided=entries))
        finally:
            for delivery, entries in stored:
                if delivery.points.early_applied:
                    fault_point(delivery.points.early_applied)
                delivery.done(len(entries))

    # what was sent

    def _answered(self, delivery: Delivery, messages: list[Message]) -> None:
        """Takes messages of a call that ended."""
        self._finish(delivery, messages)
        self._blocked = False
        self._in_flight.dispatch()
        if self._step_due():
            self._wake.set()

    def _withdraw(self, delivery: Delivery, messages: Sequence[Message]) -> None:
        """Takes messages with an intent that are not dispatched."""
        self._withdrawn.extend((delivery, message) for message in messages)
        self._limits.done(self.route, messages)
        self._wake.set()

    def _finish(self, delivery: Delivery, messages: Sequence[Message]) -> None:
        """Takes messages whose outcomes are to be stored."""
        if not self._finished:
            asyncio.get_running_loop().call_later(_LATEST, self._set_flush_due)
        self._finished.extend((delivery, message) for message in messages)

    def _set_flush_due(self) -> None:
        if self._finished:
            self._flush_due = True
            self._wake.set()

"""A batch of a project in this worker: a `Claim` of the sending core (engine/sending/port.py)."""

import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import asyncpg
import structlog

from channels.port import Channel, Result
from core.ids import uuid7
from core.storable_text import storable
from engine import blocks
from engine.projects import batches, groups
from engine.projects.concurrency import ProjectRoutes
from engine.projects.context import ProjectContext
from engine.projects.items import Item, NotHandedOver, RecordState
from engine.reports import report, report_writer, statements
from engine.sending.delivery import Delivery
from engine.sending.judge import LONGEST_RETRY_AFTER, Policy, State, Verdict
from engine.sending.limits import Limits
from engine.sending.port import FaultPoints, WithVerdict, failure_of
from engine.sms.route_receipts import receipts_of
from runtime.leases import Lease
from runtime.retry import until_stored
from runtime.services import Services
from shapes.blocks import BlockReason
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.projects")

FULL = 500
"""Messages that a batch may get."""

_SHORT_PAUSE = 5.0  # seconds for which a project waits with all its messages, as a provider asks for it
_SMALL = 100  # messages of a group that is stored in one round trip; larger ones have quicker statements
_ZERO = Decimal(0)
FAULT_POINTS = FaultPoints("unit.marked", "unit.sent", "unit.recorded")


class LaterBatches:
    """The batches in which messages wait with others that are due at about the same time."""

    def __init__(self) -> None:
        self._batches: dict[tuple[UUID, int, bool], list[UUID]] = {}

    def of(
        self, project: UUID, delay: float, count: int = 1, *, window: bool = False
    ) -> tuple[UUID, timedelta]:
        """Returns the batch for `count` messages that are due in `delay` seconds, and the time until then.

        Messages that wait for their window wait apart: a change of the window makes them due.
        """
        grain = 1 if delay < 10 else 5 if delay < 60 else 15
        now = time.time()
        due = int(-(-(now + delay) // grain) * grain)
        if len(self._batches) > 1000:
            self._batches = {key: batch for key, batch in self._batches.items() if key[1] > now}
        # The id once for each message that the batch has: when it is full, another begins.
        ids = self._batches.setdefault((project, due, window), [])
        if len(ids) + count > FULL:
            ids.clear()
        ids += [ids[0] if ids else uuid7()] * count
        return ids[0], timedelta(seconds=due - now)


class BatchClaim:
    """The claim of one batch, and the results of its messages."""

    def __init__(
        self,
        services: Services,
        routes: ProjectRoutes,
        limits: Limits,
        later: LaterBatches,
        project: ProjectContext,
        batch: UUID,
        id: UUID,
        lease: Lease,
    ) -> None:
        """`lease`: from before the batch was asked for."""
        self.project, self.batch, self.id = project, batch, id
        self.channel = project.channel
        self.lease, self._length = lease, timedelta(seconds=lease.seconds)
        self.deliveries: list[Delivery] = []
        self.complete = 0  # messages to be sent, if the batch has no others
        self.stopped = False  # the project does not run any more
        self.misconfigured = False  # the last route refuses our credentials
        # The routes of messages that rules are about.
        self.orders: Mapping[UUID, Sequence[Channel]] = {}
        self.cool_down: float | None = None  # seconds until a route may take messages that it refuses now
        self.deferred = 0  # messages that were put off into other batches
        self._services, self._db = services, services.db
        self._routes, self._limits, self._later = routes, limits, later
        self._intents = 0  # without a stored outcome
        self._waiting = 0  # messages of this claim that have no intent yet
        self._policy = Policy(
            project.attempts,
            lambda tries: project.backoff(tries).total_seconds(),
            throttle=(1.0, 1.0),
            every_route_counts=False,
            new_key_after_refusal=True,
        )

    @property
    def row_id(self) -> UUID:
        return self.batch

    @property
    def lost(self) -> bool:
        return not self.lease.valid

    @property
    def ended(self) -> bool:
        return self.stopped or self.misconfigured or self.lost

    def stop(self) -> None:
        """Stops the messages that were not dispatched, because the claim is lost."""
        log.warning("lost a batch; stopping it", claim=str(self.id))
        for delivery in self.deliveries:
            delivery.stop()

    async def renew(self, db: asyncpg.Connection) -> bool:
        """Returns whether the claim is still this worker's."""
        return await batches.renew(db, self.id, self._length)

    def policy(self, message: Item) -> Policy:
        return self._policy

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        return self._limits.cooling(route, sender)

    def throttled(self, route: Channel, message: Item) -> None:
        outcome = message.outcome
        assert outcome is not None
        asked = min(outcome.retry_after or 0.0, LONGEST_RETRY_AFTER)
        self._limits.cool_down(route, message.sender, max(asked, 1.0))

    # intents

    async def record_intents(
        self, db: asyncpg.Connection, label: str, messages: Sequence[Item]
    ) -> list[Item]:
        if self._is_complete(messages) and await batches.record_all_intents(
            db, self.batch, self.id, self.project.row, label, messages[0].content, len(messages)
        ):
            return list(messages)
        ids = await batches.record_intents(db, self.batch, self.id, self.project.row, label, messages)
        self.stopped |= len(ids) < len(messages)
        return [message for message in messages if message.id in ids]

    def _is_complete(self, messages: Sequence[Item]) -> bool:
        """Returns whether these are all that the batch has, and none needs anything but the intent."""
        return (
            len(messages) == self.complete
            and not self._intents
            and all(_is_plain(message) and message.content == messages[0].content for message in messages)
        )

    def _is_complete_group(self, decided: Sequence[WithVerdict], messages: Sequence[Item]) -> bool:
        """Returns whether a whole batch is begun, or ends with the allowed messages: that has quicker statements."""
        if messages and self._is_complete(messages):
            return True
        return self._ends_complete(len(decided)) and all(_is_simply_sent(*entry) for entry in decided)

    def _ends_complete(self, count: int) -> bool:
        """Returns whether so many messages are all that is `sending`, and no other will be: else a transaction that is
        repeated, because the answer to its commit was lost, would take the next intents for these.
        """
        return count == self._intents > 0 and not self._waiting

    async def store_group(
        self, db: asyncpg.Connection, label: str, decided: Sequence[WithVerdict], messages: Sequence[Item]
    ) -> list[Item] | None:
        if max(len(decided), len(messages)) > _SMALL or self._is_complete_group(decided, messages):
            return None
        if any(verdict.state not in (State.sent, State.delivered, State.unknown) for _, verdict in decided):
            return None
        states = [self._state(message, verdict) for message, verdict in decided]
        ids = await groups.store(db, self.batch, self.id, self.project.row, states, label, messages)
        if ids is None:
            return None
        self.stopped |= len(ids) < len(messages)
        return [message for message in messages if message.id in ids]

    def intents_recorded(self, messages: Sequence[Item]) -> None:
        self.complete = 0
        self._intents += len(messages)
        self._waiting -= len(messages)
        for message in messages:
            message.paid = message.price
            message.has_intent = True

    async def withdraw_intents(self, db: asyncpg.Connection, messages: Sequence[Item]) -> None:
        states = [
            self._state(
                message,
                Verdict(
                    State.queued,
                    message.attempts,
                    message.tries,
                    failure.code,
                    failure.reason,
                    uncertain=message.uncertain,
                ),
            )
            for message, failure in ((message, failure_of(message)) for message in messages)
        ]
        await self._record(db, states, {}, {message.id: message.paid for message in messages})

    def begin(self, count: int) -> None:
        """Counts the messages that are given to the routes."""
        self._waiting = count

    def intents_withdrawn(self, messages: Sequence[Item]) -> None:
        self._intents -= len(messages)
        self._waiting += len(messages)
        for message in messages:
            message.paid = message.price if message.uncertain else _ZERO
            message.has_intent = False

    # outcomes

    async def record_outcomes(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        plain = [message.id for message, verdict in decided if _is_simply_sent(message, verdict)]
        if self._ends_complete(len(plain)):
            await batches.record_all_sent(db, self.batch, self.id, plain)
        elif plain:
            await batches.record_sent(db, self.id, plain)
        states: list[RecordState] = []
        later: dict[UUID, timedelta] = {}
        for message, verdict in decided:
            if _is_simply_sent(message, verdict):
                continue
            batch = None
            if verdict.state is State.queued and not verdict.misconfigured:
                seconds = verdict.delay
                if message.outcome.result is Result.throttled and self._routes.others(self.project):
                    seconds = 1.0  # another sender takes it
                batch, later_by = self._later.of(self.project.id, seconds)
                later[batch] = later_by
            states.append(self._state(message, verdict, batch))
        if states:
            await self._record(db, states, later, {message.id: message.paid for message, _ in decided})

    def _state(self, message: Item, verdict: Verdict, batch: UUID | None = None) -> RecordState:
        keeps_price = verdict.state in (State.sent, State.delivered, State.unknown) or verdict.uncertain
        outcome = message.outcome
        provider_id = outcome.provider_message_id if outcome is not None else None
        return RecordState(
            message.id,
            verdict.state.value,
            verdict.attempts,
            verdict.tries,
            message.price if keeps_price else _ZERO,
            batch,
            None if provider_id == str(message.id) else storable(provider_id),
            storable(outcome.report_id) if outcome is not None else None,
            storable(verdict.code),
            storable(verdict.reason) if verdict.code else None,
            verdict.uncertain,
            verdict.refused,
        )

    async def _record(
        self,
        db: asyncpg.Connection,
        states: Sequence[RecordState],
        later: dict[UUID, timedelta],
        paid: dict[UUID, Decimal],
    ) -> None:
        returned = {state.id: paid[state.id] - state.price for state in states}
        await batches.record(
            db,
            self.batch,
            self.id,
            self.project.row,
            states,
            later,
            lambda ids: sum((amount for id, amount in returned.items() if id in ids), _ZERO),
        )

    async def apply_early(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        ids = [message.id for message, _ in decided]
        lost = any(verdict.state is State.unknown for _, verdict in decided)
        applied = await report_writer.apply_early(db, statements.PROJECTS, ids, lost=lost)
        receipts_of(self._services).count_delivered(applied.delivered)

    async def outcomes_stored(self, decided: Sequence[WithVerdict]) -> None:
        self._intents -= len(decided)
        if self.project.channel == MessageChannel.sms:
            receipts_of(self._services).count_sent(decided, lambda _: self.project.row["owner_id"])
        for message, verdict in decided:
            self._waiting += verdict.another_route
            message.tries = verdict.tries
            message.has_intent = False
            message.paid = self._state(message, verdict).price
            if verdict.misconfigured and not self.misconfigured:
                self.misconfigured = True
                log.error(
                    "a channel refuses our credentials or settings",
                    channel=self.channel,
                    reason=message.outcome.reason,
                )
        await self._block_hard_bounces(decided)

    async def _block_hard_bounces(self, decided: Sequence[WithVerdict]) -> None:
        """Blocks addresses that do not exist."""
        if self.channel != "email":
            return
        gone = {
            message.row["to"]
            for message, verdict in decided
            if message.outcome.result is Result.refused and verdict.code in report.HARD_BOUNCES
        }
        for address in sorted(gone):
            await until_stored(
                self._db,
                lambda db, address=address: blocks.block(  # type: ignore[misc]
                    db, self.project.row["owner_id"], address, BlockReason.hardBounce
                ),
            )

    async def defer(self, route: Channel, waiting: Sequence[tuple[Item, float]]) -> None:
        """Leaves the messages in this batch. Those behind the breaker of one host go into a later one, and so do those
        of a route that rules name, unless it wants a short pause: the others of the project go on.
        """
        rows: list[NotHandedOver] = []
        later: dict[UUID, timedelta] = {}
        for message, seconds in waiting:
            name = self._limits.breaker(route, message)
            cooling = self.cooling(route, message.sender)
            routed = message.id in self.orders
            whole = name == self._limits.route_breaker(route) and not routed
            if self._limits.receivers.wait(message.receiver):
                pass  # the others of the project go on
            elif whole or 0 < cooling <= _SHORT_PAUSE or (cooling and not routed):
                self.cool_down = seconds if self.cool_down is None else min(self.cool_down, seconds)
                continue
            batch, delay = self._later.of(
                self.project.id, max(seconds, self._limits.breakers.until_probe(name))
            )
            later[batch] = delay
            rows.append(NotHandedOver(message.id, "queued", *self._limits.why(route, message), batch))
        if rows:
            await until_stored(
                self._db,
                lambda db: batches.store_unsent(
                    db, self.batch, self.id, self.project.id, rows, later, for_window=False
                ),
            )
            self.deferred += len(rows)


def _is_plain(message: Item) -> bool:
    """Returns whether the message's own row needs nothing but the intent."""
    return not (
        message.price
        or message.price_prefix
        or message.sender
        or message.sms_sender
        or message.variant is not None
        or message.attempts
        or message.tries
    )


def _is_simply_sent(message: Item, verdict: Verdict) -> bool:
    """Returns whether the message was accepted, and the provider's id is its own."""
    outcome = message.outcome
    return (
        verdict.state is State.sent
        and outcome is not None
        and outcome.provider_message_id in (None, str(message.id))
    )

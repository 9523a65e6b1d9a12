"""A worker's claim on direct messages, as the core of sending sees it."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol
from uuid import UUID

import asyncpg
import structlog

from channels.port import Channel, Outcome, Result
from core.errors import AppError
from core.tasks import ignore_result
from db.session import Database
from engine import queue
from engine.direct import claims
from engine.direct.items import DirectItem, stored_state, too_late
from engine.direct.outcomes import record
from engine.reports import report_writer, statements
from engine.sending.delivery import Delivery
from engine.sending.judge import History, Policy, State, judge
from engine.sending.port import FaultPoints, WithVerdict, failure_of
from engine.sending.streams import Streams
from engine.sms.route_receipts import RouteReceipts
from runtime import breakers
from runtime.leases import Lease
from runtime.retry import until_stored
from runtime.routes import Routes
from shapes.messages import MessageChannel

log = structlog.get_logger("postern.engine")


class Worker(Protocol):
    """The worker that has a claim, as the claim sees it."""

    db: Database
    routes: Routes
    breakers: breakers.Breakers
    streams: Streams
    lease: timedelta
    policy: Policy
    trial_policy: Policy
    receipts: RouteReceipts

    async def load(self, message: DirectItem) -> bool:
        """Loads the files of a message. Returns whether it can be sent."""

    def emitting(self) -> AbstractContextManager[None]:
        """Emits the events of all writes meanwhile."""


FAULT_POINTS = FaultPoints("marked", "sent", "written", "settled")


class DirectClaim:
    """Direct messages of one channel that this worker has claimed; a `Claim` of engine/sending/port.py."""

    def __init__(self, worker: Worker, id: UUID, channel: str) -> None:
        self.id, self.channel = id, channel
        self.lease = Lease(seconds=worker.lease.total_seconds())
        self.deliveries: list[Delivery] = []
        self._worker = worker
        self._db = worker.db
        self._routes = worker.routes

    @property
    def row_id(self) -> UUID:
        return self.id

    @property
    def ended(self) -> bool:
        return not self.lease.valid

    def stop(self) -> None:
        """Stops the messages that were not dispatched, because the claim is lost."""
        log.warning("lost a claim; stopping this batch", claim=str(self.id))
        for delivery in self.deliveries:
            delivery.stop()

    async def renew(self, db: asyncpg.Connection) -> bool:
        """Returns whether the claim is still this worker's."""
        return await claims.renew(db, self.id, self._worker.lease)

    def policy(self, message: DirectItem) -> Policy:
        return self._worker.trial_policy if message.tried_once else self._worker.policy

    def expire(self, messages: Sequence[DirectItem]) -> list[DirectItem]:
        now = self._db.now()
        return [message for message in messages if too_late(message, now)]

    async def record_intents(
        self, db: asyncpg.Connection, label: str, messages: Sequence[DirectItem]
    ) -> list[DirectItem]:
        ids, attempts = [message.id for message in messages], [message.attempts for message in messages]
        ours = await claims.record_intents(db, self.id, label, ids, attempts)
        return [message for message in messages if message.id in ours]

    async def withdraw_intents(self, db: asyncpg.Connection, messages: Sequence[DirectItem]) -> None:
        # One whose earlier outcome is not known keeps its mark: the recovery of the claim asks about it.
        messages = [message for message in messages if not message.uncertain]
        ids, attempts = [message.id for message in messages], [message.attempts for message in messages]
        failures = [(message, failure_of(message)) for message in messages]
        hidden = [
            replace(failure, reason=message.without_code(failure.reason)) for message, failure in failures
        ]
        await claims.withdraw_intents(db, self.id, ids, attempts, hidden)

    async def record_outcomes(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        await record(db, self.id, [self._state(message, verdict) for message, verdict in decided])

    def _state(self, message: DirectItem, verdict: Any) -> Any:
        return stored_state(message, verdict, self._routes.label(message.route) if message.route else None)

    async def apply_early(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        handed = [message.id for message, verdict in decided if verdict.state is not State.queued]
        lost = any(verdict.state is State.unknown for _, verdict in decided)
        applied = await report_writer.apply_early(db, statements.DIRECT, handed, lost=lost)
        self._worker.receipts.count_delivered(applied.delivered)

    async def outcomes_stored(self, decided: Sequence[WithVerdict]) -> None:
        for message, _ in decided:
            message.files, message.mail = (), None
            if message.outcome.result is Result.misconfigured and message.route is not None:
                log.error(
                    "a channel refuses our credentials or settings",
                    driver=message.route.name,
                    channel=self.channel,
                    reason=message.outcome.reason,
                )
        if self.channel == MessageChannel.sms:
            self._worker.receipts.count_sent(decided, lambda message: message.row["owner_id"])
        delays = [
            verdict.delay
            for _, verdict in decided
            if verdict.state is State.queued and not verdict.another_route
        ]
        if delays:
            delay = timedelta(seconds=min(delays))
            await until_stored(self._db, lambda db: queue.wake_later(db, self.channel, delay))

    async def defer(self, route: Channel, waiting: Sequence[tuple[DirectItem, float]]) -> None:
        """Gives the messages an outcome, with which `Dispatcher` queues them again at the end of the claim."""
        limits = self._worker.streams.limits
        for message, seconds in waiting:
            name = limits.breaker(route, message)
            # Those of one host or account, or of a route that rules name, are not claimed again and again while others
            # are sent.
            alone = message.routed or name != limits.route_breaker(route)
            wait = max(seconds, limits.breakers.until_probe(name)) if alone else seconds
            code, reason = limits.why(route, message)
            code = (message.uncertain and message.row["failure_code"]) or code
            # A trial is not asked about again.
            result = Result.unknown if message.uncertain and message.tried_once else Result.throttled
            message.outcome = Outcome(
                result, code=code, reason=reason, retry_after=max(wait, 0.2), asked=False
            )

    async def store(self, messages: Sequence[DirectItem]) -> None:
        """Stores the outcomes of messages that are with no route; those without an outcome are left to the release."""
        now = self._db.now()
        decided: list[WithVerdict] = [
            (
                message,
                judge(
                    message.outcome,
                    History(message.attempts, message.tries, message.first_dispatch),
                    self.policy(message),
                    last=True,
                    asks_again=False,
                    now=now,
                ),
            )
            for message in messages
            if message.outcome is not None
        ]
        if not decided:
            return

        async def once(db: asyncpg.Connection) -> None:
            async with db.transaction():
                await self.record_outcomes(db, decided)

        with self._worker.emitting():
            await until_stored(self._db, once)
        await self.outcomes_stored(decided)


class EmailClaim(DirectClaim):
    """Direct emails, which may have files."""

    async def load(self, message: DirectItem) -> bool:
        return await self._worker.load(message)


def without_files(error: AppError) -> Outcome:
    """Returns the outcome of a message whose files can't be read now: it waits, and nothing counts against it."""
    return Outcome(Result.throttled, code=error.code, reason=error.message, retry_after=60.0, asked=False)


async def cancelled(tasks: set[asyncio.Task[None]]) -> None:
    """Cancels the tasks of a drain that is cancelled or has failed, and waits until they have given back their
    messages.

    A further cancellation of the drain cancels them again: then they give up on the database.
    """
    for task in tasks:
        ignore_result(task).cancel()
    while tasks:
        try:
            _, tasks = await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()


def milliseconds(span: timedelta) -> str:
    return str(int(span.total_seconds() * 1000))

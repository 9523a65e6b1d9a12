"""A worker's claim on messages of the model, as the sending core sees it: a direct one, or one of a project."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg

from channels.port import Channel, Outcome, Outgoing, Result
from core.clock import CLOCK
from engine.sending.delivery import Delivery
from engine.sending.judge import ASKED_FOR, LONGEST_RETRY_AFTER, History, Policy, State, Verdict, judge
from engine.sending.port import WithVerdict
from runtime.leases import Lease
from runtime.retry import until_stored
from tests.simulation.store import ClaimRow, Row, Store, Violation

LEASE = 30.0
TRIES = 4
_DAY = ASKED_FOR.total_seconds()
_BACKOFF = (5.0, 15.0, 60.0, 300.0)


def _backoff(failures: int) -> float:
    return _BACKOFF[min(max(failures, 1), len(_BACKOFF)) - 1]


DIRECT = Policy(TRIES, _backoff)
PROJECT = Policy(TRIES, _backoff, throttle=(1.0, 1.0), every_route_counts=False, new_key_after_refusal=True)


class Item:
    """A message in a worker's hands."""

    __slots__ = ("attempts", "dispatched_by", "first_dispatch", "id", "outcome", "probe", "receiver", "route", "row",
                 "sender", "to", "tries", "uncertain")  # fmt: skip

    def __init__(self, row: Row) -> None:
        self.row, self.id, self.to = row, row.id, "+1"
        self.attempts, self.tries = row.attempts, row.tries
        self.outcome: Outcome | None = None
        self.route: Any = None
        self.probe: UUID | None = None
        self.sender: UUID | None = None
        self.receiver: Any = None
        self.uncertain = row.handed is not None
        self.dispatched_by = row.label
        self.first_dispatch = None if row.handed is None else datetime.fromtimestamp(row.handed, UTC)

    @property
    def outgoing(self) -> Outgoing:
        return Outgoing(self.id, f"{self.id.int}:{self.attempts}", self.to, "")


class ModelClaim:
    """Direct messages that a worker has claimed."""

    def __init__(self, worker: Any, id: UUID, group: UUID | None) -> None:
        self.id, self.group, self.lease = id, group, Lease(seconds=LEASE)
        self.deliveries: list[Delivery] = []
        self.row: ClaimRow
        self.delay = 0.0  # after which messages that are left are due again
        self._worker = worker
        self._store: Store = worker.store

    @property
    def row_id(self) -> UUID:
        return self.id

    @property
    def ended(self) -> bool:
        return not self.lease.valid

    def stop(self) -> None:
        """Stops the messages that were not dispatched, because the claim is lost."""
        for delivery in self.deliveries:
            delivery.stop()

    async def renew(self, db: Any) -> bool:
        return bool(await self._worker.db.run(lambda: self._store.renew(self.id, LEASE)))

    def policy(self, message: Item) -> Policy:
        return DIRECT

    # The core calls these in a transaction; none of them waits.

    async def record_intents(self, db: Any, label: str, messages: Sequence[Item]) -> list[Item]:
        ours = self._store.record_intents(
            self.id, label, [(message.id, message.attempts) for message in messages]
        )
        for (
            message
        ) in messages:  # those that are not ours are never dispatched, whatever an earlier try has stored
            self._store.set_intent((self._worker, message.id), label if message.id in ours else None)
        self._worker.check_intents(label)
        self._worker.trace("intents", label, *(id.int for id in ours))
        return [message for message in messages if message.id in ours]

    async def withdraw_intents(self, db: Any, messages: Sequence[Item]) -> None:
        for message in messages:
            self._check(message)
            self._store.set_intent((self._worker, message.id), None)
            if not message.uncertain and message.outcome is not None and message.outcome.dispatched:
                self._surely_not_accepted(message)
        self._worker.trace("withdrawn", *(message.id.int for message in messages))
        self._store.withdraw(
            self.row, [(message.id, message.attempts) for message in messages if not message.uncertain]
        )

    async def record_outcomes(self, db: Any, decided: Sequence[WithVerdict]) -> None:
        for message, verdict in decided:
            self._check(message)
            row: Row = message.row
            if row.poison and verdict.code != "outcome_unwritable":
                raise asyncpg.CheckViolationError("an outcome that the database never takes")
            self._check_verdict(message, verdict)
            self._store.set_intent((self._worker, message.id), None)
            route = message.route
            outcome = message.outcome
            written = self._store.record(
                self.row,
                row,
                verdict,
                route.provider.name if route is not None else None,
                outcome.provider_message_id,
            )
            self._worker.trace("stored" if written else "fenced", message.id.int, verdict.state.value)

    def _check(self, message: Item) -> None:
        if message.id not in self._worker.ids_of(self):
            raise Violation(f"an outcome of a message that its claim never had: {message.id.int}")

    def _surely_not_accepted(self, message: Item) -> None:
        if message.id in self._worker.accepted and message.row.state in ("sending", "unknown"):
            raise Violation(f"a message that was accepted is called not accepted: {message.id.int}")

    def _check_verdict(self, message: Item, verdict: Verdict) -> None:
        accepted = message.id in self._worker.accepted
        if verdict.state in (State.sent, State.delivered):
            if not accepted:
                raise Violation(f"called sent, and was not: {message.id.int}")
        elif verdict.state is State.failed or (verdict.state is State.queued and not verdict.uncertain):
            if accepted and not message.uncertain and message.row.claim is self.row:
                raise Violation(f"called {verdict.state}, and was sent: {message.id.int}")
        elif verdict.state is State.unknown and not message.row.doubt and not message.row.poison:
            raise Violation(f"called unknown without a reason: {message.id.int}")

    async def outcomes_stored(self, decided: Sequence[WithVerdict]) -> None:
        """Has no consequences: the store wakes workers."""

    async def apply_early(self, db: Any, decided: Sequence[WithVerdict]) -> None:
        await self._worker.db.run(lambda: self._store.apply_early([message.id for message, _ in decided]))

    async def defer(self, route: Channel, waiting: Sequence[tuple[Item, float]]) -> None:
        """Gives the messages an outcome, as DirectClaim does."""
        limits = self._worker.streams.limits
        for message, seconds in waiting:
            code, reason = limits.why(route, message)
            wait = max(seconds, limits.breakers.until_probe(limits.breaker(route, message)))
            message.outcome = Outcome(
                Result.throttled,
                code=code,
                reason=reason,
                retry_after=max(wait, 0.2),
                asked=False,
                dispatched=False,
            )

    async def store_unsent(self, messages: Sequence[Item]) -> None:
        """Stores the outcomes of messages that are with no route, as DirectClaim does."""
        now = self._worker.db.now()
        decided = [
            (message, self._unsent(message, now)) for message in messages if message.outcome is not None
        ]
        if not decided:
            return

        async def once(db: Any) -> None:
            async with db.transaction():
                await self.record_outcomes(db, decided)

        await until_stored(self._worker.db, once)

    def _unsent(self, message: Item, now: datetime) -> Verdict:
        history = History(message.attempts, message.tries, message.first_dispatch)
        verdict = judge(message.outcome, history, self.policy(message), last=True, asks_again=False, now=now)
        if (
            verdict.state is State.queued and message.uncertain
        ):  # as engine/direct/items.stored_state keeps `handed_at`
            return Verdict(
                State.queued,
                verdict.attempts,
                verdict.tries,
                verdict.code,
                delay=verdict.delay,
                uncertain=True,
            )
        return verdict


class ExpiringClaim(ModelClaim):
    """Direct messages that are too old after a day."""

    def expire(self, messages: Sequence[Item]) -> list[Item]:
        return [message for message in messages if too_late(message)]


class LoadingClaim(ExpiringClaim):
    """Direct messages with files, which load for a while."""

    async def load(self, message: Item) -> bool:
        await asyncio.sleep(self._worker.random.choice((0.01, 0.5, 20.0)))
        if self._worker.random.random() < 0.9:
            return True
        result = Result.unknown if message.uncertain else Result.throttled
        message.outcome = Outcome(result, code="files_away", retry_after=5.0, asked=False, dispatched=False)
        return False


class BatchClaim(ModelClaim):
    """Messages of a project."""

    def __init__(self, worker: Any, id: UUID, group: UUID | None) -> None:
        super().__init__(worker, id, group)
        self.misconfigured = False
        self.with_intent = 0

    @property
    def ended(self) -> bool:
        return self.misconfigured or not self.lease.valid

    def policy(self, message: Item) -> Policy:
        return PROJECT

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        return float(self._worker.streams.limits.cooling(route, sender))

    def throttled(self, route: Channel, message: Item) -> None:
        assert message.outcome is not None
        asked = min(message.outcome.retry_after or 0.0, LONGEST_RETRY_AFTER)
        self._worker.streams.limits.cool_down(route, message.sender, max(asked, 1.0))

    def intents_recorded(self, messages: Sequence[Item]) -> None:
        self.with_intent += len(messages)

    def intents_withdrawn(self, messages: Sequence[Item]) -> None:
        self.with_intent -= len(messages)

    async def outcomes_stored(self, decided: Sequence[WithVerdict]) -> None:
        self.with_intent -= len(decided)
        self.misconfigured |= any(verdict.misconfigured for _, verdict in decided)
        if self.misconfigured:
            self.delay = 60.0

    async def defer(self, route: Channel, waiting: Sequence[tuple[Item, float]]) -> None:
        """Leaves the messages in their batch."""
        self.delay = max(min(seconds for _, seconds in waiting), 0.2)

    async def store_group(
        self, db: Any, label: str, decided: Sequence[WithVerdict], messages: Sequence[Item]
    ) -> list[Item] | None:
        if any(verdict.state not in (State.sent, State.delivered, State.unknown) for _, verdict in decided):
            return None
        if not self._store.lives(self.id):
            return None
        async with db.transaction():
            await self.record_outcomes(db, decided)
            return await self.record_intents(db, label, messages)


def too_late(message: Item) -> bool:
    """Returns whether it is too old to be dispatched; if so, its outcome says so."""
    now = CLOCK.wall()
    if message.first_dispatch is not None:
        if now - message.first_dispatch.timestamp() <= _DAY:
            return False
        message.outcome = Outcome(Result.unknown, code="timeout")
    elif now - message.row.created <= _DAY:
        return False
    else:
        message.outcome = Outcome(Result.refused, code="expired", dispatched=False)
    return True

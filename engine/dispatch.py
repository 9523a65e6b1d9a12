"""Direct messages and trials: claims what is due, and gives it to the sending core (engine/sending) until nothing is
due.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from channels.port import Channel, Outcome, Result
from core.errors import AppError, Unavailable
from core.ids import uuid7
from core.metrics import DRAIN_SECONDS
from core.tasks import nobody_waits
from engine import attached, claims, queue, reports
from engine.direct_items import DirectItem, blocked, direct_item, nowhere, stored_state, too_late
from engine.faultpoints import reach
from engine.outcomes import note, record
from engine.sending.delivery import Delivery
from engine.sending.judge import History, Policy, State, judge
from engine.sending.port import Points, WithVerdict, failure_of
from engine.sending.streams import Streams, streams_of
from runtime import breakers
from runtime.database_errors import translate
from runtime.leases import Lease, renewed
from runtime.retry import despite_conflicts, until_stored
from runtime.routes import MESSENGERS
from runtime.services import Services
from shapes.messages import DeliveryState, MessageChannel

log = structlog.get_logger("postern.engine")

BATCH = 500
_CLAIMS = 2  # of one drain: the next one is taken while the last one is being sent
_BACKOFF = (5.0, 15.0, 60.0, 300.0, 900.0)  # seconds after the first, second … known failure
_BARRIER = timedelta(milliseconds=200)
# Both are parts of one statement's own transaction: the lock is given back at its end.
_WAIT_FOR_SENDERS = """
SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock(hashtextextended('postern:' || $2, 0))
"""
_LOOK_SECONDS = 0.5  # until a drain whose claim is at work looks for new messages
_LOST_SECONDS = 1.0  # until a drain goes on that has lost a claim
_ATTACHING = 8  # messages with files at once: their bytes are in memory meanwhile
_POINTS = Points("marked", "sent", "written", "settled")


def backoff(failures: int) -> float:
    """Returns the seconds before the next try of a direct message."""
    return _BACKOFF[min(max(failures, 1), len(_BACKOFF)) - 1]


class Dispatcher:
    """One a worker process."""

    def __init__(
        self, services: Services, *, worker: str, lease: float | None = None, attempts: int | None = None
    ) -> None:
        """`lease`: seconds, and `attempts`: known failures after which a message fails, if not those of the
        settings.
        """
        settings = services.settings
        self._services, self._db, self._routes = services, services.db, services.routes
        self._breakers, self._worker = services.breakers, worker
        self.lease = timedelta(seconds=settings.lease_seconds if lease is None else lease)
        self.streams: Streams = streams_of(services)
        tries = settings.send_attempts if attempts is None else attempts
        self.policy, self.trial_policy = Policy(tries, backoff), Policy(tries, backoff, once=True)
        self._attaching = asyncio.Semaphore(_ATTACHING)

    async def drain(self, channel: str) -> int:
        """Sends everything that is due on this channel. Returns how many messages were claimed."""
        await self._wait_for_senders(channel)
        await self.recover()
        total = 0
        at_work: set[asyncio.Task[None]] = set()
        try:
            while not self._services.stopping.is_set():
                limit, wait = self._admitted(channel)
                if wait and not at_work:
                    async with self._db.reading() as db:
                        await queue.wake_later(db, channel, timedelta(seconds=wait))
                    break
                full = wait or len(at_work) >= (_CLAIMS if limit == BATCH else 1)
                rows = [] if full else await self._take(channel, limit, at_work)
                total += len(rows)
                if not rows:
                    if not at_work:
                        break
                    # With room for another claim it looks again soon: a slow message does not hide new ones.
                    seconds = None if full else _LOOK_SECONDS
                    finished, at_work = await asyncio.wait(
                        at_work, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
                    )
                    for task in finished:
                        task.result()
            if at_work:  # a stop, which ends them
                await asyncio.wait(at_work)
        except BaseException:
            await _cancelled(at_work)
            raise
        return total

    async def _take(self, channel: str, limit: int, at_work: set[asyncio.Task[None]]) -> list[Any]:
        claim = DirectClaim(self, uuid7(), channel)
        async with self._db.reading() as db:
            rows = await claims.take(db, claim.id, self._worker, channel, limit=limit, lease=self.lease)
        if rows:
            reach("claimed")
            at_work.add(asyncio.create_task(self._deliver(claim, rows)))
        return rows

    def _admitted(self, channel: str) -> tuple[int, float]:
        """Returns how many messages to claim, and for how many seconds none: while the breaker of each route is open,
        no more than a probe is taken out of the queue.
        """
        routes = self._routes.of(channel)
        if routes and (shares := min(self.streams.without_share(route) for route in routes)):
            return 0, shares
        names = [breakers.whole(self._routes, route) for route in self._routes.of(channel)]
        if not names or channel in MESSENGERS or any(self._breakers.closed(name) for name in names):
            return BATCH, 0.0
        return 1, min(self._breakers.wait(name) for name in names)

    async def expire(self) -> None:
        """Fails and refunds what was not handed over in time, whatever it waits for."""
        for channel in MessageChannel:
            while await self._expire(channel.value):
                pass

    async def _expire(self, channel: str) -> bool:
        """Returns whether there may be more."""
        claim = DirectClaim(self, uuid7(), channel)
        async with self._db.reading() as db:
            rows = await claims.take_expired(
                db, claim.id, self._worker, channel, limit=BATCH, lease=self.lease
            )
        if rows:
            try:
                now = self._db.now() + timedelta(seconds=1)  # the database has said so by its own clock
                messages = [DirectItem(row, row["attempts"]) for row in rows]
                await claim.store([message for message in messages if too_late(message, now)])
            finally:
                await until_stored(self._db, lambda db: claims.release(db, claim.id))
        return len(rows) >= BATCH

    async def _wait_for_senders(self, channel: str) -> None:
        """Waits for callers that have seen this job queued and have not committed yet; see engine/queue.py.

        A sender that hangs between the two must not stop the channel: then what is committed is sent now,
        and another job looks again in a second.
        """
        async with self._db.reading() as db:
            try:
                await db.execute(_WAIT_FOR_SENDERS, _milliseconds(_BARRIER), queue.drain(channel))
            except asyncpg.LockNotAvailableError:
                await queue.wake_later(db, channel, timedelta(seconds=1))

    async def recover(self) -> None:
        """Takes over what dead workers held."""
        # A worker that lives after all stores outcomes of the same messages, in another order: one of the two may lose.
        async with self._db.reading() as db:
            rows = await despite_conflicts(lambda: claims.recover(db, self._routes.idempotent()))
        if rows:
            with self.emitting():
                note(rows)
            unknown = sum(row["state"] == DeliveryState.unknown for row in rows)
            log.warning("took over a dead worker's messages", queued=len(rows) - unknown, unknown=unknown)
            for channel in {row["channel"] for row in rows if row["state"] == DeliveryState.queued}:
                async with self._db.reading() as db:
                    await db.execute("SELECT postern_wake($1)", queue.drain(channel))

    def emitting(self) -> AbstractContextManager[None]:
        """Returns a context at whose end the changes of messages are announced."""
        return self._services.change_events.emitting()

    async def _deliver(self, claim: "DirectClaim", rows: Sequence[Any]) -> None:
        """Sends what was claimed, and releases the claim."""
        begun = time.perf_counter()
        key = self._services.key("unsubscribe")
        messages = [direct_item(row, self._services.settings, key) for row in rows]
        now = self._db.now()
        try:
            with renewed(self._db.thread, claim, self.lease.total_seconds(), claim.renew, DirectClaim.stop):
                over = [message for message in messages if too_late(message, now) or blocked(message)]
                waiting = [message for message in messages if message.outcome is None]
                messenger = self.streams.limits.messengers
                through_accounts = [message for message in waiting if message.through_account]
                others = [message for message in waiting if not message.through_account]
                for part, routes in (
                    (through_accounts, [messenger]),
                    (others, self._routes.of(claim.channel)),
                ):
                    if not routes:
                        over += [nowhere(message) for message in part]
                    elif part:
                        claim.deliveries.append(Delivery(self.streams, claim, routes))
                        claim.deliveries[-1].start(part)
                await claim.store(over)
                for delivery in claim.deliveries:
                    await delivery.wait()
                await claim.store([message for delivery in claim.deliveries for message in delivery.rest])
                if (
                    claim.lost
                ):  # by a clock that jumps, say: the messages are not claimed again without a pause
                    await asyncio.sleep(_LOST_SECONDS)
        finally:
            await until_stored(self._db, lambda db: claims.release(db, claim.id))
            DRAIN_SECONDS.labels(claim.channel).observe(time.perf_counter() - begun)

    async def load(self, message: DirectItem) -> bool:
        """Loads the files of an email. Returns False if it can't be sent; then it has an outcome."""
        ids = attached.attachment_ids(message.row)
        if not ids:
            return True
        try:
            async with self._attaching:
                message.files = await attached.load(self._db, self._services.files, message.id, ids)
        except Unavailable as error:
            message.outcome = _without_files(error)
        except AppError as error:
            message.outcome = Outcome(
                Result.refused, code="attachment_missing", reason=error.message, asked=False, dispatched=False
            )
        except Exception as error:
            if not isinstance(away := translate(error), AppError):
                raise
            message.outcome = _without_files(away)
        else:
            return True
        if message.uncertain:
            message.outcome = replace(message.outcome, result=Result.unknown)
        return False


class DirectClaim:
    """Direct messages of one channel that this worker has claimed; a `Claim` of engine/sending/port.py."""

    points = _POINTS
    group = None

    def __init__(self, dispatcher: Dispatcher, id: UUID, channel: str) -> None:
        self.id, self.channel = id, channel
        self.loads = channel == MessageChannel.email
        self.lease = Lease(seconds=dispatcher.lease.total_seconds())
        self.deliveries: list[Delivery] = []
        self._dispatcher = dispatcher
        self._db = dispatcher._db  # noqa: SLF001  its own other half
        self._routes = dispatcher._routes  # noqa: SLF001

    @property
    def locks(self) -> UUID:
        return self.id

    @property
    def lost(self) -> bool:
        return not self.lease.valid

    @property
    def ended(self) -> bool:
        return self.lost

    def stop(self) -> None:
        """Stops what was not dispatched, because the claim is lost."""
        log.warning("lost a claim; stopping this batch", claim=str(self.id))
        for delivery in self.deliveries:
            delivery.stop()

    async def renew(self, db: asyncpg.Connection) -> bool:
        """Returns whether the claim is still this worker's."""
        return await claims.renew(db, self.id, self._dispatcher.lease)

    def policy(self, message: DirectItem) -> Policy:
        return self._dispatcher.trial_policy if message.of_messenger else self._dispatcher.policy

    def cooling(self, route: Channel, sender: UUID | None) -> float:
        return 0.0

    def expired(self, messages: Sequence[DirectItem]) -> list[DirectItem]:
        now = self._db.now()
        return [message for message in messages if too_late(message, now)]

    async def load(self, message: DirectItem) -> bool:
        return await self._dispatcher.load(message)

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
        await claims.withdraw_intents(
            db, self.id, ids, attempts, [failure_of(message) for message in messages]
        )

    async def record_outcomes(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        await record(db, self.id, [self._state(message, verdict) for message, verdict in decided])

    def _state(self, message: DirectItem, verdict: Any) -> Any:
        return stored_state(message, verdict, self._routes.label(message.route) if message.route else None)

    async def settle(self, db: asyncpg.Connection, decided: Sequence[WithVerdict]) -> None:
        handed = [message.id for message, verdict in decided if verdict.state is not State.queued]
        await reports.settle(db, reports.DIRECT, handed)

    async def store_group(
        self,
        db: asyncpg.Connection,
        label: str,
        decided: Sequence[WithVerdict],
        messages: Sequence[DirectItem],
    ) -> None:
        """Returns None: direct messages have no quicker way."""

    def recorded(self, messages: Sequence[DirectItem]) -> None:
        """Does nothing: a direct message was paid for when it was accepted."""

    def withdrawn(self, messages: Sequence[DirectItem]) -> None:
        """Does nothing; see `recorded`."""

    def throttled(self, route: Channel, message: DirectItem) -> None:
        """Does nothing: a throttled message waits alone."""

    async def stored(self, decided: Sequence[WithVerdict]) -> None:
        for message, _ in decided:
            message.files = ()
            if message.outcome.result is Result.misconfigured and message.route is not None:
                log.error(
                    "a channel refuses our credentials or settings",
                    driver=message.route.name,
                    channel=self.channel,
                    reason=message.outcome.reason,
                )
        delays = [
            verdict.delay
            for _, verdict in decided
            if verdict.state is State.queued and not verdict.another_route
        ]
        if delays:
            delay = timedelta(seconds=min(delays))
            await until_stored(self._db, lambda db: queue.wake_later(db, self.channel, delay))

    async def put_off(self, route: Channel, waiting: Sequence[tuple[DirectItem, float]]) -> None:
        """Gives the messages an outcome, with which `Dispatcher` queues them again at the end of the claim."""
        limits, route_breakers = self._dispatcher.streams.limits, self._dispatcher._breakers  # noqa: SLF001
        for message, seconds in waiting:
            name = limits.breaker(route, message)
            # The messages of one host or account are not claimed again and again; others are, meanwhile.
            wait = seconds if name == limits.whole(route) else route_breakers.until_probe(name)
            code = (message.uncertain and message.row["failure_code"]) or breakers.CODE
            # A trial is not asked about again.
            result = Result.unknown if message.uncertain and message.of_messenger else Result.throttled
            message.outcome = Outcome(
                result, code=code, reason=breakers.REASON, retry_after=max(wait, 0.2), asked=False
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

        with self._dispatcher.emitting():
            await until_stored(self._db, once)
        await self.stored(decided)


def _without_files(error: AppError) -> Outcome:
    """Returns the outcome of a message whose files can't be read now: it waits, and nothing counts against it."""
    return Outcome(Result.throttled, code=error.code, reason=error.message, retry_after=60.0, asked=False)


async def _cancelled(tasks: set[asyncio.Task[None]]) -> None:
    """Cancels the tasks of a drain that is cancelled or has failed, and waits until they have given back what they
    hold.

    A further cancellation of the drain cancels them again: then they give up on the database.
    """
    for task in tasks:
        nobody_waits(task).cancel()
    while tasks:
        try:
            _, tasks = await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()


def _milliseconds(span: timedelta) -> str:
    return str(int(span.total_seconds() * 1000))

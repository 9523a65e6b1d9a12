"""Direct messages and trials: claims due messages, and gives them to the sending core (engine/sending) until none is
due.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from channels.port import Outcome, Result
from core.errors import AppError, Unavailable
from core.ids import uuid7
from core.metrics import DRAIN_SECONDS
from engine import queue
from engine.direct import attachments, claims, submitted_mails
from engine.direct.claim import FAULT_POINTS, DirectClaim, EmailClaim, cancelled, milliseconds, without_files
from engine.direct.due_floor import ALWAYS, DueFloor
from engine.direct.items import (
    NO_BASES,
    DirectItem,
    LinkKeys,
    blocked,
    code_ended,
    direct_item,
    disapproved,
    nowhere,
    offers_a_link,
    ownerless,
    too_late,
)
from engine.direct.outcomes import note
from engine.direct.withheld_codes import codes_of
from engine.domains.senders import senders_of
from engine.faultpoints import fault_point
from engine.messengers.channel import messenger_route
from engine.receivers.admission import Admitted, Waiting, admission_of
from engine.sending.delivery import Delivery
from engine.sending.judge import Policy
from engine.sending.streams import Streams, streams_of
from engine.sms import approved_senders
from engine.sms.route_receipts import receipts_of
from engine.sms.route_rules import NO_ROUTE_REASON, orders_of, routing_of
from runtime import breakers, link_domains
from runtime.database_errors import translate
from runtime.leases import renewed
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
_NEXT_DUE = """
SELECT min(due_at) - now() FROM messages
WHERE state = 'queued' AND channel = $1 AND due_at BETWEEN now() AND now() + interval '1 hour'
"""
_LOOK_SECONDS = 0.05  # until a drain whose claim is at work looks for new messages
# A drain that has sent something looks again after these seconds. So messages that come one after another need no job
# each: while it is at work, their job is due later (`postern_wake`).
_LINGER = (0.01, 0.02, 0.04, 0.08, 0.15)
# A drain asks for dead claims that expired since the last look, and so long before: another worker may have had them.
_RECOVERED_AGAIN = timedelta(seconds=60)
_LOST_SECONDS = 1.0  # until a drain goes on that has lost a claim
_ATTACHING = 8  # messages with files at once: their bytes are in memory meanwhile
_NOT_CONFIGURED = "No channel is configured for {}. The operator must configure one."


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
        self._services, self.db, self.routes = services, services.db, services.routes
        self.breakers, self._worker = services.breakers, worker
        self.lease = timedelta(seconds=settings.lease_seconds if lease is None else lease)
        self.streams: Streams = streams_of(services)
        self.receipts = receipts_of(services)
        tries = settings.send_attempts if attempts is None else attempts
        self.policy, self.trial_policy = Policy(tries, backoff), Policy(tries, backoff, once=True)
        self._attaching = asyncio.Semaphore(_ATTACHING)
        self._admission = admission_of(services)
        self._recovered_at = ALWAYS + _RECOVERED_AGAIN
        self._floors: defaultdict[str, DueFloor] = defaultdict(DueFloor)

    async def drain(self, channel: str, *, lingers: bool = False) -> int:
        """Sends all due messages of this channel, and with `lingers` those that come soon after. Returns how many
        messages were claimed.
        """
        await self._wait_for_senders(channel)
        await self.recover(self._recovered_at - _RECOVERED_AGAIN)
        total = 0
        at_work: set[asyncio.Task[None]] = set()
        pauses: list[float] = []
        try:
            while not self._services.stopping.is_set():
                limit, wait = self._admitted(channel)
                if wait and not at_work:
                    async with self.db.reading() as db:
                        await queue.wake_later(db, channel, timedelta(seconds=wait))
                    break
                full = wait or len(at_work) >= (_CLAIMS if limit == BATCH else 1)
                rows = [] if full else await self._claim_due(channel, limit, at_work)
                total += len(rows)
                if rows:
                    pauses = [*_LINGER] if lingers else []
                elif not at_work:
                    if not pauses:
                        break
                    await asyncio.sleep(pauses.pop(0))
                else:
                    # With room for another claim it looks again soon: a slow message does not hide new ones.
                    seconds = None if full else _LOOK_SECONDS
                    finished, at_work = await asyncio.wait(
                        at_work, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
                    )
                    for task in finished:
                        task.result()
            if at_work:  # a stop, which ends them
                await asyncio.wait(at_work)
            if channel == MessageChannel.email and self._admission.receivers.active:
                await self._wake_for_next(channel)
        except BaseException:
            await cancelled(at_work)
            raise
        return total

    async def _claim_due(self, channel: str, limit: int, at_work: set[asyncio.Task[None]]) -> list[Any]:
        claim, floor = self._claim(channel), self._floors[channel]
        since, now, begun = floor.since(), self.db.now(), time.perf_counter()
        async with self.db.reading() as db:
            rows = await claims.claim_due(
                db, claim.id, self._worker, channel, limit=limit, lease=self.lease, since=since
            )
        due = [row["due_at"] for row in rows]
        floor.looked(since, due, is_all=len(rows) < limit, now=now, took=time.perf_counter() - begun)
        if rows:
            fault_point("claimed")
            at_work.add(asyncio.create_task(self._deliver(claim, rows)))
        return rows

    def _admitted(self, channel: str) -> tuple[int, float]:
        """Returns how many messages to claim, and for how many seconds none: while the breaker of each route is open,
        no more than a probe is taken out of the queue.
        """
        routes = routing_of(self._services).reachable(channel)
        if routes and (shares := min(self.streams.without_share(route) for route in routes)):
            return 0, shares
        limits = self.streams.limits
        if routes and channel not in MESSENGERS and (off := min(limits.off(route) for route in routes)):
            return 0, off
        names = [breakers.route_breaker(self.routes, route) for route in routes]
        if not names or channel in MESSENGERS or any(self.breakers.closed(name) for name in names):
            return BATCH, 0.0
        return 1, min(self.breakers.wait(name) for name in names)

    async def _wake_for_next(self, channel: str) -> None:
        """Has the channel drained when the next message is due: those of a receiver come in portions."""
        async with self.db.reading() as db:
            if (wait := await db.fetchval(_NEXT_DUE, channel)) is not None:
                await queue.wake_later(db, channel, max(wait, timedelta(seconds=_LOOK_SECONDS)))

    async def expire(self) -> None:
        """Fails and refunds messages that were not dispatched in time, for any reason."""
        for channel in MessageChannel:
            while await self._expire(channel.value):
                pass

    async def _expire(self, channel: str) -> bool:
        """Returns whether there may be more."""
        claim = self._claim(channel)
        async with self.db.reading() as db:
            rows = await claims.claim_expired(
                db, claim.id, self._worker, channel, limit=BATCH, lease=self.lease
            )
        if rows:
            try:
                now = self.db.now() + timedelta(seconds=1)  # the database has said so by its own clock
                messages = [DirectItem(row, row["attempts"]) for row in rows]
                await claim.store([message for message in messages if too_late(message, now)])
            finally:
                await until_stored(self.db, lambda db: claims.release(db, claim.id))
        return len(rows) >= BATCH

    async def _wait_for_senders(self, channel: str) -> None:
        """Waits for callers that have seen this job queued and have not committed yet; see engine/queue.py.

        A sender that hangs between the two must not stop the channel: then the committed messages are sent now, and
        another job looks again in a second.
        """
        async with self.db.reading() as db:
            try:
                await db.execute(_WAIT_FOR_SENDERS, milliseconds(_BARRIER), queue.drain(channel))
            except asyncpg.LockNotAvailableError:
                await queue.wake_later(db, channel, timedelta(seconds=1))

    async def recover(self, since: datetime = ALWAYS) -> None:
        """Takes over the messages of dead workers whose claims expired at `since` or later."""
        now = self.db.now()
        await routing_of(self._services).load()  # else it is not known which routes honor keys
        # A worker that lives after all stores outcomes of the same messages, in another order: one of the two may lose.
        async with self.db.reading() as db:
            rows = await despite_conflicts(lambda: claims.recover(db, self.routes.idempotent(), since))
        self._recovered_at = now
        if rows:
            with self.emitting():
                note(rows)
            unknown = sum(row["state"] == DeliveryState.unknown for row in rows)
            log.warning("took over a dead worker's messages", queued=len(rows) - unknown, unknown=unknown)
            for channel in {row["channel"] for row in rows if row["state"] == DeliveryState.queued}:
                async with self.db.reading() as db:
                    await db.execute("SELECT postern_wake($1)", queue.drain(channel))

    def emitting(self) -> AbstractContextManager[None]:
        """Returns a context at whose end the changes of messages are announced."""
        return self._services.change_events.emitting()

    def _claim(self, channel: str) -> DirectClaim:
        kind = EmailClaim if channel == MessageChannel.email else DirectClaim
        return kind(self, uuid7(), channel)

    async def _deliver(self, claim: DirectClaim, rows: Sequence[Any]) -> None:
        """Sends the claimed messages, and releases the claim."""
        begun = time.perf_counter()
        keys = LinkKeys.of(self._services)
        now = self.db.now()
        admitted: Admitted | None = None
        try:
            senders = None
            if claim.channel == MessageChannel.email:
                senders = await senders_of(self._services).load(
                    (row["owner_id"], row["from_address"]) for row in rows
                )
            asked = {row["owner_id"] for row in rows if row["sender"] is not None}
            sms_senders = await approved_senders.read(self.db, asked)
            codes = await codes_of(self._services, rows)
            settings = self._services.settings
            settings = self._services.settings
            offer = {row["owner_id"] for row in rows if offers_a_link(row)}
            bases = await link_domains.bases_of(self._services, offer) if offer else NO_BASES
            messages = [direct_item(row, settings, keys, senders, sms_senders, codes, bases) for row in rows]
            with renewed(self.db.thread, claim, self.lease.total_seconds(), claim.renew, DirectClaim.stop):
                over = [
                    message
                    for message in messages
                    if too_late(message, now)
                    or blocked(message)
                    or disapproved(message)
                    or code_ended(message)
                    or ownerless(message)
                ]
                waiting = [message for message in messages if message.outcome is None]
                if claim.channel == MessageChannel.email:
                    whose = (
                        (message.row["owner_id"], message.row["from_address"], message.to)
                        for message in waiting
                    )
                    if (admitted := await self._admission.admit(waiting, whose)) is not None:
                        over += map(_put_off, admitted.waiting)
                        waiting = admitted.going(waiting)
                messenger = messenger_route(self._services)
                through_accounts = [message for message in waiting if message.through_account]
                others = [message for message in waiting if not message.through_account]
                order = await routing_of(self._services).order(claim.channel, _whose)
                orders = orders_of(others, order)
                if waits := {id for id, routes in orders.items() if not routes}:
                    over += [nowhere(message, NO_ROUTE_REASON) for message in others if message.id in waits]
                    others = [message for message in others if message.id not in waits]
                for message in others:
                    message.routed = message.id in orders
                for part, routes, rest in (
                    (through_accounts, [messenger], ()),
                    (others, self.routes.of(claim.channel), self.routes.made(claim.channel)),
                ):
                    if not routes:
                        over += [nowhere(message, _NOT_CONFIGURED.format(claim.channel)) for message in part]
                    elif part:
                        claim.deliveries.append(
                            Delivery(
                                self.streams,
                                claim,
                                routes,
                                channel=claim.channel,
                                group=None,
                                points=FAULT_POINTS,
                                orders=orders,
                                others=rest,
                            )
                        )
                        claim.deliveries[-1].start(part)
                await claim.store(over)
                for delivery in claim.deliveries:
                    await delivery.wait()
                await claim.store([message for delivery in claim.deliveries for message in delivery.unsent])
                if (
                    claim.ended
                ):  # by a clock that jumps, say: the messages are not claimed again without a pause
                    await asyncio.sleep(_LOST_SECONDS)
        finally:
            if admitted is not None:
                await self._admission.give_back(admitted)
            await until_stored(self.db, lambda db: claims.release(db, claim.id))
            DRAIN_SECONDS.labels(claim.channel).observe(time.perf_counter() - begun)

    async def load(self, message: DirectItem) -> bool:
        """Loads the files of an email. Returns False if it can't be sent; then it has an outcome."""
        try:
            if (mail_id := submitted_mails.id_of(message.row["metadata"])) is not None:
                async with self._attaching:
                    message.mail = await submitted_mails.load(self.db, message.id, mail_id)
                return True
            if not (ids := attachments.attachment_ids(message.row)):
                return True
            async with self._attaching:
                message.files = await attachments.load(self.db, self._services.files, message.id, ids)
        except Unavailable as error:
            message.outcome = without_files(error)
        except AppError as error:
            message.outcome = Outcome(
                Result.refused, code="attachment_missing", reason=error.message, asked=False, dispatched=False
            )
        except Exception as error:
            if not isinstance(away := translate(error), AppError):
                raise
            message.outcome = without_files(away)
        else:
            return True
        if message.uncertain:
            message.outcome = replace(message.outcome, result=Result.unknown)
        return False


def _put_off(waiting: Waiting) -> DirectItem:
    """Keeps the message queued until its receiver may get it; its outcome says so."""
    message: DirectItem = waiting.message
    message.outcome = Outcome(
        Result.throttled,
        code=waiting.code,
        reason=waiting.reason,
        retry_after=waiting.seconds,
        asked=False,
        dispatched=False,
    )
    return message


def _whose(message: DirectItem) -> tuple[str, UUID]:
    """Returns by whose rules a message is sent: those of its category and its owner."""
    return message.row["category"], message.row["owner_id"]

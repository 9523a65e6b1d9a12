"""Delivers the waiting events of one endpoint, until none is left or the endpoint has to wait.

The endpoint of a messenger account finds its deliveries in the outbox. That of an event feed is given the next ones by
`Host.fill` once all of them are in memory; so it has few at a time, and the feed holds the others.

Events of one thread are delivered in order, one at a time. Threads run in parallel: one at first, twice as many after
each success, up to WORKERS. A failed event delays its own thread alone, and is tried again beside the others. An
endpoint that is down (`backoff.DOWN_AFTER`) is tried with one event; the first success lets the others follow.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID, uuid5

import structlog

from core.tasks import end
from core.webhook_signatures import sign
from db.query import Reads
from engine import faultpoints
from engine.webhooks import backoff, claim_queries, delivery_queries, feed, sealed
from engine.webhooks.call import Answer, Caller
from engine.webhooks.claim_queries import EndpointClaim
from engine.webhooks.delivery_queries import Item, Look
from engine.webhooks.event_buffer import EventBuffer
from engine.webhooks.outbox import LARGEST
from engine.webhooks.outcomes import FLUSH, RETRY_SECONDS, Outcomes
from runtime.database_errors import translate
from runtime.leases import Lease
from runtime.retry import until_done
from runtime.services import Services

log = structlog.get_logger("postern.webhooks")

WORKERS = 8  # threads of one endpoint in parallel
WINDOW = 200  # events in memory
LOW = 60  # events left in memory when the next ones are fetched
RETRIES = 50  # failed events in memory
RETRIES_AT_ONCE = WORKERS // 2  # requests with failed events in parallel, while others wait
LINGER = 1.0  # seconds that an idle endpoint stays claimed: the next event is delivered at once
AGAIN = 0.5  # seconds between checks for other threads, while one keeps the endpoint busy
LONGEST_PAUSE = timedelta(minutes=1)  # the longest pause without a check while only failed events wait
FILL_SECONDS = 10.0  # seconds that new deliveries of a feed are waited for at the end

REPLAYED = "postern-replayed"
"""The header of a request with an event whose body was made anew."""

UNREADABLE = "not called: its secret can't be read any more (POSTERN_SECRET_KEY changed); rotate it"


class Host(Protocol):
    """Provides the objects that all deliveries of a process share."""

    services: Services
    db: Reads
    clock: backoff.Clock
    room: int  # bytes of events that all deliveries together may still load

    def spare(self) -> bool:
        """Takes one call beyond the first of each endpoint, if there is one; `back` returns it."""

    def back(self) -> None: ...

    async def fill(self, claim: EndpointClaim) -> bool:
        """Makes deliveries of the next events of the owner's feed. Returns whether to look for them."""


class DeliveryLoop:
    """One endpoint's delivery loop, for as long as this process holds the claim."""

    def __init__(
        self, host: Host, claim: EndpointClaim, lease: Lease, caller: Caller, keys: Sequence[bytes]
    ) -> None:
        self.host, self.claim, self.lease, self.caller, self.keys = host, claim, lease, caller, keys
        self.begun = asyncio.get_running_loop().time()
        self.seen = 0  # `seq` of the last event that was read
        self.idle = False
        self.woken = True  # events may wait that were not read
        self.again = False  # the endpoint should be claimed again at once
        self._ending = False
        self._buffer = EventBuffer(host, delivery_queries.BYTES // WORKERS)
        self._workers: set[asyncio.Task[None]] = set()
        self._width = 1
        self._retries = 0  # requests with failed events that are under way
        self._released = False
        self._bell = asyncio.Event()
        self._outcomes = Outcomes(
            host.db, host.clock, claim, self._buffer, self._bell.set, lambda: self.end(lost=True)
        )
        self._dropped: set[str] = set()  # threads that failed since the last look began
        self._wakes = 0
        self._more = True  # events remain that were not read for lack of room
        self._looked = 0.0
        self._full: list[str] = []  # threads of which no more are read for now
        self._filling: asyncio.Task[bool] | None = None
        self._is_unread = True  # the feed may have events that have no deliveries

    def wake(self) -> None:
        """Makes the loop read new events."""
        self.woken = self._is_unread = True
        self._bell.set()

    def end(self, *, lost: bool = False) -> None:
        """Starts no further call; calls in flight are waited for and stored."""
        self.lease.lost = self.lease.lost or lost
        self._ending = True
        self._bell.set()

    def cancel_calls(self) -> None:
        """Cancels calls in flight; their events go out again under the same ids."""
        self._ending = True
        for worker in self._workers:
            worker.cancel()

    async def run(self) -> None:
        """Returns when the claim is released or lost. Raises database errors."""
        try:
            while self._going() and not self._released:
                await self._deliver()
                while self._workers or self._outcomes.saving or self._outcomes.waiting:
                    self._outcomes.save(now=not self._workers)
                    await self._rest(FLUSH)
            if self._filling is not None and not self.lease.lost:
                await asyncio.wait({self._filling}, timeout=FILL_SECONDS)
            if not self.lease.lost:
                await until_done(self._give_back, seconds=RETRY_SECONDS)
        finally:
            self.cancel_calls()
            await self._outcomes.cancel()
            if self._filling is not None:
                await end([self._filling])
            self._buffer.give_back()

    async def _deliver(self) -> None:
        while self._going():
            await self._fetch()
            if not self._going():
                return
            self._start_workers()
            outcomes = self._outcomes
            if self._workers or outcomes.waiting or outcomes.saving or self._filling:
                await self._rest(FLUSH if outcomes.waiting else AGAIN)
                outcomes.save(now=not self._workers)
            elif not self.woken and not await self._linger():
                return

    def _going(self) -> bool:
        return not (self._ending or self._outcomes.must_wait or self.lease.lost)

    async def _rest(self, seconds: float) -> None:
        """Waits until something happened that the loop must handle, at most `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._bell.wait()
        except TimeoutError:
            pass
        self._bell.clear()

    async def _fetch(self) -> None:
        free, waiting = len(self._workers) < self._width and not self._buffer.ready, self._buffer.waiting
        now = asyncio.get_running_loop().time()
        due = (
            (self.woken and (free or waiting < LOW))
            or (self._more and waiting < LOW)
            or (free and bool(self._workers) and now >= self._looked + AGAIN)
        )
        if not due or (self._outcomes.is_down and self._buffer.sequences):  # it is tried with one event
            return
        room = max(min(delivery_queries.BYTES - self._buffer.bytes, self.host.room), 0)
        if self._buffer.bytes and room < LARGEST:  # a delivery without events may load one in any case
            return
        self.woken, self._looked = False, now
        self._dropped = set(self._outcomes.failing)
        self.host.room -= room  # reserved during the query
        try:
            look = await self._look(room)
        except Exception as error:
            if translate(error) is None:
                raise
            self.end()  # the database is away: calls in flight are finished first
            return
        finally:
            self.host.room += room
        if look is None:
            self.end(lost=True)
        elif look.version != self.claim.version:
            self.again = True  # its address or secret may have changed
            self.end()
        else:
            self._wakes = look.wakes
            for item in look.items:
                self.seen = max(self.seen, item.seq)
                if item.thread not in self._dropped:  # otherwise an earlier event has failed during the look
                    self._buffer.add(item)
            self.woken = self.woken or (look.ready > 0 and not look.items)  # all are behind failed ones

    async def _look(self, room: int) -> Look | None:
        look = await self._read(room)
        if self.claim.of_feed and look is not None:
            if self._outcomes.is_down:
                self._more = bool(look.ready or self._full)
            if not self._more and self._filling is None and self._is_unread:
                self._is_unread = False
                self._filling = asyncio.create_task(self.host.fill(self.claim))
                self._filling.add_done_callback(self._filled)
        return look

    def _filled(self, filling: "asyncio.Task[bool]") -> None:
        self._filling = None
        if not filling.cancelled():
            if filling.exception() is None:
                self.woken = self._is_unread = self._is_unread or filling.result()
            else:  # the database is away, which another statement finds, too
                self.end()
        self._bell.set()

    async def _read(self, room: int) -> Look | None:
        self._full = self._buffer.full_threads()
        if self._outcomes.is_down:
            return await self._read_probe(room)
        most = max(min(WINDOW - self._buffer.waiting, self._width * WINDOW // WORKERS), WORKERS)
        due = max(RETRIES - len(self._buffer.retried), 0)
        look = await self._read_ready(most, due, room)
        if look is not None:
            size = sum(len(item.body) for item in look.items)
            is_full = look.ready == most or (look.due == due > 0)
            self._more = bool(self._full) or is_full or size + LARGEST > room
        return look

    async def _read_probe(self, room: int) -> Look | None:
        """Reads one event: one that has not failed, since the failure may be due to that one event."""
        look = await self._read_ready(WINDOW, 0, room)
        if look is not None:
            self._more = bool(look.items) or look.ready == WINDOW
            if not self._more:
                look = await delivery_queries.look_for_failed(self.host.db, self.claim)
        return look if look is None else replace(look, items=look.items[:1])

    async def _read_ready(self, most: int, due: int, room: int) -> Look | None:
        return await delivery_queries.look(
            self.host.db,
            self.claim,
            self.host.clock(),
            in_memory=list(self._buffer.sequences),
            without_threads=[*self._full, *self._buffer.retried, *self._outcomes.failing],
            most=most,
            due=due,
            size=room,
        )

    def _start_workers(self) -> None:
        for _ in range(min(self._buffer.ready, self._width - len(self._workers))):
            if self._workers and not self.host.spare():
                return
            worker = asyncio.create_task(self._work(extra=bool(self._workers)))
            self._workers.add(worker)
            worker.add_done_callback(self._closed)

    def _closed(self, worker: "asyncio.Task[None]") -> None:
        self._workers.discard(worker)
        if not worker.cancelled() and (error := worker.exception()) is not None:
            log.error("a delivery broke off", webhook=str(self.claim.webhook_id), exc_info=error)
            self.end()
        self._bell.set()

    async def _work(self, *, extra: bool) -> None:
        try:
            while self._buffer.ready and self._going():
                # A failure is followed by an event that has not failed, if there is one: so events that are refused
                # again and again are never taken for an endpoint that is down.
                retry = self._outcomes.failures == 0 and self._retries < RETRIES_AT_ONCE
                items = self._buffer.next_request(self.claim.batch, retry=retry)
                is_retry = items[0].attempts > 0
                self._retries += is_retry
                try:
                    if await self._send(items):
                        self._buffer.remove(items)
                finally:
                    self._retries -= is_retry
                if self._outcomes.is_full or self._buffer.waiting <= LOW or len(self._workers) < self._width:
                    self._bell.set()
        finally:
            if extra:
                self.host.back()

    async def _send(self, items: Sequence[Item]) -> bool:
        """Returns whether the events were accepted."""
        if not self.lease.valid:
            self.end(lost=True)
            return False
        moment = self.host.clock()
        if not self.keys:
            self._refuse(items, Answer(None, UNREADABLE), for_good=True)
            return False
        id, body = self._request(items, moment)
        names = "svix" if self.claim.of_resend else "webhook"
        signed = sign(self.keys, id, body, int(moment.timestamp()), names=names)
        if items[0].replayed:
            signed[REPLAYED] = "true"
        answer = await self.caller.call(signed, body, items[0].url)
        if answer.error is not None:
            self._refuse(items, answer)
            return False
        faultpoints.fault_point("webhook.taken")
        self._outcomes.accept(items, moment, answer)
        self._width = min(self._width * 2, WORKERS)
        return True

    def _refuse(self, items: Sequence[Item], answer: Answer, *, for_good: bool = False) -> None:
        self._dropped.update(item.thread for item in items)
        self._outcomes.refuse(items, answer, for_good=for_good)
        if self._outcomes.failures > 1:
            self._width = max(self._width // 2, 1)
        self._bell.set()

    def _request(self, items: Sequence[Item], moment: datetime) -> tuple[UUID, bytes]:
        """Returns id and body. The same events have the same id in each attempt."""
        first = items[0]
        if self.claim.account_id is not None:
            vault = self.host.services.vault
            return first.event_id, sealed.opened(vault, self.claim.account_id, first.body, moment)
        others = " ".join(str(item.event_id) for item in items[1:])
        id = uuid5(first.event_id, others) if others else first.event_id
        return id, feed.request_body(self.claim.batch, [item.body for item in items])

    async def _linger(self) -> bool:
        """Waits for new events. Returns whether to go on."""
        if self._outcomes.delivered_at is not None:
            self.idle = True
            try:
                await self._rest(LINGER)
            finally:
                self.idle = False
            if self.woken or not self._going():
                return True
        retry_at = await delivery_queries.first_retry_at(self.host.db, self.claim)
        latest = self.host.clock() + LONGEST_PAUSE
        self._released = await self._release(self._wakes, min(retry_at, latest) if retry_at else None)
        if self._released:
            self.again = self.again or self.woken  # a wake came at the same time
        else:
            self.woken = True
        return not self._released

    async def _give_back(self) -> None:
        if self._outcomes.must_wait:
            await self._outcomes.release()
        elif not self._released:
            await self._release(None, None)

    async def _release(self, wakes: int | None, quiet_until: datetime | None) -> bool:
        return await claim_queries.release(
            self.host.db,
            self.claim,
            wakes=wakes,
            quiet_until=quiet_until,
            delivered_at=self._outcomes.delivered_at,
            status=self._outcomes.status,
        )

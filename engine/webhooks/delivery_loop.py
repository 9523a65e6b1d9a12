"""Delivers what waits for one endpoint, until nothing is left or a call fails.

The endpoint of a messenger account finds its deliveries in the outbox. That of an event feed is given the next ones by
`Host.fill` when it has no more; so it has few at a time, and the feed holds the others.

Events of one thread are delivered in order, one at a time. Threads run in parallel: one at first, twice as many after
each success, up to WORKERS. The first failure ends the delivery; the endpoint's retry time says when the next one begins.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID, uuid5

import structlog

from core.tasks import end
from db.query import Reads
from engine import faultpoints
from engine.webhooks import backoff, claim_queries, delivery_queries, feed, sealed
from engine.webhooks.call import Answer, Caller
from engine.webhooks.claim_queries import Claim
from engine.webhooks.delivery_queries import Accepted, Failed, Item, Look
from engine.webhooks.event_buffer import EventBuffer
from engine.webhooks.outbox import LARGEST
from engine.webhooks.signing import headers
from runtime.database_errors import translate
from runtime.leases import Lease
from runtime.retry import until_done
from runtime.services import Services

log = structlog.get_logger("postern.webhooks")

WORKERS = 8  # threads of one endpoint in parallel
WINDOW = 200  # events in memory
LOW = 60  # events left in memory when the next ones are fetched
BATCH = 100  # accepted events that are deleted in one statement
FLUSH = 0.05  # seconds that an accepted event waits for others
LINGER = 1.0  # seconds that an idle endpoint stays claimed: the next event is delivered at once
AGAIN = 0.5  # seconds between checks for other threads, while one keeps the endpoint busy
LONGEST_PAUSE = timedelta(minutes=1)  # the longest pause without a check while only failed events wait
FILL_SECONDS = 10.0  # seconds that new deliveries of a feed are waited for at the end
RETRY_SECONDS = 60.0  # seconds that an accepted event is remembered while the database is away

REPLAYED = "postern-replayed"
"""The header of a request with an event whose body was made anew."""

UNREADABLE = "not called: its secret can't be read any more (POSTERN_SECRET_KEY changed); rotate it"


class Host(Protocol):
    """Provides what all deliveries of a process share."""

    services: Services
    db: Reads
    clock: backoff.Clock
    room: int  # bytes of events that all deliveries together may still load

    def spare(self) -> bool:
        """Takes one call beyond the first of each endpoint, if there is one; `back` returns it."""

    def back(self) -> None: ...

    async def fill(self, claim: Claim) -> bool:
        """Makes deliveries of the next events of the owner's feed. Returns whether to look for them."""


class DeliveryLoop:
    """One endpoint's delivery loop, for as long as this process holds the claim."""

    def __init__(self, host: Host, claim: Claim, lease: Lease, caller: Caller, keys: Sequence[bytes]) -> None:
        self.host, self.claim, self.lease, self.caller, self.keys = host, claim, lease, caller, keys
        self.begun = asyncio.get_running_loop().time()
        self.seen = 0  # `seq` of the last event that was read
        self.idle = False
        self.woken = True  # events may wait that were not read
        self.again = False  # it ended without a failure: the endpoint should be claimed again at once
        self._ending = False
        self._buffer = EventBuffer(host, delivery_queries.BYTES // WORKERS)
        self._workers: set[asyncio.Task[None]] = set()
        self._width = 1
        self._taken: list[Accepted] = []  # accepted deliveries that are not yet stored
        self._taken_since = 0.0
        self._failed: list[tuple[Item, Answer]] = []
        self._status: int | None = None
        self._delivered_at: datetime | None = None
        self._reset = claim.failures == 0  # whether the endpoint has no stored failures
        self._bell = asyncio.Event()
        self._wakes = 0
        self._more = True  # events remain that were not read for lack of room
        self._looked = 0.0
        self._saving: asyncio.Task[None] | None = None
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
            await self._deliver()
            while self._workers:
                await self._rest(FLUSH)
                self._save()
            await self._saved()
            if self._filling is not None and not self.lease.lost:
                await asyncio.wait({self._filling}, timeout=FILL_SECONDS)
            if not self.lease.lost:
                await until_done(self._give_back, seconds=RETRY_SECONDS)
        finally:
            self.cancel_calls()
            await end([task for task in (self._saving, self._filling) if task is not None])
            self._buffer.give_back()

    async def _deliver(self) -> None:
        while self._going():
            await self._fetch()
            if not self._going():
                return
            self._start_workers()
            if self._workers or self._taken or self._saving or self._filling:
                await self._rest(FLUSH if self._taken else AGAIN)
                self._save()
            elif not self.woken and not await self._linger():
                return

    def _going(self) -> bool:
        return not (self._ending or self._failed or self.lease.lost)

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
        if not due or (
            not self._reset and self._buffer.sequences
        ):  # a failed endpoint is tried with one event
            return
        room = max(min(delivery_queries.BYTES - self._buffer.bytes, self.host.room), 0)
        if self._buffer.bytes and room < LARGEST:  # a delivery without events may load one in any case
            return
        self.woken, self._looked = False, now
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
                self._buffer.add(item)

    async def _look(self, room: int) -> Look | None:
        look = await self._read(room)
        if self.claim.account_id is None and look is not None:
            self._more = bool(look.items or self._full)
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
        db, moment = self.host.db, self.host.clock()
        if not self._reset:
            self._more = True
            return await delivery_queries.look_for_probe(db, self.claim, moment)
        self._full = self._buffer.full_threads()
        most = max(min(WINDOW - self._buffer.waiting, self._width * WINDOW // WORKERS), WORKERS)
        look = await delivery_queries.look(
            db,
            self.claim,
            moment,
            in_memory=list(self._buffer.sequences),
            full_threads=self._full,
            most=most,
            size=room,
        )
        if look is not None:
            size = sum(len(item.body) for item in look.items)
            self._more = bool(self._full) or len(look.items) == most or size + LARGEST > room
        return look

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
                items = self._buffer.next_request(self.claim.batch)
                if not await self._send(items):
                    return
                self._buffer.remove(items)
                if (
                    len(self._taken) >= BATCH
                    or self._buffer.waiting <= LOW
                    or len(self._workers) < self._width
                ):
                    self._bell.set()
        finally:
            if extra:
                self.host.back()

    async def _send(self, items: Sequence[Item]) -> bool:
        if not self.lease.valid:
            self.end(lost=True)
            return False
        moment = self.host.clock()
        if not self.keys:
            self._failed += [(item, Answer(None, UNREADABLE)) for item in items]
            return False
        id, body = self._request(items, moment)
        signed = headers(self.keys, id, body, int(moment.timestamp()))
        if items[0].replayed:
            signed[REPLAYED] = "true"
        answer = await self.caller.call(signed, body)
        if answer.error is not None:
            self._failed += [(item, answer) for item in items]
            return False
        faultpoints.reach("webhook.taken")
        self._delivered_at, self._status = moment, answer.status
        if not self._taken:
            self._taken_since = asyncio.get_running_loop().time()
        self._taken += [Accepted(item, moment, answer) for item in items]
        self._buffer.accept(items)
        self._width = min(self._width * 2, WORKERS)
        return True

    def _request(self, items: Sequence[Item], moment: datetime) -> tuple[UUID, bytes]:
        """Returns id and body. The same events have the same id in each attempt."""
        first = items[0]
        if self.claim.account_id is not None:
            vault = self.host.services.vault
            return first.event_id, sealed.opened(vault, self.claim.account_id, first.body, moment)
        others = " ".join(str(item.event_id) for item in items[1:])
        id = uuid5(first.event_id, others) if others else first.event_id
        return id, feed.request_body(self.claim.batch, [item.body for item in items])

    def _save(self, *, now: bool = False) -> None:
        """Deletes accepted events in batches; while one is written, the next one collects."""
        since = asyncio.get_running_loop().time() - self._taken_since
        due = now or not self._workers or len(self._taken) >= BATCH or since >= FLUSH
        if self._taken and due and self._saving is None:
            batch, self._taken = self._taken, []
            self._saving = asyncio.create_task(self._forget(batch))

    async def _saved(self) -> None:
        """Waits until all accepted events are deleted, or the database stayed away too long."""
        while self._saving or self._taken:
            self._save(now=True)
            await self._rest(FLUSH)

    async def _forget(self, batch: Sequence[Accepted]) -> None:
        async def write() -> None:
            if not self._reset and self._status is not None and self._delivered_at is not None:
                await delivery_queries.store_success(
                    self.host.db, self.claim, self._status, self._delivered_at
                )
                self._reset = True
            await delivery_queries.store_accepted(self.host.db, batch)

        try:
            await until_done(write, seconds=RETRY_SECONDS)
            self._buffer.forget([accepted.item for accepted in batch])
        except Exception as error:  # they stay, and are delivered again under the same ids
            log.warning(
                "taken events could not be forgotten",
                webhook=str(self.claim.webhook_id),
                events=len(batch),
                error=type(error).__name__,
                exc_info=translate(error) is None,
            )
            self.end(lost=True)
        finally:
            self._saving = None
            self._bell.set()

    async def _linger(self) -> bool:
        """Waits for new events. Returns whether to go on."""
        if self._delivered_at is not None:
            self.idle = True
            try:
                await self._rest(LINGER)
            finally:
                self.idle = False
            if self.woken or not self._going():
                return True
        retry_at = await delivery_queries.first_retry_at(self.host.db, self.claim)
        latest = self.host.clock() + LONGEST_PAUSE
        released = await self._release(self._wakes, min(retry_at, latest) if retry_at else None)
        self.woken = not released
        return not released

    async def _give_back(self) -> None:
        if self._failed:
            await self._write_failure()
        elif self._ending:
            await self._release(None, None)

    async def _release(self, wakes: int | None, quiet_until: datetime | None) -> bool:
        return await claim_queries.release(
            self.host.db,
            self.claim,
            wakes=wakes,
            quiet_until=quiet_until,
            delivered_at=self._delivered_at,
            status=self._status,
        )

    async def _write_failure(self) -> None:
        """Stores one failure of the endpoint, however many calls were in flight, and one attempt of each event."""
        now, factor = self.host.clock(), backoff.jitter()
        failures = 1 if self._delivered_at is not None else self.claim.failures + 1
        wait = backoff.pause(failures, factor)
        for _, answer in self._failed:
            asked = backoff.retry_after(answer.retry_after, now)
            wait = max(wait, asked) if asked else wait
        gone = any(answer.status == 410 for _, answer in self._failed)
        _, last = self._failed[-1]
        assert last.error is not None
        # An event's own retry time is never before the endpoint's, unless it failed while others were accepted.
        # Of a batch each thread's first event has failed; those behind it were never alone in a request.
        first: dict[str, tuple[Item, Answer]] = {}
        for item, answer in self._failed:
            first.setdefault(item.thread, (item, answer))
        deliveries = [
            Failed(item, item.attempts + 1, now + backoff.pause(item.attempts + 1, factor), answer)
            for item, answer in first.values()
        ]
        await delivery_queries.store_failure(
            self.host.db,
            self.claim,
            failures,
            now + wait,
            last.error,
            last.status,
            self._delivered_at,
            "it answered 410 Gone" if gone else None,
            deliveries,
        )
        log.info(
            "a webhook failed",
            webhook=str(self.claim.webhook_id),
            failures=failures,
            status=last.status,
            error=last.error,
            seconds=round(wait.total_seconds()),
        )

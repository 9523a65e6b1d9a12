"""A visit: this process delivers what waits for one endpoint, until nothing is left or it fails.

Order is kept a thread: of one thread one event is on its way at a time. Threads go side by side, one at first and
twice as many after each success, up to LANES. The first failure ends the visit; the endpoint's clock says when the
next one begins.
"""

import asyncio
import heapq
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

import structlog

from db.query import Reads
from engine import faultpoints
from engine.webhooks import clock, rows, sealed
from engine.webhooks.call import Answer, Caller
from engine.webhooks.outbox import LARGEST
from engine.webhooks.rows import Claim, Failed, Item, Look
from engine.webhooks.signing import headers
from postern.faults import translate
from postern.services import Services

log = structlog.get_logger("postern.webhooks")

LANES = 8  # threads of one endpoint side by side
WINDOW = 200  # events in memory
FULL = 100  # of one thread, when others wait too
LOW = 60  # events left in memory when the next ones are fetched
BATCH = 100  # taken events that are forgotten in one statement
FLUSH = 0.05  # seconds that a taken event waits for others
LINGER = 1.0  # seconds that an endpoint stays ours when nothing waits: the next event is there at once
AGAIN = 0.5  # seconds until it looks for other threads, while one keeps it busy
QUIET = timedelta(minutes=1)  # that nobody looks, while only events that failed wait for their time
PATIENCE = 60.0  # seconds that a taken event is remembered while the database is away

UNREADABLE = "not called: its secret can't be read any more (POSTERN_SECRET_KEY changed); rotate it"


class Host(Protocol):
    """Who makes visits: what they share."""

    services: Services
    db: Reads
    clock: clock.Clock
    room: int  # bytes of events that all visits together may still bring into memory

    def spare(self) -> bool:
        """One more call at once may be made beside the first of each visit; `back` gives it back."""

    def back(self) -> None: ...


class Visit:
    def __init__(self, host: Host, claim: Claim, caller: Caller, keys: Sequence[bytes]) -> None:
        self.host, self.claim, self.caller, self.keys = host, claim, caller, keys
        self.alive_until = 0.0  # of the loop's time: the claim is surely ours so long
        self.begun = asyncio.get_running_loop().time()
        self.seen = 0  # the last event that was looked at, by its place
        self.idle = False
        self.woken = True  # something may wait that was not looked at
        self.lost = False
        self.again = False  # it ended for a reason that is no failure: somebody should look at once
        self._ending = False
        self._lines: dict[str, deque[Item]] = {}
        self._ready: list[tuple[int, str]] = []  # threads with nothing on its way, by their first event
        self._waiting = 0  # events in `_lines`
        self._bytes = 0  # of their bodies
        self._lanes: set[asyncio.Task[None]] = set()
        self._width = 1
        self._hand: set[int] = set()  # the places of all events here that are not yet forgotten
        self._taken: list[tuple[UUID, int]] = []  # ids and places of what is to be forgotten
        self._taken_since = 0.0
        self._failed: list[tuple[Item, Answer]] = []
        self._status: int | None = None
        self._delivered_at: datetime | None = None
        self._reset = claim.failures == 0  # whether the clock stands at none
        self._bell = asyncio.Event()
        self._wakes = 0
        self._more = True  # events that were not fetched for want of room
        self._looked = 0.0
        self._saving: asyncio.Task[None] | None = None

    # what others tell it

    def wake(self) -> None:
        self.woken = True
        self._bell.set()

    def end(self, *, lost: bool = False) -> None:
        """Begin no further call; what is on its way is waited for and written down."""
        self.lost = self.lost or lost
        self._ending = True
        self._bell.set()

    def cut(self) -> None:
        """Break off what is on its way: it goes out again under the same id."""
        self._ending = True
        for lane in self._lanes:
            lane.cancel()

    # the visit

    async def run(self) -> None:
        """Returns when the claim is given back or lost. Raises what the database raises."""
        try:
            await self._deliver()
            while self._lanes:
                await self._rest(FLUSH)
                self._save()
            await self._saved()
            if not self.lost:
                await self._insist(self._give_back)
        finally:
            self.cut()
            if self._saving is not None:
                self._saving.cancel()
            self.host.room += self._bytes
            self._bytes = 0

    async def _deliver(self) -> None:
        while self._going():
            await self._fetch()
            if not self._going():
                return
            self._open_lanes()
            if self._lanes or self._taken or self._saving:
                await self._rest(FLUSH if self._taken else AGAIN)
                self._save()
            elif not self.woken and not await self._linger():
                return

    def _going(self) -> bool:
        return not (self._ending or self._failed or self.lost)

    async def _rest(self, seconds: float) -> None:
        """Until something happened that the visit has to see to."""
        try:
            async with asyncio.timeout(seconds):
                await self._bell.wait()
        except TimeoutError:
            pass
        self._bell.clear()

    # fetching

    async def _fetch(self) -> None:
        free = len(self._lanes) < self._width and not self._ready
        now = asyncio.get_running_loop().time()
        wanted = (
            (self.woken and (free or self._waiting < LOW))
            or (self._more and self._waiting < LOW)
            or (free and bool(self._lanes) and now >= self._looked + AGAIN)
        )
        if not wanted or (not self._reset and self._hand):  # an endpoint is tried with one event
            return
        room = max(min(rows.BYTES - self._bytes, self.host.room), 0)
        if self._bytes and room < LARGEST:  # a visit that has none gets one event all the same
            return
        self.woken, self._looked = False, now
        self.host.room -= room  # nobody else's meanwhile
        try:
            found = await self._look(room)
        except Exception as error:
            if translate(error) is None:
                raise
            self.end()  # the database is away: what is on its way comes first, and the next visit later
            return
        finally:
            self.host.room += room
        if found is None:
            self.end(lost=True)
        elif found.version != self.claim.version:
            self.again = True  # its address or its secret may be another now
            self.end()
        else:
            self._wakes = found.wakes
            for item in found.items:
                self._add(item)

    async def _look(self, room: int) -> Look | None:
        db, moment = self.host.db, self.host.clock()
        if not self._reset:
            self._more = True
            return await rows.look_for_one(db, self.claim, moment)
        full = [
            thread
            for thread, line in self._lines.items()
            if len(line) >= FULL or sum(len(item.body) for item in line) >= rows.BYTES // LANES
        ]
        most = max(min(WINDOW - self._waiting, self._width * WINDOW // LANES), LANES)
        found = await rows.look(
            db, self.claim, moment, hand=list(self._hand), full=full, most=most, size=room
        )
        if found is not None:
            size = sum(len(item.body) for item in found.items)
            self._more = bool(full) or len(found.items) == most or size + LARGEST > room
        return found

    def _add(self, item: Item) -> None:
        self._hand.add(item.seq)
        self.seen = max(self.seen, item.seq)
        self._waiting += 1
        self._bytes += len(item.body)
        self.host.room -= len(item.body)
        if (line := self._lines.get(item.thread)) is None:
            self._lines[item.thread] = deque((item,))
            heapq.heappush(self._ready, (item.seq, item.thread))
        else:
            line.append(item)

    # sending

    def _open_lanes(self) -> None:
        for _ in range(min(len(self._ready), self._width - len(self._lanes))):
            if self._lanes and not self.host.spare():
                return
            lane = asyncio.create_task(self._lane(extra=bool(self._lanes)))
            self._lanes.add(lane)
            lane.add_done_callback(self._closed)

    def _closed(self, lane: "asyncio.Task[None]") -> None:
        self._lanes.discard(lane)
        if not lane.cancelled() and (error := lane.exception()) is not None:
            log.error("a delivery broke off", webhook=str(self.claim.webhook_id), exc_info=error)
            self.end()
        self._bell.set()

    async def _lane(self, *, extra: bool) -> None:
        try:
            while self._ready and self._going():
                _, thread = heapq.heappop(self._ready)
                line = self._lines[thread]
                if not await self._send(line[0]):
                    return
                line.popleft()
                if line:
                    heapq.heappush(self._ready, (line[0].seq, thread))
                else:
                    del self._lines[thread]
                if len(self._taken) >= BATCH or self._waiting <= LOW or len(self._lanes) < self._width:
                    self._bell.set()
        finally:
            if extra:
                self.host.back()

    async def _send(self, item: Item) -> bool:
        if asyncio.get_running_loop().time() >= self.alive_until:
            self.end(lost=True)
            return False
        moment = self.host.clock()
        if not self.keys:
            self._failed.append((item, Answer(None, UNREADABLE)))
            return False
        body = sealed.opened(self.host.services.vault, self.claim.account_id, item.body, moment)
        signed = headers(self.keys, item.event_id, body, int(moment.timestamp()))
        answer = await self.caller.call(signed, body)
        if answer.error is not None:
            self._failed.append((item, answer))
            return False
        faultpoints.reach("webhook.taken")
        self._delivered_at, self._status = moment, answer.status
        if not self._taken:
            self._taken_since = asyncio.get_running_loop().time()
        self._taken.append((item.id, item.seq))
        self._waiting -= 1
        self._bytes -= len(item.body)
        self.host.room += len(item.body)
        self._width = min(self._width * 2, LANES)
        return True

    # writing down

    def _save(self, *, now: bool = False) -> None:
        """Batches grow by themselves: while one is written, the next comes together."""
        since = asyncio.get_running_loop().time() - self._taken_since
        due = now or not self._lanes or len(self._taken) >= BATCH or since >= FLUSH
        if self._taken and due and self._saving is None:
            batch, self._taken = self._taken, []
            self._saving = asyncio.create_task(self._forget(batch))

    async def _saved(self) -> None:
        """All that was taken is forgotten, or the database stayed away too long."""
        while self._saving or self._taken:
            self._save(now=True)
            await self._rest(FLUSH)

    async def _forget(self, batch: Sequence[tuple[UUID, int]]) -> None:
        ids = [id for id, _ in batch]

        async def write() -> None:
            if not self._reset and self._status is not None and self._delivered_at is not None:
                await rows.works(self.host.db, self.claim, self._status, self._delivered_at)
                self._reset = True
            await rows.taken(self.host.db, ids)

        try:
            await self._insist(write)
            self._hand.difference_update(seq for _, seq in batch)
        except Exception as error:  # they stay, and go out once more under the same ids
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

    async def _insist(self, work: Callable[[], Awaitable[None]]) -> None:
        """Again and again while the database is away: what isn't written down now is done twice."""
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + PATIENCE, 0.1
        while True:
            try:
                return await work()
            except Exception as error:
                if translate(error) is None or loop.time() > until:
                    raise
            await asyncio.sleep(pause)
            pause = min(pause * 2, 3.0)

    async def _linger(self) -> bool:
        """Whether to go on: something came, or may have."""
        if self._delivered_at is not None:
            self.idle = True
            try:
                await self._rest(LINGER)
            finally:
                self.idle = False
            if self.woken or not self._going():
                return True
        quiet = await rows.quiet_until(self.host.db, self.claim)
        latest = self.host.clock() + QUIET
        given = await self._release(self._wakes, min(quiet, latest) if quiet else None)
        self.woken = not given
        return not given

    async def _give_back(self) -> None:
        if self._failed:
            await self._write_failure()
        elif self._ending:
            await self._release(None, None)

    async def _release(self, wakes: int | None, quiet: datetime | None) -> bool:
        return await rows.release(
            self.host.db,
            self.claim,
            wakes=wakes,
            quiet=quiet,
            delivered_at=self._delivered_at,
            status=self._status,
        )

    async def _write_failure(self) -> None:
        """One failure of the endpoint, however many calls were on their way; one more try of each event."""
        now, factor = self.host.clock(), clock.jitter()
        failures = 1 if self._delivered_at is not None else self.claim.failures + 1
        wait = clock.pause(failures, factor)
        for _, answer in self._failed:
            asked = clock.retry_after(answer.retry_after, now)
            wait = max(wait, asked) if asked else wait
        gone = any(answer.status == 410 for _, answer in self._failed)
        _, last = self._failed[-1]
        assert last.error is not None
        # An event's own clock never runs behind the endpoint's, unless it failed where others were taken.
        deliveries = [
            Failed(item, item.attempts + 1, now + clock.pause(item.attempts + 1, factor), answer.error or "")
            for item, answer in self._failed
        ]
        await rows.failed(
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

"""The deliverer: which endpoints this process delivers to. A failing endpoint never delays a working one.

Each endpoint has a task and connections of its own, and one call in flight at any time; more, for other threads, only
while the process has spare calls. Endpoints that failed before have separate, fewer slots: two hundred hanging
endpoints take no slot from a working one.

No owner has more slots than a fair share (`claim_queries.MAX_RATIO`). While an endpoint waits for a slot, those that
had their time slice give theirs up, and come again after those that were visited longer ago.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

import asyncpg
import structlog

from core.tasks import end, surely
from db.query import Reads
from db.session import Database
from engine.feed.inbox_floor import inbox_floors
from engine.jobs import JobName, every, job
from engine.webhooks import backoff, call, callbacks, claim_queries, delivery_queries, endpoints, feed
from engine.webhooks.claim_queries import EndpointClaim, Slots
from engine.webhooks.delivery_loop import DeliveryLoop
from runtime.database_errors import translate
from runtime.leases import Lease, Moment, Renewal
from runtime.retry import passing
from runtime.services import Services

log = structlog.get_logger("postern.webhooks")

SLOTS = 300  # endpoints at once in one process
FAILING = 150  # slots for endpoints that failed before, in addition
SPARE = 200  # calls at once beyond the first of each endpoint
SLOT_SECONDS = 10.0  # time slice in seconds, while others wait for the slot
MEMORY = 256 * 1024 * 1024  # bytes of events in memory, over all endpoints
SWEEP = 2.0  # seconds
CROWDED = 0.5  # seconds between sweeps, while others wait
WATCH = 0.25  # seconds between checks for new events in feeds
POLL = 0.02  # seconds between checks for new events of endpoints that are idle and still claimed
CLAIMED = 0.4  # seconds that a running claim gets when the process stops
STOP = 1.5  # seconds that calls get to end when the process stops, and the same again to store the results
STATEMENTS = 4  # statements at once, over all endpoints
FILLS = 3  # webhooks of feeds that get deliveries at once
DOCUMENT_FILLS = 2  # those whose bodies a document makes, at most one of an owner
RETRY = 1.0  # seconds until deliveries are made again after an error of the database


@job(JobName.deliver_webhooks, group="webhooks")
async def woken(services: Services, account_id: UUID) -> None:
    """Wakes this process's deliverer after an event was put for the account. Without one a sweep finds the event."""
    running = _running(services)
    running.needed.set()
    if running.deliverer is not None:
        running.deliverer.wake(account_id)


@every(1.0, due="EXISTS (SELECT FROM webhooks)")
async def start_deliverer(services: Services) -> None:
    """Starts the deliverer of this process when the first webhook is there: until then it would look for nothing."""
    _running(services).needed.set()


@every(1.0)
async def deliver(services: Services) -> None:
    """Runs the deliverer as long as the worker lives, once it is needed; restarts it after a failure."""
    await _running(services).needed.wait()
    if not services.stopping.is_set():
        await Deliverer(services).run()


@dataclass
class _Running:
    """The deliverer of this process, while it runs."""

    deliverer: "Deliverer | None" = None
    needed: asyncio.Event = field(default_factory=asyncio.Event)


def _running(services: Services) -> _Running:
    return services.single(_Running, _Running)


class _LimitedDatabase:
    """The database with a limit on concurrent statements, which leaves connections to other work."""

    def __init__(self, db: Database) -> None:
        self._db, self._permits = db, asyncio.Semaphore(STATEMENTS)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Any]:
        async with self._permits, self._db.reading() as connection:
            yield connection

    async def fetch(self, sql: str, *arguments: Any) -> list[Any]:
        async with self._permits:
            return await self._db.fetch(sql, *arguments)

    async def fetchrow(self, sql: str, *arguments: Any) -> Any:
        async with self._permits:
            return await self._db.fetchrow(sql, *arguments)

    async def fetchval(self, sql: str, *arguments: Any) -> Any:
        async with self._permits:
            return await self._db.fetchval(sql, *arguments)


class Deliverer:
    """Claims endpoints and delivers their events in this process."""

    def __init__(
        self,
        services: Services,
        *,
        clock: backoff.Clock | None = None,
        sweep: float = SWEEP,
    ) -> None:
        self.services, self.clock = services, clock or services.db.now
        self.db: Reads = _LimitedDatabase(services.db)
        self._floors = inbox_floors(services)
        self._lease = timedelta(seconds=services.settings.lease_seconds)
        self._sweep_seconds = sweep
        self._deliveries: dict[UUID, DeliveryLoop] = {}
        self._renewal: Renewal[DeliveryLoop] = Renewal(
            services.db.thread,
            self._lease.total_seconds,
            lambda: list(self._deliveries.values()),
            self._renew,
            lambda delivery: delivery.end(lost=True),
        )
        self._failing: set[UUID] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._accounts: set[UUID] = set()  # whose webhooks have new events
        self._webhooks: set[UUID] = set()  # that have new events in their feeds
        self._bell = asyncio.Event()
        self._spare = SPARE
        self._fills, self._document_fills = asyncio.Semaphore(FILLS), asyncio.Semaphore(DOCUMENT_FILLS)
        self._owner_fills: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.room = MEMORY
        self._crowded = False  # an endpoint waits for a slot
        self._queue = False  # an endpoint waits and all regular slots are taken: a wake may not overtake it
        self._ending = False

    def wake(self, account_id: UUID) -> None:
        """Delivers to the messenger account's endpoints soon."""
        self._accounts.add(account_id)
        self._bell.set()

    async def fill(self, claim: EndpointClaim) -> bool:
        """Makes deliveries of the next events of the owner's feed. Returns whether there may be some."""
        own = self._owner_fills.setdefault(claim.owner_id, asyncio.Lock())
        owner_fills = own if claim.has_document else nullcontext()
        fills = self._document_fills if claim.has_document else self._fills
        async with owner_fills, fills:
            try:
                return await feed.fill(self.services, claim)
            except Exception as error:
                if not passing(error):
                    log.exception("no deliveries could be made", webhook=str(claim.webhook_id))
                    await feed.wait_after_error(self.services.db, claim)
                    return False
        await asyncio.sleep(RETRY)
        return True

    def spare(self) -> bool:
        """Takes a spare call. Returns False if there is none."""
        if self._spare <= 0:
            return False
        self._spare -= 1
        return True

    def back(self) -> None:
        """Gives a spare call back."""
        self._spare += 1

    async def run(self) -> None:
        """Runs until it is cancelled or the services stop."""
        running = _running(self.services)
        running.deliverer = self
        loops = [
            asyncio.create_task(work())
            for work in (self._claiming, self._renewal.run, self._polling, self._watching, self._stopping)
        ]
        try:
            done, _ = await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
            for loop in done:
                loop.result()
        finally:
            running.deliverer = None
            await surely(self._end(loops))

    async def _stopping(self) -> None:
        await self.services.stopping.wait()

    async def _end(self, loops: Sequence["asyncio.Task[None]"]) -> None:
        """Gives calls in flight a moment, then cancels them; their events go out again under the same ids."""
        self._ending = True
        await end(loops)
        for say in (DeliveryLoop.end, DeliveryLoop.cancel_calls):
            for delivery in list(self._deliveries.values()):
                say(delivery)
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=STOP)
        await end(self._tasks)

    async def _claiming(self) -> None:
        due = 0.0
        loop = asyncio.get_running_loop()
        while True:
            try:
                accounts, self._accounts = self._accounts, set()
                webhooks, self._webhooks = self._webhooks, set()
                if accounts:
                    await self._whole(self._claim_woken(accounts))
                if webhooks and not self._queue:
                    await self._whole(self._claim_unread(webhooks))
                if loop.time() >= due:
                    due = loop.time() + self._sweep_seconds
                    await self._whole(self._sweep())
                    if self._crowded:
                        due = min(due, loop.time() + CROWDED)
            except Exception as error:
                # The database is away; the next sweep finds the events of these accounts.
                log.log(
                    10 if translate(error) else 40, "deliveries have to wait", error=type(error).__name__,
                    exc_info=translate(error) is None,
                )  # fmt: skip
                await asyncio.sleep(0.5)
            self._bell.clear()
            if not self._accounts and not self._webhooks:
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(due - loop.time(), 0)):
                        await self._bell.wait()

    async def _whole(self, claiming: Coroutine[Any, Any, None]) -> None:
        """Runs a claim to its end even if this task is cancelled: endpoints that are claimed and not started would wait
        for the lease."""
        task = asyncio.create_task(claiming)
        self._tasks.add(task)  # `_end` cancels it when the database takes too long
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            done, _ = await asyncio.wait([task], timeout=CLAIMED)
            for finished in done:
                if not finished.cancelled():
                    finished.exception()  # marks the exception as retrieved; the claim expires with its lease
            raise

    async def _claim_woken(self, accounts: set[UUID]) -> None:
        own = [id for id, delivery in self._deliveries.items() if delivery.claim.account_id in accounts]
        for id in own:
            self._deliveries[id].wake()
        if await claim_queries.wake(self.db, self.clock(), accounts, own=own) and not self._queue:
            requested, slots = Moment(), self._slots(False)
            claimed = await claim_queries.claim_woken(self.db, self.clock(), self._lease, slots, accounts)
            self._begin(claimed.claims, requested)

    async def _claim_unread(self, webhooks: set[UUID]) -> None:
        requested, slots = Moment(), self._slots(False)
        claimed = await claim_queries.claim_unread(self.db, self.clock(), self._lease, slots, webhooks)
        self._begin(claimed.claims, requested)

    async def _sweep(self) -> None:
        self._crowded = self._queue = False
        for failing in (False, True):
            while True:
                requested, slots = Moment(), self._slots(failing)
                claimed = await claim_queries.sweep(
                    self.db, self.clock(), self._lease, slots, self._floors, failing=failing
                )
                self._begin(claimed.claims, requested)
                if len(claimed.claims) < claim_queries.CLAIM_LIMIT:
                    break
            if claimed.waiting_owner_id is not None:
                self._crowded = True
                self._queue = self._queue or (not failing and slots.free <= 0)
                self._make_way(failing, claimed.waiting_owner_id)

    def _slots(self, failing: bool) -> Slots:
        used = Counter(delivery.claim.owner_id for delivery in self._of(failing))
        return Slots((FAILING if failing else SLOTS) - used.total(), used)

    def _of(self, failing: bool) -> list[DeliveryLoop]:
        return [delivery for id, delivery in self._deliveries.items() if (id in self._failing) is failing]

    def _make_way(self, failing: bool, owner_id: UUID) -> None:
        """Ends deliveries that had their time slice or are idle, for a waiting owner; none of an owner with fewer
        slots."""
        used = self._slots(failing).used
        over = asyncio.get_running_loop().time() - SLOT_SECONDS
        for delivery in self._of(failing):
            if used[delivery.claim.owner_id] >= used[owner_id] and (delivery.idle or delivery.begun <= over):
                delivery.end()

    def _begin(self, claims: Sequence[EndpointClaim], requested: Moment) -> None:
        for claim in claims:
            id = claim.webhook_id
            if id in self._deliveries:  # its claim was lost, and it has not ended yet
                self._deliveries[id].end(lost=True)
            caller = call.Caller(self.services.guard, claim.url)
            lease = Lease(seconds=self._lease.total_seconds(), renewed=requested)
            delivery = self._deliveries[id] = DeliveryLoop(self, claim, lease, caller, self._keys(claim))
            (self._failing.add if claim.failures else self._failing.discard)(id)
            if self._ending:
                delivery.end()
            task = asyncio.create_task(self._run_delivery(delivery))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run_delivery(self, delivery: DeliveryLoop) -> None:
        id = delivery.claim.webhook_id
        try:
            async with delivery.caller:
                await delivery.run()
        except Exception as error:  # the claim expires, and another deliverer continues
            log.warning(
                "a delivery loop broke off",
                webhook=str(id),
                error=type(error).__name__,
                exc_info=translate(error) is None,
            )
        finally:
            if self._deliveries.get(id) is delivery:
                del self._deliveries[id]
                self._failing.discard(id)
            if delivery.again:
                if delivery.claim.account_id is not None:
                    self._accounts.add(delivery.claim.account_id)
                else:
                    self._webhooks.add(id)
                self._bell.set()

    def _keys(self, claim: EndpointClaim) -> list[bytes]:
        """Returns the endpoint's key, and the previous one while it is valid. Without any nothing can be signed."""
        is_overlap = claim.old_until is not None and claim.old_until > self.clock()
        secrets = (claim.sealed, claim.old_sealed if is_overlap else None)
        if claim.is_callback:
            return callbacks.keys_of(self.services, claim.callback_secret_id, *secrets)
        return endpoints.keys_of(self.services, claim.webhook_id, *secrets)

    async def _renew(self, db: asyncpg.Connection, deliveries: Sequence[DeliveryLoop]) -> list[DeliveryLoop]:
        """Renews the claims of all deliveries in one statement. Returns the deliveries that keep theirs."""
        if not deliveries:
            return []
        claims = [delivery.claim for delivery in deliveries]
        still = await claim_queries.renew(db, claims, self._lease)
        return [delivery for delivery in deliveries if delivery.claim.webhook_id in still]

    async def _watching(self) -> None:
        """Finds webhooks that have new events in their feeds: wakes those here, and claims those that are free."""
        any_feed = True
        while True:
            await asyncio.sleep(WATCH if any_feed else SWEEP)
            with suppress(Exception):  # an outage is handled elsewhere
                any_feed, unread = await claim_queries.with_unread(
                    self.db, self.clock(), list(self._deliveries), self._floors
                )
                for id in unread:
                    if (delivery := self._deliveries.get(id)) is not None:
                        delivery.wake()
                    else:
                        self._webhooks.add(id)
                        self._bell.set()

    async def _polling(self) -> None:
        """Wakes idle deliveries for events of which this process heard nothing."""
        while True:
            await asyncio.sleep(POLL if self._deliveries else WATCH)
            idle = {id: delivery for id, delivery in self._deliveries.items() if delivery.idle}
            if not idle:
                continue
            with suppress(Exception):  # an outage is handled elsewhere
                for id in await delivery_queries.webhooks_with_new_events(
                    self.db, [(id, delivery.seen) for id, delivery in idle.items()]
                ):
                    idle[id].wake()

"""The deliverer: which endpoints this process visits, and that no bad one keeps a good one waiting.

Each endpoint is a task of its own with connections of its own. An endpoint has one call on its way at any time;
more, for other threads, only while the process has some to spare. Those that failed before have their own, fewer
places: two hundred that hang take none from one that works.

No owner has more places than his share (`rows.SHARE`), so that there are some for others. While one waits for a place,
those who had their turn give theirs up, and come again after those who were visited longer ago.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog

from db.query import Reads
from db.session import Database
from engine.jobs import every, job
from engine.webhooks import call, clock, endpoints, outbox, rows
from engine.webhooks.rows import Claim, Places
from engine.webhooks.signing import key_of
from engine.webhooks.visit import Visit
from postern.faults import translate
from postern.services import Services
from postern.tasks import end
from postern.vault import Sealed

log = structlog.get_logger("postern.webhooks")

VISITS = 300  # endpoints at once in one process
FAILING = 150  # of those that failed before, beside them
SPARE = 200  # calls at once beside the first of each visit
TURN = 10.0  # seconds that a visit may take while others wait for its place
MEMORY = 256 * 1024 * 1024  # bytes of events that all visits together have in memory
SWEEP = 2.0  # seconds
CROWDED = 0.5  # seconds between sweeps, while others wait
POLL = 0.02  # seconds between looks for news of endpoints that are idle and still ours
CLAIMED = 0.4  # seconds that a claim which is under way gets when the process stops
STOP = 1.5  # seconds that calls get to end when the process stops, and as long to write it down
STATEMENTS = 4  # at once, of all visits together

_running: "WeakKeyDictionary[Services, Deliverer]" = WeakKeyDictionary()


@job(outbox.WAKE, group="webhooks")
async def woken(services: Services, account_id: UUID) -> None:
    """An event was put for this account. Whoever delivers in this process sees to it; a sweep, where nobody does."""
    if (deliverer := _running.get(services)) is not None:
        deliverer.wake(account_id)


@every(1.0)
async def deliver(services: Services) -> None:
    """As long as the worker lives. Comes round when the database or a bug made an end of it."""
    if not services.stopping.is_set():
        await Deliverer(services).run()


class _InTurn:
    """The database, a few statements at once: hundreds of visits leave the others their connections."""

    def __init__(self, db: Database) -> None:
        self._db, self._turns = db, asyncio.Semaphore(STATEMENTS)

    async def fetch(self, sql: str, *arguments: Any) -> list[Any]:
        async with self._turns:
            return await self._db.fetch(sql, *arguments)

    async def fetchrow(self, sql: str, *arguments: Any) -> Any:
        async with self._turns:
            return await self._db.fetchrow(sql, *arguments)

    async def fetchval(self, sql: str, *arguments: Any) -> Any:
        async with self._turns:
            return await self._db.fetchval(sql, *arguments)


async def _surely(work: Coroutine[Any, Any, None]) -> None:
    """To its end, though we are told to stop meanwhile: it is short, and an endpoint that isn't given back waits."""
    task = asyncio.create_task(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({task})
    task.result()


class Deliverer:
    def __init__(
        self,
        services: Services,
        *,
        clock: clock.Clock | None = None,
        sweep: float = SWEEP,
    ) -> None:
        self.services, self.clock = services, clock or services.db.now
        self.db: Reads = _InTurn(services.db)
        self._lease = timedelta(seconds=services.settings.lease_seconds)
        self._sweep_seconds = sweep
        self._visits: dict[UUID, Visit] = {}
        self._failing: set[UUID] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._accounts: set[UUID] = set()
        self._bell = asyncio.Event()
        self._spare = SPARE
        self.room = MEMORY
        self._crowded = False  # somebody waits for a place
        self._queue = False  # and none of the good ones is free: no wake goes before it
        self._ending = False

    # what visits and jobs ask of it

    def wake(self, account_id: UUID) -> None:
        self._accounts.add(account_id)
        self._bell.set()

    def spare(self) -> bool:
        if self._spare <= 0:
            return False
        self._spare -= 1
        return True

    def back(self) -> None:
        self._spare += 1

    # its life

    async def run(self) -> None:
        """Until it is cancelled or the services stop."""
        _running[self.services] = self
        loops = [
            asyncio.create_task(work())
            for work in (self._claiming, self._renewing, self._polling, self._stopping)
        ]
        try:
            done, _ = await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
        finally:
            _running.pop(self.services, None)
            await _surely(self._end(loops))

    async def _stopping(self) -> None:
        await self.services.stopping.wait()

    async def _end(self, loops: Sequence["asyncio.Task[None]"]) -> None:
        """What is on its way gets a moment; then it is cut off, and goes out again under the same id."""
        self._ending = True
        await end(loops)
        for say in (Visit.end, Visit.cut):
            for visit in list(self._visits.values()):
                say(visit)
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=STOP)
        await end(self._tasks)

    async def _claiming(self) -> None:
        due = 0.0
        loop = asyncio.get_running_loop()
        while True:
            try:
                accounts, self._accounts = self._accounts, set()
                if accounts:
                    await self._whole(self._claim_woken(accounts))
                if loop.time() >= due:
                    due = loop.time() + self._sweep_seconds
                    await self._whole(self._sweep())
                    if self._crowded:
                        due = min(due, loop.time() + CROWDED)
            except Exception as error:
                # The database is away: the sweep finds what these jobs were for.
                log.log(
                    10 if translate(error) else 40, "deliveries have to wait", error=type(error).__name__,
                    exc_info=translate(error) is None,
                )  # fmt: skip
                await asyncio.sleep(0.5)
            self._bell.clear()
            if not self._accounts:
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(due - loop.time(), 0)):
                        await self._bell.wait()

    async def _whole(self, claiming: Coroutine[Any, Any, None]) -> None:
        """To its end, though we are told to end meanwhile: what is claimed and not begun would wait for its lease."""
        task = asyncio.create_task(claiming)
        self._tasks.add(task)  # `_end` cuts it off when the database takes too long
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            done, _ = await asyncio.wait([task], timeout=CLAIMED)
            for one in done:
                if not one.cancelled():
                    one.exception()  # heard: the claim is its lease's
            raise

    async def _claim_woken(self, accounts: set[UUID]) -> None:
        held = [id for id, visit in self._visits.items() if visit.claim.account_id in accounts]
        for id in held:
            self._visits[id].wake()
        if await rows.wake(self.db, self.clock(), accounts, held=held) and not self._queue:
            begun, places = asyncio.get_running_loop().time(), self._places(False)
            found = await rows.claim_woken(self.db, self.clock(), self._lease, places, accounts)
            self._begin(found.claims, begun)

    async def _sweep(self) -> None:
        self._crowded = self._queue = False
        for failing in (False, True):
            while True:
                begun, places = asyncio.get_running_loop().time(), self._places(failing)
                found = await rows.sweep(self.db, self.clock(), self._lease, places, failing=failing)
                self._begin(found.claims, begun)
                if len(found.claims) < rows.BITE:
                    break
            if found.waiting is not None:
                self._crowded = True
                self._queue = self._queue or (not failing and places.free <= 0)
                self._make_way(failing, found.waiting)

    def _places(self, failing: bool) -> Places:
        held = Counter(visit.claim.owner_id for visit in self._of(failing))
        return Places((FAILING if failing else VISITS) - held.total(), held)

    def _of(self, failing: bool) -> list[Visit]:
        return [visit for id, visit in self._visits.items() if (id in self._failing) is failing]

    def _make_way(self, failing: bool, owner_id: UUID) -> None:
        """This owner waits: those who had their turn, or do nothing, end; but none of one who has fewer places."""
        held = self._places(failing).held
        over = asyncio.get_running_loop().time() - TURN
        for visit in self._of(failing):
            if held[visit.claim.owner_id] >= held[owner_id] and (visit.idle or visit.begun <= over):
                visit.end()

    def _begin(self, claims: Sequence[Claim], begun: float) -> None:
        for claim in claims:
            id = claim.webhook_id
            if id in self._visits:  # it was lost, and is not over yet
                self._visits[id].end(lost=True)
            caller = call.Caller(self.services.guard, claim.url)
            visit = self._visits[id] = Visit(self, claim, caller, self._keys(claim))
            visit.alive_until = begun + self._lease.total_seconds()
            (self._failing.add if claim.failures else self._failing.discard)(id)
            if self._ending:
                visit.end()
            task = asyncio.create_task(self._visit(visit))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _visit(self, visit: Visit) -> None:
        id = visit.claim.webhook_id
        try:
            async with visit.caller:
                await visit.run()
        except Exception as error:  # the claim expires, and somebody goes on
            log.warning(
                "a visit broke off",
                webhook=str(id),
                error=type(error).__name__,
                exc_info=translate(error) is None,
            )
        finally:
            if self._visits.get(id) is visit:
                del self._visits[id]
                self._failing.discard(id)
            if visit.again:
                self.wake(visit.claim.account_id)

    def _keys(self, claim: Claim) -> list[bytes]:
        """The endpoint's key, and the one before while it is still good. Without any nothing can be signed."""
        sealed = [claim.sealed]
        if claim.old_sealed is not None and claim.old_until is not None and claim.old_until > self.clock():
            sealed.append(claim.old_sealed)
        keys = []
        for one in sealed:
            try:
                keys.append(key_of(self.services.vault.open(one, endpoints.place(claim.webhook_id))))
            except (Sealed, ValueError):
                log.warning("a webhook's secret can't be read", webhook=str(claim.webhook_id))
        return keys

    async def _renewing(self) -> None:
        """One statement for all; who is not in the answer has lost its endpoint."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            if not (visits := list(self._visits.values())):
                continue
            begun = asyncio.get_running_loop().time()
            try:
                still = await rows.renew(self.services.db, [visit.claim for visit in visits], self._lease)
            except Exception as error:  # the database is away: they are lost when they expire
                log.info("endpoints could not be kept", error=type(error).__name__)
                continue
            for visit in visits:
                if visit.claim.webhook_id in still:
                    visit.alive_until = begun + self._lease.total_seconds()
                else:
                    visit.end(lost=True)

    async def _polling(self) -> None:
        """Tells idle visits of events that came by another process's job, or by none."""
        while True:
            await asyncio.sleep(POLL)
            idle = {id: visit for id, visit in self._visits.items() if visit.idle}
            if not idle:
                continue
            with suppress(Exception):  # a database that is away is noticed elsewhere
                for id in await rows.more(self.db, [(id, visit.seen) for id, visit in idle.items()]):
                    idle[id].wake()

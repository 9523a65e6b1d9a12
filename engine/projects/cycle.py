"""The sending of one project in one worker: batch after batch, until nothing of it is due."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import AsyncExitStack
from contextvars import Context
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import structlog

from core import change_events
from core.errors import AppError, Unavailable
from core.ids import uuid7
from core.tasks import end, nobody_waits
from engine import tariffs
from engine.faultpoints import reach
from engine.jobs import JobName, job
from engine.projects import batches, jobs, sender_limits
from engine.projects.claim import BatchClaim, LaterBatches
from engine.projects.concurrency import ProjectRoutes, Slots
from engine.projects.context import ContentCache, ProjectContext, load_context
from engine.projects.items import Item, NotHandedOver, Sorted
from engine.projects.preparation import REFUSED_SECONDS, Preparation
from engine.projects.send_rate import SendRate
from engine.sending.delivery import Delivery
from engine.sending.streams import streams_of
from runtime.leases import Lease, renewed
from runtime.retry import despite_conflicts, until_stored
from runtime.services import Services
from shapes.pauses import PauseReason
from shapes.sending_projects import ProjectStatus

log = structlog.get_logger("postern.projects")

CYCLE_SECONDS = 2.0
"""Seconds until a project leaves its slot to one that waits, and after which it is read again."""

BATCH = 500  # messages that are looked at in one go
_PAUSED_SECONDS = 15  # until the cause of a pause is looked at again
_BATCHES = 2  # of one project at once in a worker: the next one is prepared while the last one is being sent
_LOST_SECONDS = 1.0  # until a project goes on whose claim was lost
_LEAST = 20  # messages that are read at once of a project whose routes are slow

_PAUSE = """
UPDATE sending_projects SET status = 'paused', status_reason = $2, resume_at = now() + $3, updated_at = now()
WHERE id = $1 AND status = 'running' RETURNING id
"""
_BALANCE = "SELECT balance FROM accounts WHERE id = $1"
_FREE = Decimal(0)
_SPENT = ("sent", "delivered", "refused", "unknown")
"""Outcomes that count against the tariff's day: the provider has done something for us."""


@dataclass(slots=True)
class Next:
    """Says what follows a batch: the next one, or a pause of so long."""

    go_on: bool = True
    delay: timedelta = timedelta()


class CycleRunner:
    """One a worker process."""

    def __init__(self, services: Services, worker: str) -> None:
        self.services, self.db, self.worker = services, services.db, worker
        self.lease = timedelta(seconds=services.settings.lease_seconds)
        self.send_rate = SendRate(services)
        self.contents = ContentCache(services.db, services.programs)
        self.streams = streams_of(services)
        self.limits = self.streams.limits
        self.routes = ProjectRoutes(services.routes, self.streams)
        self.preparation = Preparation(services, self.contents, self.routes)
        self.later = LaterBatches()
        self.slots = Slots()
        self._most = services.settings.worker_projects
        self.tasks: set[asyncio.Task[None]] = set()
        self._active: dict[UUID, asyncio.Event] = {}  # is set when the project is woken
        self._managed: dict[
            UUID, int
        ] = {}  # messages of a project's last batch that were dispatched in its time

    def start(self, project: UUID) -> None:
        """Begins `run` in a task of its own."""
        if project in self._active:
            self._active[project].set()
            return
        task = asyncio.create_task(self._run_and_emit(project), context=Context())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _run_and_emit(self, project: UUID) -> None:
        try:
            with self.services.change_events.emitting():
                await self.run(project)
        except Exception as error:  # the next round finds what is left
            log.warning("a project's cycle broke off", project=str(project), error=str(error)[:300])

    async def run(self, project: UUID) -> None:
        """Sends what is due of the project; returns at once if this process is doing that already, and sees the rest."""
        if project in self._active:
            self._active[project].set()
            return
        woken = self._active[project] = asyncio.Event()
        try:
            go_on = True
            while go_on and not self.services.stopping.is_set():
                woken.clear()
                go_on = await self._cycle(project, woken) or woken.is_set()
        finally:
            del self._active[project]

    async def _cycle(self, project_id: UUID, woken: asyncio.Event) -> bool:
        """Sends for about two seconds, or longer if no other project waits. Returns whether something is due still."""
        project = await self._runnable(project_id)
        if project is None:
            return False
        owner, number = project.row["owner_id"], project.row["content"]
        if not self.contents.measured(project_id, number):
            async with self.slots.within(("measuring", owner), 1):
                await self.contents.of(project_id, owner, number)
            if not self.contents.measured(project_id, number):  # nobody has time for it now
                await self._wake_after(project_id, timedelta(seconds=REFUSED_SECONDS))
                return False
        content = await self.contents.of(project_id, owner, number)
        async with AsyncExitStack() as slots:
            names: list[tuple[Hashable, int]] = [
                (project.channel, max(1, self._most * 3 // 4)),
                ("all", self._most),
            ]
            if content.text is None:  # texts that take long share one slot of their channel
                names.insert(0, (("slow", project.channel), 1))
            for name, most in names:
                await slots.enter_async_context(self.slots.within(name, most))
            until = time.monotonic() + CYCLE_SECONDS

            def over() -> bool:
                contested = time.monotonic() > until and self.slots.contested(*(name for name, _ in names))
                return contested or self.services.stopping.is_set()

            pauses = await self._send_batches(project_id, woken, over)
            return await self._next_look(project_id, min(filter(None, pauses), default=timedelta()))

    async def _send_batches(
        self, project_id: UUID, woken: asyncio.Event, over: Callable[[], bool]
    ) -> list[timedelta]:
        """Sends several batches at once until none is due. Returns the pauses that they need.

        A project that is woken meanwhile has new batches: a slow one is not waited for.
        """
        pauses: list[timedelta] = []
        sending: set[asyncio.Task[timedelta]] = set()
        waking = asyncio.create_task(woken.wait())
        try:
            more = True
            while more or sending:
                while more and len(sending) < _BATCHES:
                    sending.add(asyncio.create_task(self._batches(project_id, over)))
                await asyncio.wait({*sending, waking}, return_when=asyncio.FIRST_COMPLETED)
                ended = {task for task in sending if task.done()}
                pauses += [task.result() for task in ended]
                sending -= ended
                more = woken.is_set() and not over()
                if waking.done():
                    woken.clear()
                    waking = asyncio.create_task(woken.wait())
        finally:
            await end((waking,))
            for task in sending:
                nobody_waits(task).cancel()
            if sending:
                await asyncio.wait(sending)
        return pauses

    async def _batches(self, project_id: UUID, over: Callable[[], bool]) -> timedelta:
        """Sends one batch after the other. Returns the pause that one of them needs, if any."""
        following = Next()
        project, loaded = None, 0.0
        while following.go_on and not over():
            if project is None or time.monotonic() > loaded + CYCLE_SECONDS:
                project, loaded = await self._runnable(project_id), time.monotonic()
                if project is None:
                    break
            following = await self._next_batch(project)
        return following.delay

    async def _next_look(self, project_id: UUID, pause: timedelta) -> bool:
        """Finishes the project, or sees to it that it is looked at when something is due. Returns whether that is now."""
        if await batches.finish(self.db, project_id):
            log.info("project finished", project=str(project_id))
            return False
        project = await load_context(self.db, project_id)
        due, wait = await batches.waiting(self.db, project_id)
        if project is not None and (not due or project.row["status_reason"] is not None):
            await batches.say_whether_closed(self.db, project_id)
        if pause:
            await self._wake_after(project_id, pause)
        elif due and self.services.stopping.is_set():
            await self._wake_after(project_id, timedelta())  # another worker goes on
        elif not due and wait is not None:
            await self._wake_after(project_id, timedelta(seconds=max(wait, 0.05)))
        return bool(due) and not pause

    async def _wake_after(self, project_id: UUID, delay: timedelta) -> None:
        async with self.db.reading() as db:
            await jobs.enqueue_cycle(db, project_id, delay)

    async def _runnable(self, project_id: UUID) -> ProjectContext | None:
        """Returns the project as it is now; None if it does not run, or must not: then it is paused."""
        project = await load_context(self.db, project_id)
        if (
            project is None
            or project.row["status"] != ProjectStatus.running
            or project.row["recipients_pending"]  # who adds the last recipients wakes the project
            or not await self._may_run(project)
        ):
            return None
        return project

    async def _may_run(self, project: ProjectContext) -> bool:
        if project.row["owner_status"] != "active":
            return await self._pause(project, PauseReason.owner_suspended)
        if not project.allowed:
            return await self._pause(project, PauseReason.tariff_used_up)
        if not project.row["pays"]:  # the account has another owner now
            return await self._pause(project, PauseReason.balance_used_up)
        if not self.services.routes.of(project.channel):
            if not project.accounts:
                return await self._pause(project, PauseReason.provider_refuses_credentials, 60)
            # Without a route for the others.
            project.senders = [sender for sender in project.senders if sender in project.accounts]
        if project.row["account_uuids"] and not project.senders:
            return await self._pause(project, PauseReason.no_sender_online)
        return True

    async def _pause(
        self, project: ProjectContext, reason: PauseReason, seconds: float = _PAUSED_SECONDS
    ) -> bool:
        """Returns False always, for the caller to go no further."""
        if await self.db.fetchval(_PAUSE, project.id, reason.value, timedelta(seconds=seconds)):
            change_events.project(project.row["owner_id"], project.id)
            log.warning("project paused", project=str(project.id), reason=reason.value)
        return False

    async def _next_batch(self, project: ProjectContext) -> Next:
        """Sends one batch. The send rate is asked first: no more is claimed and read than may go now."""
        if not project.senders and (pause := self.routes.pause(project, None)):
            return Next(False, timedelta(seconds=pause))
        most = min(BATCH, self._managed.get(project.id, BATCH))
        granted, wait = await self.send_rate.take(project.rates, 1 if project.jitter else most)
        if not granted:
            return Next(False, self._refill_wait(project, wait))
        free, sender_wait = await sender_limits.free(self.send_rate, self.routes, project, granted)
        used = 0
        try:
            if project.senders and not free:
                return Next(False, timedelta(seconds=max(sender_wait, 0.1)))
            may = sum(free.values()) if free else granted
            id, lease = uuid7(), Lease(seconds=self.lease.total_seconds())
            async with self.db.reading() as db:
                batch = await batches.claim(db, project.id, id, self.worker, self.lease)
            if batch is None:
                return Next(False)
            reach("unit.claimed")
            claim = BatchClaim(self.services, self.routes, self.limits, self.later, project, batch, id, lease)
            sent, following = await self._process_batch(claim, may, free)
            used = sent.total()
            for sender, count in sent.items():
                if sender in free:
                    free[sender] -= count
        finally:
            await self.send_rate.give_back(project.rates, granted - used)
            for sender, unused in free.items():
                await self.send_rate.give_back(project.sender_rates(sender), unused)
        if granted < most and following.go_on and used >= granted:
            return Next(False, self._refill_wait(project, wait))
        return following

    def _refill_wait(self, project: ProjectContext, wait: float) -> timedelta:
        """Returns the time until a good part of the rate's bucket is full again, so that a cycle is worth its while."""
        good = max((rate.every * rate.burst / 2000 for rate in project.rates), default=0.0)
        wait = max(wait, min(good, 30.0), 0.05)
        return timedelta(seconds=wait * random.uniform(0.5, 1.5) if project.jitter else wait)

    async def _process_batch(
        self, claim: BatchClaim, may: int, free: dict[UUID, int]
    ) -> tuple[Counter[UUID | None], Next]:
        """Sends at most `may` messages of the batch. Returns how many were dispatched, by sender, and what follows."""
        project, following = claim.project, Next()
        dispatched = Counter[UUID | None]()
        try:
            async with renewed(claim, self.lease.total_seconds(), claim.renew, BatchClaim.stop):
                async with self.db.reading() as db:
                    rows = await batches.messages(db, claim.batch, may, project.row["category"])
                found = await self.preparation.sort(project, rows)
                found.all &= len(rows) < may or may >= BATCH
                await self._put_aside(claim, found)
                if found.ready:
                    assignment = sender_limits.assign(found.ready, project.senders, free)
                    found.all &= len(assignment.ready) == len(found.ready)
                    found.ready = assignment.ready
                    if assignment.gone:
                        await self._settle(claim, assignment.gone)
                if found.ready:
                    dispatched, following = await self._send(claim, found)
        finally:
            if not claim.lost:
                await until_stored(
                    self.db,
                    lambda db: batches.close(
                        db, claim.batch, claim.id, project.row["account_id"], project.id, following.delay
                    ),
                )
                reach("unit.closed")
            change_events.project(project.row["owner_id"], project.id)
            change_events.emit()
        # After a pause: a claim that was lost by a clock that jumps would be lost again and again.
        return dispatched, following if not claim.lost else Next(False, timedelta(seconds=_LOST_SECONDS))

    async def _settle(self, claim: BatchClaim, messages: Sequence[NotHandedOver]) -> None:
        await until_stored(
            self.db, lambda db: batches.settle(db, claim.batch, claim.id, claim.project.id, messages, {})
        )

    async def _put_aside(self, claim: BatchClaim, found: Sorted) -> None:
        """Stores what is skipped, and what waits for its window in a batch of its own."""
        messages = list(found.aside)
        later = {}
        now = self.db.now()
        for opening, ids in found.closed.items():
            seconds = max((opening - now).total_seconds(), 1.0)
            made, delay = self.later.of(claim.project.id, seconds, len(ids), window=True)
            later[made] = delay
            messages.extend(NotHandedOver(id, "queued", batch=made) for id in ids)
        if messages:
            window = claim.project.row["window"]
            await until_stored(
                self.db,
                lambda db: batches.settle(
                    db, claim.batch, claim.id, claim.project.id, messages, later, window
                ),
            )

    async def _send(self, claim: BatchClaim, found: Sorted) -> tuple[Counter[UUID | None], Next]:
        project, none = claim.project, Counter[UUID | None]()
        items, attachments, missing = found.ready, {}, []
        for number in {item.content for item in items}:
            try:
                attachments[number] = await self.preparation.attachments(project, number)
            except Unavailable:
                return none, Next(False, timedelta(seconds=60))
            except AppError as error:
                for item in items:
                    if item.content == number:
                        state = "unknown" if item.uncertain else "failed"
                        missing.append(NotHandedOver(item.id, state, "attachment_missing", error.message))
        if missing:
            await self._settle(claim, missing)
        items = [item for item in items if item.content in attachments]
        if not items:
            return none, Next()
        async with self.db.reading() as db:
            today = await tariffs.reserve(
                db, project.row["owner_id"], len(items), project.row["messages_per_day"]
            )
        if not today:
            await self._pause(project, PauseReason.tariff_used_up)
            return none, Next(False)
        paid: list[Item] = []
        try:
            paid = await self._charge(claim, items[:today])
            if not paid:
                return none, Next(False)
            await self.preparation.address(project, paid, attachments)
            claim.whole = len(paid) if found.all and len(paid) == len(items) else 0
            await self._deliver(claim, paid)
        finally:
            # What is asked for again was counted the first time.
            spent = sum(_may_be_taken(item) and not item.uncertain for item in paid)
            if unspent := today - spent:
                async with self.db.reading() as db:
                    await tariffs.give_back(db, project.row["owner_id"], unspent)
        dispatched = Counter(item.sender for item in paid if item.route is not None)
        if claim.misconfigured:
            await self._pause(project, PauseReason.provider_refuses_credentials, 60)
            return dispatched, Next(False, timedelta(seconds=60))
        if claim.cool_down is not None:
            others = self.routes.others(project)  # who go on
            return dispatched, Next(
                others and not claim.ended, timedelta(seconds=0 if others else claim.cool_down)
            )
        return dispatched, Next(not claim.ended)

    async def _deliver(self, claim: BatchClaim, items: Sequence[Item]) -> None:
        """Gives the messages to their routes. What is not begun after a cycle's time stays in the batch."""
        project, begun = claim.project, time.monotonic()
        through_accounts = [item for item in items if item.sender in project.accounts]
        others = [item for item in items if item.sender not in project.accounts]
        if through_accounts and others:
            claim.whole = 0
        claim.begin(len(items))
        for part, routes in (
            (through_accounts, (self.limits.messengers,)),
            (others, self.services.routes.of(project.channel)),
        ):
            if part:
                claim.deliveries.append(Delivery(self.streams, claim, routes))
                claim.deliveries[-1].start(part)
        for delivery in claim.deliveries:
            await delivery.wait(begun + CYCLE_SECONDS)
        handed = sum(item.route is not None for item in items)
        if handed < len(items):
            self._managed[project.id] = max(handed, _LEAST)
        elif time.monotonic() - begun < CYCLE_SECONDS / 2:
            self._managed[project.id] = min(2 * max(handed, self._managed.get(project.id, BATCH)), BATCH)
        if len(self._managed) > 10_000:
            self._managed.clear()

    async def _reserve(self, claim: BatchClaim, amount: Decimal) -> bool:
        async with self.db.reading() as db:
            return await batches.reserve(
                db, claim.project.row["account_id"], claim.project.id, claim.batch, claim.id, amount
            )

    async def _charge(self, claim: BatchClaim, items: list[Item]) -> list[Item]:
        """Charges the account. Returns the messages that it can pay for; none if the project is paused or the claim lost."""
        account = claim.project.row["account_id"]
        while items:
            amount = sum((item.price - item.paid for item in items), _FREE)
            if not amount:
                return items
            if await despite_conflicts(lambda amount=amount: self._reserve(claim, amount)):  # type: ignore[misc]
                reach("unit.held")
                return items
            left = await self.db.fetchval(_BALANCE, account)
            if left >= amount:
                return []  # it was not the money: the claim is lost
            affordable = []
            for item in items:
                left -= item.price - item.paid
                if left < 0:
                    break
                affordable.append(item)
            if not affordable:
                await self._pause(claim.project, PauseReason.balance_used_up)
            items = affordable
        return items


def _may_be_taken(item: Item) -> bool:
    """Returns whether a provider may have taken the message: a cancelled cycle leaves some without an outcome."""
    return item.has_intent or (item.outcome is not None and item.outcome.result in _SPENT)


def runner_of(services: Services) -> CycleRunner:
    """Returns the runner of this process."""
    return services.single(CycleRunner, lambda: CycleRunner(services, services.worker))


@job(JobName.run_project, "projects", detached=True)
async def run_cycle(services: Services, project: UUID) -> None:
    """Sends what is due of the project."""
    await runner_of(services).run(project)

"""The sending of one project in one worker: batch after batch, until nothing of it is due."""

import asyncio
import random
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import AsyncExitStack
from contextvars import Context
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from core.ids import uuid7
from core.tasks import end, ignore_result
from engine.faultpoints import fault_point
from engine.jobs import JobName, job
from engine.projects import batch_run, batches, jobs, progress, sender_limits
from engine.projects.batch_run import BatchResult, BatchSender
from engine.projects.claim import BatchClaim, LaterBatches
from engine.projects.concurrency import ProjectRoutes, Slots
from engine.projects.context import ContentCache, ProjectContext, load_context
from engine.projects.pauses import pause_project
from engine.projects.preparation import REFUSED_SECONDS, Preparation
from engine.rates.send_rate import SendRate
from engine.sending.streams import streams_of
from engine.sms.route_rules import routing_of
from runtime.leases import Lease
from runtime.services import Services
from shapes.pauses import PauseReason
from shapes.sending_projects import ProjectStatus

log = structlog.get_logger("postern.projects")

_BATCHES = 2  # of one project at once in a worker: the next one is prepared while the last one is being sent


@dataclass(frozen=True, slots=True)
class CycleDelay:
    """Says how long a project waits, if at all, and which rates were asked about it."""

    delay: timedelta
    limits: tuple[Any, ...]


class CycleRunner:
    """One a worker process."""

    def __init__(self, services: Services, worker: str) -> None:
        self.services, self.db, self.worker = services, services.db, worker
        self.lease = timedelta(seconds=services.settings.lease_seconds)
        self.send_rate = SendRate(services)
        self.content_cache = ContentCache(services)
        self.streams = streams_of(services)
        self.limits = self.streams.limits
        self.routes = ProjectRoutes(services, self.streams)
        self.preparation = Preparation(services, self.content_cache, self.routes)
        self.later = LaterBatches()
        self.sender = BatchSender(services, self.preparation, self.routes, self.streams, self.later)
        self.slots = Slots()
        self._most = services.settings.worker_projects
        self.tasks: set[asyncio.Task[None]] = set()
        self._active: dict[UUID, asyncio.Event] = {}  # is set when the project is woken

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
        except Exception as error:  # the next round finds the rest
            log.warning("a project's cycle broke off", project=str(project), error=error)

    async def run(self, project: UUID) -> None:
        """Sends the due messages of the project. Returns at once if this process is doing that already, and sees the
        rest.
        """
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
        project, loaded = await self._runnable(project_id), time.monotonic()
        if project is None:
            return False
        owner, number = project.row["owner_id"], project.row["content"]
        if not self.content_cache.measured(project_id, number):
            async with self.slots.within(("measuring", owner), 1, owner):
                await self.content_cache.of(project_id, owner, number)
            if not self.content_cache.measured(project_id, number):  # no worker has time for it now
                await self._wake_after(project_id, timedelta(seconds=REFUSED_SECONDS))
                return False
        content = await self.content_cache.of(project_id, owner, number)
        async with AsyncExitStack() as slots:
            names: list[tuple[Hashable, int]] = [
                (project.channel, max(1, self._most * 3 // 4)),
                ("all", self._most),
            ]
            if content.text is None:  # texts that take long share one slot of their channel
                names.insert(0, (("slow", project.channel), 1))
            for name, most in names:
                await slots.enter_async_context(self.slots.within(name, most, owner))
            until = time.monotonic() + batch_run.CYCLE_SECONDS

            def over() -> bool:
                contested = time.monotonic() > until and self.slots.contested(*(name for name, _ in names))
                return contested or self.services.stopping.is_set()

            delays = await self._send_batches(project, loaded, woken, over)
            return await self._next_look(project_id, delays)

    async def _send_batches(
        self, project: ProjectContext, loaded: float, woken: asyncio.Event, over: Callable[[], bool]
    ) -> list[CycleDelay]:
        """Sends several batches at once until none is due. Returns the delays that they need.

        A project that is woken meanwhile has new batches, or other limits: a slow batch is not waited for, and the
        project is read again. `loaded`: when it was read, by time.monotonic().
        """
        delays: list[CycleDelay] = []
        sending: set[asyncio.Task[CycleDelay]] = set()
        waking = asyncio.create_task(woken.wait())
        try:
            more = True
            while more or sending:
                while more and len(sending) < _BATCHES:
                    sending.add(asyncio.create_task(self._batches(project, loaded, over)))
                await asyncio.wait({*sending, waking}, return_when=asyncio.FIRST_COMPLETED)
                ended = {task for task in sending if task.done()}
                delays += [task.result() for task in ended]
                sending -= ended
                more = woken.is_set() and not over()
                if more:
                    loaded = float("-inf")
                if waking.done():
                    woken.clear()
                    waking = asyncio.create_task(woken.wait())
        finally:
            await end((waking,))
            for task in sending:
                ignore_result(task).cancel()
            if sending:
                await asyncio.wait(sending)
        return delays

    async def _batches(self, project: ProjectContext, loaded: float, over: Callable[[], bool]) -> CycleDelay:
        """Sends one batch after the other. Returns the delay that the last one needs."""
        following = BatchResult()
        while following.go_on and not over():
            if time.monotonic() > loaded + batch_run.CYCLE_SECONDS:
                again, loaded = await self._runnable(project.id), time.monotonic()
                if again is None:
                    return CycleDelay(following.delay, ())
                project = again
            following = await self._next_batch(project)
        return CycleDelay(following.delay, project.limits)

    async def _next_look(self, project_id: UUID, delays: Sequence[CycleDelay]) -> bool:
        """Finishes the project, or sees to it that it is looked at when something is due. Returns whether that is
        now.
        """
        if await progress.finish(self.db, project_id):
            log.info("project finished", project=str(project_id))
            return False
        project = await load_context(self.db, project_id)
        due, wait = await progress.waiting(self.db, project_id)
        if project is not None and (not due or project.row["status_reason"] is not None):
            await progress.say_whether_closed(self.db, project_id)
        if project is not None:  # a pause for a rate that has been changed meanwhile is over
            delays = [delay for delay in delays if delay.limits == project.limits]
        shortest = min(filter(None, (delay.delay for delay in delays)), default=timedelta())
        if shortest:
            await self._wake_after(project_id, shortest, all_wait=True)
        elif due and self.services.stopping.is_set():
            await self._wake_after(project_id, timedelta())  # another worker goes on
        elif not due and wait is not None:
            await self._wake_after(project_id, timedelta(seconds=max(wait, 0.05)))
        return bool(due) and not shortest

    async def _wake_after(self, project_id: UUID, delay: timedelta, *, all_wait: bool = False) -> None:
        async with self.db.reading() as db:
            await jobs.enqueue_cycle(db, project_id, delay, all_wait=all_wait)

    async def _runnable(self, project_id: UUID) -> ProjectContext | None:
        """Returns the project as it is now; None if it does not run, or must not: then it is paused."""
        project = await load_context(self.db, project_id)
        if (
            project is None
            or project.row["status"] != ProjectStatus.running
            or project.row["recipients_pending"]  # who adds the last recipients wakes the project
        ):
            return None
        await routing_of(self.services).load()
        has_routes = bool(self.services.routes.of(project.channel))
        if not has_routes and project.accounts:  # messenger accounts need no route
            project.senders = [sender for sender in project.senders if sender in project.accounts]
        is_free = (await self.services.choices.now()).is_free
        reason = _obstacle(project, has_routes=has_routes, is_free=is_free)
        if reason is None:
            return project
        await pause_project(self.db, project, reason)
        return None

    async def _next_batch(self, project: ProjectContext) -> BatchResult:
        """Sends one batch. The send rate is asked first: no more is claimed and read than may go now."""
        if not project.senders and (seconds := self.routes.delay(project, None)):
            return BatchResult(False, timedelta(seconds=seconds))
        most = self.sender.most(project.id)
        granted, wait = await self.send_rate.take(project.rates, 1 if project.jitter else most)
        if not granted:
            return BatchResult(False, self._refill_wait(project, wait))
        free, sender_wait = await sender_limits.free(self.send_rate, self.routes, project, granted)
        used = 0
        try:
            if project.senders and not free:
                return BatchResult(False, timedelta(seconds=max(sender_wait, 0.1)))
            may = sum(free.values()) if free else granted
            id, lease = uuid7(), Lease(seconds=self.lease.total_seconds())
            async with self.db.reading() as db:
                batch = await batches.claim(db, project.id, id, self.worker, self.lease)
            if batch is None:
                return BatchResult(False)
            fault_point("unit.claimed")
            claim = BatchClaim(self.services, self.routes, self.limits, self.later, project, batch, id, lease)
            sent, following = await self.sender.send(claim, may, free)
            used = sent.total()
            for sender, count in sent.items():
                if sender in free:
                    free[sender] -= count
        finally:
            await self.send_rate.give_back(project.rates, granted - used)
            for sender, unused in free.items():
                await self.send_rate.give_back(project.sender_rates(sender), unused)
        if granted < most and following.go_on and used >= granted:
            return BatchResult(False, self._refill_wait(project, wait))
        return following

    def _refill_wait(self, project: ProjectContext, wait: float) -> timedelta:
        """Returns the time until a good part of the rate's bucket is full again, so that a cycle is worth its while."""
        good = max((rate.every * rate.burst / 2000 for rate in project.rates), default=0.0)
        wait = max(wait, min(good, 30.0), 0.05)
        return timedelta(seconds=wait * random.uniform(0.5, 1.5) if project.jitter else wait)


def _obstacle(project: ProjectContext, *, has_routes: bool, is_free: bool) -> PauseReason | None:
    """Returns why a running project must not send now."""
    if project.row["owner_status"] != "active":
        return PauseReason.owner_suspended
    if not project.allowed(is_free=is_free):
        return PauseReason.tariff_used_up
    if not project.row["pays"]:  # the account has another owner now
        return PauseReason.balance_used_up
    if not has_routes and not project.accounts:
        return PauseReason.provider_refuses_credentials
    if project.row["account_uuids"] and not project.senders:
        return PauseReason.no_sender_online
    return None


def runner_of(services: Services) -> CycleRunner:
    """Returns the runner of this process."""
    return services.single(CycleRunner, lambda: CycleRunner(services, services.worker))


@job(JobName.run_project, "projects", detached=True)
async def run_cycle(services: Services, project: UUID) -> None:
    """Sends the due messages of the project."""
    await runner_of(services).run(project)

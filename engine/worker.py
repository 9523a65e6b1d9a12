"""The worker: PgQueuer's entrypoints, the periodic work, and a loop that survives outages of the database."""

import asyncio
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from importlib import import_module
from uuid import UUID

import asyncpg
import structlog
from pgqueuer import PgQueuer
from pgqueuer.models import Job

from channels.port import Channel, Event, Inbound, Receipt
from core.modules import works
from core.tasks import end
from engine import queue, upkeep
from engine.direct.dispatch import Dispatcher
from engine.inbound import inbound_messages
from engine.jobs import JOBS, ROUNDS, Every, Group, every
from engine.jobs import Job as EngineJob
from engine.messengers.host import Host
from engine.projects.cycle import runner_of
from engine.reports import report_writer
from engine.reports.report import Applied
from engine.sms.route_receipts import receipts_of
from runtime.database_errors import is_gone, translate
from runtime.retry import despite_conflicts
from runtime.services import Services
from runtime.workers import Reporter
from shapes.sending_projects import ProjectChannel

for _work in works():
    import_module(f"engine.{_work}")  # registers its jobs and rounds

log = structlog.get_logger("postern.worker")

_UPKEEP_SECONDS = 5.0
_PRUNE_SECONDS = 300.0
_POLL = timedelta(milliseconds=20)  # until a queue of drains whose slots are taken looks for jobs again
_LONGEST_WAIT = timedelta(minutes=1)  # until a queue without a notification looks for jobs
_LEFT_SECONDS = 5.0  # between two looks for jobs of which nothing notifies
_DRAINS = 2  # drains of one channel at once in one worker
# At once in one worker. A reader of an import has 512 MiB of memory; of the four, at most one at a time has 2 GiB.
_SLOTS: dict[Group, int] = {
    "preparing": 4,
    "projects": 4,
    "jobs": 2,
    "imports": 4,
    "exports": 4,
    "webhooks": 2,
}
CONNECTIONS = 3 * (1 + len(_SLOTS)) + 3 + 2
"""Connections to PostgreSQL besides the pools: of the queues, and of the leases of jobs and of messenger accounts."""
_SHORTEST_PAUSE = 0.2  # until a queue that has broken off begins anew
_TRIES = 5  # attempts to store events, when other transactions conflict


@every(
    1, due="EXISTS (SELECT FROM route_breakers)", pending=lambda services: not services.breakers.all_settled
)
async def refresh_breakers(services: Services) -> None:
    """Reads the routes' breakers: other workers have opened or closed some."""
    await services.breakers.refresh()


class Worker:
    """One worker process."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.routes = services.routes
        self.name = services.worker = f"{socket.gethostname()}:{os.getpid()}"
        self.dispatcher = Dispatcher(services, worker=self.name)
        self.messengers = Host(services, finds_accounts=False)
        self._stop = asyncio.Event()
        self._queuers: list[PgQueuer] = []
        self._drivers: set[queue.JobDriver] = set()
        self._drains: set[asyncio.Task[None]] = set()
        self._running: Counter[str] = Counter()
        self._again: set[str] = set()

    def stop(self) -> None:
        """Ends `run`: hands nothing more over, stores results, and gives the rest back."""
        self._stop.set()
        self.services.stopping.set()
        self.messengers.stop()
        for queuer in self._queuers:
            queuer.shutdown.set()

    async def run(self) -> None:
        """Runs jobs, accounts and periodic work until `stop`."""
        await self.services.learn_time()
        await self.routes.open(self._store_events)
        pruning = asyncio.create_task(self._prune())
        reporter = Reporter(self.services.store, self.name, clock=lambda: self.services.db.now().timestamp())
        telling = asyncio.create_task(reporter.run())
        listening = asyncio.create_task(self.services.viewers.local_cache.listen())
        hosting = asyncio.create_task(self.messengers.run())
        rounds = [asyncio.create_task(self._round(each)) for each in ROUNDS if each.due is None]
        with_due = [*(each for each in ROUNDS if each.due is not None), *self.own_rounds()]
        for seconds in {each.seconds for each in with_due}:
            together = [each for each in with_due if each.seconds == seconds]
            rounds.append(asyncio.create_task(self._rounds_when_due(seconds, together)))
        log.info("worker started", worker=self.name)
        try:
            await asyncio.gather(
                self._keep_serving(self._drains_of, 16),
                *(self._keep_serving(self._jobs_of(group), slots) for group, slots in _SLOTS.items()),
            )
        finally:
            await self._end_drains()
            self.messengers.stop()
            await asyncio.gather(hosting, return_exceptions=True)  # its stop has a time limit of its own
            await end((pruning, telling, listening, *rounds))
            await reporter.close()
            await self.routes.close()
            log.info("worker stopped", worker=self.name)

    def own_rounds(self) -> Sequence[Every]:
        """Returns the rounds that need more than the services."""
        lease = timedelta(seconds=self.services.settings.lease_seconds)
        names = {*JOBS, *(queue.drain(channel.value) for channel in ProjectChannel)}
        return (
            Every(_UPKEEP_SECONDS, self._upkeep, upkeep.is_due(lease, upkeep.RECENT)),
            Every(upkeep.RECENT.total_seconds(), self._full_upkeep, upkeep.is_due(lease)),
            Every(_LEFT_SECONDS, self._look_for_left_jobs, queue.are_left(names, lease)),
        )

    async def _end_drains(self) -> None:
        """Ends running drains within the time that a stop may take; results that can't be stored by then become
        `unknown`.

        A drain that is cancelled gives back the messages that it has not dispatched; cancelled again, it gives up on
        the database.
        """
        bound = self.services.settings.shutdown_seconds
        cycles = runner_of(self.services).tasks
        for seconds in (max(bound - 2, bound / 2), min(bound / 4, 1.0)):
            if running := self._drains | cycles:
                await asyncio.wait(running, timeout=seconds)
            for task in self._drains | cycles:
                task.cancel()

    async def _keep_serving(self, register: Callable[[PgQueuer], None], slots: int) -> None:
        """Serves until the stop, through every outage of the database."""
        pause, away = _SHORTEST_PAUSE, False
        while not self._stop.is_set():
            try:
                await self._serve(register, slots)
                pause, away = _SHORTEST_PAUSE, False
            except Exception as error:  # an outage of the database, or a bug in the job engine: go on
                away = is_gone(translate(error))
                log.warning("worker starts anew", error=f"{type(error).__name__}: {error}"[:300], pause=pause)
            await self._pause(pause, away=away)
            pause = min(pause * 2, 3.0)

    async def _pause(self, seconds: float, *, away: bool) -> None:
        """Waits. If the database was `away`, this ends when it has answered a round of this worker: rounds ask each
        second, and a failover is over for all queues at once.
        """
        begun = time.monotonic()
        while not self._stop.is_set() and time.monotonic() < begun + seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _SHORTEST_PAUSE)
            if away and self.services.db.answered_at > begun:
                break

    async def _serve(self, register: Callable[[PgQueuer], None], slots: int) -> None:
        """Runs the job engine until the stop or an outage of the database."""
        connections = await self.services.db.pool(size=3)
        driver = queue.JobDriver(connections)
        queuer = PgQueuer(driver, queries=queue.JobQueries(driver))
        self._queuers.append(queuer)
        self._drivers.add(driver)
        try:
            register(queuer)
            driver.names.update(queuer.qm.entrypoint_registry)
            if self._stop.is_set():
                return
            # PgQueuer checks its listener while it is still being set up, and would give up 10 s later. A listener that
            # is active already passes at once.
            await queuer.connection.add_listener(queuer.channel, lambda _: None)
            # Without its schedules, which would be looked up each second: Postern's periodic work are its rounds.
            # A notification starts a job at once, and a job that is due later is waited for. A round finds the others
            # for all queues (`queue.are_left`).
            await queue.run(
                queuer,
                driver,
                dequeue_timeout=_LONGEST_WAIT,
                batch_size=max(1, min(2, slots // 2)),  # PgQueuer requires twice as many slots
                max_concurrent_tasks=slots,
                shutdown_on_listener_failure=True,
                heartbeat_timeout=timedelta(seconds=self.services.settings.lease_seconds),
            )
        finally:
            self._queuers = [other for other in self._queuers if other is not queuer]
            self._drivers.discard(driver)
            with suppress(Exception):
                await asyncio.wait_for(connections.close(), 2)
            connections.terminate()

    def _drains_of(self, queuer: PgQueuer) -> None:
        queuer.qm.min_dequeue_poll_interval = _POLL
        for channel in ProjectChannel:  # telegram and whatsapp have trial messages
            self._entrypoint(queuer, channel.value)

    def _jobs_of(self, group: Group) -> Callable[[PgQueuer], None]:
        """Returns a function that registers the jobs of a group.

        Each group has slots of its own, so that none waits for another.
        """

        def register(queuer: PgQueuer) -> None:
            for engine_job in JOBS.values():
                if engine_job.group == group:
                    queuer.entrypoint(engine_job.name, concurrency_limit=0)(self._job(engine_job))

        return register

    def _job(self, engine_job: EngineJob) -> Callable[[Job], Awaitable[None]]:
        async def run(job: Job) -> None:
            # A task of its own, like a drain: it must end in good order when the job engine loses the database.
            assert job.payload is not None
            task = asyncio.create_task(self._work(engine_job, UUID(job.payload.decode())))
            self._drains.add(task)
            task.add_done_callback(self._drains.discard)
            if engine_job.detached:
                return
            stopped = asyncio.create_task(self._stop.wait())
            try:
                await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopped.cancel()

        return run

    async def _work(self, engine_job: EngineJob, row: UUID) -> None:
        try:
            await engine_job.work(self.services, row)
        except Exception as error:  # a periodic round finds the rest
            translated = translate(error)
            log.warning(
                "a job broke off",
                job=engine_job.name,
                row=str(row),
                error=error,
                exc_info=translated is None,
            )

    async def _round(self, periodic: Every) -> None:
        while True:
            await self._attempt(periodic)
            await asyncio.sleep(periodic.seconds)

    async def _rounds_when_due(self, seconds: float, rounds: Sequence[Every]) -> None:
        """Runs those of one period whose conditions hold. One that is still running is not started once more."""
        conditions = ", ".join(f"({each.due})" for each in rounds)
        running: dict[int, asyncio.Task[None]] = {}

        async def start_due(services: Services) -> None:
            try:
                is_due = await services.db.fetchval(f"SELECT ARRAY[{conditions}]")
            except asyncpg.PostgresError as error:  # one condition must not keep back the work of the others
                if is_gone(translate(error)):
                    raise
                log.warning("rounds are started unasked", seconds=seconds, error=error)
                is_due = [True] * len(rounds)
            for number, periodic in enumerate(rounds):
                pending = periodic.pending is not None and periodic.pending(services)
                if (is_due[number] or pending) and (number not in running or running[number].done()):
                    running[number] = asyncio.create_task(self._attempt(periodic))

        try:
            await self._round(Every(seconds, start_due))
        finally:
            await end(running.values())

    async def _attempt(self, periodic: Every) -> None:
        try:
            await periodic.work(self.services)
        except Exception as error:  # whatever it is, the next round must come
            translated = translate(error)
            log.log(
                logging.DEBUG if translated else logging.ERROR,
                "a round has to wait",
                work=periodic.work.__name__,
                error=error,
                exc_info=translated is None,
            )

    def _entrypoint(self, queuer: PgQueuer, channel: str) -> None:
        @queuer.entrypoint(queue.drain(channel), concurrency_limit=0)
        async def drain(_: Job) -> None:
            # Messages that arrive while a drain waits for its provider leave further jobs. Two drains do the work,
            # further jobs ask for one more round: jobs of one channel never hold all slots.
            if self._running[channel] >= _DRAINS:
                self._again.add(channel)
                return
            # A task of its own: when the job engine loses the database it cancels its jobs, but results of messages
            # that were handed over must still be stored when the database is back. And a stop must not wait for a
            # provider longer than `run` does.
            self._running[channel] += 1  # here, not in the task: two jobs may start at the same time
            task = asyncio.create_task(self._drain(channel))
            self._drains.add(task)
            task.add_done_callback(self._drains.discard)
            stopped = asyncio.create_task(self._stop.wait())
            try:
                await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopped.cancel()

    async def _drain(self, channel: str) -> None:
        try:
            while True:
                self._again.discard(channel)
                await self.dispatcher.drain(channel, lingers=self._running[channel] == 1)
                if channel not in self._again:
                    break
        except Exception as error:  # the maintenance wakes the channel again, and takes over the rest
            translated = translate(error)
            log.warning("a drain broke off", channel=channel, error=error, exc_info=translated is None)
        finally:
            self._running[channel] -= 1

    async def _prune(self) -> None:
        """Prunes every few minutes, in a task of its own: it may take long."""
        while True:
            await upkeep.prune(self.services.db, self.services.settings.retention_days)
            await asyncio.sleep(_PRUNE_SECONDS)

    async def _full_upkeep(self, services: Services) -> None:
        """Works as `_upkeep` does, for messages that were due at any time."""
        await self._upkeep(services, upkeep.EVER)

    async def _upkeep(self, services: Services, within: timedelta = upkeep.RECENT) -> None:
        """Takes over dead claims, ends messages that waited for too long, and wakes channels without a job."""
        await upkeep.end_frozen(services.db, timedelta(seconds=services.settings.lease_seconds))
        await self.dispatcher.recover()
        await self.dispatcher.expire()
        await upkeep.wake_channels(services.db, within)

    async def _look_for_left_jobs(self, services: Services) -> None:
        """Makes the queues look for jobs that nothing notifies of."""
        lease = timedelta(seconds=services.settings.lease_seconds)
        await queue.look_for_left(services.db, self._drivers, lease)

    async def _store_events(self, channel: Channel, events: Sequence[Event]) -> None:
        await receive_events(self.services, channel, events)


async def receive_events(services: Services, channel: Channel, events: Sequence[Event]) -> int:
    """Stores the events that a provider sent. Returns how many changed something."""
    receipts = [event for event in events if isinstance(event, Receipt)]
    texts = [event for event in events if isinstance(event, Inbound)]

    async def once() -> tuple[Applied, int]:
        with services.change_events.emitting():
            return await _receive(services, channel, receipts, texts)

    # Providers rarely repeat events, so a deadlock with another report is retried here.
    applied, received = await despite_conflicts(once, _TRIES)
    await receipts_of(services).count_received(applied.delivered)
    return applied.changed + received


async def _receive(
    services: Services, channel: Channel, receipts: Sequence[Receipt], texts: Sequence[Inbound]
) -> tuple[Applied, int]:
    provider, carries = services.routes.label(channel), services.routes.kind(channel)
    async with services.db.reading() as db:
        applied = Applied()
        if receipts:
            applied = await report_writer.receive_receipts(db, provider, receipts, carries)
        words = services.settings.stop_words
        return applied, await inbound_messages.receive(db, provider, texts, words) if texts else 0

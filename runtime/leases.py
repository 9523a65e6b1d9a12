"""Leases: work that only one process may do at a time, until a time of the database's clock.

`Renewal` renews leases: every third of their length, all leases of one kind in one statement. It ends the work of a
lease that is not in the answer, or that has expired by this process's own clocks. A thread renews, with connections of
its own, so that an event loop that has much to do loses no lease. A process that hangs must lose its leases, though:
the thread renews only while the event loop has run within LOOP_SECONDS.

`leased` is the simplest kind, a name in the table `leases`. The holder's id is the fencing token: a write that needs
the lease checks it, `EXISTS (SELECT FROM leases WHERE name = … AND holder = … AND expires_at > now())`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Generic, Protocol, TypeVar
from uuid import UUID

import asyncpg
import structlog

from core.clock import CLOCK
from core.ids import uuid7
from db.session import Database
from db.thread import DatabaseThread
from runtime.retry import away

log = structlog.get_logger("postern.leases")

LOOP_SECONDS: Final = 30.0
"""An event loop that has not run for so long counts as hung, and its leases are not renewed any more."""

_PARTS = 3  # a lease is renewed when this part of its length is over
_RETRY_PARTS = 18  # the same after a renewal that failed
_LONGEST_WATCH = 1.0  # seconds between two looks for leases that were lost
_IDLE_WATCH = 2.0  # the same while there are none: those that are taken meanwhile last longer

_ACQUIRE = """
INSERT INTO leases AS l (name, holder, expires_at) VALUES ($1, $2, now() + $3)
ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at
WHERE l.expires_at < now() RETURNING holder
"""
_RENEW = (
    "UPDATE leases SET expires_at = now() + $3 WHERE name = $1 AND holder = $2 AND expires_at > now()"
    " RETURNING holder"
)
_FREE = "DELETE FROM leases WHERE name = $1 AND holder = $2"
# No worker is at work any more, so it has no owner whose share it could use up.
_PAUSE = "UPDATE leases SET expires_at = now() + $3, owner_id = NULL WHERE name = $1 AND holder = $2"


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time on both clocks of this machine: the steady clock stands still while a virtual machine is
    suspended.

    A wall clock that is set forward ends work too early. The work is then begun again, which does less harm than two
    processes at the same work.
    """

    steady: float = field(default_factory=lambda: CLOCK.steady())  # noqa: PLW0108  looked up when it is called
    wall: float = field(default_factory=lambda: CLOCK.wall())  # noqa: PLW0108  likewise

    def since(self) -> float:
        """Seconds that have passed, by the clock that shows more. A wall clock that was set back has no effect."""
        return max(CLOCK.steady() - self.steady, CLOCK.wall() - self.wall)


@dataclass(slots=True, eq=False, kw_only=True)
class Lease:
    """A lease that this process holds. `valid` turns false for good when another process may hold it."""

    seconds: float  # for which this process relies on the lease, counted from before it was asked for
    renewed: Moment = field(default_factory=Moment)
    lost: bool = False
    reported: bool = False  # the work has been informed that the lease is lost

    @property
    def left(self) -> float:
        """Returns the seconds for which the lease still surely belongs to this process."""
        left = self.seconds - self.renewed.since()
        if left <= 0:
            self.lost = True
        return 0.0 if self.lost else left

    @property
    def valid(self) -> bool:
        """Returns whether the lease still surely belongs to this process."""
        return self.left > 0


class HasLease(Protocol):
    """Work that may go on while its lease is valid."""

    @property
    def lease(self) -> Lease: ...


W = TypeVar("W", bound=HasLease)


class Renewal(Generic[W]):
    """Renews the leases of all work of one kind, and ends work whose lease was lost."""

    def __init__(
        self,
        thread: DatabaseThread,
        seconds: Callable[[], float],
        work: Callable[[], Sequence[W]],
        renew: Callable[[asyncpg.Connection, Sequence[W]], Awaitable[Iterable[W]]],
        lost: Callable[[W], None],
    ) -> None:
        """`seconds` returns the length of a lease, and `work` all work under way: a copy, made in one step.

        `renew` runs the statement, also for no work at all, and returns the work whose lease was renewed. `lost` ends
        work whose lease was lost, and must not wait. The thread calls all of them but `lost`.
        """
        self._thread, self._seconds, self._work = thread, seconds, work
        self._renew, self._lost = renew, lost
        self._moved = CLOCK.steady()  # when the event loop ran last
        self._ended = False
        self.due = 0.0

    async def run(self) -> None:
        """Renews until it is cancelled. A renewal that fails is tried again soon; a lease expires meanwhile."""
        with self.running():
            await asyncio.Event().wait()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Renews until the end of the block, from which on no lease is renewed, and none is found lost."""
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []

        def watch() -> None:
            # A timer: after a standstill it runs before the tasks that have become ready meanwhile.
            seconds = self._seconds()
            pause = (
                min(seconds / _RETRY_PARTS, _LONGEST_WATCH)
                if self._work()
                else min(seconds / _PARTS, _IDLE_WATCH)
            )
            timers[:] = [loop.call_later(pause, watch)]
            self._moved = CLOCK.steady()
            self.end_lost()

        watch()
        # Taking a lease may have cost a part of it.
        elapsed = max((work.lease.renewed.since() for work in self._work()), default=0.0)
        self.due = CLOCK.steady() + max(0.0, self._seconds() / _PARTS - elapsed)
        self._thread.add(self)
        try:
            yield
        finally:
            self._ended = True
            self._thread.discard(self)
            timers[0].cancel()

    async def repeat(self) -> None:
        """Renews once, in the thread, unless the event loop hangs."""
        begun = CLOCK.steady()
        pause = self._seconds() / _PARTS
        try:
            if begun - self._moved < LOOP_SECONDS:
                await self.once()
            else:
                log.warning("the event loop hangs; its leases are not renewed", seconds=begun - self._moved)
        except Exception as error:
            pause = self._seconds() / _RETRY_PARTS
            if self._ended:
                return
            if away(error) or isinstance(error, TimeoutError):
                log.info("leases could not be renewed", error=error)
            else:
                log.exception("leases could not be renewed")
        self.due = max(begun + pause, CLOCK.steady())

    async def once(self) -> None:
        """Renews all valid leases in one statement. Raises the errors of the database, and TimeoutError."""
        working = [work for work in self._work() if work.lease.valid]
        requested = Moment()
        renewed = set(
            await self._thread.run(
                lambda connection: self._renew(connection, working), self._seconds() / _PARTS
            )
        )
        if self._ended:  # the lease may have been given back meanwhile
            return
        for work in working:
            if work in renewed:
                work.lease.renewed = requested
            else:
                work.lease.lost = True

    def end_lost(self) -> None:
        """Ends all work whose lease is not valid, without asking the database."""
        for work in self._work():
            if not work.lease.valid and not work.lease.reported:
                work.lease.reported = True
                self._lost(work)


@dataclass(slots=True, eq=False)
class JobLease:
    """A lease on a name. Work under it looks at `valid` between two steps. `pause`: the time after its end for which no
    process may take it.
    """

    name: str
    holder: UUID
    lease: Lease
    pause: timedelta = timedelta()

    @property
    def valid(self) -> bool:
        """Returns whether the lease still surely belongs to this process."""
        return self.lease.valid


@contextmanager
def renewed(
    thread: DatabaseThread,
    work: W,
    seconds: float,
    renew: Callable[[asyncpg.Connection], Awaitable[bool]],
    lost: Callable[[W], None],
) -> Iterator[None]:
    """Renews the lease of one piece of work until the end of the block. `renew` returns whether it is still held."""

    async def renew_all(connection: asyncpg.Connection, working: Sequence[W]) -> Sequence[W]:
        return working if working and await renew(connection) else ()

    with Renewal(thread, lambda: seconds, lambda: [work], renew_all, lost).running():
        yield


@asynccontextmanager
async def leased(db: Database, name: str, seconds: float) -> AsyncIterator[JobLease | None]:
    """Takes the lease and renews it until the end of the block; yields None if another process has it."""
    job = JobLease(name, uuid7(), Lease(seconds=seconds))
    if await db.fetchval(_ACQUIRE, name, job.holder, timedelta(seconds=seconds)) != job.holder:
        yield None
        return
    async with keeping(db, job, seconds):
        yield job


@asynccontextmanager
async def keeping(db: Database, job: JobLease, seconds: float) -> AsyncIterator[JobLease]:
    """Renews a lease that was just taken until the end of the block, and gives it back then."""
    span = timedelta(seconds=seconds)

    async def renew(connection: asyncpg.Connection) -> bool:
        return await connection.fetchval(_RENEW, job.name, job.holder, span) is not None

    def lost(job: JobLease) -> None:
        log.warning("lost a lease", name=job.name)

    try:
        with renewed(db.thread, job, seconds, renew, lost):
            yield job
    finally:
        try:
            if job.pause:
                await db.fetchval(_PAUSE, job.name, job.holder, job.pause)
            else:
                await db.fetchval(_FREE, job.name, job.holder)
        except Exception as error:  # the lease expires by itself
            log.info("a lease could not be given back", name=job.name, error=error)

"""Jobs: rows of PgQueuer's table, written in the transaction of their cause.

A message does not need a job of its own. `wake` leaves at most one ready `messages.drain.…` job a minute in the table:
it takes a shared advisory lock, and a starting drain takes the same lock exclusively for an instant. So a sender that
found a waiting job has committed before that job reads the table, and no message is left behind.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, cast

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core import buffers
from pgqueuer.domain import types

from core.tasks import end
from db.query import Reads

# How much later a drain begins while another one of its channel is at work. It stands in `postern_wake`, too.
PAUSE = timedelta(milliseconds=250)

_WAKE = "SELECT postern_wake($1)"
_LATER = (
    "WITH job AS (INSERT INTO pgqueuer (priority, entrypoint, execute_after, status)"
    " SELECT 0, $1, now() + $2, 'queued' WHERE NOT EXISTS (SELECT FROM pgqueuer WHERE entrypoint = $1"
    " AND status = 'queued' AND execute_after > now() AND execute_after <= now() + $2)"
    " RETURNING id, priority, entrypoint, status)"
    " INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)"
    " SELECT id, status, entrypoint, priority FROM job"
)
_NEXT_WAIT = """
SELECT CASE
  WHEN EXISTS (SELECT FROM pgqueuer WHERE status = 'queued' AND execute_after <= now() AND entrypoint = ANY($1))
  THEN interval '0'
  ELSE (
    SELECT execute_after - now() FROM pgqueuer
    WHERE status = 'queued' AND execute_after > now() AND entrypoint = ANY($1) ORDER BY execute_after LIMIT 1
  )
END AS wait
"""
# Jobs whose worker was killed, of which nothing notifies; and those that are due and not begun, since a queue that has
# lost its connection hears of none.
_LEFT = """
SELECT name FROM unnest($1::text[]) AS names (name) WHERE EXISTS (
  SELECT FROM pgqueuer WHERE entrypoint = name AND status = 'queued' AND execute_after <= now()
) OR EXISTS (
  SELECT FROM pgqueuer WHERE entrypoint = name AND status = 'picked' AND heartbeat < now() - $2::interval
)
"""
_NOTIFICATION = json.dumps(
    {
        "channel": "ch_pgqueuer", "operation": "update", "sent_at": "2000-01-01T00:00:00Z", "table": "pgqueuer",
        "type": "table_changed_event",
    }
)  # fmt: skip


def are_left(names: Iterable[str], lease: timedelta) -> str:
    """Returns an SQL condition: whether a queue with such jobs has to look for them without a notification."""
    array = ", ".join(f"'{name}'" for name in sorted(names))
    return f"""
EXISTS (
  SELECT FROM pgqueuer WHERE entrypoint = ANY(ARRAY[{array}]) AND status = 'queued' AND execute_after <= now()
) OR EXISTS (
  SELECT FROM pgqueuer WHERE status = 'picked' AND heartbeat < now() - interval '{lease.total_seconds()} seconds'
)
"""  # noqa: S608  our own names


def drain(channel: str) -> str:
    """Returns the name of the job that sends the messages that are queued for one channel; a slow channel never delays
    another.
    """
    return f"messages.drain.{channel}"


async def wake(connection: asyncpg.Connection, channel: str) -> None:
    """Queues a drain now, in the caller's transaction."""
    await connection.execute(_WAKE, drain(channel))


async def wake_later(connection: asyncpg.Connection, channel: str, delay: timedelta) -> None:
    """Queues a drain after `delay`."""
    await connection.execute(_LATER, drain(channel), delay)


class ListenerLost(ConnectionError):
    """The connection on which a queue listens for jobs was closed."""


class JobDriver(AsyncpgPoolDriver):
    """PgQueuer's connections of one queue, which hears only of new jobs that are its own.

    A worker has several queues. Each would ask the database for jobs whenever one of another queue is added.
    """

    def __init__(self, pool: asyncpg.Pool) -> None:
        super().__init__(pool)
        self.names: set[str] = set()  # of its jobs
        self.lost = asyncio.Event()
        """Set when the connection that listens is closed, as it is when the server dies or fails over."""
        self._callbacks: list[Callable[[str], None]] = []

    async def add_listener(self, channel: str, callback: Callable[[str | bytes | bytearray], None]) -> None:
        """Calls back with the notifications of own jobs, and with those that name none, like a health check's."""

        def filtered(payload: str | bytes | bytearray) -> None:
            name = json.loads(payload).get("entrypoint")
            if name is None or name in self.names:
                callback(payload)

        await super().add_listener(channel, filtered)
        self._callbacks.append(callback)
        assert self._listener_connection is not None
        self._listener_connection.add_termination_listener(self._lose)

    def _lose(self, _: object) -> None:
        self.lost.set()

    def look(self) -> None:
        """Makes the queue look for jobs, as a notification does."""
        for callback in self._callbacks:
            callback(_NOTIFICATION)


async def run(queuer: PgQueuer, driver: JobDriver, **options: Any) -> None:
    """Runs a queue until its shutdown; `options` are those of PgQueuer.

    Raises ListenerLost at once when the connection that listens is closed. PgQueuer itself would notice that within a
    minute, and until then each new job would wait for the round that looks for left ones.
    """
    running = asyncio.create_task(queuer.qm.run(**options))
    lost = asyncio.create_task(driver.lost.wait())
    try:
        await asyncio.wait({running, lost}, return_when=asyncio.FIRST_COMPLETED)
        if driver.lost.is_set() and not queuer.shutdown.is_set():
            raise ListenerLost("the connection that listens for jobs was closed")
        await running
    finally:
        await end([running, lost])


async def look_for_left(db: Reads, drivers: Iterable[JobDriver], lease: timedelta) -> None:
    """Makes the queues that have such jobs as `are_left` means look for them."""
    drivers = list(drivers)
    names = list(set().union(*(driver.names for driver in drivers)))
    left = {row["name"] for row in await db.fetch(_LEFT, names, lease)}
    for driver in drivers:
        if driver.names & left:
            driver.look()


class JobQueries(Queries):
    """PgQueuer's statements, of which one says how long a queue has no job, where PgQueuer asks three in a row.

    A queue calls `eligible_queued_work` first, and the other two for the same names right after it. One statement also
    leaves no time between two in which a job could become due unseen.
    """

    _wait: timedelta | None = None

    async def eligible_queued_work(self, entrypoints: list[types.QueueEntrypoint]) -> int:
        """Returns 1 if a job is due, or else 0."""
        [row] = await self.driver.fetch(_NEXT_WAIT, entrypoints)
        self._wait = cast("timedelta | None", row["wait"])
        return int(self._wait == timedelta())

    async def next_deferred_eta(self, entrypoints: list[types.QueueEntrypoint]) -> timedelta | None:
        """Returns how long the next job has to wait, or None if no job waits."""
        return self._wait

    async def queued_work(self, entrypoints: list[types.QueueEntrypoint]) -> int:
        """Returns 1 if a job waits, or else 0."""
        return int(self._wait is not None)


class JobLogBuffer(buffers.JobStatusLogBuffer):
    """Stores the ends of jobs a tenth of a second after the first of them.

    PgQueuer's own looks ten times a second whether there are any, in each queue: half of the work of an idle worker.
    """

    async def add(self, item: Any) -> None:
        """Adds the end of a job."""
        if self.events.empty():
            self._flush_later()
        await super().add(item)

    async def flush(self) -> None:
        """Stores the jobs that were added. If that fails it is tried again, as often as before."""
        await super().flush()
        if not self.events.empty():
            self._flush_later()

    async def periodic_flush(self) -> None:
        """Does nothing: `add` says when there is something to store."""

    def _flush_later(self) -> None:
        asyncio.get_running_loop().call_later(self.timeout.total_seconds(), self._flush_unless_ended)

    def _flush_unless_ended(self) -> None:
        if not self.shutdown.is_set():  # else the rest is stored by the end of the block
            self.schedule_flush()


# PgQueuer has no parameter for it.
buffers.JobStatusLogBuffer = JobLogBuffer  # type: ignore[misc]

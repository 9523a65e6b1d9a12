"""Collects `/metrics`: this process's counters, those of all workers, and gauges that are read for each request.

This is no operation: Prometheus has no user, GraphQL would not show it, and it must answer while the database or Redis
is unreachable.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import structlog
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from core.http.allowlist import AllowlistFile
from core.ids import least_uuid7
from core.metrics import ALLOWLIST_ENTRIES
from core.store import DOWN, Store, is_full
from db.session import Database
from engine.feed.event_feed import LAST_POSITION
from engine.jobs import JobName, fair_queue
from engine.restore.fence import FenceStatus
from engine.restore.fence import status as fence_status
from engine.sending.backlogs import Backlogs, RouteBacklog, Waiting, backlogs, by_name, route_backlogs
from engine.sending.down_sessions import down_sessions, numbers_by_route
from engine.upkeep import partitions
from engine.upkeep.dead_rows import Snapshot, dead_rows, oldest_snapshot
from engine.upkeep.locks import LockHolder, lock_holders, standby_wait
from resolvers.metrics import families
from runtime import breakers, workers
from runtime.routes import Routes
from runtime.services import Services

log = structlog.get_logger("postern.metrics")

CACHE_SECONDS = 5.0  # seconds that numbers from the database are cached
SHARE = 20  # a result is cached this many times as long as its query took, so that queries use under 5 % of the time
BOUND = 3.0  # seconds that a query may take; Prometheus waits 10 for a whole scrape

# Each part uses an index: ix_messages_claim_id (sending), and the primary key, whose UUIDv7 begin with the time
# (unknown messages, of the last day only).
_BACKLOG = """
SELECT channel, 'sending' AS state, count(*) AS number
FROM messages WHERE claim_id IS NOT NULL AND state = 'sending' GROUP BY channel
UNION ALL
SELECT channel, 'unknown', count(*)
FROM messages WHERE id >= $1 AND state = 'unknown' AND step IS DISTINCT FROM 0 GROUP BY channel
"""

_FEEDS = f"""
SELECT count(*) AS feeds, COALESCE(sum({LAST_POSITION} - pruned_position), 0)::bigint AS events,
  count(*) FILTER (WHERE nearly_full) AS nearly_full
FROM event_feeds AS f WHERE recording
"""  # noqa: S608  our own expression

# By the counters, which have some rows for each owner however many messages wait.
_WAITING = """
SELECT kind, channel, count(*) AS owners, max(waiting) AS largest FROM (
  SELECT 'direct' AS kind, channel, sum(stored) AS waiting FROM message_counters
  WHERE state = 'queued' AND kind <> 'inbound' GROUP BY channel, owner_id HAVING sum(stored) > 0
  UNION ALL
  SELECT 'project', p.channel, sum(c.queued)
  FROM sending_projects AS p JOIN sending_counters AS c ON c.project_id = p.id
  WHERE p.status = 'running' GROUP BY p.channel, p.owner_id HAVING sum(c.queued) > 0
) AS of_users GROUP BY kind, channel
"""
_SINKS = f"""
SELECT s.kind, count(DISTINCT s.id) AS sinks, count(DISTINCT s.id) FILTER (WHERE s.failures > 0) AS failing,
  COALESCE(sum(c.published), 0)::bigint AS published, COALESCE(sum(c.missed), 0)::bigint AS missed,
  COALESCE(sum(GREATEST({LAST_POSITION} - GREATEST(c.position, f.pruned_position), 0)), 0)::bigint AS lag
FROM event_sinks AS s LEFT JOIN event_sink_cursors AS c ON c.sink_id = s.id
LEFT JOIN event_feeds AS f ON f.owner_id = c.owner_id AND f.recording
WHERE s.enabled GROUP BY s.kind
"""  # noqa: S608  our own expression
# As doctor reports them: a pause whose time is over may be over, or be prolonged by the next message.
_PAUSES = """
SELECT provider_class, count(*) AS number FROM receiver_pauses WHERE until > now() - interval '1 hour'
GROUP BY provider_class
"""
_PARTITIONED = ("audit_entries",)


class Locks:
    """Reads whether the database answers, and who holds locks there, every few seconds at most.

    It reads no table, and by a connection of its own: a lock can keep all of the pool's.
    """

    def __init__(self, db: Database) -> None:
        self._db, self._lock, self._until = db, asyncio.Lock(), 0.0
        self.holders: Sequence[LockHolder] | None = None  # None: the database does not answer
        self.commits = 0  # that wait for a synchronous standby; read together with `holders`

    async def read(self) -> Sequence[LockHolder] | None:
        """Returns the sessions for whose locks others wait, or None while the database doesn't answer."""
        async with self._lock:
            if time.monotonic() >= self._until:
                self.holders = None
                try:
                    async with asyncio.timeout(BOUND), self._db.unpooled() as connection:
                        self.commits = (await standby_wait(connection)).commits
                        self.holders = await lock_holders(connection)
                except (
                    Exception
                ) as error:  # clients of a dead server raise many types; the gauge `up` shows it
                    log.warning("the database does not answer /metrics", error=error)
                self._until = time.monotonic() + CACHE_SECONDS
            return self.holders


class Backlog:
    """Numbers of the messages that are not finished, and of event feeds, queried every few seconds at most."""

    def __init__(self, db: Database, routes: Routes) -> None:
        self._db, self._configured = db, routes
        self._rows: Sequence[Any] | None = None
        self.routes: Sequence[breakers.BreakerStatus] = ()  # read together with `_rows`
        self.queued = Backlogs({}, {}, {}, {})  # likewise
        self.open_routes: Mapping[str, RouteBacklog] = {}  # likewise
        self.feeds: Any = None  # likewise
        self.sinks: Sequence[Any] = ()  # likewise
        self.pauses: Sequence[Any] = ()  # likewise; of receivers
        self.snapshot: Snapshot | None = None  # likewise
        self.dead_rows: Mapping[str, int] = {}  # likewise
        self.fence: FenceStatus | None = None  # likewise
        self.waiting: Sequence[Any] | None = None  # likewise; None: it took too long
        self.background: Mapping[JobName, fair_queue.Backlog] = {}  # likewise
        self.partitions: Mapping[str, partitions.State] = {}  # likewise
        self._until = 0.0
        self._lock = asyncio.Lock()

    async def rows(self) -> Sequence[Any] | None:
        """Returns rows of `channel, state, number`, or None while they can't be read."""
        async with self._lock:
            if time.monotonic() >= self._until:
                begun = time.monotonic()
                self._rows = await self._look()
                ended = time.monotonic()
                self._until = ended + max(CACHE_SECONDS, SHARE * (ended - begun))
            return self._rows

    async def _look(self) -> Sequence[Any] | None:
        try:
            async with asyncio.timeout(BOUND):
                self.routes = await breakers.breaker_statuses(self._db, self._configured)
                self.queued = await backlogs(self._db)
                opened = await route_backlogs(self._db, self._configured, self.queued)
                self.open_routes = by_name(opened)
                self.feeds = await self._db.fetchrow(_FEEDS)
                self.sinks = await self._db.fetch(_SINKS)
                self.pauses = await self._db.fetch(_PAUSES)
                self.fence = await fence_status(self._db)
                self.snapshot = await oldest_snapshot(self._db)
                self.dead_rows = await dead_rows(self._db)
                self.background = await fair_queue.backlogs(self._db, None)
                now = self._db.now()
                self.partitions = {
                    table: await partitions.state(self._db, table, now) for table in _PARTITIONED
                }
                rows = await self._db.fetch(_BACKLOG, least_uuid7(self._db.now() - timedelta(days=1)))
                self.waiting = None  # it grows with the number of users, and must not cost the other numbers
                with suppress(TimeoutError):
                    async with asyncio.timeout(BOUND / 3):
                        self.waiting = await self._db.fetch(_WAITING)
                return rows
        except (
            Exception
        ) as error:  # clients of a dead server raise many types; that the numbers lack shows it
            log.warning("no numbers for /metrics", error=type(error).__name__)
            return None


async def exposition(services: Services, allowlist: AllowlistFile) -> bytes:
    """Returns all metrics in Prometheus' text format, version 0.0.4."""
    backlog = services.single(Backlog, lambda: Backlog(services.db, services.routes))
    locks = services.single(Locks, lambda: Locks(services.db))
    rows, holders, seen, is_full = await asyncio.gather(
        backlog.rows(), locks.read(), workers.seen(services.store), _is_full(services.store)
    )
    down = await _down_sessions(services.store, seen)
    ALLOWLIST_ENTRIES.set(allowlist.entries)
    now = CollectorRegistry(auto_describe=False)
    now.register(
        _Families(
            [
                *families.process(),
                *families.database(holders, locks.commits),
                *(families.messages(rows, backlog.queued, services.db.now()) if rows is not None else ()),
                *(_routes(backlog, services.db.now()) if rows is not None else ()),
                *families.feeds(backlog.feeds if rows is not None else None),
                *(families.sinks(backlog.sinks) if rows is not None else ()),
                *(families.receivers(backlog.pauses) if rows is not None else ()),
                *(families.vacuum(backlog.snapshot, backlog.dead_rows) if rows is not None else ()),
                *(
                    families.waiting(backlog.waiting)
                    if rows is not None and backlog.waiting is not None
                    else ()
                ),
                *(families.background(backlog.background) if rows is not None else ()),
                *(families.partitions(backlog.partitions) if rows is not None else ()),
                *(families.fence(backlog.fence) if rows is not None else ()),
                *families.store(seen is not None, is_full),
                *families.workers(seen),
                *families.down_sessions(down),
                *families.pools(services.db),
                *families.allowlist(allowlist),
            ]
        )
    )
    return generate_latest(REGISTRY) + generate_latest(now)


async def _is_full(store: Store) -> bool:
    """Writes a key for a second, and returns whether Redis refuses it since it is full."""
    try:
        async with asyncio.timeout(workers.READ_SECONDS):
            await store.client.set("limit:metrics", 1, px=1000)
    except DOWN as error:
        return is_full(error)
    return False


async def _down_sessions(store: Store, seen: workers.WorkerReports | None) -> Mapping[str, int] | None:
    """Returns how many sessions of each route are down, or None while Redis doesn't answer."""
    if seen is None:
        return None
    try:
        async with asyncio.timeout(workers.READ_SECONDS):
            return numbers_by_route(await down_sessions(store, [worker.name for worker in seen.alive]))
    except DOWN:
        return None


class _Families(Collector):
    """Collects metrics that were computed for one request."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        yield from self._families


def _routes(backlog: Backlog, now: datetime) -> Iterator[Metric]:
    labels = ["route"]
    opened = GaugeMetricFamily(
        "postern_route_open",
        "1: the provider of the route does not answer, and messages wait",
        labels=labels,
    )
    number = GaugeMetricFamily(
        "postern_route_waiting", "Messages that wait because the route does not answer", labels=labels
    )
    oldest = GaugeMetricFamily(
        "postern_route_oldest_waiting_seconds",
        "How long the message has waited that waits longest because the route does not answer",
        labels=labels,
    )
    names = [route.name for route in backlog.routes]
    for name in [*names, *(name for name in backlog.open_routes if name not in names)]:
        opened.add_metric([name], float(name in backlog.open_routes))
        waiting = backlog.open_routes[name].waiting if name in backlog.open_routes else Waiting()
        if waiting is not None:  # it is not known how many wait for single messenger accounts
            number.add_metric([name], waiting.number)
            oldest.add_metric([name], waiting.seconds(now))
    yield from (opened, number, oldest)

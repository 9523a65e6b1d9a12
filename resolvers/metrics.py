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
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from core.http.allowlist import AllowlistFile
from core.ids import least_uuid7
from core.metrics import ALLOWLIST_ENTRIES
from core.version import __version__
from db.session import Database
from engine.feed.event_feed import LAST_POSITION
from engine.jobs import JobName, fair_queue
from engine.sending.backlogs import Backlogs, RouteBacklog, Waiting, backlogs, by_name, route_backlogs
from engine.upkeep import partitions
from engine.upkeep.dead_rows import Snapshot, dead_rows, oldest_snapshot
from resolvers.processing import BACKGROUND
from runtime import breakers, workers
from runtime.routes import Routes
from runtime.services import Services
from shapes.messages import DeliveryState
from shapes.sending_projects import ProjectChannel

log = structlog.get_logger("postern.metrics")

CACHE_SECONDS = 5.0  # seconds that numbers from the database are cached
SHARE = 20  # a result is cached this many times as long as its query took, so that queries use under 5 % of the time
BOUND = 3.0  # seconds that a query may take; Prometheus waits 10 for a whole scrape

_QUEUED = DeliveryState.queued.value
_STATES = (_QUEUED, DeliveryState.sending.value, DeliveryState.unknown.value)

# Each part uses an index: ix_messages_claim_id (sending), and the primary key, whose UUIDv7 begin with the time
# (unknown messages, of the last day only).
_BACKLOG = """
SELECT channel, 'sending' AS state, count(*) AS number
FROM messages WHERE claim_id IS NOT NULL AND state = 'sending' GROUP BY channel
UNION ALL
SELECT channel, 'unknown', count(*)
FROM messages WHERE id >= $1 AND state = 'unknown' GROUP BY channel
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
_PARTITIONED = ("audit_entries",)


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
        self.snapshot: Snapshot | None = None  # likewise
        self.dead_rows: Mapping[str, int] = {}  # likewise
        self.waiting: Sequence[Any] | None = None  # likewise; None: it took too long
        self.background: Mapping[JobName, fair_queue.Backlog] = {}  # likewise
        self.partitions: Mapping[str, partitions.State] = {}  # likewise
        self._until = 0.0
        self._lock = asyncio.Lock()

    async def rows(self) -> Sequence[Any] | None:
        """Returns rows of `channel, state, number`, or None while the database doesn't answer."""
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
        except Exception as error:  # clients of a dead server raise many types; the gauge `up` shows it
            log.warning("no numbers for /metrics", error=type(error).__name__)
            return None


async def exposition(services: Services, allowlist: AllowlistFile) -> bytes:
    """Returns all metrics in Prometheus' text format, version 0.0.4."""
    backlog = services.single(Backlog, lambda: Backlog(services.db, services.routes))
    rows, seen = await asyncio.gather(backlog.rows(), workers.seen(services.store))
    ALLOWLIST_ENTRIES.set(allowlist.entries)
    now = CollectorRegistry(auto_describe=False)
    now.register(
        _Families(
            [
                *_process(),
                *_messages(rows, backlog.queued, services.db.now()),
                *(_routes(backlog, services.db.now()) if rows is not None else ()),
                *_feeds(backlog.feeds if rows is not None else None),
                *(_sinks(backlog.sinks) if rows is not None else ()),
                *(_vacuum(backlog.snapshot, backlog.dead_rows) if rows is not None else ()),
                *(_waiting(backlog.waiting) if rows is not None and backlog.waiting is not None else ()),
                *(_background(backlog.background) if rows is not None else ()),
                *(_partitions(backlog.partitions) if rows is not None else ()),
                *_workers(seen),
                *_pools(services.db),
                *_allowlist(allowlist),
            ]
        )
    )
    return generate_latest(REGISTRY) + generate_latest(now)


class _Families(Collector):
    """Collects metrics that were computed for one request."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        yield from self._families


def _process() -> Iterator[Metric]:
    yield InfoMetricFamily("postern", "This process", {"version": __version__})


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


def _messages(rows: Sequence[Any] | None, queued: Backlogs, now: datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily("postern_database_up", "1: the database answered", float(rows is not None))
    if rows is None:
        return
    messages = GaugeMetricFamily(
        "postern_messages",
        "Messages that are queued or sending, and those of the last 24 hours that are unknown",
        labels=["channel", "state"],
    )
    numbers = {(row["channel"], row["state"]): row["number"] for row in rows}
    numbers |= {(channel, _QUEUED): number for channel, number in queued.queued.items()}
    for channel in ProjectChannel:  # telegram and whatsapp: test messages
        for state in _STATES:
            messages.add_metric([channel.value, state], numbers.get((channel.value, state), 0))
    yield messages
    yield GaugeMetricFamily(
        "postern_oldest_queued_seconds",
        "How long ago the direct message was accepted that waits longest, whatever it waits for",
        queued.all_direct.seconds(now),
    )
    yield GaugeMetricFamily(
        "postern_oldest_project_queued_seconds",
        "How long the message waits longest of projects that run and whose window is open, whatever it waits for",
        queued.all_projects.seconds(now),
    )


def _feeds(row: Any) -> Iterator[Metric]:
    if row is None:
        return
    yield GaugeMetricFamily("postern_event_feeds", "Users whose events are recorded", row["feeds"])
    yield GaugeMetricFamily("postern_events", "Events that can be read from feeds", row["events"])
    yield GaugeMetricFamily(
        "postern_event_feeds_nearly_full", "Feeds with four fifths of POSTERN_EVENT_LIMIT", row["nearly_full"]
    )


def _sinks(rows: Sequence[Any]) -> Iterator[Metric]:
    labels = ["kind"]
    families = {
        "sinks": GaugeMetricFamily("postern_event_sinks", "Event sinks that are enabled", labels=labels),
        "failing": GaugeMetricFamily(
            "postern_event_sinks_failing", "Enabled event sinks whose last attempt failed", labels=labels
        ),
        "lag": GaugeMetricFamily(
            "postern_event_sink_lag", "Events of feeds that enabled sinks have yet to look at", labels=labels
        ),
        "published": GaugeMetricFamily(
            "postern_event_sink_published",
            "Events that the brokers of enabled sinks have acknowledged",
            labels=labels,
        ),
        "missed": GaugeMetricFamily(
            "postern_event_sink_missed",
            "Events that feeds deleted before enabled sinks came to them",
            labels=labels,
        ),
    }
    for row in rows:
        for name, family in families.items():
            family.add_metric([row["kind"]], row[name])
    yield from families.values()


def _vacuum(snapshot: Snapshot | None, tables: Mapping[str, int]) -> Iterator[Metric]:
    lasts = 0.0 if snapshot is None or snapshot.lasts is None else snapshot.lasts.total_seconds()
    yield GaugeMetricFamily(
        "postern_oldest_snapshot_seconds",
        "How long the oldest transaction has kept dead rows",
        max(0.0, lasts),
    )
    transactions = 0 if snapshot is None else snapshot.transactions
    yield GaugeMetricFamily(
        "postern_oldest_snapshot_transactions",
        "Transactions whose dead rows the oldest snapshot, or a replication slot, has kept",
        transactions,
    )
    rows = GaugeMetricFamily(
        "postern_dead_rows", "Dead rows of each table that has at least 10,000", labels=["table"]
    )
    for table, number in tables.items():
        rows.add_metric([table], number)
    yield rows


def _waiting(rows: Sequence[Any]) -> Iterator[Metric]:
    labels = ["kind", "channel"]
    users = GaugeMetricFamily(
        "postern_owners_waiting",
        "Users of whom direct messages, or messages of running projects, are queued",
        labels=labels,
    )
    largest = GaugeMetricFamily(
        "postern_largest_owner_waiting",
        "Messages that are queued of the user who has the most",
        labels=labels,
    )
    rows_of = {(row["kind"], row["channel"]): row for row in rows}
    for kind in ("direct", "project"):
        for channel in ProjectChannel:
            row = rows_of.get((kind, channel.value))
            users.add_metric([kind, channel.value], row["owners"] if row else 0)
            largest.add_metric([kind, channel.value], float(row["largest"]) if row else 0)
    yield from (users, largest)


def _background(backlogs: Mapping[JobName, fair_queue.Backlog]) -> Iterator[Metric]:
    labels = ["kind"]
    waiting = GaugeMetricFamily(
        "postern_background_waiting", "Pieces of background work that wait for a worker", labels=labels
    )
    at_work = GaugeMetricFamily(
        "postern_background_at_work", "Pieces of background work that workers are doing", labels=labels
    )
    users = GaugeMetricFamily(
        "postern_background_owners", "Users whose background work waits or is being done", labels=labels
    )
    for name, kind in BACKGROUND.items():
        waiting.add_metric([kind.value], backlogs[name].pieces - backlogs[name].at_work)
        at_work.add_metric([kind.value], backlogs[name].at_work)
        users.add_metric([kind.value], backlogs[name].owner_count)
    yield from (waiting, at_work, users)


def _partitions(states: Mapping[str, partitions.State]) -> Iterator[Metric]:
    missing = GaugeMetricFamily(
        "postern_partitions_missing",
        "Months, of this one and the next two, that have no partition",
        labels=["table"],
    )
    stray = GaugeMetricFamily(
        "postern_default_partition_used",
        "1: the default partition has rows of a month without one",
        labels=["table"],
    )
    for table, each in states.items():
        missing.add_metric([table], len(each.missing))
        stray.add_metric([table], float(each.stray))
    yield from (missing, stray)


def _workers(seen: workers.WorkerReports | None) -> Iterator[Metric]:
    """Yields the workers' metrics, or nothing while Redis doesn't answer: zero would be wrong."""
    if seen is None:
        return
    yield from seen.families
    yield GaugeMetricFamily("postern_workers", "Workers that are alive", len(seen.alive))
    started = GaugeMetricFamily(
        "postern_worker_started_timestamp_seconds", "When a living worker began", labels=["worker"]
    )
    handed = GaugeMetricFamily(
        "postern_worker_handovers",
        "Messages that a living worker has handed to providers since it began",
        labels=["worker"],
    )
    for worker in seen.alive:
        started.add_metric([worker.name], worker.started)
        handed.add_metric([worker.name], worker.handed)
    yield from (started, handed)


def _pools(db: Database) -> Iterator[Metric]:
    used = GaugeMetricFamily(
        "postern_database_connections_used", "Connections of this process at work", labels=["pool"]
    )
    most = GaugeMetricFamily(
        "postern_database_connections_max", "Connections that this process may open", labels=["pool"]
    )
    writes: Any = db.engine.pool
    used.add_metric(["write"], writes.checkedout())
    most.add_metric(["write"], db.options.pool_size)
    used.add_metric(["read"], db.reads_at_work)
    most.add_metric(["read"], db.options.read_pool_size)
    yield from (used, most)


def _allowlist(allowlist: AllowlistFile) -> Iterator[Metric]:
    if allowlist.loaded_at is not None:
        yield GaugeMetricFamily(
            "postern_allowlist_loaded_timestamp_seconds",
            "When the IP allowlist in force was read",
            allowlist.loaded_at.timestamp(),
        )
    yield CounterMetricFamily(
        "postern_allowlist_reload_errors",
        "How often a changed IP allowlist could not be used",
        allowlist.reload_errors,
    )
    yield GaugeMetricFamily(
        "postern_allowlist_stale",
        "1: the IP allowlist's file can't be used, and the last valid list is in force",
        float(allowlist.error is not None),
    )

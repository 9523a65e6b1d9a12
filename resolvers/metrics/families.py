"""The metrics by family, each made of numbers that were read already."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric

from core.http.allowlist import AllowlistFile
from core.version import __version__
from db.session import Database
from engine.jobs import JobName, fair_queue
from engine.restore.fence import FenceStatus
from engine.sending.backlogs import Backlogs
from engine.upkeep import partitions as partition_states
from engine.upkeep.dead_rows import Snapshot
from engine.upkeep.locks import LockHolder
from resolvers.processing import BACKGROUND
from runtime import workers as worker_reports
from shapes.deliverability import ProviderClass
from shapes.messages import DeliveryState
from shapes.sending_projects import ProjectChannel

_QUEUED = DeliveryState.queued.value
_STATES = (_QUEUED, DeliveryState.sending.value, DeliveryState.unknown.value)


def process() -> Iterator[Metric]:
    """Yields the version."""
    yield InfoMetricFamily("postern", "This process", {"version": __version__})


def database(holders: Sequence[LockHolder] | None, commits: int) -> Iterator[Metric]:
    """Yields whether the database answers (`holders` is not None), and how many sessions wait there for locks, and how
    many commits for a standby.
    """
    yield GaugeMetricFamily("postern_database_up", "1: the database answered", float(holders is not None))
    if holders is not None:
        yield GaugeMetricFamily(
            "postern_sessions_blocked",
            "Sessions of PostgreSQL that have waited for 2 seconds for a lock of another session",
            sum(holder.waiting for holder in holders),
        )
        yield GaugeMetricFamily(
            "postern_commits_waiting",
            "Commits that have waited for 2 seconds until a synchronous standby of PostgreSQL has them",
            commits,
        )


def messages(rows: Sequence[Any], queued: Backlogs, now: datetime) -> Iterator[Metric]:
    """Yields the numbers of messages that are not finished, and since when they wait."""
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


def receivers(rows: Sequence[Any]) -> Iterator[Metric]:
    """Yields the numbers of pauses by class of mailbox providers. Neither owners nor their domains are labels."""
    paused = GaugeMetricFamily(
        "postern_receiver_paused",
        "Sending domains, of each user, whose mail waits because providers of the class refuse the sender",
        labels=["class"],
    )
    numbers = {row["provider_class"]: row["number"] for row in rows}
    for provider in ProviderClass:
        paused.add_metric([provider.value], numbers.get(provider.value, 0))
    yield paused


def fence(status: FenceStatus | None) -> Iterator[Metric]:
    """Yields whether the database is fenced."""
    yield GaugeMetricFamily(
        "postern_fenced",
        "1: the database was restored, and nothing is sent until `postern resume`",
        float(status is not None and not status.is_open),
    )


def feeds(row: Any) -> Iterator[Metric]:
    """Yields the numbers of event feeds."""
    if row is None:
        return
    yield GaugeMetricFamily("postern_event_feeds", "Users whose events are recorded", row["feeds"])
    yield GaugeMetricFamily("postern_events", "Events that can be read from feeds", row["events"])
    yield GaugeMetricFamily(
        "postern_event_feeds_nearly_full", "Feeds with four fifths of POSTERN_EVENT_LIMIT", row["nearly_full"]
    )


def sinks(rows: Sequence[Any]) -> Iterator[Metric]:
    """Yields the numbers of event sinks."""
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


def vacuum(snapshot: Snapshot | None, tables: Mapping[str, int]) -> Iterator[Metric]:
    """Yields the age of the oldest snapshot, and dead rows."""
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


def waiting(rows: Sequence[Any]) -> Iterator[Metric]:
    """Yields the numbers of users whose messages wait."""
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


def background(backlogs: Mapping[JobName, fair_queue.Backlog]) -> Iterator[Metric]:
    """Yields the numbers of background work."""
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


def partitions(states: Mapping[str, partition_states.State]) -> Iterator[Metric]:
    """Yields the state of partitioned tables."""
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


def store(is_up: bool, is_full: bool) -> Iterator[Metric]:
    """Yields whether Redis answers, and whether it is full."""
    yield GaugeMetricFamily("postern_redis_up", "1: Redis answered", float(is_up))
    if is_up:
        yield GaugeMetricFamily(
            "postern_redis_full", "1: Redis answers, and takes nothing new", float(is_full)
        )


def workers(seen: worker_reports.WorkerReports | None) -> Iterator[Metric]:
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


def down_sessions(numbers: Mapping[str, int] | None) -> Iterator[Metric]:
    """Yields how many sessions of each route that has some are down, or nothing while Redis doesn't answer."""
    if numbers is None:
        return
    down = GaugeMetricFamily(
        "postern_route_sessions_down",
        "Sessions of a route with an SMSC that are not bound, in all workers together",
        labels=["route"],
    )
    for route, number in numbers.items():
        down.add_metric([route], number)
    yield down


def pools(db: Database) -> Iterator[Metric]:
    """Yields the use of the pools of connections."""
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


def allowlist(allowlist: AllowlistFile) -> Iterator[Metric]:
    """Yields the state of the IP allowlist."""
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

"""Statistics, the queue, and the health of project processing (contract §3).

Everything is read from counters, which a trigger updates with the messages, and from the few rows of the batches. A
request costs the same for a thousand messages and for ten million. Administrators see everybody's numbers.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from core.errors import BadRequest
from db import models
from db.lists import Conditions, CursorPage, PageArgs, in_bounds
from resolvers.intervals import boundaries, zone
from resolvers.message_records import instant
from resolvers.project_lists import LISTS, MINE
from resolvers.send_rate import CLOCK, OPENS, PER_MINUTE, SETTLED, eta
from runtime import breakers, workers
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.message_records import RecordStatus
from shapes.page import Rows
from shapes.project_counts import ProjectCounts
from shapes.project_lists import ProjectProgress
from shapes.sending_projects import Preparation, ProjectChannel, ProjectStatus
from shapes.statistics import (
    CountedProject,
    DeliveryStatusCounts,
    FailureReason,
    GeneralStatistics,
    Interval,
    IntervalStatistics,
    ProcessedProject,
    ProcessingHealth,
    ProcessingStatus,
    ProjectStatistics,
    QueuedProject,
    QueueStatistics,
    QueueWorker,
    Rates,
    Route,
    RouteState,
    StatisticsKind,
    TotalStatistics,
    VariantStatistics,
)

PROJECTS = 100  # shown by the queue and the health check
WORKERS = 100
STUCK = timedelta(minutes=2)
INTERVALS = 10_000  # of all projects in one answer
REASONS = 50  # of each project

_COUNTS = tuple(ProjectCounts.model_fields)
_SUMS = ", ".join(f"COALESCE(sum(c.{name}), 0)::int8 AS {name}" for name in _COUNTS)
_EVENTS = ("queued", "sent", "delivered", "read", "failed", "replied")
_PREPARING = (Preparation.freeze, Preparation.retry)
_LIVE = "p.status IN ('scheduled', 'running', 'paused')"


def _mine(column: str, everyone: bool) -> str:
    """Returns the condition for rows that the caller may see; the caller's id is then the last argument."""
    return "true" if everyone else f"{column} = {{}}"


@cache
def _sql(template: str, column: str, everyone: bool, number: int = 1) -> str:
    return template.replace("MINE", _mine(column, everyone).format(f"${number}"))


def _who(op: Op) -> Sequence[UUID]:
    return [] if op.viewer.admin else [op.viewer.id]


_ALL = f"SELECT {_SUMS} FROM sending_counters AS c WHERE MINE"  # noqa: S608  our own columns
_DIRECT = "SELECT c.state, sum(c.counted)::int8 AS number FROM message_counters AS c WHERE c.kind = 'direct' AND MINE GROUP BY c.state"
_NUMBER = "SELECT count(*) FROM sending_projects AS p WHERE p.status <> 'deleted' AND MINE"
_BY_REASON = """
SELECT f.code, sum(f.count)::int8 AS number FROM (SOURCES) AS f
GROUP BY f.code HAVING sum(f.count) > 0 ORDER BY number DESC, f.code LIMIT 200
"""
_REASONS = {
    StatisticsKind.project: "SELECT f.code, f.count FROM failure_counters AS f WHERE MINE",
    StatisticsKind.direct: "SELECT f.code, f.count FROM message_failures AS f WHERE MINE",
}
_BY_PROJECT = f"""
SELECT p.id, p.name, p.channel, p.status, p.created_at, n.* FROM (
  SELECT * FROM sending_projects AS p WHERE p.status <> 'deleted' AND MINE ORDER BY p.id DESC LIMIT $1 OFFSET $2
) AS p CROSS JOIN LATERAL (SELECT {_SUMS} FROM sending_counters AS c WHERE c.project_id = p.id) AS n
ORDER BY p.id DESC
"""  # noqa: S608  our own columns
_EVENT_SUMS = ", ".join(f"sum(b.{name})::int8 AS {name}" for name in _EVENTS)
_BY_INTERVAL = f"""
SELECT width_bucket(b.bucket, $1::timestamptz[]) AS place, {_EVENT_SUMS} FROM (SOURCES) AS b GROUP BY place
"""  # noqa: S608  our own columns
_BUCKETS = {
    StatisticsKind.project: (
        f"SELECT b.bucket, {', '.join(_EVENTS)} FROM statistics_buckets AS b"  # noqa: S608  our own columns
        " WHERE b.bucket >= $2 AND b.bucket < $3 AND MINE"
    ),
    StatisticsKind.direct: (
        "SELECT b.bucket, queued, sent, delivered, 0 AS read, failed, 0 AS replied FROM message_buckets AS b"
        " WHERE b.bucket >= $2 AND b.bucket < $3 AND MINE"
    ),
}
_EACH_BY_INTERVAL = f"""
SELECT b.project_id, width_bucket(b.bucket, $1::timestamptz[]) AS place, {_EVENT_SUMS}
FROM statistics_buckets AS b
WHERE b.project_id = ANY($4::uuid[]) AND b.bucket >= $2 AND b.bucket < $3 AND MINE GROUP BY b.project_id, place
"""  # noqa: S608  our own columns
_EACH_BY_VARIANT = f"""
SELECT c.project_id, c.variant, {_SUMS} FROM variant_counters AS c JOIN sending_projects AS p ON p.id = c.project_id
WHERE c.project_id = ANY($1::uuid[]) AND MINE GROUP BY c.project_id, c.variant ORDER BY c.project_id, c.variant
"""  # noqa: S608  our own columns
_EACH_BY_REASON = f"""
SELECT project_id, code, number FROM (
  SELECT f.project_id, f.code, sum(f.count)::int8 AS number,
    row_number() OVER (PARTITION BY f.project_id ORDER BY sum(f.count) DESC, f.code) AS place
  FROM failure_counters AS f WHERE f.project_id = ANY($1::uuid[]) AND MINE
  GROUP BY f.project_id, f.code HAVING sum(f.count) > 0
) AS counted WHERE place <= {REASONS} ORDER BY project_id, place
"""  # noqa: S608  our own columns


def _sources(kind: StatisticsKind, sources: Mapping[StatisticsKind, str]) -> str:
    return " UNION ALL ".join(
        sql for source_kind, sql in sources.items() if kind in (source_kind, StatisticsKind.all)
    )


async def _all(op: Op, kind: StatisticsKind) -> ProjectCounts:
    """Returns the number of all messages of this kind by state."""
    counts = ProjectCounts(**dict.fromkeys(_COUNTS, 0))
    if kind is not StatisticsKind.direct:
        sql = _sql(_ALL, "c.owner_id", op.viewer.admin)
        counts = _counts(await op.db.fetchrow(sql, *_who(op)))
    if kind is not StatisticsKind.project:
        rows = await op.db.fetch(_sql(_DIRECT, "c.owner_id", op.viewer.admin), *_who(op))
        for row in rows:
            setattr(counts, row["state"], getattr(counts, row["state"]) + row["number"])
            counts.total += row["number"]
    return counts


@operation(Permission.statistics_read, "read")
async def delivery_status_counts(
    op: Op, kind: StatisticsKind = StatisticsKind.project
) -> DeliveryStatusCounts:
    """Returns the numbers of messages by state and by failure reason."""
    counts = await _all(op, kind)
    sql = _BY_REASON.replace("SOURCES", _sources(kind, _REASONS))
    reasons = await op.db.fetch(_sql(sql, "f.owner_id", op.viewer.admin), *_who(op))
    return DeliveryStatusCounts(
        statuses={status.value: getattr(counts, status.value) for status in RecordStatus},
        failure_reasons={row["code"]: row["number"] for row in reasons},
    )


@operation(Permission.statistics_read, "read")
async def general(
    op: Op,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
    interval: Interval = Interval.day,
    timezone: str = "UTC",
    kind: StatisticsKind = StatisticsKind.project,
) -> GeneralStatistics:
    """Returns the counts of every interval that the time range touches, each one in full. Raises BadRequest."""
    tz = zone(timezone)
    instants = boundaries(instant(date_from), instant(date_to), interval, tz, op.services.db.now())
    begins, end = instants[:-1], instants[-1]
    sql = _sql(_BY_INTERVAL.replace("SOURCES", _sources(kind, _BUCKETS)), "b.owner_id", op.viewer.admin, 4)
    rows = await op.db.fetch(sql, begins, begins[0], end, *_who(op))
    by_interval = {row["place"] - 1: row for row in rows}
    return GeneralStatistics(
        items=[_interval(begin, by_interval.get(number, {})) for number, begin in enumerate(begins)]
    )


@operation(Permission.statistics_read, "read")
async def of_projects(
    op: Op,
    projects: Sequence[UUID],
    date_from: datetime | None,
    date_to: datetime | None,
    interval: Interval,
    timezone: str,
) -> Sequence[Sequence[IntervalStatistics]]:
    """Returns what `general` returns, for each of these projects. Raises BadRequest."""
    tz = zone(timezone)
    instants = boundaries(instant(date_from), instant(date_to), interval, tz, op.services.db.now())
    begins, end = instants[:-1], instants[-1]
    if len(begins) * len(projects) > INTERVALS:
        raise BadRequest(
            f"This asks for {len(begins)} intervals of each of {len(projects)} projects; at most"
            f" {INTERVALS} are allowed in all. Ask for fewer projects, a shorter period or longer"
            " intervals.",
            code="too_many_intervals",
        )
    sql = _sql(_EACH_BY_INTERVAL, "b.owner_id", op.viewer.admin, 5)
    rows = await op.db.fetch(sql, begins, begins[0], end, [*projects], *_who(op))
    by_interval = {(row["project_id"], row["place"] - 1): row for row in rows}
    return [
        [_interval(begin, by_interval.get((id, number), {})) for number, begin in enumerate(begins)]
        for id in projects
    ]


@operation(Permission.statistics_read, "read")
async def failure_reasons(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[FailureReason]]:
    """Returns the failure reasons of each project, the most frequent first."""
    rows = await op.db.fetch(_sql(_EACH_BY_REASON, "f.owner_id", op.viewer.admin, 2), [*projects], *_who(op))
    by_project: dict[UUID, Any] = {id: [] for id in projects}
    for row in rows:
        by_project[row["project_id"]].append(FailureReason(code=row["code"], count=row["number"]))
    return [by_project[id] for id in projects]


@operation(Permission.statistics_read, "read")
async def variants(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[VariantStatistics]]:
    """Returns the statistics of each project's variants, in order; none for a project without variants."""
    return await _variants(op, projects)


async def _variants(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[VariantStatistics]]:
    rows = await op.db.fetch(_sql(_EACH_BY_VARIANT, "p.owner_id", op.viewer.admin, 2), [*projects], *_who(op))
    by_project: dict[UUID, Any] = {id: [] for id in projects}
    for row in rows:
        counts = _counts(row)
        variant = VariantStatistics(variant=row["variant"], counts=counts, rates=rates(counts))
        by_project[row["project_id"]].append(variant)
    return [by_project[id] for id in projects]


def _interval(begin: datetime, row: Mapping[str, int]) -> IntervalStatistics:
    return IntervalStatistics.model_validate(
        {"begins": begin, **{name: row.get(name, 0) for name in _EVENTS}}
    )


@operation(Permission.statistics_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[ProjectStatistics]:
    """Returns the counts of each project, newest first. Raises ValidationFailed."""
    in_bounds(page, limit)
    everyone, who = op.viewer.admin, _who(op)
    rows = await op.db.fetch(_sql(_BY_PROJECT, "p.owner_id", everyone, 3), limit, (page - 1) * limit, *who)
    number = await op.db.fetchval(_sql(_NUMBER, "p.owner_id", everyone), *who)
    of_each = await _variants(op, [row["id"] for row in rows]) if rows else []
    items = [_project(row, of_this) for row, of_this in zip(rows, of_each, strict=True)]
    return Rows(items, page, limit, number)


@operation(Permission.statistics_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.SendingProject]:
    """Returns one page of the caller's projects, whose rows have counts; an administrator gets all projects."""
    return await LISTS.page(op.db, page_args, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.statistics_read, "read")
async def total(op: Op, kind: StatisticsKind = StatisticsKind.project) -> TotalStatistics:
    """Returns the counts of all messages of this kind together."""
    counts = await _all(op, kind)
    number = 0
    if kind is not StatisticsKind.direct:
        number = await op.db.fetchval(_sql(_NUMBER, "p.owner_id", op.viewer.admin), *_who(op))
    return TotalStatistics(projects=number, counts=counts, rates=rates(counts))


def _counts(row: Any) -> ProjectCounts:
    return ProjectCounts(**{name: row[name] for name in _COUNTS})


def _project(row: Any, variants: Sequence[VariantStatistics]) -> ProjectStatistics:
    counts = _counts(row)
    project = CountedProject(
        id=row["id"],
        name=row["name"],
        channel=ProjectChannel(row["channel"]),
        status=ProjectStatus(row["status"]),
        created_at=row["created_at"],
    )
    return ProjectStatistics(project=project, counts=counts, rates=rates(counts), variants=[*variants])


def rates(counts: ProjectCounts) -> Rates:
    """Returns the shares of messages that were sent, delivered, read, answered and failed."""
    arrived = counts.delivered + counts.read
    taken = counts.sent + arrived
    return Rates(
        sent=_part(taken, counts.total),
        failed=_part(counts.failed, counts.total),
        delivered=_part(arrived, taken),
        read=_part(counts.read, taken),
        replied=_part(counts.replied, taken),
    )


def _part(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole > 0 else None


# The queue

_QUEUE = f"""
WITH {CLOCK}
SELECT p.id, p.status, {OPENS}, c.queued, c.sending, {PER_MINUTE} AS per_minute,
  sum(c.queued) OVER ()::int8 AS all_queued, sum(c.sending) OVER ()::int8 AS all_sending,
  sum({PER_MINUTE}) OVER () AS all_per_minute, min(u.due_at) OVER () AS oldest, now() AS now
FROM clock CROSS JOIN sending_projects AS p
CROSS JOIN LATERAL (
  SELECT COALESCE(sum(queued), 0)::int8 AS queued, COALESCE(sum(sending), 0)::int8 AS sending
  FROM sending_counters WHERE project_id = p.id
) AS c
CROSS JOIN LATERAL ({SETTLED}) AS b
CROSS JOIN LATERAL (
  SELECT min(due_at) AS due_at FROM sending_units
  WHERE project_id = p.id AND claim_id IS NULL AND due_at <= now()
) AS u
WHERE {_LIVE} AND MINE ORDER BY p.id DESC LIMIT {PROJECTS}
"""  # noqa: S608  our own words
_RATES = f"""
WITH {CLOCK}
SELECT p.id, {PER_MINUTE} AS per_minute, {OPENS} FROM clock CROSS JOIN sending_projects AS p
CROSS JOIN LATERAL ({SETTLED}) AS b
WHERE p.id = ANY($1::uuid[]) AND p.status = 'running' AND MINE
"""  # noqa: S608  our own words
_AT_WORK = f"""
SELECT u.worker, count(*) AS units FROM sending_units AS u JOIN sending_projects AS p ON p.id = u.project_id
WHERE u.claim_id IS NOT NULL AND u.expires_at > now() AND u.worker IS NOT NULL AND MINE
GROUP BY u.worker ORDER BY units DESC, u.worker LIMIT {WORKERS}
"""  # noqa: S608  our own words


@operation(Permission.statistics_read, "read")
async def queue(op: Op) -> QueueStatistics:
    """Returns the queue of running, paused and scheduled projects. Stopped projects do not count."""
    everyone, who = op.viewer.admin, _who(op)
    rows = await op.db.fetch(_sql(_QUEUE, "p.owner_id", everyone), *who)
    first: Mapping[str, Any] = rows[0] if rows else {}
    oldest = first.get("oldest")
    return QueueStatistics(
        queued=first.get("all_queued", 0),
        sending=first.get("all_sending", 0),
        oldest_queued_seconds=round((first["now"] - oldest).total_seconds(), 3) if oldest else 0.0,
        per_minute=round(first.get("all_per_minute", 0.0), 3),
        projects=[_queued(row) for row in rows],
        workers=await _workers(op),
        routes=await _routes(op),
    )


def _queued(row: Any) -> QueuedProject:
    left, rate = row["queued"] + row["sending"], row["per_minute"]
    return QueuedProject(
        id=row["id"],
        queued=row["queued"],
        sending=row["sending"],
        per_minute=round(rate, 3),
        eta_seconds=eta(left, row) if row["status"] == ProjectStatus.running else None,
    )


_RATE_FIELDS = frozenset({"per_minute", "eta_seconds", "ends_at"})


@operation(Permission.statistics_read, "read")
async def progress(
    op: Op, rows: Sequence[Any], field_names: frozenset[str] | None = None
) -> Sequence[ProjectProgress]:
    """Returns the progress of projects. `rows` have id, status, counts, preparation; only running ones have a rate."""
    rates_by_id: dict[UUID, Any] = {}
    running = [row.id for row in rows if row.status == ProjectStatus.running]
    if running and (field_names is None or field_names & _RATE_FIELDS):
        rate_rows = await op.db.fetch(_sql(_RATES, "p.owner_id", op.viewer.admin, 2), running, *_who(op))
        rates_by_id = {row["id"]: row for row in rate_rows}
    now = op.services.db.now()
    return [_progress(row, rates_by_id.get(row.id), now) for row in rows]


def _progress(row: Any, rate_row: Any, now: datetime) -> ProjectProgress:
    counts = ProjectCounts.model_validate(row.counts)
    left = counts.queued + counts.sending
    seconds = eta(left, rate_row) if rate_row else None
    return ProjectProgress(
        total=counts.total,
        done=counts.total - left,
        percent=round((counts.total - left) / counts.total * 100, 2) if counts.total > 0 else None,
        preparing=row.preparation in _PREPARING,
        per_minute=round(rate_row["per_minute"], 3) if rate_row else 0.0,
        eta_seconds=seconds,
        ends_at=None if seconds is None else now + timedelta(seconds=seconds),
    )


async def _workers(op: Op) -> Sequence[Any]:
    """Returns the workers that hold batches; for administrators also idle ones."""
    rows = await op.db.fetch(_sql(_AT_WORK, "p.owner_id", op.viewer.admin), *_who(op))
    batches = {row["worker"]: row["units"] for row in rows}
    seen = await _living(op)
    if op.viewer.admin:
        batches |= {name: 0 for name in seen if name not in batches}
    return [
        QueueWorker.model_construct(
            name=name, host=name.rpartition(":")[0] or name, units=number, last_seen_at=seen.get(name)
        )
        for name, number in [*batches.items()][:WORKERS]
    ]


async def _routes(op: Op) -> Sequence[Any]:
    return [
        Route(
            name=route.name,
            state=RouteState(route.state),
            since=route.opened_at,
            probe_at=route.probe_at,
        )
        for route in await breakers.standing(op.services.db, op.services.routes)
    ]


async def _living(op: Op) -> Mapping[str, datetime]:
    """Returns when each worker was last seen; nothing if Redis does not answer in time."""
    try:
        async with asyncio.timeout(workers.READ_SECONDS):
            alive = await workers.living(op.services.store)
    except workers.DOWN:
        return {}
    return {worker.name: datetime.fromtimestamp(worker.at, UTC) for worker in alive}


# Health of processing

# A renewed claim counts as progress; it was last renewed one lease before its expiry. A project that is being prepared
# and has no batches yet has waited for a worker since its last change.
_HEALTH = f"""
WITH claims AS (
  SELECT project_id, max(expires_at) - $1::interval AS renewed_at,
    (array_agg(DISTINCT worker) FILTER (WHERE expires_at > now()))[1:{WORKERS}] AS workers
  FROM sending_units WHERE claim_id IS NOT NULL GROUP BY project_id
), seen AS (
  SELECT p.id, p.status, GREATEST(c.moved_at, k.renewed_at) AS last_progress_at, k.workers,
    p.status = 'running' AND GREATEST(c.moved_at, k.renewed_at, p.updated_at) <= now() - $2::interval
      AND COALESCE(u.due_at, CASE WHEN p.preparation IS NOT NULL THEN p.updated_at END) <= now() - $2::interval
      IS TRUE AS stuck
  FROM sending_projects AS p
  LEFT JOIN claims AS k ON k.project_id = p.id
  CROSS JOIN LATERAL (SELECT max(updated_at) AS moved_at FROM sending_counters WHERE project_id = p.id) AS c
  CROSS JOIN LATERAL (SELECT min(due_at) AS due_at FROM sending_units WHERE project_id = p.id) AS u
  WHERE {_LIVE} AND AMONG AND MINE
)
SELECT * FROM seen ORDER BY stuck DESC, id DESC
"""  # noqa: S608  our own words

_ALL_HEALTH = _HEALTH.replace("AMONG", "true") + f"LIMIT {PROJECTS}"
_SOME_HEALTH = _HEALTH.replace("AMONG", "p.id = ANY($3::uuid[])")


@operation(Permission.statistics_read, "read")
async def processing(op: Op) -> ProcessingHealth:
    """Returns whether live projects make progress; a project is stuck after STUCK without any."""
    lease = timedelta(seconds=op.services.settings.lease_seconds)
    rows = await op.db.fetch(_sql(_ALL_HEALTH, "p.owner_id", op.viewer.admin, 3), lease, STUCK, *_who(op))
    stuck = any(row["stuck"] for row in rows)
    return ProcessingHealth(
        status=ProcessingStatus.stuck if stuck else ProcessingStatus.ok,
        projects=[_processed(row) for row in rows],
        routes=await _routes(op),
    )


@operation(Permission.statistics_read, "read")
async def processing_of(op: Op, projects: Sequence[UUID]) -> Sequence[ProcessedProject | None]:
    """Returns the health of each project; None unless it is scheduled, running or paused."""
    lease = timedelta(seconds=op.services.settings.lease_seconds)
    sql = _sql(_SOME_HEALTH, "p.owner_id", op.viewer.admin, 4)
    rows = await op.db.fetch(sql, lease, STUCK, [*projects], *_who(op))
    processed = {row["id"]: _processed(row) for row in rows}
    return [processed.get(id) for id in projects]


def _processed(row: Any) -> ProcessedProject:
    return ProcessedProject(
        id=row["id"],
        status=ProjectStatus(row["status"]),
        last_progress_at=row["last_progress_at"],
        stuck=row["stuck"],
        workers=sorted(row["workers"] or ()),
    )

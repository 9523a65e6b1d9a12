"""The queue, how far projects are, and the health of their processing (contract §3).

Everything is read from counters and from the few rows of the batches, so a request costs the same for a thousand
messages and for ten million. Administrators see everybody's numbers.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from engine.exports import export_links as _exports  # noqa: F401  registers its kind of work, as those below do
from engine.imports import bulk_add as _bulk_add  # noqa: F401
from engine.imports import jobs as _imports  # noqa: F401
from engine.jobs import JobName, fair_queue
from engine.projects import audience as _audience  # noqa: F401
from engine.projects import repeatable as _repeatable  # noqa: F401
from engine.sending.backlogs import RUNS, SINCE, BacklogReader, Backlogs, Waiting, by_name, route_backlogs
from resolvers.sending_projects.project_rows import visible
from resolvers.sending_projects.send_rate import CLOCK, OPENS, RATE, eta
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime import breakers, workers
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.project_counts import ProjectCounts
from shapes.project_lists import ProjectProgress
from shapes.project_settings import Preparation
from shapes.sending_projects import ProjectStatus
from shapes.statistics import (
    BackgroundKind,
    BackgroundWork,
    ProcessedProject,
    ProcessingHealth,
    ProcessingStatus,
    QueuedProject,
    QueueStatistics,
    QueueWorker,
    Route,
    RouteState,
)

PROJECTS = 100  # that the queue and the health check show
WORKERS = 100
STUCK = timedelta(minutes=2)

BACKGROUND = {
    JobName.read_import: BackgroundKind.imports,
    JobName.write_export: BackgroundKind.exports,
    JobName.add_recipients: BackgroundKind.recipients,
    JobName.copy_project: BackgroundKind.copies,
    JobName.prepare_project: BackgroundKind.preparations,
}
"""The kinds of work of which owners take turns, as callers see them."""

_PREPARING = (Preparation.freeze, Preparation.retry)
_LIVE = "p.status IN ('scheduled', 'running', 'paused')"

_QUEUE = f"""
WITH {CLOCK}
SELECT p.id, p.status, {OPENS}, c.queued, c.sending, r.per_minute,
  sum(c.queued) OVER ()::int8 AS all_queued, sum(c.sending) OVER ()::int8 AS all_sending,
  sum(r.per_minute) OVER () AS all_per_minute, min(u.since) OVER () AS oldest, now() AS now
FROM clock CROSS JOIN sending_projects AS p
CROSS JOIN LATERAL (
  SELECT COALESCE(sum(queued), 0)::int8 AS queued, COALESCE(sum(sending), 0)::int8 AS sending
  FROM sending_counters WHERE project_id = p.id
) AS c
CROSS JOIN LATERAL ({RATE}) AS r
LEFT JOIN LATERAL (SELECT {SINCE} AS since) AS u ON {RUNS}
WHERE {_LIVE} AND MINE ORDER BY p.id DESC LIMIT {PROJECTS}
"""  # noqa: S608  our own words
_RATES = f"""
WITH {CLOCK}
SELECT p.id, r.per_minute, {OPENS} FROM clock CROSS JOIN sending_projects AS p
CROSS JOIN LATERAL ({RATE}) AS r
WHERE p.id = ANY($1::uuid[]) AND p.status = 'running' AND MINE
"""  # noqa: S608  our own words
# Recipients that have no message yet, while the messages of a project are being created.
_WITHOUT_MESSAGE = """
SELECT p.id, (SELECT count(*) FROM recipients AS r WHERE r.project_id = p.id AND r.seq > p.prepared_to) AS number
FROM sending_projects AS p WHERE p.id = ANY($1::uuid[]) AND MINE
"""
_AT_WORK = f"""
SELECT u.worker, count(*) AS units FROM sending_units AS u JOIN sending_projects AS p ON p.id = u.project_id
WHERE u.claim_id IS NOT NULL AND u.expires_at > now() AND u.worker IS NOT NULL AND MINE
GROUP BY u.worker ORDER BY units DESC, u.worker LIMIT {WORKERS}
"""  # noqa: S608  our own words


@operation(Permission.statistics_read, "read")
async def queue(op: Op) -> QueueStatistics:
    """Returns your queued messages, the sending rate and the workers that send them.

    They are those of running, paused and scheduled projects. Stopped projects do not count.
    """
    everyone, who = op.viewer.admin, owner_arguments(op)
    rows = await op.db.fetch(owner_sql(_QUEUE, "p.owner_id", everyone), *who)
    first: Mapping[str, Any] = rows[0] if rows else {}
    oldest = first.get("oldest")
    waiting = await _waiting(op) if everyone else None
    return QueueStatistics(
        queued=first.get("all_queued", 0),
        sending=first.get("all_sending", 0),
        oldest_queued_seconds=round((first["now"] - oldest).total_seconds(), 3) if oldest else 0.0,
        per_minute=round(first.get("all_per_minute", 0.0), 3),
        projects=[_queued(row) for row in rows],
        workers=await _workers(op),
        direct_queued=None if waiting is None else sum(waiting.queued.values()),
        direct_oldest_seconds=None
        if waiting is None
        else round(waiting.all_direct.seconds(op.services.db.now()), 3),
        routes=await _routes(op, waiting),
        background=await _background(op),
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
    return await _progress_of(op, rows, field_names)


@operation(Permission.statistics_read, "read")
async def progress_of(op: Op, project_id: UUID) -> ProjectProgress:
    """Returns how far a project is, and when it will be done at its present sending rate. Raises NotFound."""
    (progress,) = await _progress_of(op, [await visible(op, project_id)], None)
    return progress


async def _progress_of(
    op: Op, rows: Sequence[Any], field_names: frozenset[str] | None
) -> Sequence[ProjectProgress]:
    rates_by_id: dict[UUID, Any] = {}
    running = [row.id for row in rows if row.status == ProjectStatus.running]
    if running and (field_names is None or field_names & _RATE_FIELDS):
        rate_rows = await op.db.fetch(
            owner_sql(_RATES, "p.owner_id", op.viewer.admin, 2), running, *owner_arguments(op)
        )
        rates_by_id = {row["id"]: row for row in rate_rows}
    to_come: dict[UUID, int] = {}
    growing = [row.id for row in rows if row.preparation == Preparation.freeze]
    if growing:
        sql = owner_sql(_WITHOUT_MESSAGE, "p.owner_id", op.viewer.admin, 2)
        to_come = {row["id"]: row["number"] for row in await op.db.fetch(sql, growing, *owner_arguments(op))}
    now = op.services.db.now()
    return [_progress(row, to_come.get(row.id, 0), rates_by_id.get(row.id), now) for row in rows]


def _progress(row: Any, to_come: int, rate_row: Any, now: datetime) -> ProjectProgress:
    counts = ProjectCounts.model_validate(row.counts)
    total, left = counts.total + to_come, counts.queued + counts.sending + to_come
    seconds = eta(left, rate_row) if rate_row else None
    return ProjectProgress(
        total=total,
        done=total - left,
        percent=round((total - left) / total * 100, 2) if total > 0 else None,
        preparing=row.preparation in _PREPARING,
        per_minute=round(rate_row["per_minute"], 3) if rate_row else 0.0,
        eta_seconds=seconds,
        ends_at=None if seconds is None else now + timedelta(seconds=seconds),
    )


async def _workers(op: Op) -> Sequence[Any]:
    """Returns the workers that hold batches, and idle workers. Only an administrator sees workers."""
    if not op.viewer.admin:
        return []
    rows = await op.db.fetch(owner_sql(_AT_WORK, "p.owner_id", True))
    batches = {row["worker"]: row["units"] for row in rows}
    seen = await _living(op)
    batches |= {name: 0 for name in seen if name not in batches}
    return [
        QueueWorker.model_construct(
            id=name,
            name=name,
            host=name.rpartition(":")[0] or name,
            units=number,
            last_seen_at=seen.get(name),
        )
        for name, number in [*batches.items()][:WORKERS]
    ]


async def _background(op: Op) -> Sequence[Any]:
    counts = await fair_queue.backlogs(op.db, None if op.viewer.admin else op.viewer.id)
    return [
        BackgroundWork.model_construct(
            kind=kind,
            waiting=counts[name].pieces - counts[name].at_work,
            at_work=counts[name].at_work,
            users=counts[name].owner_count,
        )
        for name, kind in BACKGROUND.items()
    ]


async def _waiting(op: Op) -> Backlogs:
    db = op.services.db
    return await op.services.single(BacklogReader, lambda: BacklogReader(db)).read()


async def _routes(op: Op, waiting: Backlogs | None = None) -> Sequence[Any]:
    """Returns the routes, and with `waiting` how many messages wait for each open route. Only an administrator sees
    routes.
    """
    if not op.viewer.admin:
        return []
    db, routes = op.services.db, op.services.routes
    opened = {} if waiting is None else by_name(await route_backlogs(db, routes, waiting))
    rows = []
    for route in await breakers.breaker_statuses(db, routes):
        behind = opened[route.name].waiting if route.name in opened else Waiting()
        if waiting is None:
            behind = None
        rows.append(
            Route(
                name=route.name,
                state=RouteState(route.state),
                since=route.opened_at,
                probe_at=route.probe_at,
                waiting=None if behind is None else behind.number,
                waiting_since=None if behind is None else behind.since,
            )
        )
    return rows


async def _living(op: Op) -> Mapping[str, datetime]:
    """Returns when each worker was last seen; nothing if Redis does not answer in time."""
    try:
        async with asyncio.timeout(workers.READ_SECONDS):
            alive = await workers.living(op.services.store)
    except workers.DOWN:
        return {}
    return {worker.name: datetime.fromtimestamp(worker.at, UTC) for worker in alive}


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
async def health(op: Op) -> ProcessingHealth:
    """Reports whether your running, paused and scheduled projects are being processed.

    A project is stuck after STUCK without any progress.
    """
    lease = timedelta(seconds=op.services.settings.lease_seconds)
    rows = await op.db.fetch(
        owner_sql(_ALL_HEALTH, "p.owner_id", op.viewer.admin, 3), lease, STUCK, *owner_arguments(op)
    )
    stuck = any(row["stuck"] for row in rows)
    return ProcessingHealth(
        status=ProcessingStatus.stuck if stuck else ProcessingStatus.ok,
        projects=[_processed(op, row) for row in rows],
        routes=await _routes(op),
    )


@operation(Permission.statistics_read, "read")
async def health_of(op: Op, projects: Sequence[UUID]) -> Sequence[ProcessedProject | None]:
    """Returns the health of each project; None unless it is scheduled, running or paused."""
    lease = timedelta(seconds=op.services.settings.lease_seconds)
    sql = owner_sql(_SOME_HEALTH, "p.owner_id", op.viewer.admin, 4)
    rows = await op.db.fetch(sql, lease, STUCK, [*projects], *owner_arguments(op))
    processed = {row["id"]: _processed(op, row) for row in rows}
    return [processed.get(id) for id in projects]


def _processed(op: Op, row: Any) -> ProcessedProject:
    return ProcessedProject(
        id=row["id"],
        status=ProjectStatus(row["status"]),
        last_progress_at=row["last_progress_at"],
        stuck=row["stuck"],
        workers=sorted(row["workers"] or ()) if op.viewer.admin else [],
    )

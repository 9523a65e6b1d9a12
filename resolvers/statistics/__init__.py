"""Statistics: how many messages had which outcome, in all, by intervals and by projects (contract §3).

Everything is read from counters, which a trigger updates with the messages, and from the few rows of the batches. A
request costs the same for a thousand messages and for ten million. Administrators see everybody's numbers.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core.errors import BadRequest
from db import models
from db.lists import Conditions, CursorPage, PageArgs, in_bounds
from resolvers.message_records import instant, skipped_reasons
from resolvers.sending_projects.project_lists import LISTS, MINE
from resolvers.sending_projects.project_rows import visible
from resolvers.statistics.intervals import boundaries, zone
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.message_records import RecordStatus
from shapes.page import Rows
from shapes.project_counts import ProjectCounts
from shapes.sending_projects import ProjectChannel, ProjectStatus
from shapes.statistics import (
    ChannelStatistics,
    CountedProject,
    DeliveryStatusCounts,
    FailureReason,
    GeneralStatistics,
    Interval,
    IntervalStatistics,
    ProjectStatistics,
    Rates,
    StatisticsKind,
    TotalStatistics,
    VariantStatistics,
)

INTERVALS = 10_000  # of all projects in one answer
REASONS = 50  # of each project

_COUNTS = tuple(ProjectCounts.model_fields)
_SUMS = ", ".join(f"COALESCE(sum(c.{name}), 0)::int8 AS {name}" for name in _COUNTS)
_EVENTS = ("queued", "sent", "delivered", "read", "failed", "replied", "unknown", "bounced", "complained")

_ALL = f"SELECT {_SUMS} FROM sending_counters AS c WHERE MINE"  # noqa: S608  our own columns
_DIRECT = (
    "SELECT c.state, sum(c.counted)::int8 AS number FROM message_counters AS c WHERE c.kind = 'direct'"
    " AND MINE GROUP BY c.state"
)
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
_OF_DIRECT = (
    "b.queued, b.sent, b.delivered, 0 AS read, b.failed, 0 AS replied, b.unknown, b.bounced, b.complained"
)
_OF_PROJECTS = ", ".join(f"b.{name}" for name in _EVENTS)
_BUCKETS = {
    StatisticsKind.project: (
        f"SELECT b.bucket, {_OF_PROJECTS} FROM statistics_buckets AS b"  # noqa: S608  our own columns
        " WHERE b.bucket >= $2 AND b.bucket < $3 AND MINE"
    ),
    StatisticsKind.direct: (
        f"SELECT b.bucket, {_OF_DIRECT} FROM message_buckets AS b"  # noqa: S608  our own columns
        " WHERE b.bucket >= $2 AND b.bucket < $3 AND MINE"
    ),
}
_BUCKETS_OF_CHANNEL = {
    StatisticsKind.project: (
        f"SELECT b.bucket, {_OF_PROJECTS} FROM statistics_buckets AS b"  # noqa: S608  our own columns
        " JOIN sending_projects AS p ON p.id = b.project_id AND p.channel = $4"
        " WHERE b.bucket >= $2 AND b.bucket < $3 AND MINE"
    ),
    StatisticsKind.direct: f"{_BUCKETS[StatisticsKind.direct]} AND b.channel = $4",
}
_BY_CHANNEL = f"""
SELECT b.channel, {_EVENT_SUMS} FROM (SOURCES) AS b GROUP BY b.channel
"""  # noqa: S608  our own columns
_CHANNELS = {
    StatisticsKind.project: (
        f"SELECT p.channel, {_OF_PROJECTS} FROM statistics_buckets AS b"  # noqa: S608  our own columns
        " JOIN sending_projects AS p ON p.id = b.project_id WHERE b.bucket >= $1 AND b.bucket < $2 AND MINE"
    ),
    StatisticsKind.direct: (
        f"SELECT b.channel, {_OF_DIRECT} FROM message_buckets AS b"  # noqa: S608  our own columns
        " WHERE b.bucket >= $1 AND b.bucket < $2 AND MINE"
    ),
}
_EACH_BY_INTERVAL = f"""
SELECT b.project_id, width_bucket(b.bucket, $1::timestamptz[]) AS place, {_EVENT_SUMS}
FROM statistics_buckets AS b
WHERE b.project_id = ANY($4::uuid[]) AND b.bucket >= $2 AND b.bucket < $3 AND MINE GROUP BY b.project_id, place
"""  # noqa: S608  our own columns
_EACH_BY_VARIANT = f"""
SELECT n.*, s.languages #>> ARRAY['texts', n.variant::text, 'locale'] AS locale FROM (
  SELECT c.project_id, c.variant, {_SUMS} FROM variant_counters AS c JOIN sending_projects AS p ON p.id = c.project_id
  WHERE c.project_id = ANY($1::uuid[]) AND MINE GROUP BY 1, 2
) AS n JOIN sending_projects AS s ON s.id = n.project_id ORDER BY 1, 2
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
        sql = owner_sql(_ALL, "c.owner_id", op.viewer.admin)
        counts = _counts(await op.db.fetchrow(sql, *owner_arguments(op)))
    if kind is not StatisticsKind.project:
        rows = await op.db.fetch(owner_sql(_DIRECT, "c.owner_id", op.viewer.admin), *owner_arguments(op))
        for row in rows:
            setattr(counts, row["state"], getattr(counts, row["state"]) + row["number"])
            counts.total += row["number"]
    return counts


@operation(Permission.statistics_read, "read")
async def delivery_status_counts(
    op: Op, kind: StatisticsKind = StatisticsKind.project
) -> DeliveryStatusCounts:
    """Counts your messages by state, and by why they failed or were skipped; administrators get those of all users."""
    counts = await _all(op, kind)
    sql = _BY_REASON.replace("SOURCES", _sources(kind, _REASONS))
    reasons = await op.db.fetch(owner_sql(sql, "f.owner_id", op.viewer.admin), *owner_arguments(op))
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
    channel: ProjectChannel | None = None,
) -> GeneralStatistics:
    """Returns message counts by hours, days, weeks or months of a time zone: every interval that the time range
    touches, each one in full, up to 2000; administrators get those of all users. Raises BadRequest.
    """
    tz = zone(timezone)
    instants = boundaries(instant(date_from), instant(date_to), interval, tz, op.services.db.now())
    begins, end = instants[:-1], instants[-1]
    sources, arguments = (_BUCKETS, []) if channel is None else (_BUCKETS_OF_CHANNEL, [channel.value])
    sql = owner_sql(
        _BY_INTERVAL.replace("SOURCES", _sources(kind, sources)),
        "b.owner_id",
        op.viewer.admin,
        4 + len(arguments),
    )
    rows = await op.db.fetch(sql, begins, begins[0], end, *arguments, *owner_arguments(op))
    by_interval = {row["place"] - 1: row for row in rows}
    return GeneralStatistics(
        items=[_interval(begin, by_interval.get(number, {})) for number, begin in enumerate(begins)]
    )


@operation(Permission.statistics_read, "read")
async def by_channel(
    op: Op,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
    interval: Interval = Interval.day,
    timezone: str = "UTC",
    kind: StatisticsKind = StatisticsKind.project,
) -> Sequence[ChannelStatistics]:
    """Returns message counts by channel, of the same intervals as the general statistics, all together. A channel
    without messages is left out; administrators get those of all users. Raises BadRequest.
    """
    instants = boundaries(
        instant(date_from), instant(date_to), interval, zone(timezone), op.services.db.now()
    )
    sql = _BY_CHANNEL.replace("SOURCES", _sources(kind, _CHANNELS))
    rows = await op.db.fetch(
        owner_sql(sql, "b.owner_id", op.viewer.admin, 3), instants[0], instants[-1], *owner_arguments(op)
    )
    counts = {row["channel"]: row for row in rows}
    return [
        ChannelStatistics(channel=channel, **{name: counts[channel.value][name] for name in _EVENTS})
        for channel in ProjectChannel
        if channel.value in counts
    ]


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
    return await _of_projects(op, projects, (date_from, date_to), interval, timezone)


@operation(Permission.statistics_read, "read")
async def intervals_of(
    op: Op,
    project_id: UUID,
    date_from: datetime | None = None,
    date_to: datetime | None = None,
    interval: Interval = Interval.day,
    timezone: str = "UTC",
) -> GeneralStatistics:
    """Counts the messages of one project by intervals, as `/statistics/general` does. Raises BadRequest, NotFound."""
    project = await visible(op, project_id)
    (items,) = await _of_projects(op, [project.id], (date_from, date_to), interval, timezone)
    return GeneralStatistics(items=[*items])


async def _of_projects(
    op: Op,
    projects: Sequence[UUID],
    span: tuple[datetime | None, datetime | None],
    interval: Interval,
    timezone: str,
) -> Sequence[Sequence[IntervalStatistics]]:
    date_from, date_to = span
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
    sql = owner_sql(_EACH_BY_INTERVAL, "b.owner_id", op.viewer.admin, 5)
    rows = await op.db.fetch(sql, begins, begins[0], end, [*projects], *owner_arguments(op))
    by_interval = {(row["project_id"], row["place"] - 1): row for row in rows}
    return [
        [_interval(begin, by_interval.get((id, number), {})) for number, begin in enumerate(begins)]
        for id in projects
    ]


@operation(Permission.statistics_read, "read")
async def failure_reasons(
    op: Op, projects: Sequence[UUID], field_names: frozenset[str] | None = None
) -> Sequence[Sequence[FailureReason]]:
    """Returns the failure reasons of each project, the most frequent first."""
    return await _reasons(op, projects, field_names)


@operation(Permission.statistics_read, "read")
async def failure_reasons_of(op: Op, project_id: UUID) -> Sequence[FailureReason]:
    """Returns why messages of a project failed or were skipped, the most frequent reasons first, at most 50. Raises
    NotFound.
    """
    project = await visible(op, project_id)
    (reasons,) = await _reasons(op, [project.id], None)
    return reasons


async def _reasons(
    op: Op, projects: Sequence[UUID], field_names: frozenset[str] | None
) -> Sequence[Sequence[FailureReason]]:
    rows = await op.db.fetch(
        owner_sql(_EACH_BY_REASON, "f.owner_id", op.viewer.admin, 2), [*projects], *owner_arguments(op)
    )
    by_project: dict[UUID, Any] = {id: [] for id in projects}
    skipped = None
    if rows and (field_names is None or "skipped" in field_names):
        skipped = await skipped_reasons.counted(op, [*{row["project_id"] for row in rows}])
    for row in rows:
        id, code, count = row["project_id"], row["code"], row["number"]
        of_them = skipped(id, code, count) if skipped is not None else None
        by_project[id].append(FailureReason(code=code, count=count, skipped=of_them))
    return [by_project[id] for id in projects]


@operation(Permission.statistics_read, "read")
async def variants(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[VariantStatistics]]:
    """Returns the statistics of each project's variants, in order; none for a project without variants."""
    return await _variants(op, projects)


@operation(Permission.statistics_read, "read")
async def variants_of(op: Op, project_id: UUID) -> Sequence[VariantStatistics]:
    """Returns the message counts of each text variant or language of a project; at most 20. Raises NotFound."""
    project = await visible(op, project_id)
    return (await _variants(op, [project.id]))[0]


async def _variants(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[VariantStatistics]]:
    rows = await op.db.fetch(
        owner_sql(_EACH_BY_VARIANT, "p.owner_id", op.viewer.admin, 2), [*projects], *owner_arguments(op)
    )
    by_project: dict[UUID, Any] = {id: [] for id in projects}
    for row in rows:
        counts = _counts(row)
        which = {"variant": row["variant"], "locale": row["locale"]}
        by_project[row["project_id"]].append(VariantStatistics(**which, counts=counts, rates=rates(counts)))
    return [by_project[id] for id in projects]


def _interval(begin: datetime, row: Mapping[str, int]) -> IntervalStatistics:
    return IntervalStatistics.model_validate(
        {"begins": begin, **{name: row.get(name, 0) for name in _EVENTS}}
    )


@operation(Permission.statistics_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[ProjectStatistics]:
    """Returns the message counts of each of your projects, newest first. Raises ValidationFailed."""
    in_bounds(page, limit)
    everyone, who = op.viewer.admin, owner_arguments(op)
    rows = await op.db.fetch(
        owner_sql(_BY_PROJECT, "p.owner_id", everyone, 3), limit, (page - 1) * limit, *who
    )
    number = await op.db.fetchval(owner_sql(_NUMBER, "p.owner_id", everyone), *who)
    of_each = await _variants(op, [row["id"] for row in rows]) if rows else []
    items = [_project(row, of_this) for row, of_this in zip(rows, of_each, strict=True)]
    return Rows(items, page, limit, number)


@operation(Permission.statistics_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.SendingProject]:
    """Returns the message counts of each of your projects, newest first unless `orderBy` says otherwise."""
    return await LISTS.page(op.db, page_args, where, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.statistics_read, "read")
async def total(op: Op, kind: StatisticsKind = StatisticsKind.project) -> TotalStatistics:
    """Counts the messages of all your projects, also of deleted ones; administrators get those of all users."""
    counts = await _all(op, kind)
    number = 0
    if kind is not StatisticsKind.direct:
        number = await op.db.fetchval(owner_sql(_NUMBER, "p.owner_id", op.viewer.admin), *owner_arguments(op))
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

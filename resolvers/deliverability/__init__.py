"""Counts emails and the reports about them by the provider of the mailbox, and by project.

The counters are kept by triggers (db/functions/postern_count_reports.sql), so a request costs the same
for a thousand emails and for ten million. Administrators see everybody's numbers.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core.errors import BadRequest
from resolvers.message_records import instant
from resolvers.sending_projects.project_rows import visible
from resolvers.statistics.owner_rows import owner_arguments, owner_sql
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.deliverability import (
    BAD_RATE,
    LEAST,
    MOST_DEGRADED,
    MOST_PROJECTS,
    WARNING_RATE,
    ComplaintLevel,
    DegradedProvider,
    Deliverability,
    DeliverabilityByProject,
    ProjectDeliverability,
    ProviderClass,
    ProviderDeliverability,
    ProviderReports,
)

DEFAULT = timedelta(days=7)
LONGEST = timedelta(days=92)

_BUCKET = timedelta(minutes=15)
_BOUNCES = ("hard", "mailbox_full", "content", "policy", "soft")
_COUNTS = ("accepted", "delivered", "deferred", *_BOUNCES, "complaints", "rescued")
# An email of before the counters can be taken off them: it was sent again since.
_SUMS = ", ".join(f"GREATEST(sum(c.{name}), 0)::int8 AS {name}" for name in _COUNTS)
_BY_PROVIDER = f"""
SELECT c.provider_class, {_SUMS} FROM domain_counters AS c WHERE c.bucket >= $1 AND c.bucket < $2 AND MINE
GROUP BY c.provider_class
"""  # noqa: S608  our own columns
_REPORTS = ("deferred", *_BOUNCES, "complaints", "rescued")
_EACH_BY_PROVIDER = f"""
SELECT c.project_id, c.provider_class, {", ".join(f"sum(c.{name})::int8 AS {name}" for name in _REPORTS)}
FROM project_mail_counters AS c WHERE c.project_id = ANY($1::uuid[]) AND MINE GROUP BY c.project_id, c.provider_class
"""  # noqa: S608  our own columns
_BY_PROJECT = f"""
SELECT p.id AS sending_project_uuid, p.name, p.from_address AS "from", s.accepted, s.delivered, s.bounced, s.complaints
FROM (
  SELECT b.project_id, sum(b.sent)::int8 AS accepted, sum(b.delivered)::int8 AS delivered,
    sum(b.bounced)::int8 AS bounced, sum(b.complained)::int8 AS complaints
  FROM statistics_buckets AS b WHERE b.bucket >= $1 AND b.bucket < $2 AND MINE GROUP BY b.project_id
) AS s JOIN sending_projects AS p ON p.id = s.project_id
WHERE p.channel = 'email' AND p.status <> 'deleted' AND (s.accepted > 0 OR s.bounced > 0 OR s.complaints > 0)
ORDER BY s.complaints DESC, s.bounced DESC, p.id DESC LIMIT {MOST_PROJECTS}
"""  # noqa: S608  our own number
_DEGRADED = f"""
SELECT d.provider_class, d.accepted, d.policy, d.complaints, d.created_at FROM degraded_providers AS d WHERE MINE
ORDER BY d.created_at DESC, d.id LIMIT {MOST_DEGRADED}
"""  # noqa: S608  our own number
_ORDER = {provider.value: index for index, provider in enumerate(ProviderClass)}


@operation(Permission.statistics_read, "read")
async def by_provider(
    op: Op, date_from: datetime | None = None, date_to: datetime | None = None
) -> Deliverability:
    """Counts your emails by the provider of the mailbox: how many were sent, came back, or were reported as spam.
    Administrators get the counts of all users. Raises BadRequest.
    """
    begins, end = _period(op, date_from, date_to)
    sql = owner_sql(_BY_PROVIDER, "c.owner_id", op.viewer.admin, 3)
    rows = {row["provider_class"]: row for row in await op.db.fetch(sql, begins, end, *owner_arguments(op))}
    degraded = await op.db.fetch(owner_sql(_DEGRADED, "d.owner_id", op.viewer.admin), *owner_arguments(op))
    return Deliverability.model_validate(
        {
            "begins": begins,
            "ends": end,
            "degraded": [
                DegradedProvider(
                    provider_class=ProviderClass(row["provider_class"]),
                    **{name: row[name] for name in ("accepted", "policy", "complaints", "created_at")},
                )
                for row in degraded
            ],
            "items": [
                _provider(provider, rows[provider.value])
                for provider in ProviderClass
                if provider.value in rows and any(rows[provider.value][name] for name in _COUNTS)
            ],
        }
    )


@operation(Permission.statistics_read, "read")
async def by_project(
    op: Op, date_from: datetime | None = None, date_to: datetime | None = None
) -> DeliverabilityByProject:
    """Counts the emails of a period by project: how many were sent, came back, or were reported as spam, of the 100
    projects with the most complaints. Single emails are not among them.

    The reports are those that came in the period. Raises BadRequest.
    """
    begins, end = _period(op, date_from, date_to)
    rows = await op.db.fetch(
        owner_sql(_BY_PROJECT, "b.owner_id", op.viewer.admin, 3), begins, end, *owner_arguments(op)
    )
    items = [ProjectDeliverability.model_validate({**row, **_rates(row, row["bounced"])}) for row in rows]
    return DeliverabilityByProject.model_validate({"begins": begins, "ends": end, "items": items})


@operation(Permission.statistics_read, "read")
async def of_projects(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[ProviderReports]]:
    """Returns the reports about each project's emails, by the provider of the mailbox."""
    return await _of_projects(op, projects)


@operation(Permission.statistics_read, "read")
async def of_project(op: Op, project_id: UUID) -> Sequence[ProviderReports]:
    """Counts the emails of a project that came back, by reason, or were reported as spam, by the provider of the
    mailbox. Raises NotFound.
    """
    project = await visible(op, project_id)
    (reports,) = await _of_projects(op, [project.id])
    return reports


async def _of_projects(op: Op, projects: Sequence[UUID]) -> Sequence[Sequence[ProviderReports]]:
    rows = await op.db.fetch(
        owner_sql(_EACH_BY_PROVIDER, "c.owner_id", op.viewer.admin, 2), [*projects], *owner_arguments(op)
    )
    by_project: dict[UUID, list[ProviderReports]] = {id: [] for id in projects}
    for row in sorted(rows, key=lambda row: _ORDER[row["provider_class"]]):
        reports = ProviderReports(
            provider_class=ProviderClass(row["provider_class"]),
            bounced=sum(row[name] for name in _BOUNCES),
            **{name: row[name] for name in _REPORTS},
        )
        by_project[row["project_id"]].append(reports)
    return [by_project[id] for id in projects]


def level(complaints: int, accepted: int) -> ComplaintLevel:
    """Returns the level of a share of complaints. Fewer emails than LEAST count as that many: one complaint among them
    says little.
    """
    share = complaints / max(accepted, LEAST)
    if share < WARNING_RATE:
        return ComplaintLevel.ok
    return ComplaintLevel.warning if share < BAD_RATE else ComplaintLevel.bad


def _provider(provider: ProviderClass, row: Any) -> ProviderDeliverability:
    bounced = sum(row[name] for name in _BOUNCES)
    return ProviderDeliverability(
        provider_class=provider,
        **{name: row[name] for name in _COUNTS},
        bounced=bounced,
        **_rates(row, bounced),
    )


def _rates(row: Any, bounced: int) -> dict[str, Any]:
    """Returns the shares of bounces and complaints, and the level of the latter."""
    accepted, complaints = row["accepted"], row["complaints"]
    return {
        "bounce_rate": bounced / accepted if accepted else None,
        "complaint_rate": complaints / accepted if accepted else None,
        "complaint_level": level(complaints, accepted),
    }


def _period(op: Op, date_from: datetime | None, date_to: datetime | None) -> tuple[datetime, datetime]:
    """Returns the period in quarters of an hour. Raises BadRequest."""
    now = op.services.db.now()
    ends = min(instant(date_to) or now, now)
    begins = instant(date_from) or ends - DEFAULT
    if not now - LONGEST <= begins <= ends:
        raise BadRequest(
            f"dateFrom must be a time of the last {LONGEST.days} days, and not after dateTo.",
            code="bad_period",
        )
    begins, end = _floor(begins), _floor(ends)
    return begins, end if end == ends and end > begins else end + _BUCKET


def _floor(time: datetime) -> datetime:
    return time.replace(minute=time.minute // 15 * 15, second=0, microsecond=0)

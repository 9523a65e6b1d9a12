"""The result of projects in one row of numbers, which says what can't be measured.

Accepted, delivered and reported messages come from the project's counters; refused emails and withdrawals are counted
in partial indexes, which have these messages alone.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from resolvers.sending_projects.project_rows import visible
from runtime.operation import Op, operation
from runtime.permissions import Permission
from runtime.routes import MESSENGERS
from shapes.messages import MessageCategory
from shapes.project_results import MOST_REFUSED, ProjectResult
from shapes.sending_projects import ProjectChannel

_RESULTS = """
SELECT p.id, p.channel, p.category, c.*,
  CASE WHEN p.channel = 'email' THEN (SELECT count(*) FROM (
    SELECT FROM message_records AS m WHERE m.project_id = p.id AND m.failure_code IS NOT NULL
      AND m.status = 'failed' AND m.refused AND m.bounced_at IS NULL LIMIT $2
  ) AS r) END AS refused,
  (SELECT count(*) FROM message_records AS m WHERE m.project_id = p.id AND m.unsubscribed_at IS NOT NULL)
    AS unsubscribed,
  p.channel = 'email' AND EXISTS (SELECT FROM hook_secrets AS h WHERE h.user_id = p.owner_id AND h.revoked_at IS NULL)
    AS has_hook
FROM sending_projects AS p CROSS JOIN LATERAL (
  SELECT COALESCE(sum(total - skipped - canceled), 0)::int8 AS intended,
    COALESCE(sum(sent + delivered + read), 0)::int8 AS accepted,
    COALESCE(sum(delivered + read), 0)::int8 AS delivered, COALESCE(sum(replied), 0)::int8 AS replied,
    COALESCE(sum(bounced), 0)::int8 AS bounced, COALESCE(sum(complained), 0)::int8 AS complained
  FROM sending_counters WHERE project_id = p.id
) AS c
WHERE p.id = ANY($1::uuid[]) AND ($3 OR p.owner_id = $4)
"""


@operation(Permission.statistics_read, "read")
async def get(op: Op, id: UUID) -> ProjectResult:
    """Returns what a project came to: accepted, delivered, came back, complained, answered and unsubscribed, with null
    for what can't be measured. Raises NotFound.
    """
    project: Any = await visible(op, id)
    return (await _results(op, [project.id]))[project.id]


@operation(Permission.statistics_read, "read")
async def of_projects(op: Op, projects: Sequence[UUID]) -> Sequence[ProjectResult | None]:
    """Returns what each project came to."""
    results = await _results(op, projects)
    return [results.get(id) for id in projects]


async def _results(op: Op, projects: Sequence[UUID]) -> dict[UUID, ProjectResult]:
    rows = await op.db.fetch(_RESULTS, [*projects], MOST_REFUSED, op.viewer.admin, op.viewer.id)
    return {row["id"]: _result(op, row) for row in rows}


def _result(op: Op, row: Any) -> ProjectResult:
    channel = row["channel"]
    email = channel == ProjectChannel.email
    reports = channel in MESSENGERS or op.services.routes.reports_delivery(channel)
    answers_come = channel != ProjectChannel.push and (not email or row["has_hook"] or row["replied"] > 0)
    return ProjectResult(
        intended=max(row["intended"], 0),
        accepted=max(row["accepted"], 0),
        reports_delivery=reports,
        delivered=row["delivered"] if reports or row["delivered"] > 0 else None,
        came_back=row["bounced"] + row["refused"] if email else None,
        bounced=row["bounced"] if email else None,
        refused=row["refused"],
        complained=row["complained"] if email else None,
        replied=row["replied"] if answers_come else None,
        unsubscribed=None if row["category"] == MessageCategory.transactional else row["unsubscribed"],
    )

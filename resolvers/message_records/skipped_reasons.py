"""Tells, for a failure code of a project, how many messages were skipped with it, and how many failed."""

from collections.abc import Callable, Sequence
from uuid import UUID

from resolvers.message_records.record_filters import MOST_COUNTED
from runtime.operation import Op

_FAILED_AND_SKIPPED = """
SELECT project_id AS id, sum(failed)::int8 AS failed, sum(skipped)::int8 AS skipped
FROM sending_counters WHERE project_id = ANY($1::uuid[]) GROUP BY project_id
"""
# Looks at the first messages of each project that have a code: failed, skipped and unknown ones.
_SKIPPED_BY_CODE = """
SELECT p.id, m.failure_code AS code, count(*) FILTER (WHERE m.status = 'skipped') AS skipped,
  (sum(count(*)) OVER (PARTITION BY p.id))::int8 AS looked_at
FROM unnest($1::uuid[]) AS p (id)
CROSS JOIN LATERAL (
  SELECT failure_code, status FROM message_records
  WHERE project_id = p.id AND failure_code IS NOT NULL ORDER BY seq LIMIT $2
) AS m
GROUP BY p.id, m.failure_code
"""


async def counted(op: Op, projects: Sequence[UUID]) -> Callable[[UUID, str, int], int | None]:
    """Returns the function that tells how many messages of a project were skipped with a code, out of a number.

    The counters tell it while all of a project's messages are skipped, or all failed; else messages are counted.
    """
    totals = {row["id"]: row for row in await op.db.fetch(_FAILED_AND_SKIPPED, [*projects])}
    mixed = [id for id, row in totals.items() if row["failed"] > 0 and row["skipped"] > 0]
    counted: dict[UUID, dict[str, int]] = {}
    whole: set[UUID] = set()
    if mixed:
        most = MOST_COUNTED // len(mixed)
        for row in await op.db.fetch(_SKIPPED_BY_CODE, mixed, most):
            counted.setdefault(row["id"], {})[row["code"]] = row["skipped"]
            if row["looked_at"] < most:
                whole.add(row["id"])

    def of(project: UUID, code: str, count: int) -> int | None:
        row = totals.get(project)
        if row is None or row["skipped"] <= 0:
            return 0
        if row["failed"] <= 0:
            return count
        if project not in whole:
            return None
        return min(counted[project].get(code, 0), count)

    return of

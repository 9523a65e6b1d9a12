"""Reports projects whose numbers do not add up, and those that no worker has reconciled."""

from datetime import timedelta
from typing import Final

from db.session import Database
from postern.doctor.findings import Findings

_RECENT: Final = timedelta(days=30)
_LATE: Final = timedelta(hours=1)
_LISTED: Final = 3  # projects that a finding names
# The newest of a project counts: a later one may add up.
_OPEN: Final = """
SELECT r.project_id, r.number FROM reconciliations AS r
WHERE r.state = 'open' AND r.made_at > now() - $1::interval AND NOT EXISTS (
  SELECT FROM reconciliations AS later WHERE later.project_id = r.project_id AND later.number > r.number
) ORDER BY r.made_at DESC
"""
_WAITING: Final = (
    "SELECT count(*) FROM reconciliations WHERE made_at IS NULL AND created_at < now() - $1::interval"
)


async def look(findings: Findings, db: Database) -> None:
    """Checks the reconciliations of the last month."""
    if rows := await db.fetch(_OPEN, _RECENT):
        names = ", ".join(f"{row['project_id']} (number {row['number']})" for row in rows[:_LISTED])
        more = f" and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
        findings.bad(
            "reconciliation",
            f"{len(rows)} projects do not add up: {names}{more}",
            "Read `differences` in GET /sending-project/{uuid}/reconciliation, and docs/reconciliation.md, 'Open'.",
        )
    if late := await db.fetchval(_WAITING, _LATE):
        findings.note(
            "reconciliation",
            f"{late} projects have waited for their reconciliation for more than an hour",
            "Start `postern worker`. If one is running, its log says why it can't make them.",
        )

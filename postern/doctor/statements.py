"""Reports accounts whose statement does not add up, and months that no worker has closed."""

from datetime import timedelta
from typing import Final

from db.session import Database
from postern.doctor.findings import Findings

_RECENT: Final = timedelta(days=40)
_LATE: Final = timedelta(hours=6)
_LISTED: Final = 3  # accounts that a finding names
_OPEN: Final = """
SELECT account_id, to_char(month, 'YYYY-MM') AS month FROM statements
WHERE state = 'open' AND made_at > now() - $1::interval ORDER BY made_at DESC
"""
_WAITING: Final = (
    "SELECT count(*) FROM statements WHERE made_at IS NULL AND created_at < now() - $1::interval"
)


async def look(findings: Findings, db: Database) -> None:
    """Checks the statements of the newest month."""
    if rows := await db.fetch(_OPEN, _RECENT):
        names = ", ".join(f"{row['account_id']} ({row['month']})" for row in rows[:_LISTED])
        more = f" and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
        findings.bad(
            "statement",
            f"{len(rows)} statements do not add up: {names}{more}",
            "Compare the balance with the sum of GET /accounts/{id}/ledger, and read docs/statements.md.",
        )
    if late := await db.fetchval(_WAITING, _LATE):
        findings.note(
            "statement",
            f"{late} statements have waited for more than six hours",
            "Start `postern worker`. If one is running, its log says why it can't make them.",
        )

"""Reports reconciliations and statements that do not add up, and those that no worker has made."""

from datetime import timedelta
from typing import Final, NamedTuple

from db.session import Database
from postern.doctor.findings import Findings

_LISTED: Final = 3  # documents that a finding names


class _Kind(NamedTuple):
    name: str
    recent: timedelta  # the time in which an open one is told
    late: timedelta  # the time after which one that waits is told
    late_text: str
    open: str  # reads the names of those that do not add up, the newest first
    whose: str
    advice: str


_KINDS: Final = (
    _Kind(
        "reconciliation",
        timedelta(days=30),
        timedelta(hours=1),
        "projects have waited for their reconciliation for more than an hour",
        # The newest of a project counts: a later one may add up.
        """
SELECT r.project_id || ' (number ' || r.number || ')' AS name FROM reconciliations AS r
WHERE r.state = 'open' AND r.made_at > now() - $1::interval AND NOT EXISTS (
  SELECT FROM reconciliations AS later WHERE later.project_id = r.project_id AND later.number > r.number
) ORDER BY r.made_at DESC
""",
        "projects",
        "Read `differences` in GET /sending-project/{uuid}/reconciliation, and docs/reconciliation.md, 'Open'.",
    ),
    _Kind(
        "statement",
        timedelta(days=40),
        timedelta(hours=6),
        "statements have waited for more than six hours",
        """
SELECT account_id || ' (' || to_char(month, 'YYYY-MM') || ')' AS name FROM statements
WHERE state = 'open' AND made_at > now() - $1::interval ORDER BY made_at DESC
""",
        "statements",
        "Compare the balance with the sum of GET /accounts/{id}/ledger, and read docs/statements.md.",
    ),
)
_WAITING: Final = "SELECT count(*) FROM {kind}s WHERE made_at IS NULL AND created_at < now() - $1::interval"


async def look(findings: Findings, db: Database) -> None:
    """Checks what was signed in the last weeks, and what waits for it."""
    for kind in _KINDS:
        if rows := await db.fetch(kind.open, kind.recent):
            names = ", ".join(row["name"] for row in rows[:_LISTED])
            more = f" and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
            findings.bad(kind.name, f"{len(rows)} {kind.whose} do not add up: {names}{more}", kind.advice)
        if late := await db.fetchval(_WAITING.format(kind=kind.name), kind.late):
            findings.note(
                kind.name,
                f"{late} {kind.late_text}",
                "Start `postern worker`. If one is running, its log says why it can't make them.",
            )

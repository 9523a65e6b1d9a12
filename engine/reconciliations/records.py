"""Reads what the database says of a project beside its records, in the snapshot in which these are counted."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import asyncpg

from engine.reconciliations.plans import Plan, plan_of

_LONG: Final = 600.0  # seconds that a count of millions of rows may take
_PROJECT = """
SELECT p.id, p.owner_id, p.name, p.channel, p.category, p.status, p.started_at, p.finished_at, p.prepared_to,
  p.messages_deleted_at, p.account_id, a.currency, (SELECT id FROM installation) AS installation_id
FROM sending_projects AS p LEFT JOIN accounts AS a ON a.id = p.account_id WHERE p.id = $1
"""
_STATES: Final = (
    "total", "queued", "sending", "sent", "delivered", "read", "failed", "skipped", "unknown", "canceled",
)  # fmt: skip
_COUNTERS = f"""
SELECT {", ".join(f"COALESCE(sum({state}), 0)::int8 AS {state}" for state in _STATES)}
FROM sending_counters WHERE project_id = $1
"""  # noqa: S608  our own words
_FAILURES = """
SELECT code, sum(count)::int8 AS count FROM failure_counters WHERE project_id = $1 GROUP BY code HAVING sum(count) <> 0
"""
_LEDGER = """
SELECT COALESCE(-sum(amount) FILTER (WHERE kind = 'charge'), 0) AS charged,
  COALESCE(sum(amount) FILTER (WHERE kind <> 'charge'), 0) AS refunded
FROM ledger_entries WHERE project_id = $1
"""
_OWED = "SELECT COALESCE(sum(amount), 0) FROM account_debts WHERE project_id = $1"
_RECIPIENTS = """
SELECT count(*) FILTER (WHERE r.seq <= $2) AS missing, count(*) FILTER (WHERE r.seq > $2) AS added_since
FROM recipients AS r WHERE r.project_id = $1 AND NOT EXISTS (
  SELECT FROM message_records AS m WHERE m.project_id = $1 AND m.recipient_id = r.id AND m.direction = 'outbound'
)
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Holds what is compared with the sums of the records."""

    project: Any
    counters: dict[str, int]
    failures: dict[str, int]
    charged: Decimal
    refunded: Decimal
    owed: Decimal  # charges that the account could not pay yet
    missing: int  # recipients without a message, whom the project should have written to
    added_since: int  # recipients who wait for the next start
    plan: Plan | None

    def is_of(self, finished_at: datetime) -> bool:
        """Returns whether the project is at this end: it was not started again, and its messages are there."""
        project = self.project
        return bool(
            project["status"] == "finished"
            and project["finished_at"] == finished_at
            and project["messages_deleted_at"] is None
        )


async def recorded(db: asyncpg.Connection, project: UUID) -> Recorded | None:
    """Reads what the database says of a project, in the caller's snapshot; None: there is no such project."""
    row = await db.fetchrow(_PROJECT, project)
    if row is None:
        return None
    counters: Any = await db.fetchrow(_COUNTERS, project)
    failures = await db.fetch(_FAILURES, project)
    money: Any = await db.fetchrow(_LEDGER, project, timeout=_LONG)
    recipients: Any = await db.fetchrow(_RECIPIENTS, project, row["prepared_to"], timeout=_LONG)
    return Recorded(
        row,
        dict(counters.items()),
        {each["code"]: each["count"] for each in failures},
        money["charged"],
        money["refunded"],
        await db.fetchval(_OWED, project),
        recipients["missing"],
        recipients["added_since"],
        await plan_of(db, project),
    )

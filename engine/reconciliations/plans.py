"""Reads what was planned and approved before a project began; a document shows it beside what became of it."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from core.json_text import instant

_PLAN = """
SELECT l.number, l.hash, l.document -> 'limits' AS limits,
  p.audience IS NULL AND l.project_id = p.id AS is_list, l.created_at, l.made_by,
  a.asked_by, a.decided_by, a.decided_at
FROM sending_projects AS p JOIN project_plans AS l ON l.id = p.plan_id
-- One that was given stays so in the document, also if the project was changed after its end.
LEFT JOIN LATERAL (
  SELECT asked_by, decided_by, decided_at FROM project_approvals AS a
  WHERE a.plan_id = l.id AND a.decided_by IS NOT NULL AND a.state IN ('approved', 'void') ORDER BY a.id DESC LIMIT 1
) AS a ON true
WHERE p.id = $1
"""


class Plan(NamedTuple):
    """The plan that a project began with."""

    document: dict[
        str, Any
    ]  # its number, hash and numbers, and who approved it: texts, integers and lists of those
    late_after: datetime | None  # recipients who were added later are `late`; None: that can't be told


async def plan_of(connection: asyncpg.Connection, project: UUID) -> Plan | None:
    """Returns the plan of a project, or None if it began without one.

    The recipients of an audience of topics are made at the start, and those of a run after the plan of the run before,
    so that their time tells nothing.
    """
    row = await connection.fetchrow(_PLAN, project)
    if row is None:
        return None
    approval = row["decided_by"] and {
        "askedBy": row["asked_by"] and str(row["asked_by"]),
        "decidedBy": str(row["decided_by"]),
        "decidedAt": instant(row["decided_at"], "microseconds"),
    }
    document = {
        "number": row["number"],
        "hash": row["hash"],
        "madeBy": row["made_by"] and str(row["made_by"]),
        "madeAt": instant(row["created_at"], "microseconds"),
        "recipients": row["limits"]["recipients"],
        "atMostRecipients": row["limits"]["atMostRecipients"],
        "atMost": row["limits"]["atMost"],
        "currency": row["limits"]["currency"],
        "approval": approval,
    }
    return Plan(document, row["created_at"] if row["is_list"] else None)

"""Has messages of projects that wait for a limit looked at again, when the limit has changed."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from engine.projects import jobs

# Messages that wait for a cap, a route or a receiver say so in their failure code.
_DUE: Final = """
WITH due AS (
  UPDATE sending_units AS u SET due_at = now() + $4 FROM sending_projects AS p
  WHERE p.status IN ('running', 'paused') AND p.channel = $3 AND ($1::uuid IS NULL OR p.owner_id = $1)
    AND u.project_id = p.id AND u.claim_id IS NULL AND u.due_at > now() + $4 AND NOT u.for_window
    AND EXISTS (SELECT FROM message_records AS m
      WHERE m.unit_id = u.id AND m.status = 'queued' AND m.failure_code = $2)
  RETURNING u.project_id
)
SELECT DISTINCT project_id FROM due
"""


async def make_due(
    db: Any, owner: UUID | None, code: str, channel: str = "sms", delay: timedelta = timedelta()
) -> None:
    """Has messages of projects that wait with a failure code looked at again at once, or after `delay`, of one owner or
    of all.
    """
    projects = [row["project_id"] for row in await db.fetch(_DUE, owner, code, channel, delay)]
    if projects:
        await jobs.hasten_cycles(db, projects)

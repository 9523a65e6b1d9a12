"""Tells how far a running project is: finished, waiting for its window, or with a batch that is due."""

from typing import Any
from uuid import UUID

import asyncpg

from core import change_events
from db.session import Database
from engine.jobs import JobName, enqueue
from engine.projects import jobs

_WINDOW_CHANGED = """
UPDATE sending_units SET due_at = now(), for_window = false
WHERE project_id = $1 AND for_window AND claim_id IS NULL AND due_at > now()
"""


# A project says that it waits for its window when that is all it waits for.
_CLOSED = """
WITH kept AS (
  SELECT bool_and(for_window AND claim_id IS NULL AND due_at > now()) AS closed, min(due_at) AS opens
  FROM sending_units WHERE project_id = $1
), says AS (
  SELECT CASE WHEN closed THEN 'window_closed' END AS reason, CASE WHEN closed THEN opens END AS opens FROM kept
)
UPDATE sending_projects SET status_reason = says.reason, resume_at = says.opens, updated_at = now() FROM says
WHERE id = $1 AND status = 'running' AND preparation IS NULL
  AND (status_reason IS NULL OR status_reason = 'window_closed')
  AND (status_reason IS DISTINCT FROM says.reason OR resume_at IS DISTINCT FROM says.opens)
RETURNING owner_id
"""


_NOT_CLOSED = """
UPDATE sending_projects SET status_reason = NULL, resume_at = NULL WHERE id = $1 AND status_reason = 'window_closed'
"""


# Its reconciliation is asked for in the same statement. One that still waits is about this end then.
_FINISH = """
WITH finished AS (
  UPDATE sending_projects SET status = 'finished', status_reason = NULL, resume_at = NULL, finished_at = now(),
    updated_at = now()
  WHERE id = $1 AND status = 'running' AND preparation IS NULL AND recipients_pending = 0 AND follow_due_at IS NULL
    AND NOT EXISTS (SELECT FROM sending_units WHERE project_id = $1)
  RETURNING id, owner_id, finished_at
), reconciled AS (
  INSERT INTO reconciliations (id, owner_id, project_id, kind, project_finished_at)
  SELECT postern_uuid7(), owner_id, id, 'finished', finished_at FROM finished
  ON CONFLICT (project_id) WHERE made_at IS NULL DO UPDATE SET kind = EXCLUDED.kind,
    project_finished_at = EXCLUDED.project_finished_at, begun_at = NULL, seed = NULL
)
SELECT owner_id FROM finished
"""


_NEXT = """
SELECT count(*) FILTER (WHERE due_at <= now()) AS due, EXTRACT(epoch FROM min(due_at) - now())::float8 AS wait
FROM sending_units WHERE project_id = $1 AND claim_id IS NULL
"""


async def window_or_rate_changed(db: asyncpg.Connection | Any, project: UUID) -> None:
    """Considers again at once the messages that the old window or rate deferred, in the caller's transaction, which has
    locked the project.
    """
    await db.execute(_WINDOW_CHANGED, project)
    await db.execute(_NOT_CLOSED, project)
    await jobs.hasten_cycles(db, [project])
    await jobs.enqueue_cycle(db, project)


async def finish(db: Database, project: UUID) -> bool:
    """Finishes a running project that has nothing left to send or to learn. Call it after the commit that may have
    settled its last batch: of two that do so at once, the later one sees it.
    """
    owner = await db.fetchval(_FINISH, project)
    if owner is not None:
        change_events.project(owner, project)
        async with db.reading() as connection:  # a round finds the row without this job, too
            await enqueue(connection, JobName.reconcile, project, unless_queued=True)
    return owner is not None


async def say_whether_closed(db: Database, project: UUID) -> None:
    """Stores on a running project whether all its messages wait for their window, and when the earliest opens."""
    owner = await db.fetchval(_CLOSED, project)
    if owner is not None:
        change_events.project(owner, project)


async def waiting(db: Database, project: UUID) -> tuple[int, float | None]:
    """Returns how many batches are due, and in how many seconds the next one is."""
    row = await db.fetchrow(_NEXT, project)
    return row["due"], row["wait"]

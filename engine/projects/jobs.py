"""Jobs of projects: how many visits of one project wait or run at once.

A visit is a job that sends units of one project for about two seconds and then goes to the end of the line,
if there is more to do. So a project of a million waits its turn behind a project of ten, and no project has
more than `MOST_CYCLES` visits in the line.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from engine.jobs import JobName, enqueue

MOST_CYCLES = 4

_OPEN = """
WITH job AS (
  INSERT INTO pgqueuer (priority, entrypoint, payload, execute_after, status)
  SELECT 0, $1, convert_to($2, 'UTF8'), now(), 'queued'
  FROM generate_series(1, LEAST($3, $4 - (
    SELECT count(*) FROM pgqueuer WHERE entrypoint = $1 AND payload = convert_to($2, 'UTF8')
      AND status IN ('queued', 'picked') AND execute_after <= clock_timestamp()
  )))
  RETURNING id, priority, entrypoint, status
)
INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
SELECT id, status, entrypoint, priority FROM job
"""


async def enqueue_cycles(db: Any, project: UUID, most: int = MOST_CYCLES, *, leaving: bool = False) -> None:
    """Queues `most` further cycles of the project, up to `MOST_CYCLES` in all. `leaving`: the caller's own cycle is ending."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock(hashtextextended('lanes:' || $1, 0))", str(project))
        await db.execute(_OPEN, JobName.run_project.value, str(project), most, MOST_CYCLES + leaving)


async def enqueue_cycle(db: Any, project: UUID, delay: timedelta) -> None:
    """Queues a cycle that starts after `delay`, unless one is queued already."""
    await enqueue(db, JobName.run_project, project, delay=delay, unless_queued=True)


async def prepare(db: Any, project: UUID) -> None:
    await enqueue(db, JobName.prepare_project, project)

"""Jobs of projects.

A job wakes a project in one worker, which then sends its due messages; every worker also looks each second for running
projects that have due batches (scheduler.py), so any number of workers help one project, and a lost job costs a second.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from engine.jobs import JobName, enqueue

_LATE = """
DELETE FROM pgqueuer WHERE entrypoint = $1 AND status = 'queued' AND execute_after > now()
  AND payload IN (SELECT convert_to(project, 'UTF8') FROM unnest($2::text[]) AS project)
"""


ALL_WAIT = 1
"""The priority of a job until which all of a project waits, as for its rate: no worker helps the project until then.
Other jobs for later wake it for messages that wait alone, such as those for a retry or a receiver.
"""


async def enqueue_cycle(
    db: Any, project: UUID, delay: timedelta = timedelta(), *, all_wait: bool = False
) -> None:
    """Wakes the project after `delay`, unless a job that does so by then is queued already.

    `all_wait`: nothing of it is sent until then.
    """
    priority = ALL_WAIT if all_wait else 0
    await enqueue(db, JobName.run_project, project, delay=delay, unless_queued=True, priority=priority)


async def hasten_cycles(db: Any, projects: Sequence[UUID]) -> None:
    """Removes the jobs that would wake these projects later: the rate by which they wait has changed.

    Every worker then finds their due messages within a second or two.
    """
    await db.execute(_LATE, JobName.run_project.value, [str(project) for project in projects])


async def prepare(db: Any, project: UUID) -> None:
    """Queues the work that makes messages of the project's recipients."""
    await enqueue(db, JobName.prepare_project, project)

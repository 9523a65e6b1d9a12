"""Jobs of projects.

A job wakes a project in one worker, which then sends what is due; every worker also looks each second for running
projects that have due batches (scheduler.py), so any number of workers help one project, and a lost job costs a second.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from engine.jobs import JobName, enqueue


async def enqueue_cycle(db: Any, project: UUID, delay: timedelta = timedelta()) -> None:
    """Wakes the project after `delay`, unless a job that does so by then is queued already."""
    await enqueue(db, JobName.run_project, project, delay=delay, unless_queued=True)


async def prepare(db: Any, project: UUID) -> None:
    """Queues the work that makes messages of the project's recipients."""
    await enqueue(db, JobName.prepare_project, project)

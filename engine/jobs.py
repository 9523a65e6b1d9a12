"""Background work beside the drains: jobs by name, and what comes round every few seconds.

A job is a wake-up: what is to be done stands in rows, and doing it twice, or by two workers, does no harm. A
job that fails is gone; a `every` function finds the row that was left and wakes it again.
"""

import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

import asyncpg

from postern.services import Services

Work = Callable[[Services, UUID], Awaitable[None]]
Round = Callable[[Services], Awaitable[None]]
Group = Literal["preparing", "projects", "jobs", "webhooks"]
"""Each group of a worker takes so many jobs at once as its slots allow; see engine/worker.py."""


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    group: Group
    work: Work


@dataclass(frozen=True, slots=True)
class Every:
    seconds: float
    work: Round


JOBS: dict[str, Job] = {}
ROUNDS: list[Every] = []


def job(name: str, group: Group = "jobs") -> Callable[[Work], Work]:
    """Registers what a worker does for jobs of this name; the job names a row."""

    def register(work: Work) -> Work:
        @functools.wraps(work)
        async def told(services: Services, row: UUID) -> None:
            with services.news.noting():
                await work(services, row)

        JOBS[name] = Job(name, group, told)
        return work

    return register


def every(seconds: float) -> Callable[[Round], Round]:
    """Registers what each worker does every so often; it must bear to be done by all of them at once."""

    def register(work: Round) -> Round:
        @functools.wraps(work)
        async def told(services: Services) -> None:
            with services.news.noting():
                await work(services)

        ROUNDS.append(Every(seconds, told))
        return work

    return register


_ENQUEUE = """
WITH job AS (
  INSERT INTO pgqueuer (priority, entrypoint, payload, execute_after, status)
  SELECT 0, $1, convert_to($2, 'UTF8'), now() + $3, 'queued'
  WHERE NOT ($4 AND EXISTS (
    SELECT FROM pgqueuer WHERE entrypoint = $1 AND payload = convert_to($2, 'UTF8') AND status = 'queued'
      AND execute_after <= now() + $3
  ))
  RETURNING id, priority, entrypoint, status
)
INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
SELECT id, status, entrypoint, priority FROM job
"""


async def enqueue(
    connection: asyncpg.Connection | Any,
    name: str,
    row: UUID,
    *,
    delay: timedelta = timedelta(),
    unless_queued: bool = False,
) -> None:
    """A job in the transaction of this connection (`db.session.driver_connection` gives a session's).

    `unless_queued`: not when one for the same row waits already. Only for work that a round finds again: that
    job may begin before the caller commits.
    """
    await connection.execute(_ENQUEUE, name, str(row), delay, unless_queued)

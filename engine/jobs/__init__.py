"""Registers background work: jobs by name, and periodic rounds.

an operation ── same transaction ──► enqueue ── engine/worker.py ──► a job: its work, or the next piece of fair_queue
a worker ── every few seconds ──► a round: what is due, and what a lost job left ──► enqueue

A job is a wake-up: its work is defined by rows, and doing it twice, or in two workers, is harmless. A job that fails is
gone; an `every` function finds the row that was left and queues it again.
"""

import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

import asyncpg

from runtime.services import Services

Work = Callable[[Services, UUID], Awaitable[None]]
Round = Callable[[Services], Awaitable[None]]
Group = Literal["preparing", "projects", "jobs", "imports", "exports", "webhooks"]
"""Each group has slots of its own in a worker; see engine/worker.py."""


class JobName(StrEnum):
    """The names of all jobs that name a row. Jobs in flight carry a name, so it never changes.

    The jobs that send messages have a name for each channel: `engine.queue.drain`.
    """

    prepare_project = "projects.prepare"
    run_project = "projects.visit"
    read_audience = "projects.audience"
    follow_project = "projects.follow"
    enter_series = "series.enter"
    step_series = "series.step"
    copy_project = "repeatable.copy"
    add_recipients = "recipients.add"
    read_import = "imports.read"
    write_export = "exports.write"
    compare_invoice = "invoices.compare"
    reconcile = "reconciliations.make"
    make_statement = "statements.make"
    erase_person = "persons.erase"
    delete_file = "files.delete"
    deliver_webhooks = "webhooks.deliver"
    apply_early = "messengers.early"
    confirm_read = "messengers.read"
    mail_password = "passwords.mail"
    mail_notice = "users.notice"


@dataclass(frozen=True, slots=True)
class Job:
    """A registered job."""

    name: str
    group: Group
    work: Work
    detached: bool = False


@dataclass(frozen=True, slots=True)
class Every:
    """A registered periodic round."""

    seconds: float
    work: Round
    due: str | None = None
    pending: Callable[[Services], bool] | None = None


JOBS: dict[str, Job] = {}
ROUNDS: list[Every] = []


def job(name: JobName, group: Group = "jobs", *, detached: bool = False) -> Callable[[Work], Work]:
    """Registers the function for jobs of this name; a job names a row.

    `detached`: the job ends as soon as its work has begun, which has limits of its own and is found again by a round.
    """

    def register(work: Work) -> Work:
        @functools.wraps(work)
        async def wrapped(services: Services, row: UUID) -> None:
            with services.change_events.emitting():
                await work(services, row)

        JOBS[name.value] = Job(name.value, group, wrapped, detached)
        return work

    return register


def every(
    seconds: float, *, due: str | None = None, pending: Callable[[Services], bool] | None = None
) -> Callable[[Round], Round]:
    """Registers a function that each worker runs periodically; it must be safe to run in all workers at once.

    `due`: an SQL condition, answered by an index, without which there is nothing to do. A worker asks all conditions of
    one period by one statement, so that an idle worker asks the database once where it would run a round for each.
    `pending` returns whether this process has something for the round, whatever the database says.
    """

    def register(work: Round) -> Round:
        @functools.wraps(work)
        async def wrapped(services: Services) -> None:
            with services.change_events.emitting():
                await work(services)

        ROUNDS.append(Every(seconds, wrapped, due, pending))
        return work

    return register


_ENQUEUE = """
WITH job AS (
  INSERT INTO pgqueuer (priority, entrypoint, payload, execute_after, status)
  SELECT $5, $1, convert_to($2, 'UTF8'), now() + $3, 'queued'
  WHERE NOT ($4 AND EXISTS (
    SELECT FROM pgqueuer WHERE entrypoint = $1 AND payload = convert_to($2, 'UTF8') AND status = 'queued'
      AND execute_after <= now() + $3 + LEAST($3 / 10, interval '5 seconds')
  ))
  RETURNING id, priority, entrypoint, status
)
INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority)
SELECT id, status, entrypoint, priority FROM job
"""


async def enqueue(
    connection: asyncpg.Connection | Any,
    name: JobName,
    row: UUID,
    *,
    delay: timedelta = timedelta(),
    unless_queued: bool = False,
    priority: int = 0,
) -> None:
    """Queues a job in the transaction of this connection (`db.session.driver_connection` returns a session's).

    `unless_queued`: not if a job for the same row waits already, for the same time or a little later. Only for work
    that a round finds again: the waiting job may start before the caller commits. `priority`: of jobs that are due,
    those with a higher one are begun first.
    """
    await connection.execute(_ENQUEUE, name.value, str(row), delay, unless_queued, priority)

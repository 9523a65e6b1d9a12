"""Looks regularly for projects that are due, causes of pauses that have gone, and work that a dead worker left."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from core import change_events
from core.errors import AppError
from engine.jobs import JobName, every
from engine.projects import batch_recovery, jobs, progress, project_moves
from engine.projects.approvals import starts
from engine.projects.context import allowed
from engine.projects.cycle import runner_of
from engine.sms.route_rules import routing_of
from runtime.services import Services
from shapes.pauses import PauseReason

log = structlog.get_logger("postern.projects")

_BITE = 50

_DUE = """
SELECT id, start_at < now() - start_within_seconds * interval '1 second' AS missed,
  (SELECT l.hash FROM project_plans AS l WHERE l.id = p.plan_id AND l.project_id = p.id) AS plan_hash
FROM sending_projects AS p WHERE status = 'scheduled' AND start_at <= now()
ORDER BY start_at LIMIT $1 FOR UPDATE SKIP LOCKED
"""
_PAUSED = """
SELECT p.id, p.owner_id, p.status_reason, p.channel, p.account_uuids, p.price_version_id, p.resume_balance,
  a.balance, a.currency, t.prices,
  t.channels, t.messages_per_day, u.status AS owner_status, a.owner_id = p.owner_id AS pays,
  COALESCE((SELECT messages FROM tariff_usage WHERE user_id = p.owner_id AND day = (now() AT TIME ZONE 'UTC')::date), 0)
    AS used,
  EXISTS (SELECT FROM source_accounts WHERE id = ANY(p.account_uuids) AND status = 'connected') AS online
FROM sending_projects AS p
JOIN accounts AS a ON a.id = p.account_id
JOIN users AS u ON u.id = p.owner_id
JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.status = 'paused' AND p.resume_at <= now()
ORDER BY p.resume_at LIMIT $1 FOR UPDATE OF p SKIP LOCKED
"""
_RESUME = """
UPDATE sending_projects SET status = 'running', resume_at = NULL, updated_at = now(),
  status_reason = CASE WHEN recipients_pending > 0 THEN 'recipients_pending' END
WHERE id = $1
"""
_LATER = "UPDATE sending_projects SET resume_at = now() + interval '1 second' WHERE id = $1"

_IDLE = f"""
SELECT * FROM (
  SELECT p.id,
    p.recipients_pending = 0 AND EXISTS (
      SELECT FROM sending_units WHERE project_id = p.id AND claim_id IS NULL AND due_at <= now() - interval '2 seconds'
    ) AND NOT EXISTS (  -- a visit that will come when the project may send again
      SELECT FROM pgqueuer WHERE payload = convert_to(p.id::text, 'UTF8') AND status = 'queued'
        AND entrypoint = '{JobName.run_project}' AND execute_after > now()
          AND execute_after < now() + interval '1 minute'
    ) AS due,
    p.preparation IS NULL AND p.recipients_pending = 0 AND p.follow_due_at IS NULL
      AND NOT EXISTS (SELECT FROM sending_units WHERE project_id = p.id) AS empty
  FROM sending_projects AS p
  WHERE p.status = 'running'
) AS p WHERE due OR empty
"""  # noqa: S608  our own names


@every(1, due="EXISTS (SELECT FROM sending_projects WHERE status = 'scheduled' AND start_at <= now())")
async def start_scheduled(services: Services) -> None:
    """Moves projects from `scheduled` to `running` at their `startAt`, or to `stopped` if that is too long ago."""
    async with services.db.transaction() as db:
        for row in await db.fetch(_DUE, _BITE):
            if row["missed"]:
                await project_moves.miss_start(db, row["id"], PauseReason.missed_start)
                log.warning("a project could not be started in time", project=str(row["id"]))
                continue
            try:
                plan = await starts.obey(db, row["id"], at=None, plan_hash=row["plan_hash"])
            except AppError as refused:
                if refused.code == "still_copying":
                    continue  # the next round tries again
                await project_moves.miss_start(db, row["id"], PauseReason.approval_expired)
                log.warning("a project lacks an approval", project=str(row["id"]), reason=refused.message)
                continue
            await project_moves.begin(db, row["id"], plan)
            log.info("project started by its time", project=str(row["id"]))


@every(1, due="EXISTS (SELECT FROM sending_projects WHERE status = 'paused' AND resume_at <= now())")
async def resume_paused(services: Services) -> None:
    """Moves projects from `paused` to `running` when the cause has gone."""
    is_free = (await services.choices.now()).is_free
    async with services.db.transaction() as db:
        for row in await db.fetch(_PAUSED, _BITE):
            if gone(row, is_free=is_free):
                await resume(db, row["id"])
                change_events.project(row["owner_id"], row["id"])
                log.info("project goes on", project=str(row["id"]), reason=row["status_reason"])
            else:
                await db.execute(_LATER, row["id"])


def gone(row: Any, *, is_free: bool) -> bool:
    """Returns whether the cause of its pause is gone. Credentials can only be tried. `is_free`: billing is off."""
    reason = PauseReason(row["status_reason"])
    if row["owner_status"] != "active":
        return False
    if reason is PauseReason.no_sender_online:
        return row["online"] or not row["account_uuids"]
    if reason is PauseReason.balance_used_up:
        least = row["resume_balance"]
        if least is None:  # it was paused before that was stored
            least = Decimal(str(row["prices"].get(row["currency"], {}).get(row["channel"], 0)))
        return bool(row["pays"] and (is_free or row["balance"] >= least))
    if reason is PauseReason.tariff_used_up:
        return row["used"] < row["messages_per_day"] and allowed(row, is_free=is_free)
    return True


async def resume(db: asyncpg.Connection, project: UUID) -> None:
    await db.execute(_RESUME, project)
    await jobs.prepare(db, project)  # if it was paused while its audience was being frozen
    await jobs.enqueue_cycle(db, project)


@every(1, due="EXISTS (SELECT FROM sending_units WHERE claim_id IS NOT NULL AND expires_at < now())")
async def recover_batches(services: Services) -> None:
    """Recovers the batches of workers that are gone."""
    await routing_of(services).load()  # else it is not known which routes honor keys
    while True:
        async with services.db.reading() as db:
            projects, queued, unknown = await batch_recovery.recover(db, services.routes.idempotent())
        if not projects:
            return
        log.warning(
            "recovered a dead worker's batches", projects=len(projects), queued=queued, unknown=unknown
        )


_UNCLAIMED = f"""
SELECT p.id FROM sending_projects AS p
WHERE p.status = 'running' AND p.recipients_pending = 0 AND EXISTS (
  SELECT FROM sending_units WHERE project_id = p.id AND claim_id IS NULL AND due_at <= now() - interval '0.5 seconds'
) AND NOT EXISTS (  -- it will be woken when it may send again
  SELECT FROM pgqueuer WHERE payload = convert_to(p.id::text, 'UTF8') AND status = 'queued'
    AND entrypoint = '{JobName.run_project}' AND execute_after > now() AND priority = {jobs.ALL_WAIT}
) LIMIT 100
"""  # noqa: S608  our own names


@every(1, due="EXISTS (SELECT FROM sending_projects WHERE status = 'running')")
async def help_projects(services: Services) -> None:
    """Sends due messages of projects that another worker has not claimed: any number of workers help one project."""
    runner = runner_of(services)
    for row in await services.db.fetch(_UNCLAIMED):
        runner.start(row["id"])


@every(5, due="EXISTS (SELECT FROM sending_projects WHERE status = 'running')")
async def wake_projects(services: Services) -> None:
    """Queues a cycle for running projects with work and no job: after a crash between two steps, or a wiped table of
    jobs.
    """
    for row in await services.db.fetch(_IDLE):
        async with services.db.reading() as db:
            if row["due"]:
                await jobs.enqueue_cycle(db, row["id"])
        if row["empty"]:
            await progress.finish(services.db, row["id"])

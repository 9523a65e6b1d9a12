"""The scheduler of Repeatable Sending Projects: a firing makes a Sending Project, copies its audience and starts it.

    due row ── one transaction ──► project (draft) + firing + job; runs, last_run_at, next_run_at
                                        │
              repeatable.copy: recipients, chunk by chunk, each a transaction that moves `copied_to`;
                               after the last one the project is begun, and the firing is gone

(repeatable_uuid, fire_at) is unique: with any number of workers a firing makes one project. A crash between two steps
leaves a row that names the next one.
"""

import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import asyncpg
import structlog
from pydantic import ValidationError

from core.errors import AppError, NotFound, Unavailable
from core.ids import uuid7
from engine.jobs import JobName, enqueue, every
from engine.jobs.fair_queue import fairly
from engine.projects import project_moves
from engine.projects.approvals import starts
from engine.projects.repeatable_states import move
from engine.projects.schedules import SECONDS
from engine.tariffs import check_recipients
from runtime.database_errors import retryable, translate
from runtime.leases import JobLease
from runtime.render_pool import RenderPool, TooComplex
from runtime.services import Services
from shapes.imports import ImportStatus
from shapes.repeatable import Misfire, ProjectTemplate, RepeatableStatus, Schedule, Source

log = structlog.get_logger("postern.repeatable")

GRACE = timedelta(minutes=10)
"""A firing that is later than this was missed, and the schedule's `misfire` decides whether it runs."""

CHUNK = 5000
Step = Callable[[Services, asyncpg.Connection, UUID], Awaitable["Step | None"]]
_BUDGET_SECONDS = 1.0  # seconds of copying until others have their turn
_UNTIL_READ = timedelta(seconds=5)  # after which a copy looks again whether its import has been read
_BITE = 100  # firings per round, so that a backlog does not delay the round's other work

# Schedules of a suspended owner do not run; runs missed meanwhile count as missed when the owner is active again.
_DUE = """
SELECT r.*, now() AS now FROM repeatable_projects AS r JOIN users AS u ON u.id = r.owner_id
WHERE r.status = 'active' AND r.next_run_at <= now() AND r.deleted_at IS NULL AND u.status = 'active'
ORDER BY r.next_run_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED
"""
_FIRED = """
UPDATE repeatable_projects SET status = $2, next_run_at = $3, runs = runs + $4::int, last_error = $5,
  last_run_at = CASE WHEN $4::int = 1 THEN now() ELSE last_run_at END, updated_at = now()
WHERE id = $1
"""
# Locked against the retention until the firing is there.
_IMPORT = "SELECT status FROM recipient_imports WHERE id = $1 AND owner_id = $2 FOR SHARE"
_PROJECT = """
SELECT status <> 'deleted' AND messages_deleted_at IS NULL AND audience IS NULL FROM sending_projects
WHERE id = $1 AND owner_id = $2 FOR SHARE
"""
_ACCOUNT = """
SELECT id FROM accounts WHERE owner_id = $1 AND ($2::uuid IS NULL OR id = $2) ORDER BY id LIMIT 1
"""
_FIRING = "INSERT INTO repeatable_firings (project_id, repeatable_id, source) VALUES ($1, $2, $3)"

_LOCK = """
SELECT f.repeatable_id, f.source, f.copied_to, p.owner_id, p.status
FROM repeatable_firings AS f JOIN sending_projects AS p ON p.id = f.project_id
WHERE f.project_id = $1 FOR NO KEY UPDATE SKIP LOCKED
"""
_IMPORT_ROWS = """
SELECT line AS place, address, address_key, name, COALESCE(variables, '{}'::jsonb) AS variables, timezone
  FROM import_rows
WHERE import_id = $2 AND line > $3 AND address IS NOT NULL AND error_code IS NULL ORDER BY line LIMIT $5
"""
_RECIPIENTS = """
SELECT seq AS place, address, address_key, name, variables, timezone FROM recipients
WHERE project_id = $2 AND seq > $3 ORDER BY seq LIMIT $5
"""
_COPIED = """
WITH chunk AS MATERIALIZED ({rows}), added AS (
  INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone)
  SELECT ($4::uuid[])[row_number() OVER (ORDER BY place)], $1, address, address_key, name, variables, timezone
  FROM chunk ORDER BY place
  ON CONFLICT DO NOTHING
)
SELECT count(*) AS rows, max(place) AS last FROM chunk
"""
_FROM_IMPORT, _FROM_PROJECT = (_COPIED.format(rows=rows) for rows in (_IMPORT_ROWS, _RECIPIENTS))
_SAVE_PROGRESS = "UPDATE repeatable_firings SET copied_to = $2 WHERE project_id = $1"
_LOCK_OWNER = """
SELECT FROM users WHERE id = (SELECT owner_id FROM sending_projects WHERE id = $1) FOR NO KEY UPDATE
"""
_WAITING = """
SELECT p.owner_id, f.project_id AS id FROM repeatable_firings AS f JOIN sending_projects AS p ON p.id = f.project_id
"""
_IS_LEFT = "SELECT EXISTS (SELECT FROM repeatable_firings WHERE project_id = $1)"
_DONE = "DELETE FROM repeatable_firings WHERE project_id = $1"
_SAY = "UPDATE repeatable_projects SET last_error = $2 WHERE id = $1"


@every(1, due="EXISTS (SELECT FROM repeatable_projects WHERE status = 'active' AND next_run_at <= now())")
async def fire_due(services: Services) -> None:
    """Fires due schedules, one transaction per firing."""
    for _ in range(_BITE):
        if services.stopping.is_set():
            return
        async with services.db.transaction() as db:
            if not await fire_next(db, services.render_pool):
                return


async def fire_next(db: asyncpg.Connection, render_pool: RenderPool) -> bool:
    """Fires one due schedule in the caller's transaction. Returns False if none is due, or another worker has it."""
    row = await db.fetchrow(_DUE)
    if row is None:
        return False
    due, now = row["next_run_at"], row["now"]
    missed = now - due > GRACE
    status, error, made = row["status"], None, False
    try:
        schedule = Schedule.model_validate(row["schedule"])
        following = await _following(render_pool, row, now if missed else due)
    except ValueError as bad:  # it was valid when it was saved: for example a time zone was removed
        log.warning("a schedule can't be read any more", repeatable=str(row["id"]), error=str(bad)[:200])
        stopped = move(status, RepeatableStatus.stopped)
        await db.execute(_FIRED, row["id"], stopped, None, 0, f"The schedule can't be read: {bad}"[:500])
        return True
    if missed and schedule.misfire is Misfire.skip:
        error = (
            f"The run that was due at {due:%Y-%m-%dT%H:%M:%SZ} and all runs until {now:%Y-%m-%dT%H:%M:%SZ}"
            " were missed."
        )
    else:
        made, error = await _try(db, row, schedule, due)
    if following is None or (schedule.max_runs is not None and row["runs"] + made >= schedule.max_runs):
        status, following = move(status, RepeatableStatus.finished), None
    await db.execute(_FIRED, row["id"], status, following, int(made), error)
    log.info("a schedule fired", repeatable=str(row["id"]), due=due.isoformat(), made=made, missed=missed)
    return True


async def _following(render_pool: RenderPool, row: Any, after: datetime) -> datetime | None:
    """Returns the next firing. Raises ValueError when the schedule can't be read, or takes too long."""
    arguments = {"schedule": row["schedule"], "after": after.isoformat()}
    try:
        answer = await render_pool.run(row["owner_id"], "next_firing", arguments, seconds=SECONDS)
    except TooComplex:
        raise ValueError("it takes too long to find the next run") from None
    if "bad" in answer:
        raise ValueError(answer["bad"])
    return answer["next"] and datetime.fromisoformat(answer["next"])


async def _try(
    db: asyncpg.Connection, row: Any, schedule: Schedule, due: datetime
) -> tuple[bool, str | None]:
    """Returns whether a project was made, and the error. A firing that fails does not stop the schedule."""
    try:
        async with db.transaction():
            return await make(db, row, schedule, due), None
    except Exception as error:
        return False, _error_text(error, row["id"])


def _error_text(error: Exception, repeatable: UUID) -> str:
    """Returns the text of `lastError`. Raises the error again during an outage: the next round tries again."""
    translated = error if isinstance(error, AppError) else translate(error)
    if retryable(error) or isinstance(translated, Unavailable):
        raise error
    if translated is None and isinstance(error, ValidationError):
        wrong = error.errors(include_input=False, include_url=False)[0]
        return f"No longer valid: {'.'.join(map(str, wrong['loc']))}: {wrong['msg']}"[:500]
    if translated is None:
        log.error("a firing failed", repeatable=str(repeatable), exc_info=error)
        return "The run failed unexpectedly. The operator finds the error in the log."
    return translated.message[:500]


async def make(db: asyncpg.Connection, row: Any, schedule: Schedule, due: datetime) -> bool:
    """Makes the project of one firing; its audience is copied later. Returns False if it was made before.

    Raises AppError when something that it names is gone, pydantic's error when the template is no longer valid.
    """
    template, source = ProjectTemplate.model_validate(row["template"]), Source.model_validate(row["source"])
    await _source(db, source, row["owner_id"])
    account = await db.fetchval(_ACCOUNT, row["owner_id"], template.account_id)
    if account is None:
        raise NotFound(
            "There is no account with this id to pay from. Choose one of yours.", code="account_not_found"
        )
    at = due.astimezone(ZoneInfo(schedule.timezone))
    values = {
        **project_moves.columns_of(template),
        "template_id": template.template_id,
        "template_version": template.template_version,
        "template_locale": template.template_locale,
        "id": uuid7(),
        "owner_id": row["owner_id"],
        "account_id": account,
        "name": f"{row['name'][:100]} {at:%Y-%m-%d %H:%M}",
        "repeatable_uuid": row["id"],
        "fire_at": due,
        "audience": source.audience and source.audience.model_dump(mode="json", by_alias=True),
    }
    names = ", ".join(f'"{name}"' for name in values)
    placeholders = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    project = await db.fetchval(
        f"INSERT INTO sending_projects ({names}) VALUES ({placeholders})"  # noqa: S608  our own words
        " ON CONFLICT (repeatable_uuid, fire_at) DO NOTHING RETURNING id",
        *values.values(),
    )
    if project is None:
        return False
    await db.execute(_FIRING, project, row["id"], row["source"])
    await enqueue(db, JobName.copy_project, project)
    return True


async def _source(db: asyncpg.Connection, source: Source, owner: UUID) -> ImportStatus:
    """Returns the state of the recipients' source. Raises NotFound."""
    if source.import_uuid is not None:
        status = await db.fetchval(_IMPORT, source.import_uuid, owner)
        if status in (None, ImportStatus.failed):
            raise NotFound(
                "The import that this repeatable project takes its recipients from was deleted or has failed."
                " Choose another source.",
                code="import_not_found",
            )
        return ImportStatus(status)
    if source.audience is not None:  # it is read when the project starts
        return ImportStatus.ready
    if not await db.fetchval(_PROJECT, source.sending_project_uuid, owner):
        raise NotFound(
            "The project that this repeatable project takes its recipients from was deleted, or its recipients were."
            " Choose another source.",
            code="sending_project_not_found",
        )
    return ImportStatus.ready


@fairly(JobName.copy_project, "preparing", waiting=_WAITING)
async def copy(services: Services, project: UUID, lease: JobLease) -> None:
    """Continues copying after the last chunk."""
    until = time.monotonic() + _BUDGET_SECONDS
    step: Step = copy_chunk
    while not services.stopping.is_set() and lease.valid:
        async with services.db.transaction() as db:
            after = await step(services, db, project)
        if after is None:
            if await services.db.fetchval(_IS_LEFT, project):  # its import is being read
                lease.pause = _UNTIL_READ
            return
        if time.monotonic() > until:
            return
        step = after


async def copy_chunk(services: Services, db: asyncpg.Connection, project: UUID) -> Step | None:
    """Copies one chunk of the audience in the caller's transaction.

    Returns the next step, or None: not now, or never.
    """
    firing = await db.fetchrow(_LOCK, project)
    if firing is None:
        return None
    if firing["status"] != "draft":  # the owner has deleted it, or started it already
        await db.execute(_DONE, project)
        return None
    try:
        async with db.transaction():
            source = Source.model_validate(firing["source"])
            if source.audience is not None:
                return begin
            if await _source(db, source, firing["owner_id"]) is ImportStatus.processing:
                return None  # the next round tries again
            copied = await db.fetchrow(
                _FROM_IMPORT if source.import_uuid else _FROM_PROJECT,
                project,
                source.import_uuid or source.sending_project_uuid,
                firing["copied_to"],
                [uuid7() for _ in range(CHUNK)],
                CHUNK,
            )
            if copied["rows"]:
                await check_recipients(db, project, 0)
                await db.execute(_SAVE_PROGRESS, project, copied["last"])
    except Exception as error:
        await _give_up(db, project, firing["repeatable_id"], error)
        return None
    return copy_chunk if copied["rows"] == CHUNK else begin


async def begin(services: Services, db: asyncpg.Connection, project: UUID) -> None:
    """Starts a project whose audience is complete. On an error the project stays a draft, and `lastError` says why."""
    # The owner is locked first, in the order of all writers that need both; `admit` locks the row too.
    await db.execute(_LOCK_OWNER, project)
    firing = await db.fetchrow(_LOCK, project)
    if firing is None:
        return
    if firing["status"] == "draft":
        try:
            async with db.transaction():
                # On a day that is no contact's birthday the run has no recipients.
                await project_moves.admit(services, db, project, may_be_empty=True)
                plan = await starts.obey(db, project, at=starts.NOW)
                await project_moves.begin(db, project, plan)
        except Exception as error:
            await _give_up(db, project, firing["repeatable_id"], error)
            return
    await db.execute(_DONE, project)


async def _give_up(db: asyncpg.Connection, project: UUID, repeatable: UUID, error: Exception) -> None:
    message = _error_text(error, repeatable)
    await db.execute(_SAY, repeatable, message)
    await db.execute(_DONE, project)
    log.info("a firing's project stays a draft", repeatable=str(repeatable), project=str(project))

"""Adds an import's rows to a project: in small batches, and as a job where it takes longer than a request should
(contract §7.6).

A continuing addition is a row of `recipient_additions`: the last line, and how many were added. Each batch is a
transaction that also updates this row, so a crash leaves nothing half done and nothing twice. A project with such rows
shows how many lines are left (`recipients_pending`); if it runs meanwhile, nothing is sent until all are added.
"""

import time
from dataclasses import dataclass
from uuid import UUID

import asyncpg
import structlog

from core import change_events
from core.ids import milliseconds, uuid7
from engine.faultpoints import fault_point
from engine.file_parsers.addresses import REACHED
from engine.imports import following
from engine.jobs import JobName, enqueue
from engine.jobs.fair_queue import fairly
from engine.projects.project_moves import end_bulk_add
from engine.projects.states import ALL_EDITABLE
from runtime.database_errors import translate
from runtime.leases import JobLease
from runtime.services import Services
from shapes.pauses import PauseReason
from shapes.sending_projects import ProjectChannel, ProjectStatus

log = structlog.get_logger("postern.imports")

MOST = 10
"""The most imports that are added to one project at the same time."""
_BUDGET_SECONDS = 1.0  # seconds of work until others have their turn

# Makes a UUIDv7: milliseconds and version, followed by the random part of gen_random_uuid.
_ADD = """
WITH bite AS (
  SELECT line, address, address_key, name, COALESCE(variables, '{{}}'::jsonb) AS variables, timezone, {suits} AS suits
  FROM import_rows WHERE import_id = $2 AND line > $3 AND line <= $4 AND error_code IS NULL
), added AS (
  INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone)
  SELECT overlay(gen_random_uuid()::text PLACING $5 FROM 1 FOR 15)::uuid, $1, address, address_key, name, variables,
    timezone
  FROM bite WHERE suits ORDER BY line
  ON CONFLICT DO NOTHING RETURNING 1
)
SELECT count(*) AS rows, count(*) FILTER (WHERE suits) AS suited, (SELECT count(*) FROM added) AS added FROM bite
"""
_UNSUITED = """
SELECT line FROM import_rows WHERE import_id = $1 AND line <= $2 AND error_code IS NULL AND NOT {suits}
ORDER BY line LIMIT $3
"""
_SUITS = {channel: f"address ~ '{REACHED[channel]}'" for channel in ProjectChannel}

_KEEP = """
INSERT INTO recipient_additions (id, project_id, import_id, line, added, rows_left) VALUES ($1, $2, $3, $4, $5, $6)
"""
# Serializes state changes of the project and batches; recording intents of its messages is not blocked.
_PROJECT = """
SELECT p.id, p.owner_id, p.status, p.channel, t.max_recipients_per_project AS most FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.id = $1 FOR NO KEY UPDATE OF p
"""
_ADDITION = "SELECT project_id FROM recipient_additions WHERE id = $1"
_LOCK = (
    "SELECT project_id, import_id, line, added, rows_left FROM recipient_additions WHERE id = $1 FOR UPDATE"
)
_MOVE = """
UPDATE recipient_additions SET line = $2, added = added + $3, rows_left = GREATEST(rows_left - $4, 0),
  updated_at = now()
WHERE id = $1
"""
_END = "DELETE FROM recipient_additions WHERE id = $1 RETURNING added"
_NEWEST = "SELECT max(seq) FROM recipients WHERE project_id = $1"
_COUNT = "SELECT count(*) FROM recipients WHERE project_id = $1"

PENDING = """
UPDATE sending_projects SET updated_at = now(),
  recipients_pending = (SELECT COALESCE(sum(rows_left), 0) FROM recipient_additions WHERE project_id = $1)
WHERE id = $1 RETURNING recipients_pending
"""
# Materializing that a stop had interrupted continues with these rows, as does a retry.
_ALL_IN = """
UPDATE sending_projects SET updated_at = now(),
  recipients_error = CASE WHEN status_reason = 'recipients_failed' THEN recipients_error END,
  status_reason = NULLIF(status_reason, 'recipients_pending'),
  preparation = CASE WHEN status IN ('running', 'paused') THEN COALESCE(preparation, 'freeze') ELSE preparation END
WHERE id = $1
"""
_FAILED = """
UPDATE sending_projects SET recipients_error = $2, updated_at = now(),
  status = CASE status WHEN 'running' THEN 'paused' ELSE status END,
  status_reason = CASE WHEN status IN ('running', 'paused') THEN $3 ELSE status_reason END,
  resume_at = CASE WHEN status IN ('running', 'paused') THEN NULL ELSE resume_at END
WHERE id = $1
"""
_WAITING = """
SELECT p.owner_id, a.id FROM recipient_additions AS a JOIN sending_projects AS p ON p.id = a.project_id
"""


@dataclass(slots=True)
class Progress:
    """Counts the rows of an import that have been added to a project."""

    line: int = 0  # the last added line
    rows: int = 0  # valid rows so far
    suited: int = 0  # rows whose address the channel can reach
    added: int = 0
    ended: bool = False

    @property
    def unsuited(self) -> int:
        """Rows whose address the channel can't reach."""
        return self.rows - self.suited


async def bite(db: asyncpg.Connection, project: UUID, channel: str, import_id: UUID, done: Progress) -> None:
    """Adds the next few thousand rows in the caller's transaction, which has locked the project."""
    until, last = await following(db, import_id, done.line)
    now = f"{milliseconds():012x}"
    sql = _ADD.format(suits=_SUITS[ProjectChannel(channel)])
    row = await db.fetchrow(sql, project, import_id, done.line, until, f"{now[:8]}-{now[8:]}-7")
    done.line, done.ended = until, last
    done.rows += row["rows"]
    done.suited += row["suited"]
    done.added += row["added"]


async def unsuited(db: asyncpg.Connection, channel: str, import_id: UUID, until: int, most: int) -> list[int]:
    """Returns at most `most` lines up to `until` whose address the channel can't reach."""
    sql = _UNSUITED.format(suits=_SUITS[ProjectChannel(channel)])
    return [row["line"] for row in await db.fetch(sql, import_id, until, most)]


async def go_on_later(
    db: asyncpg.Connection, project: UUID, import_id: UUID, done: Progress, valid: int
) -> None:
    """Leaves the rest of an import's `valid` rows to a worker, in the transaction of the rows that were added so
    far.
    """
    id = uuid7()
    await db.execute(_KEEP, id, project, import_id, done.line, done.added, max(valid - done.rows, 0))
    await db.fetchval(PENDING, project)
    await enqueue(db, JobName.add_recipients, id)


class _Failed(Exception):
    """The rest can't be added; the message is a sentence for the project's owner."""


@fairly(JobName.add_recipients, "preparing", waiting=_WAITING)
async def add(services: Services, id: UUID, lease: JobLease) -> None:
    """Continues an addition after its last batch."""
    row = await services.db.fetchrow(_ADDITION, id)
    if row is None:
        return
    until = time.monotonic() + _BUDGET_SECONDS
    counted = Counted()
    try:
        while not services.stopping.is_set() and lease.valid:
            ended = await _bite(services, row["project_id"], id, counted)
            fault_point("recipients.added")
            change_events.emit()
            if ended or time.monotonic() > until:
                return
    except _Failed as error:
        await _fail(services, row["project_id"], id, str(error))
    except Exception as error:
        if translate(error) is not None:  # a database outage: it is tried again
            raise
        log.exception("an import could not be added", addition=str(id))
        await _fail(
            services,
            row["project_id"],
            id,
            "The rows can't be stored. The operator finds the error in the log.",
        )


@dataclass(slots=True)
class Counted:
    """The number of a project's recipients; counted again when others were added meanwhile."""

    number: int = 0
    newest: int | None = -1  # `seq` of its newest recipient at that time


async def _bite(services: Services, project_id: UUID, id: UUID, counted: Counted) -> bool:
    """Adds one batch. Returns whether there is nothing more to do. Raises _Failed."""
    async with services.db.transaction() as db:
        # Locked first, in the order of all writers that lock both.
        project = await db.fetchrow(_PROJECT, project_id)
        row = await db.fetchrow(_LOCK, id)
        if row is None or project is None:
            return True
        if project["status"] not in (*ALL_EDITABLE, ProjectStatus.running, ProjectStatus.paused):
            await end_bulk_add(db, project_id)
            return True
        if await db.fetchval(_NEWEST, project_id) != counted.newest:
            counted.number = await db.fetchval(_COUNT, project_id)
        done = Progress(row["line"])
        await bite(db, project_id, project["channel"], row["import_id"], done)
        counted.number += done.added
        counted.newest = await db.fetchval(_NEWEST, project_id)
        if counted.number > project["most"]:  # recounted, in case recipients were removed meanwhile
            counted.number = await db.fetchval(_COUNT, project_id)
        if counted.number > project["most"]:
            raise _Failed(
                f"Your tariff allows {project['most']} recipients a project. Choose another tariff, or take an import "
                "with fewer."
            )
        if done.ended:
            await db.execute(_END, id)
        else:
            await db.execute(_MOVE, id, done.line, done.added, done.rows)
        if await db.fetchval(PENDING, project_id) == 0 and not await _pending(db, project_id):
            await db.execute(_ALL_IN, project_id)
            if project["status"] == ProjectStatus.running:
                await enqueue(db, JobName.prepare_project, project_id)
        change_events.project(project["owner_id"], project_id)
    return done.ended


async def _pending(db: asyncpg.Connection, project: UUID) -> bool:
    sql = "SELECT EXISTS (SELECT FROM recipient_additions WHERE project_id = $1)"
    return bool(await db.fetchval(sql, project))


async def _fail(services: Services, project_id: UUID, id: UUID, why: str) -> None:
    """Ends the addition with an error on the project; a running project is paused until it is stopped."""
    async with services.db.transaction() as db:
        # Locked first, in the order of all writers that lock both. A stop may have ended the addition meanwhile.
        project = await db.fetchrow(_PROJECT, project_id)
        row = await db.fetchrow(_END, id)
        if row is None:
            return
        await db.fetchval(PENDING, project_id)
        message = f"{row['added']} recipients of the import were added, and the rest was not. {why}"
        await db.execute(_FAILED, project_id, message, PauseReason.recipients_failed.value)
        change_events.project(project["owner_id"], project_id)
    log.warning("an import was not added to its end", project=str(project_id), reason=why)

"""Deletes rows that are older than the operator wants to keep: messages and recipients of projects, chats, imports,
reports.

    POSTERN_RECORD_RETENTION_DAYS   a project that finished, or was deleted, so long ago keeps its settings, counts,
                                    statistics and charges; `messages_deleted_at` says since when the rest is gone
    POSTERN_CHAT_RETENTION_DAYS     messages of chats, and chats that have none left
    POSTERN_IMPORT_RETENTION_DAYS   imports with their rows and uploaded files
    POSTERN_REPORT_DAYS             reports about emails; POSTERN_REPORT_RAW_DAYS the mails they were read from

Direct messages have POSTERN_RETENTION_DAYS (engine/upkeep/__init__.py), events one of their own (engine/feed). Each
statement deletes at most 5,000 rows, in a transaction of its own, so no other transaction waits for it, and the next
round continues the work of a worker that dies. Rows that a run or an export still reads stay; `retained` counts it.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog

from core.ids import least_uuid7
from core.settings import Settings
from db.query import execute_planned
from db.session import Database
from engine import imports
from engine.jobs import every
from engine.upkeep import BITE
from runtime.services import Services

log = structlog.get_logger("postern.upkeep")

_SECONDS = 300.0
_MOST = 100  # projects, chats or imports that one statement looks up

_IS_OLD = """
(p.status = 'finished' AND p.finished_at < now() - $1::interval
  OR p.status = 'deleted' AND p.updated_at < now() - $1::interval) AND p.messages_deleted_at IS NULL
"""
_OF_RUNS = """
(EXISTS (
  SELECT FROM repeatable_projects AS r
  WHERE r.owner_id = p.owner_id AND r.deleted_at IS NULL AND r.status <> 'finished'
    AND r.source ->> '{name}' = p.id::text
) OR EXISTS (SELECT FROM repeatable_firings AS f WHERE f.source ->> '{name}' = p.id::text))
"""
_RECONCILED = """
EXISTS (SELECT FROM reconciliations AS c WHERE c.project_id = p.id AND c.made_at IS NULL)
"""
_COPIED = _OF_RUNS.format(name="sendingProjectUuid")
_EXPORTED = """
EXISTS (SELECT FROM export_links AS e WHERE e.status IN ('created', 'running') AND e.sending_project_uuid = p.id)
"""
_FOLLOWED = """
EXISTS (SELECT FROM sending_projects AS f WHERE f.follows_uuid = p.id AND f.audience_read_at IS NULL
  AND f.status IN ('scheduled', 'running', 'paused', 'stopped'))
"""
_OLD_PROJECTS = f"""
SELECT p.id FROM sending_projects AS p WHERE {_IS_OLD} AND NOT {_COPIED} AND NOT {_EXPORTED} AND NOT {_RECONCILED}
  AND NOT {_FOLLOWED}
ORDER BY p.id LIMIT {_MOST} FOR NO KEY UPDATE OF p SKIP LOCKED
"""  # noqa: S608  our own conditions
# A transaction that wants to read the rows later locks the project's row first. So this statement sees all that was
# committed before the locks of the statement above, and a later transaction sees the time.
_CLOSE = f"""
UPDATE sending_projects AS p SET messages_deleted_at = now(), updated_at = now()
WHERE p.id = ANY($2) AND {_IS_OLD} AND NOT {_COPIED} AND NOT {_EXPORTED} AND NOT {_RECONCILED}
  AND NOT {_FOLLOWED}
"""  # noqa: S608  our own conditions
_CLOSED = """
SELECT p.id FROM sending_projects AS p WHERE p.messages_deleted_at IS NOT NULL AND (
  EXISTS (SELECT FROM recipients WHERE project_id = p.id)
  OR EXISTS (SELECT FROM message_records WHERE project_id = p.id)
) ORDER BY random() LIMIT $1
"""
_UNKNOWN = "SELECT count(*) FROM message_records WHERE project_id = $1 AND is_unknown"
_EMPTY_LINES = """
UPDATE reconciliation_chunks AS t SET salts = NULL, body = NULL FROM (
  SELECT c.reconciliation_id, c.number FROM reconciliations AS r
  JOIN reconciliation_chunks AS c ON c.reconciliation_id = r.id
  WHERE r.project_id = $1 AND c.body IS NOT NULL LIMIT $2
) AS old WHERE t.reconciliation_id = old.reconciliation_id AND t.number = old.number
"""
_DELETE_RECIPIENTS = """
DELETE FROM recipients WHERE id IN (SELECT id FROM recipients WHERE project_id = $1 ORDER BY seq LIMIT $2)
"""
# The targets stay, and what was counted of them: links of old emails must work.
_DELETE_CLICKS = """
DELETE FROM clicks WHERE (message_id, link_id) IN (
  SELECT message_id, link_id FROM clicks WHERE project_id = $1 ORDER BY message_id LIMIT $2
)
"""
_DELETE_RECORDS = """
DELETE FROM message_records WHERE id IN (SELECT id FROM message_records WHERE project_id = $1 ORDER BY seq LIMIT $2)
"""

_OLD_CHATS = """
SELECT c.id FROM messenger_chats AS c
WHERE EXISTS (SELECT FROM messenger_messages AS m WHERE m.chat_id = c.id AND m.at < now() - $1::interval) LIMIT $2
"""
# A message that was never read and is gone is not unread any more.
_DELETE_CHAT_MESSAGES = """
WITH old AS (
  SELECT m.id FROM unnest($2::uuid[]) AS c (id) CROSS JOIN LATERAL (
    SELECT id FROM messenger_messages WHERE chat_id = c.id AND at < now() - $1::interval ORDER BY at, seq LIMIT $3
  ) AS m LIMIT $3
), gone AS (
  DELETE FROM messenger_messages WHERE id IN (SELECT id FROM old) RETURNING id, chat_id
), of_chats AS (
  UPDATE messenger_chats AS c SET
    last_item = CASE WHEN c.last_item IN (SELECT id FROM gone) THEN NULL ELSE c.last_item END,
    unread = LEAST(c.unread, (
      SELECT count(*) FROM (
        SELECT FROM messenger_messages AS m
        WHERE m.chat_id = c.id AND NOT m.outgoing AND m.at >= now() - $1::interval LIMIT c.unread
      ) AS left_ones
    ))
  WHERE c.id IN (SELECT chat_id FROM gone) AND (c.unread > 0 OR c.last_item IN (SELECT id FROM gone))
)
SELECT count(*) FROM gone
"""
# They were to be sent to a phone whose chat never became known.
_DELETE_CHATLESS = """
DELETE FROM messenger_messages WHERE id IN (
  SELECT m.id FROM messenger_accounts AS a CROSS JOIN LATERAL (
    SELECT id FROM messenger_messages
    WHERE account_id = a.id AND thread IS NULL AND at < now() - $1::interval LIMIT $2
  ) AS m LIMIT $2
)
"""
# A message that comes meanwhile changes the chat's row, whose conditions are looked at again.
_DELETE_CHATS = """
DELETE FROM messenger_chats WHERE id IN (
  SELECT c.id FROM messenger_chats AS c WHERE c.last_at < now() - $1::interval
    AND NOT EXISTS (SELECT FROM messenger_messages WHERE chat_id = c.id) LIMIT $2
) AND last_at < now() - $1::interval
"""

_IS_OLD_IMPORT = "p.id < $1 AND p.status <> 'processing'"
_ADDED = "EXISTS (SELECT FROM recipient_additions AS a WHERE a.import_id = p.id)"
_READ_BY_RUNS = _OF_RUNS.format(name="importUuid")
_OLD_IMPORTS = f"""
SELECT p.id FROM recipient_imports AS p WHERE {_IS_OLD_IMPORT} AND NOT {_ADDED} AND NOT {_READ_BY_RUNS}
ORDER BY p.id LIMIT {_MOST}
"""  # noqa: S608  our own conditions
_LOCK_IMPORT = "SELECT FROM recipient_imports WHERE id = $1 FOR UPDATE SKIP LOCKED"
_IMPORT = f"""
SELECT p.id, p.file_uuid, p.options FROM recipient_imports AS p
WHERE p.id = $2 AND {_IS_OLD_IMPORT} AND NOT {_ADDED} AND NOT {_READ_BY_RUNS}
"""  # noqa: S608  our own conditions

_DELETE_MAILS = """
DELETE FROM mail_report_mails WHERE report_id IN (
  SELECT report_id FROM mail_report_mails WHERE report_id < $1 ORDER BY report_id LIMIT $2
)
"""
_DELETE_REPORTS = """
DELETE FROM mail_reports WHERE id IN (SELECT id FROM mail_reports WHERE id < $1 ORDER BY id LIMIT $2)
"""
_DELETE_HEALTH = """
DELETE FROM address_health WHERE (owner_id, address) IN (
  SELECT owner_id, address FROM address_health WHERE last_soft_at < $1 ORDER BY last_soft_at LIMIT $2
)
"""

_COUNT_PROJECTS = f"SELECT count(*) FROM sending_projects AS p WHERE {_IS_OLD} AND "  # noqa: S608  our own conditions
_RETAINED = {
    "projects that recurring runs copy their recipients from": _COUNT_PROJECTS + _COPIED,
    "projects that others follow": _COUNT_PROJECTS + _FOLLOWED,
    "projects that are being exported": _COUNT_PROJECTS + _EXPORTED,
    "projects that are being reconciled": _COUNT_PROJECTS + _RECONCILED,
}
_COUNT_IMPORTS = f"SELECT count(*) FROM recipient_imports AS p WHERE {_IS_OLD_IMPORT} AND "  # noqa: S608  likewise
_RETAINED_IMPORTS = {
    "imports that recurring runs take their recipients from": _COUNT_IMPORTS + _READ_BY_RUNS,
    "imports that are being added to projects": _COUNT_IMPORTS + _ADDED,
}


@every(_SECONDS)
async def retire_projects(services: Services) -> None:
    """Deletes messages and recipients of projects that ended longer ago than the retention."""
    if (keep := _days(services.settings.record_retention_days)) is None:
        return
    while not services.stopping.is_set():
        async with services.db.transaction() as db:
            ids = [row["id"] for row in await db.fetch(_OLD_PROJECTS, keep)]
            await db.execute(_CLOSE, keep, ids)
        if len(ids) < _MOST:
            break
    while rows := await services.db.fetch(_CLOSED, _MOST):
        for row in rows:
            await _empty(services, row["id"])
            if services.stopping.is_set():
                return


async def _empty(services: Services, project: UUID) -> None:
    """Deletes the lines of a project's reconciliations, then its recipients, then its messages."""
    if unknown := await services.db.fetchval(_UNKNOWN, project):
        log.info("deleting messages whose outcome is unknown", project=str(project), messages=unknown)
    for statement in (_EMPTY_LINES, _DELETE_RECIPIENTS, _DELETE_RECORDS, _DELETE_CLICKS):
        while not services.stopping.is_set() and await execute_planned(services.db, statement, project, BITE):
            pass


@every(_SECONDS)
async def retire_chats(services: Services) -> None:
    """Deletes messages of chats that are older than the retention, and then chats that have none."""
    if (keep := _days(services.settings.chat_retention_days)) is None:
        return
    while chats := [row["id"] for row in await services.db.fetch(_OLD_CHATS, keep, _MOST)]:
        while await services.db.fetchval(_DELETE_CHAT_MESSAGES, keep, chats, BITE) == BITE:
            pass
        if services.stopping.is_set():
            return
    for statement in (_DELETE_CHATLESS, _DELETE_CHATS):
        while (
            not services.stopping.is_set()
            and await execute_planned(services.db, statement, keep, BITE) == BITE
        ):
            pass


@every(_SECONDS)
async def retire_imports(services: Services) -> None:
    """Deletes imports that are older than the retention."""
    if (keep := _days(services.settings.import_retention_days)) is None:
        return
    oldest = least_uuid7(services.db.now() - keep)
    for row in await services.db.fetch(_OLD_IMPORTS, oldest):
        if services.stopping.is_set():
            return
        async with services.db.transaction() as db:
            if await db.fetchrow(_LOCK_IMPORT, row["id"]) is None:
                continue
            # A second look, at rows that were committed before the lock.
            if (import_row := await db.fetchrow(_IMPORT, oldest, row["id"])) is not None:
                await imports.delete(db, import_row)


@every(_SECONDS)
async def retire_mail_reports(services: Services) -> None:
    """Deletes old reports about emails, their mails, and soft bounces that don't count any more."""
    settings, now = services.settings, services.db.now()
    oldest: tuple[tuple[str, Any], ...] = (
        (_DELETE_MAILS, least_uuid7(now - timedelta(days=settings.report_raw_days))),
        (_DELETE_REPORTS, least_uuid7(now - timedelta(days=settings.report_days))),
        (_DELETE_HEALTH, now - timedelta(days=int(settings.soft_bounces.partition("/")[2]))),
    )
    for statement, before in oldest:
        while (
            not services.stopping.is_set()
            and await execute_planned(services.db, statement, before, BITE) == BITE
        ):
            pass


async def retained(db: Database, settings: Settings) -> Mapping[str, int]:
    """Returns the rows that are older than their retention and stay all the same: the reason and their number."""
    counts = dict[str, int]()
    if (keep := _days(settings.record_retention_days)) is not None:
        counts |= {name: await db.fetchval(statement, keep) for name, statement in _RETAINED.items()}
    if (keep := _days(settings.import_retention_days)) is not None:
        oldest: Any = least_uuid7(db.now() - keep)
        counts |= {
            name: await db.fetchval(statement, oldest) for name, statement in _RETAINED_IMPORTS.items()
        }
    return {name: count for name, count in counts.items() if count}


def _days(days: int | None) -> timedelta | None:
    return None if days is None else timedelta(days=days)

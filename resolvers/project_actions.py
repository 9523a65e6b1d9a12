"""Deletes several Sending Projects at once, sends their failed messages again, and copies one of them."""

from functools import partial
from typing import Any
from uuid import UUID

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from engine.tariffs import check_recipients
from resolvers.sending_projects.project_rows import read_back, require_messages, visible
from resolvers.sending_projects.project_steps import delete_project, each_project, retry_project
from runtime.idempotency import stored_model, stored_shape
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.project_actions import (
    DeletedProjects,
    DeleteProjects,
    DuplicateProject,
    RefusedProject,
    RetriedProjects,
    RetryProject,
    RetryProjects,
)

MOST_COPIED = 50_000
"""A copy of a project takes at most so many recipients, which one transaction writes in some seconds."""
_LONGEST_NAME = 200
_COPY_SUFFIX = " (copy)"

# All owners before all projects, each in one order: two such calls of administrators wait, and never for each other.
_LOCK_USERS = """
SELECT FROM users WHERE id IN (SELECT owner_id FROM sending_projects WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE
"""
_PAYER = "SELECT id FROM accounts WHERE owner_id = $1 ORDER BY id = $2 DESC, id LIMIT 1"
# What the owner has no longer is left out. The time of its start has passed, or belongs to the other project.
_COPY = """
INSERT INTO sending_projects (id, owner_id, name, account_id, account_uuids, attachment_uuids, channel, category,
  subject, html, text, variants, template, start_within_seconds, "window", speed, retry, on_missing_variable,
  stop_on_reply, variable_labels, from_address, sender, audience, follows_uuid, template_id, template_version,
  template_locale, languages, track_clicks)
SELECT $2, owner_id, $3, $4,
  ARRAY(SELECT s.id FROM unnest(p.account_uuids) WITH ORDINALITY AS u (id, place) JOIN source_accounts AS s
    ON s.id = u.id AND s.owner_id = p.owner_id AND s.status <> 'deleted' ORDER BY u.place),
  ARRAY(SELECT f.id FROM unnest(p.attachment_uuids) WITH ORDINALITY AS u (id, place) JOIN files AS f
    ON f.id = u.id AND f.owner_id = p.owner_id ORDER BY u.place),
  channel, category, subject, html, text, variants, template, start_within_seconds, "window", speed, retry,
  on_missing_variable, stop_on_reply, variable_labels, from_address, sender, audience, follows_uuid, template_id,
  template_version, template_locale, languages, track_clicks
FROM sending_projects AS p WHERE id = $1
"""
_MANY = "SELECT count(*) FROM (SELECT FROM recipients WHERE project_id = $1 LIMIT $2) AS r"
# Locked against the retention until the copy has them.
_NOT_DELETED = "SELECT messages_deleted_at FROM sending_projects WHERE id = $1 FOR SHARE"
_COPY_RECIPIENTS = """
INSERT INTO recipients (id, project_id, address, address_key, name, variables, timezone)
SELECT ($3::uuid[])[row_number() OVER (ORDER BY seq)], $2, address, address_key, name, variables, timezone
FROM (SELECT * FROM recipients WHERE project_id = $1 ORDER BY seq LIMIT $4) AS r ORDER BY seq
ON CONFLICT DO NOTHING
"""


@operation(Permission.projects_write, "sql")
async def delete_multiple(op: Op, input: DeleteProjects) -> DeletedProjects:
    """Deletes several projects; each one succeeds or fails on its own. Messages that were sent stay in the
    statistics.
    """
    done, failed = await each_project(input.uuids, partial(delete_project, op), RefusedProject)
    return DeletedProjects(deleted=done, failed=failed)


@operation(Permission.projects_send, "sql", idempotent=stored_shape(RetriedProjects))
async def retry_multiple(op: Op, input: RetryProjects) -> RetriedProjects:
    """Sends the failed messages of several projects again; each one succeeds or fails on its own."""
    await op.connection.execute(_LOCK_USERS, input.uuids)
    selected = RetryProject(unknown=input.unknown)
    done, failed = await each_project(input.uuids, partial(retry_project, op, input=selected), RefusedProject)
    return RetriedProjects(retried=done, failed=failed)


@operation(Permission.projects_write, "sql", idempotent=stored_model(models.SendingProject))
async def duplicate(op: Op, id: UUID, input: DuplicateProject) -> models.SendingProject:
    """Copies a project as a draft: its settings, texts and files, and its recipients if asked.

    The copy has the same owner. Raises NotFound, Conflict.
    """
    project: Any = await visible(op, id)
    payer = await op.connection.fetchval(_PAYER, project.owner_id, project.account_id)
    if payer is None:
        raise NotFound("You have no account yet. Open one with POST /accounts.", code="no_account")
    name = input.name or project.name[: _LONGEST_NAME - len(_COPY_SUFFIX)] + _COPY_SUFFIX
    copy = uuid7()
    await op.connection.execute(_COPY, id, copy, name, payer)
    if input.recipients and project.audience is None:  # else they are read again, at the start of the copy
        await _copy_recipients(op, project, copy)
    return await read_back(op, copy)


async def _copy_recipients(op: Op, project: Any, copy: UUID) -> None:
    require_messages(await op.connection.fetchval(_NOT_DELETED, project.id))
    if project.recipients_pending > 0:
        raise Conflict(
            "Recipients are still being added to this project. Wait, or copy it without them.",
            code="still_copying",
        )
    many = await op.connection.fetchval(_MANY, project.id, MOST_COPIED + 1)
    if many > MOST_COPIED:
        raise Conflict(
            f"This project has more than {MOST_COPIED} recipients, and a copy takes no more. Copy it without them,"
            " and add the import to the copy.",
            code="too_many_recipients",
            details={"limit": MOST_COPIED},
        )
    await check_recipients(op.connection, copy, many)
    ids = [uuid7() for _ in range(many)]
    await op.connection.execute(_COPY_RECIPIENTS, project.id, copy, ids, many)

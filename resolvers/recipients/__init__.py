"""Recipients of Sending Projects (contract §3): their pages, adding and removing.

`recipient_checks` checks the recipients of a request, `recipient_addition` and `recipient_removal` change the rows, and
`recipient_addresses` gives every address its one spelling.
"""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.errors import Conflict, NotFound
from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.query import p
from engine.projects import follow_ups
from engine.projects.approvals import starts
from engine.projects.states import ALL_EDITABLE
from engine.tariffs import require_no_audience
from resolvers import audiences, reach
from resolvers.audiences import RecipientResult
from resolvers.recipient_addresses import by_key
from resolvers.recipients import recipient_removal
from resolvers.recipients.recipient_addition import add_import, add_list
from resolvers.recipients.recipient_checks import CheckedRecipients, check_recipients
from resolvers.sending_projects import project_rows
from runtime import audit
from runtime.idempotency import stored_shape
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.page import Rows
from shapes.recipients import (
    AddedRecipients,
    AddRecipients,
    Recipient,
    RecipientStatus,
    RemovedRecipients,
    RemoveRecipients,
    phone_of,
)
from shapes.sending_projects import ProjectChannel, ProjectStatus

_OF_PROJECT = models.Recipient.project_id == p("project_id")

# The lock keeps others from adding recipients or starting the project: its state and number of recipients stay valid.
_LOCK = """
SELECT p.owner_id, p.status, p.channel, p.prepared_to, p.audience IS NOT NULL AS has_audience, p.plan_id,
  p.follows_uuid IS NOT NULL OR p.series_id IS NOT NULL AS follows,
  t.max_recipients_per_project AS most FROM sending_projects AS p
JOIN users AS u ON u.id = p.owner_id JOIN tariffs AS t ON t.code = u.tariff_code
WHERE p.id = $1 AND p.status <> 'deleted' FOR NO KEY UPDATE OF p
"""
_NO_ERROR = (
    "UPDATE sending_projects SET recipients_error = NULL WHERE id = $1 AND recipients_error IS NOT NULL"
)
_COUNT = "SELECT count(*) FROM recipients WHERE project_id = $1"
_REMOVE = """
DELETE FROM recipients AS r WHERE r.id = $1 AND r.project_id = $2
  AND NOT EXISTS (SELECT FROM message_records WHERE id = $3)
RETURNING r.id
"""
_PROJECT_OF = "SELECT project_id FROM recipients WHERE id = $1"
_ANY = """
SELECT EXISTS (SELECT FROM recipients WHERE project_id = $1)
  OR EXISTS (SELECT FROM recipient_additions WHERE project_id = $1)
"""


@operation(Permission.recipients_read, "read")
async def list(op: Op, project_id: UUID, page: int = 1, limit: int = 20) -> Rows[Recipient]:
    """Returns what `page` returns, by page numbers. Raises NotFound, ValidationFailed."""
    await project_rows.visible(op, project_id)
    rows = await audiences.LISTS.numbered(op.db, page, limit, {}, _OF_PROJECT, project_id=project_id)
    items = [_as_recipient(reached) for reached in await audiences.reached(op, rows.items)]
    return Rows(items, page, limit, rows.total)


@operation(Permission.recipients_read, "read")
async def page(
    op: Op, project_id: UUID, page_args: PageArgs, where: Conditions
) -> CursorPage[RecipientResult]:
    """Lists the recipients of a project, in the order in which they were added. Raises NotFound, ValidationFailed."""
    await project_rows.visible(op, project_id)
    (page,) = await audiences.parts(op, [project_id], page_args, _asked(op, where))
    return page


@operation(Permission.recipients_read, "read")
async def of_projects(
    op: Op, projects: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[RecipientResult]]:
    """Returns one page of recipients for each project; none for another user's project. Raises ValidationFailed."""
    return await audiences.parts(op, projects, page_args, _asked(op, where))


def _asked(op: Op, where: Conditions) -> Conditions:
    """Returns the conditions with the key of every address. Raises ValidationFailed."""
    return by_key(where, "address", op)


@operation(Permission.recipients_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[RecipientResult | None]:
    """Returns recipients by id. A recipient of a project that the caller may not see gives None."""
    asked = [*dict.fromkeys(id for id in ids if id is not None)]
    by_id = {recipient.row.id: recipient for recipient in await audiences.by_id(op, asked, column_names)}
    return [by_id.get(id) if id is not None else None for id in ids]


@operation(Permission.recipients_read, "read")
async def get(op: Op, id: UUID) -> RecipientResult:
    """Returns one recipient of a project. Raises NotFound."""
    recipients = await audiences.by_id(op, [id])
    if not recipients:
        raise _unknown()
    return recipients[0]


def _unknown() -> NotFound:
    return NotFound(
        "There is no recipient with this uuid in this project. Check the uuid.", code="recipient_not_found"
    )


async def _check(op: Op, project_id: UUID, input: AddRecipients) -> CheckedRecipients | None:
    """Checks the addresses in a thread and without a lock, since ten thousand of them take a while."""
    project = await project_rows.visible(op, project_id)
    _open(project.status)
    if input.recipients is None:
        return None
    return await asyncio.to_thread(
        check_recipients,
        input.recipients,
        ProjectChannel(project.channel),
        op.services.settings.default_region,
        op.services.guard,
    )


@operation(
    Permission.recipients_write,
    "sql",
    idempotent=stored_shape(AddedRecipients),
    before=_check,
)
async def add(op: Op, project_id: UUID, input: AddRecipients) -> AddedRecipients:
    """Adds recipients to a project that is draft, scheduled or stopped. Either all are added or none.

    They are these recipients, or the valid rows of an import. An address already present stays unchanged. If adding an
    import takes more than a second, a worker adds the rest, and the answer is `pending`. Raises NotFound, and Conflict
    for the project's state, an import that is not ready, and the tariff's limit.
    """
    db = op.connection
    project = await _locked(op, project_id)
    require_no_audience(project["has_audience"])
    has = await db.fetchval(_COUNT, project_id)
    checked: CheckedRecipients | None = op.prepared
    await reach.require_added(
        op, project_id, project["owner_id"], None if checked is None else [*checked.good]
    )
    if checked is None:
        assert input.import_uuid is not None
        made = await add_import(op, project_id, project, input.import_uuid)
    else:
        if checked.channel != project["channel"]:
            raise Conflict("The project's channel has just been changed. Send the recipients again.")
        made = await add_list(op, project_id, checked)
    if has + made.added > project["most"]:
        raise Conflict(
            f"Your tariff allows {project['most']} recipients per project; this project has {has}, and"
            f" {made.added} more were sent. Send fewer, or choose another tariff.",
            code="too_many_recipients",
            details={"limit": project["most"], "recipients": has},
        )
    if not made.pending:
        await db.execute(_NO_ERROR, project_id)
    await _record(op, project_id, project, 0, made.added, pending=made.pending)
    return made


@operation(Permission.recipients_write, "sql")
async def remove(op: Op, id: UUID, project_id: UUID | None = None) -> None:
    """Removes a recipient from a project that is draft, scheduled or stopped, unless a message to it exists.

    The recipient must be one of `project_id`. Raises NotFound, and Conflict.
    """
    its = await op.connection.fetchval(_PROJECT_OF, id)
    if its is None or project_id not in (None, its):
        raise _unknown()
    try:
        project = await _locked(op, its)
    except NotFound:
        raise _unknown() from None
    if not await op.connection.fetchval(_REMOVE, id, its, audiences.message_id(its, id)):
        if await op.connection.fetchval(_PROJECT_OF, id) is None:
            raise _unknown()
        raise Conflict(
            "A message to this recipient has been created already. To send nothing to the address, block it.",
            code="recipient_has_message",
        )
    await _check_last(op, its, project)
    await _record(op, its, project, 1, 0)


@operation(Permission.recipients_write, "sql", idempotent=stored_shape(RemovedRecipients))
async def remove_some(op: Op, project_id: UUID, input: RemoveRecipients) -> RemovedRecipients:
    """Removes recipients from a project that is draft, scheduled or stopped: those with an address of an import, also
    if they were added otherwise, or those found by a text. Recipients to whom a message exists stay.

    A call removes a bounded number of them. Raises NotFound, and Conflict for the project's state, while rows of the
    import are being added, or if a scheduled project would lose its last recipient.
    """
    project = await _locked(op, project_id)
    result = await recipient_removal.remove(op.connection, project_id, project, input)
    await _check_last(op, project_id, project)
    await _record(op, project_id, project, result.removed, 0)
    return result


async def _record(
    op: Op, project_id: UUID, project: Any, removed: int, added: int, *, pending: bool = False
) -> None:
    """Tells the audit how many recipients were removed or added: they come by the thousand."""
    if removed or added or pending:
        changes = {"recipients": [removed, added], **({"pending": [False, True]} if pending else {})}
        await audit.record(op.connection, project["owner_id"], "project", project_id, changes)


async def _check_last(op: Op, project_id: UUID, project: Any) -> None:
    if project["status"] == ProjectStatus.scheduled and not await op.connection.fetchval(_ANY, project_id):
        raise Conflict(
            "A scheduled project needs a recipient, and this one is its last. Stop the project first.",
            code="last_recipient",
        )


async def _locked(op: Op, project_id: UUID) -> Any:
    """Returns the project, locked while its recipients change. Raises NotFound, Conflict."""
    project = await op.connection.fetchrow(_LOCK, project_id)
    if project is None or not (op.viewer.admin or project["owner_id"] == op.viewer.id):
        raise project_rows.unknown()
    _open(project["status"])
    starts.require_unapproved(project["plan_id"], project["status"])
    require_no_audience(project["follows"])  # who was removed would come back
    await follow_ups.require_unfollowed(op.connection, project_id)
    return project


def _open(status: str) -> None:
    """Raises Conflict if the project's recipients can't change any more."""
    if status not in ALL_EDITABLE:
        raise Conflict(
            f"The project is {status}. Recipients can be added and removed only while it is draft, scheduled or"
            " stopped.",
            code="not_editable",
            details={"status": status},
        )


def _as_recipient(reached: RecipientResult) -> Recipient:
    row = reached.row
    return Recipient(
        id=row.id,
        phone=phone_of(row.address),
        address=row.address,
        name=row.name,
        variables=row.variables,
        timezone=row.timezone,
        status=RecipientStatus(reached.status),
        status_reason=reached.status_reason,
        message_id=reached.message_id,
    )

"""Reads and locks Sending Projects for their operations."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select

from core.errors import Conflict, NotFound
from db import models
from db.query import Query, columns, p
from runtime.operation import Op
from shapes.sending_projects import ProjectStatus

_PROJECT = models.SendingProject
_SEEN = _PROJECT.status != ProjectStatus.deleted.value
_SELECT_BY_ID = select(*columns(_PROJECT)).where(_PROJECT.id == p("id"), _SEEN)
_BY_ID = Query(_PROJECT, _SELECT_BY_ID)
_LOCKED = Query(_PROJECT, _SELECT_BY_ID.with_for_update(key_share=True, of=_PROJECT))
# The same lock as in `project_moves.stop`. Taking a weaker one first could deadlock with a running preparation.
_LOCKED_STILL = Query(_PROJECT, _SELECT_BY_ID.with_for_update(of=_PROJECT))
_OWNER = "SELECT owner_id FROM sending_projects WHERE id = $1 AND status <> 'deleted'"
_LOCK_USER = "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE"


async def visible(op: Op, id: UUID) -> models.SendingProject:
    """Returns one of the caller's projects, or any project for an administrator. Raises NotFound, also if deleted."""
    row = await _BY_ID.first(op.db, id=id)
    if row is None or not (op.viewer.admin or row.owner_id == op.viewer.id):
        raise unknown()
    return row


def unknown() -> NotFound:
    """Returns the error for a project that does not exist or that the caller may not see."""
    return NotFound(
        "There is no Sending Project with this uuid among yours. Check the uuid.",
        code="sending_project_not_found",
    )


def require_messages(deleted_at: datetime | None) -> None:
    """Raises Conflict (`messages_deleted`) if the retention has deleted the project's messages and recipients."""
    if deleted_at is not None:
        raise Conflict(
            f"The messages and recipients of this project were deleted at {deleted_at:%Y-%m-%dT%H:%M:%SZ}, because this"
            " installation keeps them no longer. Its counts and statistics stay. To send again, make another project.",
            code="messages_deleted",
        )


async def locked(op: Op, id: UUID, *, with_owner: bool = False, still: bool = False) -> models.SendingProject:
    """Returns the row, locked until the commit.

    `with_owner` locks the owner's row first, in the order of a suspension, which avoids a deadlock. Raises NotFound,
    Conflict (`in_series`).
    """
    owner = await op.connection.fetchval(_OWNER, id)
    if owner is None or not (op.viewer.admin or owner == op.viewer.id):
        raise unknown()
    if with_owner:
        await op.connection.execute(_LOCK_USER, owner)
    row = await (_LOCKED_STILL if still else _LOCKED).first(op.connection, id=id)
    if row is None:
        raise unknown()
    if row.series_id is not None and row.status not in (ProjectStatus.finished, ProjectStatus.deleted):
        raise Conflict(
            "This project is a step of a series, which starts, stops and changes it. Change the series.",
            code="in_series",
            details={"seriesId": str(row.series_id)},
        )
    return row


async def read_back(op: Op, id: UUID) -> models.SendingProject:
    row = await _BY_ID.first(op.connection, id=id)
    assert row is not None  # this transaction made it, or has locked it
    return row

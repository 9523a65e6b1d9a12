"""The audit, for its readers. The entries are written by runtime/audit.py and triggers (decision 0057)."""

from typing import Any
from uuid import UUID

from sqlalchemy import func, select

from core.errors import NotFound
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from runtime.operation import Op, operation
from runtime.permissions import Permission

_ROW = models.AuditEntry


def _email_in(table: Any) -> Any:
    is_actor = table.owner_id == _ROW.owner_id, table.member_id == _ROW.actor_id
    return select(table.email).where(*is_actor).scalar_subquery()


_LISTS = Listing(
    _ROW,
    by_time=True,
    planned=("operation", "object_type", "result", "actor_id"),
    extra=(func.coalesce(_email_in(models.Membership), _email_in(models.FormerMember)).label("actor_email"),),
)
_MINE = _ROW.owner_id == p("owner_id")


@operation(Permission.audit_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.AuditEntry]:
    """Lists the audit of your data, newest first: changes, logins, and what was refused. Administrators get
    everybody's.
    """
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.audit_read, "read")
async def get(op: Op, id: UUID) -> models.AuditEntry:
    """Returns one entry of the audit. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound("There is no entry of the audit with this id about your data. Check the id.")
    return row

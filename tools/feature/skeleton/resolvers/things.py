"""Things: each user has things of their own, and administrators read those of all users."""

from uuid import UUID

from core.errors import NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.page import Rows
from shapes.things import NewThing

_MINE = models.Thing.owner_id == p("owner_id")
_LISTS = Listing(models.Thing)


@operation(Permission.things_read, "read")
async def list(op: Op, page: int = 1, limit: int = 20) -> Rows[models.Thing]:
    """Returns what `page` returns, by page numbers. Raises ValidationFailed."""
    return await _LISTS.numbered(op.db, page, limit, {}, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.things_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Thing]:
    """Lists your things, newest first; administrators get those of all users."""
    return await _LISTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.things_read, "read")
async def get(op: Op, id: UUID) -> models.Thing:
    """Returns one thing. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, *op.own(_MINE), owner_id=op.viewer.id)
    if row is None:
        raise NotFound("There is no thing with this id among yours. Check the id.")
    return row


@operation(Permission.things_write, idempotent=stored_model(models.Thing))
async def create(op: Op, input: NewThing) -> models.Thing:
    """Creates a thing, which is yours."""
    row = models.Thing(id=uuid7(), owner_id=op.viewer.id, name=input.name)
    op.session.add(row)
    await op.session.flush()
    return row

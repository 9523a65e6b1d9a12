"""Canned answers: each user has a list of them, which only that user sees."""

from dataclasses import replace
from uuid import UUID

from sqlalchemy import func, or_, select

from core.errors import Conflict, NotFound
from core.ids import uuid7
from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from runtime.idempotency import stored_model
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.canned_answers import MOST_ANSWERS, CannedAnswerPatch, NewCannedAnswer

_ANSWER = models.CannedAnswer
_LISTS = Listing(
    _ANSWER,
    orders={"shortcut": _ANSWER.shortcut},
    descending=False,
    filters={
        ("text", "contains"): or_(
            *(column.ilike(p("text_contains_"), escape="\\") for column in (_ANSWER.shortcut, _ANSWER.text))
        )
    },
)
_MINE = _ANSWER.owner_id == p("owner_id")


@operation(Permission.messengers_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.CannedAnswer]:
    """Lists your canned answers, in the order of their shortcuts."""
    in_order = replace(page_args, order="shortcut")
    return await _LISTS.page(op.db, in_order, where, _MINE, owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def get(op: Op, id: UUID) -> models.CannedAnswer:
    """Returns one canned answer. Raises NotFound."""
    (row,) = await _LISTS.by_ids(op.db, [id], None, _MINE, owner_id=op.viewer.id)
    if row is None:
        raise _unknown()
    return row


@operation(Permission.messengers_send, idempotent=stored_model(models.CannedAnswer))
async def create(op: Op, input: NewCannedAnswer) -> models.CannedAnswer:
    """Creates a canned answer. You may have five hundred. Raises Conflict if there is one of this shortcut, or if there
    are too many.
    """
    await _lock_owner(op)
    number = await op.session.scalar(select(func.count()).where(_ANSWER.owner_id == op.viewer.id))
    if number is not None and number >= MOST_ANSWERS:
        raise Conflict(
            f"You may have at most {MOST_ANSWERS} canned answers. Delete one that is not used.",
            code="too_many_canned_answers",
        )
    await _check_shortcut(op, input.shortcut)
    row = _ANSWER(id=uuid7(), owner_id=op.viewer.id, shortcut=input.shortcut, text=input.text)
    op.session.add(row)
    await op.session.flush()
    return row


@operation(Permission.messengers_send)
async def update(op: Op, id: UUID, input: CannedAnswerPatch) -> models.CannedAnswer:
    """Changes the shortcut or the text of a canned answer. Raises NotFound, and Conflict if another one has the
    shortcut.
    """
    await _lock_owner(op)
    row = await _own(op, id)
    if input.shortcut is not None and input.shortcut != row.shortcut:
        await _check_shortcut(op, input.shortcut)
        row.shortcut = input.shortcut
    if input.text is not None:
        row.text = input.text
    await op.session.flush()
    await op.session.refresh(row)
    return row


@operation(Permission.messengers_send)
async def delete(op: Op, id: UUID) -> None:
    """Deletes a canned answer. Raises NotFound."""
    await op.session.delete(await _own(op, id))


async def _own(op: Op, id: UUID) -> models.CannedAnswer:
    row = await op.session.get(_ANSWER, id)
    if row is None or row.owner_id != op.viewer.id:
        raise _unknown()
    return row


async def _lock_owner(op: Op) -> None:
    """Lets only one request at a time change the caller's list."""
    await op.session.execute(
        select(models.User.id).where(models.User.id == op.viewer.id).with_for_update(key_share=True)
    )


async def _check_shortcut(op: Op, shortcut: str) -> None:
    exists = select(_ANSWER.id).where(_ANSWER.owner_id == op.viewer.id, _ANSWER.shortcut == shortcut)
    if await op.session.scalar(exists) is not None:
        raise Conflict(
            "You have a canned answer with this shortcut. Change that one, or choose another shortcut.",
            code="shortcut_exists",
        )


def _unknown() -> NotFound:
    return NotFound("There is no canned answer with this id among yours. Check the id.")

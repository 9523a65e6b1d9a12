"""Reads recipients: their rows, and the status of the message to each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import any_, exists, select

from db import models
from db.keyset import Conditions, Cut, Keyset, Slice
from db.query import Query, columns, p
from runtime.operation import Op
from shapes.recipients import RecipientStatus

_PROJECT, _RECIPIENT = models.SendingProject, models.Recipient
_SEEN = exists().where(_PROJECT.id == _RECIPIENT.project_id, _PROJECT.status != "deleted")
_MINE = exists().where(
    _PROJECT.id == _RECIPIENT.project_id,
    _PROJECT.status != "deleted",
    _PROJECT.owner_id == p("owner_id"),
)
_LIST = Keyset(_RECIPIENT, key=_RECIPIENT.seq, descending=False)
_BY_ID = {
    everyone: Query(
        _RECIPIENT,
        select(*columns(_RECIPIENT)).where(
            _RECIPIENT.id == any_(p("ids", like=_RECIPIENT.id)), _SEEN if everyone else _MINE
        ),
    )
    for everyone in (True, False)
}
_MESSAGES = "SELECT id, status, failure_code, failure_reason FROM message_records WHERE id = ANY($1)"
_OF_MESSAGE = frozenset({"status", "status_reason", "message_id"})


@dataclass(frozen=True, slots=True)
class Reached:
    """A recipient's row, and the status of the message to this recipient."""

    row: models.Recipient
    status: str
    status_reason: str | None
    message_id: UUID | None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)


def message_id(project_id: UUID, recipient_id: UUID) -> UUID:
    """Returns the id of the message to a recipient, derived from both ids, so that every machine gets the same."""
    return uuid5(project_id, str(recipient_id))


async def parts(op: Op, projects: Sequence[UUID], cut: Cut, where: Conditions) -> list[Slice[Reached]]:
    """Returns one page of recipients for each project. A project that the caller may not see gives an empty page."""
    wanted = cut.columns
    own = cut if wanted is None else replace(cut, columns=(wanted - _OF_MESSAGE) | {"id", "project_id"})
    scope = _SEEN if op.viewer.admin else _MINE
    by = _RECIPIENT.project_id
    found: list[Slice[Any]] = await _LIST.slices(
        op.reads, by, projects, own, where, scope, owner_id=op.viewer.id
    )
    each = iter(await reached(op, [row for one in found for row in one.nodes], wanted))
    return [replace(one, nodes=[next(each) for _ in one.nodes]) for one in found]


async def by_id(op: Op, ids: Sequence[UUID], wanted: frozenset[str] | None = None) -> list[Reached]:
    """Returns the recipients that exist and that the caller may see, in no particular order."""
    rows = await _BY_ID[op.viewer.admin].all(op.reads, ids=[*ids], owner_id=op.viewer.id) if ids else []
    return await reached(op, rows, wanted)


async def reached(
    op: Op, rows: Sequence[models.Recipient], wanted: frozenset[str] | None = None
) -> list[Reached]:
    """Returns the recipients with the status of their messages. The messages are read only if `wanted` needs them."""
    ids = [message_id(row.project_id, row.id) for row in rows]
    ask = ids and (wanted is None or wanted & _OF_MESSAGE)
    found = {row["id"]: row for row in await op.reads.fetch(_MESSAGES, ids)} if ask else {}
    return [_with(row, id, found.get(id)) for row, id in zip(rows, ids, strict=True)]


def _with(row: models.Recipient, id: UUID, message: Any) -> Reached:
    if message is None:
        return Reached(row, RecipientStatus.pending.value, None, None)
    return Reached(row, message["status"], message["failure_reason"] or message["failure_code"], id)

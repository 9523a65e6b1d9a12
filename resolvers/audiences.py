"""Reads recipients: their rows, and the status of the message to each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid5

from sqlalchemy import any_, exists, or_, select

from db import models
from db.address_keys import key_column
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.lists.filters import comparisons
from db.query import Query, columns, p
from runtime.operation import Op
from shapes.recipients import RecipientStatus, phone_of

_PROJECT, _RECIPIENT = models.SendingProject, models.Recipient
_SEEN = exists().where(_PROJECT.id == _RECIPIENT.project_id, _PROJECT.status != "deleted")
_MINE = exists().where(
    _PROJECT.id == _RECIPIENT.project_id,
    _PROJECT.status != "deleted",
    _PROJECT.owner_id == p("owner_id"),
)
_TEXT = p("text_contains_")
LISTS = Listing(
    _RECIPIENT,
    key=_RECIPIENT.seq,
    descending=False,
    filters={
        ("text", "contains"): or_(
            _RECIPIENT.address.ilike(_TEXT, escape="\\"), _RECIPIENT.name.ilike(_TEXT, escape="\\")
        ),
        **comparisons("address", key_column(_RECIPIENT.address)),
    },
)
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
class RecipientResult:
    """A recipient's row, and the status of the message to this recipient."""

    row: models.Recipient
    status: str
    status_reason: str | None
    message_id: UUID | None

    @property
    def phone(self) -> str | None:
        """Returns the address if it is a phone."""
        return phone_of(self.row.address)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)


def message_id(project_id: UUID, recipient_id: UUID) -> UUID:
    """Returns the id of the message to a recipient, derived from both ids, so that every machine gets the same."""
    return uuid5(project_id, str(recipient_id))


async def parts(
    op: Op, projects: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> list[CursorPage[RecipientResult]]:
    """Returns one page of recipients for each project. A project that the caller may not see gives an empty page."""
    column_names = page_args.columns
    own = (
        page_args
        if column_names is None
        else replace(page_args, columns=(column_names - _OF_MESSAGE) | {"id", "project_id"})
    )
    scope = _SEEN if op.viewer.admin else _MINE
    by = _RECIPIENT.project_id
    pages: list[CursorPage[Any]] = await LISTS.pages(
        op.reads, by, projects, own, where, scope, owner_id=op.viewer.id
    )
    each = iter(await reached(op, [row for page in pages for row in page.nodes], column_names))
    return [replace(page, nodes=[next(each) for _ in page.nodes]) for page in pages]


async def by_id(
    op: Op, ids: Sequence[UUID], column_names: frozenset[str] | None = None
) -> list[RecipientResult]:
    """Returns the recipients that exist and that the caller may see, in no particular order."""
    rows = await _BY_ID[op.viewer.admin].all(op.reads, ids=[*ids], owner_id=op.viewer.id) if ids else []
    return await reached(op, rows, column_names)


async def reached(
    op: Op, rows: Sequence[models.Recipient], column_names: frozenset[str] | None = None
) -> list[RecipientResult]:
    """Returns the recipients with the status of their messages. The messages are read only if `column_names` needs
    them.
    """
    ids = [message_id(row.project_id, row.id) for row in rows]
    ask = ids and (column_names is None or column_names & _OF_MESSAGE)
    messages_by_id = {row["id"]: row for row in await op.reads.fetch(_MESSAGES, ids)} if ask else {}
    return [_with(row, id, messages_by_id.get(id)) for row, id in zip(rows, ids, strict=True)]


def _with(row: models.Recipient, id: UUID, message: Any) -> RecipientResult:
    if message is None:
        return RecipientResult(row, RecipientStatus.pending.value, None, None)
    return RecipientResult(row, message["status"], message["failure_reason"] or message["failure_code"], id)

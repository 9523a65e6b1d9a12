"""Messenger accounts, and the rows that belong to them, for many parents at once: GraphQL's relations."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Select, any_, select

from db import models
from db.lists import Conditions, CursorPage, PageArgs
from db.query import Query, p
from resolvers.messenger_accounts.account_rows import LISTS, MINE, mine
from runtime.operation import Op, operation
from runtime.permissions import Permission

T = TypeVar("T")
_ACCOUNT = models.MessengerAccount


@operation(Permission.messengers_read, "read")
async def of_users(
    op: Op, user_ids: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.MessengerAccount]]:
    """Returns one page of messenger accounts for each owner."""
    return await LISTS.pages(
        op.db, _ACCOUNT.owner_id, user_ids, page_args, where, *op.own(MINE), owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.MessengerAccount | None]:
    """Returns accounts by id. A deleted account, or one that the caller may not see, gives None."""
    return await LISTS.by_ids(op.db, ids, column_names, *op.own(MINE), owner_id=op.viewer.id)


@operation(Permission.messengers_read, "read")
async def state_changes(op: Op, accounts: Sequence[UUID]) -> Sequence[Sequence[models.MessengerStateChange]]:
    """Returns the latest changes of each account's state, newest first, if the caller sees the account."""
    return await _state_changes_of(op, accounts)


@operation(Permission.messengers_read, "read")
async def state_changes_of(op: Op, account_id: UUID) -> Sequence[models.MessengerStateChange]:
    """Lists the latest states of a messenger account with their reasons, newest first; at most 100. Raises NotFound."""
    account = await mine(op, account_id)
    (changes,) = await _state_changes_of(op, [account.id])
    return changes


async def _state_changes_of(
    op: Op, accounts: Sequence[UUID]
) -> Sequence[Sequence[models.MessengerStateChange]]:
    changes: dict[UUID, list[models.MessengerStateChange]] = {id: [] for id in accounts}
    for row in await _state_changes(op.viewer.admin).all(op.db, ids=[*changes], owner_id=op.viewer.id):
        changes[row.account_id].append(row)
    return [changes[id] for id in accounts]


@cache
def _state_changes(everyone: bool) -> Query[models.MessengerStateChange]:
    row = models.MessengerStateChange
    seen = of_seen(row.account_id, everyone)
    matches = row.account_id == any_(p("ids", like=row.account_id))
    return Query(row, select(row).where(matches, *seen).order_by(row.id.desc()))


@cache
def of_seen(account_id: Any, everyone: bool) -> tuple[Any, ...]:
    """Returns the conditions that keep rows of visible accounts; the column `account_id` of a row names its account.

    The parameter is `owner_id`. The result is cached per column, because compiled statements are found by their
    conditions.
    """
    return (select(1).where(_ACCOUNT.id == account_id, *_seen(everyone)).exists(),)


@cache
def seen_accounts(everyone: bool) -> Select[Any]:
    """Returns the SELECT of the ids of visible accounts. The parameter is `owner_id`."""
    return select(_ACCOUNT.id).where(*_seen(everyone))


def _seen(everyone: bool) -> tuple[Any, ...]:
    return (_ACCOUNT.deleted_at.is_(None), *(() if everyone else (MINE,)))

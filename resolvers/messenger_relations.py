"""Messenger accounts, and the rows that belong to them, for many parents at once: GraphQL's relations."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import select

from db import models
from db.lists import Conditions, CursorPage, PageArgs
from resolvers.messenger_accounts import LISTS, MINE
from runtime.operation import Op, operation
from runtime.permissions import Permission

T = TypeVar("T")
_ACCOUNT = models.MessengerAccount


@operation(Permission.messengers_read, "read")
async def of_owners(
    op: Op, owners: Sequence[UUID], page_args: PageArgs, where: Conditions
) -> Sequence[CursorPage[models.MessengerAccount]]:
    """Returns one page of messenger accounts for each owner."""
    return await LISTS.pages(
        op.db, _ACCOUNT.owner_id, owners, page_args, where, *op.own(MINE), owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def by_ids(
    op: Op, ids: Sequence[UUID | None], column_names: frozenset[str] | None = None
) -> Sequence[models.MessengerAccount | None]:
    """Returns accounts by id. A deleted account, or one that the caller may not see, gives None."""
    return await LISTS.by_ids(op.db, ids, column_names, *op.own(MINE), owner_id=op.viewer.id)


@cache
def of_seen(account_id: Any, everyone: bool) -> tuple[Any, ...]:
    """Returns the conditions that keep rows of visible accounts; the column `account_id` of a row names its account.

    The parameter is `owner_id`. The result is cached per column, because compiled statements are found by their
    conditions.
    """
    seen = (_ACCOUNT.deleted_at.is_(None), *(() if everyone else (MINE,)))
    return (select(1).where(_ACCOUNT.id == account_id, *seen).exists(),)

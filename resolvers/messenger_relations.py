"""Messenger accounts, and what belongs to them, of many at once: the graph's relations."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import select

from db import models
from db.keyset import Conditions, Cut, Slice
from postern.operation import Op, operation
from postern.permissions import Permission
from resolvers.messenger_accounts import LISTS, MINE

T = TypeVar("T")
_ACCOUNT = models.MessengerAccount


@operation(Permission.messengers_read, "read")
async def of_owners(
    op: Op, owners: Sequence[UUID], cut: Cut, where: Conditions
) -> Sequence[Slice[models.MessengerAccount]]:
    """A part of each owner's messenger accounts."""
    return await LISTS.slices(
        op.db, _ACCOUNT.owner_id, owners, cut, where, *op.own(MINE), owner_id=op.viewer.id
    )


@operation(Permission.messengers_read, "read")
async def named(
    op: Op, ids: Sequence[UUID | None], wanted: frozenset[str] | None = None
) -> Sequence[models.MessengerAccount | None]:
    """By id; None for those that are deleted, and those that the caller doesn't see."""
    return await LISTS.named(op.db, ids, wanted, *op.own(MINE), owner_id=op.viewer.id)


@cache
def of_seen(account_id: Any, everyone: bool) -> tuple[Any, ...]:
    """Of rows whose column is a messenger account's id: those of accounts that the caller sees.

    The parameter is `owner_id`. Made once a column, since statements are known by their conditions.
    """
    seen = (_ACCOUNT.deleted_at.is_(None), *(() if everyone else (MINE,)))
    return (select(1).where(_ACCOUNT.id == account_id, *seen).exists(),)

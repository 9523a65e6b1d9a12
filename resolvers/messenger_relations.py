"""Messenger accounts, and what belongs to them, of many at once: the graph's relations."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import select

from db import models
from db.keyset import Conditions, Cut, Keyset, Slice
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
    return await one_each(op, LISTS, _ACCOUNT.id, ids, wanted, op.own(MINE))


async def one_each(
    op: Op,
    lists: Keyset[T],
    by: Any,
    ids: Sequence[UUID | None],
    wanted: frozenset[str] | None,
    scope: tuple[Any, ...],
) -> Sequence[T | None]:
    """Rows by their ids, out of those for which `scope` holds (its parameter: `owner_id`); None for the others."""
    asked = [id for id in ids if id is not None]
    if not asked:
        return [None for _ in ids]
    one = Cut(first=1, columns=wanted)
    found = await lists.slices(op.db, by, asked, one, {}, *scope, owner_id=op.viewer.id)
    rows = {id: slice.nodes[0] for id, slice in zip(asked, found, strict=True) if slice.nodes}
    return [None if id is None else rows.get(id) for id in ids]


@cache
def of_seen(account_id: Any, everyone: bool) -> tuple[Any, ...]:
    """Of rows whose column is a messenger account's id: those of accounts that the caller sees.

    The parameter is `owner_id`. Made once a column, since statements are known by their conditions.
    """
    seen = (_ACCOUNT.deleted_at.is_(None), *(() if everyone else (MINE,)))
    return (select(1).where(_ACCOUNT.id == account_id, *seen).exists(),)

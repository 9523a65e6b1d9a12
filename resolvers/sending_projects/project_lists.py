"""Sending Projects as lists: the columns that they are ordered by, and the columns that relate them to parents."""

from typing import Any

from sqlalchemy import Uuid
from sqlalchemy.dialects.postgresql import array

from db import models
from db.lists import Conditions, Listing, PageArgs
from db.lists.filters import without_index
from db.query import p
from shapes.sending_projects import ProjectStatus

_PROJECT = models.SendingProject

LISTS = Listing(
    _PROJECT,
    orders={"updatedAt": _PROJECT.updated_at, "name": _PROJECT.name},
    always=(_PROJECT.status != ProjectStatus.deleted.value,),
    filters={("name", "contains"): _PROJECT.name.ilike(p("name_contains_"), escape="\\")},
)
MINE = _PROJECT.owner_id == p("owner_id")
_ALSO_MINE = without_index(MINE)


class _Senders:
    """Stands in for a column: a comparison matches a project if any of its source accounts is the one asked for."""

    type = Uuid()

    def __eq__(self, other: object) -> Any:
        return _PROJECT.account_uuids.op("@>")(array([other]))

    def __hash__(self) -> int:
        return id(self)


BY: dict[str, Any] = {
    "owner_id": _PROJECT.owner_id,
    "account_id": _PROJECT.account_id,
    "repeatable_uuid": _PROJECT.repeatable_uuid,
    "account_uuids": _Senders(),
    "follows_uuid": _PROJECT.follows_uuid,
}


def mine_of(by: str, page_args: PageArgs, where: Conditions) -> Any:
    """Returns the condition that the caller owns a project that belongs to a parent.

    An account's projects are read from its own index, which has the order of the list. For other orders and for filters
    there are indexes of the owner.
    """
    plain = not where and not LISTS.order_name(page_args.order)
    return _ALSO_MINE if by == "account_id" and plain else MINE

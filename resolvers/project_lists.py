"""Sending Projects as lists: by which columns they are ordered, and from where they are looked at."""

from typing import Any

from sqlalchemy import Uuid
from sqlalchemy.dialects.postgresql import array

from db import models
from db.keyset import Keyset
from db.query import p
from schema.types.sending_projects import ProjectStatus

_PROJECT = models.SendingProject

LISTS = Keyset(
    _PROJECT,
    orders={"updatedAt": _PROJECT.updated_at, "name": _PROJECT.name},
    always=(_PROJECT.status != ProjectStatus.deleted.value,),
    special={("name", "contains"): _PROJECT.name.ilike(p("name_contains_"), escape="\\")},
)
MINE = _PROJECT.owner_id == p("owner_id")


class _Senders:
    """In place of a column: the source accounts of a project, any of which may be the one that is asked for."""

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
}

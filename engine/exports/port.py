"""The port of a source of exports: its columns, its filters and its pages of rows."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from core.ids import least_uuid7
from db.session import Database
from engine.address_hashes import AddressHasher
from runtime.permissions import Permission, Rights
from runtime.render_pool import RenderPool

PAGE = 2000
"""Rows that are read and written at once."""
_APART: Final = timedelta(days=1)
_FIRST: Final = datetime(1971, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(9999, 1, 1, tzinfo=UTC)
Row = Mapping[str, Any]
Pages = AsyncIterator[Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that an export may have."""

    name: str
    label: str
    example: str


@dataclass(frozen=True, slots=True)
class Asked:
    """An export: whose rows (None: of all users), of which project, and with which filters."""

    owner: UUID | None
    project: UUID | None
    filters: Mapping[str, Any]
    columns: Sequence[str]
    hasher: AddressHasher | None = None  # of an export of a person
    rights: Rights | None = (
        None  # of the caller for whom it is written; None: it has no limit but the source's
    )
    render_pool: RenderPool = field(default_factory=RenderPool)  # renders the texts of messages

    def moment(self, name: str) -> datetime | None:
        """Returns a filter as a time, or None."""
        value = self.filters.get(name)
        return datetime.fromisoformat(value) if value is not None else None


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of export."""

    columns: Sequence[Column]
    pages: Callable[[Database, Asked], Pages]
    total: Callable[[Database, Asked], Any]
    usual: Callable[[Database, Asked], Any]
    permission: Permission
    """The permission to see the same rows without an export."""


def before(moment: datetime | None) -> UUID:
    """Returns an id that is smaller than those of rows from this time on, or than all: ids are made up to a day apart
    from the time of their row.
    """
    return least_uuid7(max(moment or _FIRST, _FIRST) - _APART)


def after(moment: datetime | None) -> UUID:
    """Returns an id that is larger than those of rows before this time, or than all."""
    return least_uuid7(min(moment or _LAST, _LAST) + _APART)


def all_of(columns: Sequence[Column]) -> Callable[[Database, Asked], Any]:
    """Returns a function that answers with all these columns when an export names none."""

    async def usual(db: Database, asked: Asked) -> Sequence[str]:
        return [column.name for column in columns]

    return usual

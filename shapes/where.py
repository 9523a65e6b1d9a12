"""Filters of lists: `where: {status: {in: [queued]}, createdAt: {gte: "…"}}`. All conditions must be met.

Only columns that an index knows can be asked for, each by the comparisons that suit it.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args

import strawberry
from pydantic import Field
from pydantic.fields import FieldInfo

from shapes.described import DescribedEnum
from shapes.shape import NO_NUL, Shape, Timestamp

E = TypeVar("E", bound=Enum)
MOST = 100  # values of one `in`

Values = Field(max_length=MOST)


class Filter(Shape):
    """Comparisons of one column; all that are given must hold. An empty one asks for nothing."""

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if value is not None}


class Choice(Filter, Generic[E]):
    """Filter by included or excluded values."""

    eq: Annotated[E | None, Field(description="equal to this value")] = None
    in_: Annotated[
        list[E] | None,
        Values,
        Field(alias="in", description="equal to one of these values"),
        strawberry.field(name="in"),
    ] = None
    not_in: Annotated[list[E] | None, Values, Field(description="equal to none of these values")] = None


class Flag(Filter):
    """Filter by true or false."""

    eq: Annotated[bool | None, Field(description="equal to this value")] = None


class TimeSpan(Filter):
    """Filter by a time range; it may be open at either end."""

    gte: Annotated[Timestamp | None, Field(description="at or after this time")] = None
    gt: Annotated[Timestamp | None, Field(description="after this time")] = None
    lte: Annotated[Timestamp | None, Field(description="at or before this time")] = None
    lt: Annotated[Timestamp | None, Field(description="before this time")] = None


_Line = Annotated[str, Field(max_length=1000, pattern=NO_NUL)]


class Exactly(Filter):
    """Filter by the exact text."""

    eq: Annotated[_Line | None, Field(description="equal to this value")] = None
    in_: Annotated[
        list[_Line] | None,
        Values,
        Field(alias="in", description="equal to one of these values"),
        strawberry.field(name="in"),
    ] = None


def like(text: str) -> str:
    """Returns a LIKE pattern that finds `text` literally, anywhere."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


class Contains(Filter):
    """Filter by a part of a text, in upper or lower case."""

    contains: Annotated[
        str | None,
        Field(max_length=100, pattern=NO_NUL, description="the text it begins with; there are no wildcards"),
    ] = None

    def values(self) -> dict[str, Any]:
        return {name: like(value) for name, value in super().values().items()}


class Ids(Filter):
    """Filter by ids: either the global `id` or the `uuid` that REST uses."""

    eq: Annotated[_Line | None, Field(description="equal to this id")] = None
    in_: Annotated[
        list[_Line] | None,
        Values,
        Field(alias="in", description="equal to one of these values"),
        strawberry.field(name="in"),
    ] = None


class Where(Shape):
    """Conditions on a list; each field is a column's. `kinds` names the types that ids are of."""

    kinds: ClassVar[Mapping[str, str]] = {}

    def conditions(self) -> dict[tuple[str, str], Any]:
        """Returns the value for each column and comparison; ids stay as they were written."""
        filters = ((name, part) for name, part in self.__dict__.items() if isinstance(part, Filter))
        return {
            (name, operator): _plain(value)
            for name, part in filters
            for operator, value in part.values().items()
        }


def filter_of(field: FieldInfo) -> type[Filter] | None:
    """Returns the class of a field of a Where; None: it is a list of conditions."""
    kinds = (
        kind for kind in get_args(field.annotation) if isinstance(kind, type) and issubclass(kind, Filter)
    )
    return next(kinds, None)


class ListFilters(Shape):
    """Filters of a list as single values, each of which is one condition: a REST list and an export take such.

    `compares` has the column and the comparison of a filter; of one that is not there, the column of its name is equal
    to the value.
    """

    compares: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def conditions(self) -> dict[tuple[str, str], Any]:
        """Returns the value for each column and comparison."""
        asked = {
            self.compares.get(name, (name, "eq")): value
            for name, value in self.__dict__.items()
            if value is not None
        }
        return {
            (name, operator): like(value) if operator == "contains" else _plain(value)
            for (name, operator), value in asked.items()
        }


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Enum) else value


class SortDirection(DescribedEnum):
    """Direction in which a list is sorted."""

    asc = "asc", "ascending: smallest or oldest first"
    desc = "desc", "descending: largest or newest first"


class Order(Shape):
    """An order to read a list in. Those that add a `field` name the columns that an index knows."""

    direction: Annotated[SortDirection, Field(description="sort direction")] = SortDirection.desc


class ListOrder(Order):
    """Order of a list that has only one: by its own key, in either direction."""

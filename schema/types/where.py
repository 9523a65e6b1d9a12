"""What lists are filtered by: `where: {status: {in: [queued]}, createdAt: {gte: "…"}}`. All that is given must hold.

Only columns that an index knows can be asked for, each by the comparisons that suit it.
"""

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import strawberry
from pydantic import Field

from schema.types.shape import NO_NUL, Shape, Timestamp

E = TypeVar("E", bound=Enum)
MOST = 100  # values of one `in`

Values = Field(max_length=MOST)


class Filter(Shape):
    """Comparisons of one column; all that are given must hold. An empty one asks for nothing."""

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if value is not None}


class Choice(Filter, Generic[E]):
    """One of these values, or none of those."""

    eq: Annotated[E | None, Field(description="exactly this")] = None
    in_: Annotated[
        list[E] | None, Values, Field(alias="in", description="one of these"), strawberry.field(name="in")
    ] = None
    not_in: Annotated[list[E] | None, Values, Field(description="none of these")] = None


class Flag(Filter):
    """Yes or no."""

    eq: Annotated[bool | None, Field(description="exactly this")] = None


class TimeSpan(Filter):
    """A span of time; both ends may be open."""

    gte: Annotated[Timestamp | None, Field(description="then or later")] = None
    gt: Annotated[Timestamp | None, Field(description="later")] = None
    lte: Annotated[Timestamp | None, Field(description="then or earlier")] = None
    lt: Annotated[Timestamp | None, Field(description="earlier")] = None


_Line = Annotated[str, Field(max_length=1000, pattern=NO_NUL)]


class Exactly(Filter):
    """A text, as it is stored."""

    eq: Annotated[_Line | None, Field(description="exactly this")] = None
    in_: Annotated[
        list[_Line] | None, Values, Field(alias="in", description="one of these"), strawberry.field(name="in")
    ] = None


def like(text: str) -> str:
    """A LIKE pattern that finds `text` literally, anywhere."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


class Contains(Filter):
    """A part of a text, whether in capitals or not."""

    contains: Annotated[str | None, Field(max_length=100, pattern=NO_NUL, description="taken literally")] = (
        None
    )

    def values(self) -> dict[str, Any]:
        return {name: like(value) for name, value in super().values().items()}


class Ids(Filter):
    """Ids, in either spelling: the opaque `id`, or the `uuid` that REST shows."""

    eq: Annotated[_Line | None, Field(description="exactly this one")] = None
    in_: Annotated[
        list[_Line] | None, Values, Field(alias="in", description="one of these"), strawberry.field(name="in")
    ] = None


class Where(Shape):
    """Conditions on a list; each field is a column's. `kinds` names the types that ids are of."""

    kinds: ClassVar[Mapping[str, str]] = {}

    def conditions(self) -> dict[tuple[str, str], Any]:
        """By column and comparison; ids as they were written."""
        given = ((name, part) for name, part in self.__dict__.items() if isinstance(part, Filter))
        return {
            (name, operator): _plain(value)
            for name, part in given
            for operator, value in part.values().items()
        }


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Enum) else value


class SortDirection(StrEnum):
    """Which end of a list comes first."""

    asc = "asc"
    desc = "desc"


class Order(Shape):
    """An order to read a list in. Those that add a `field` name the columns that an index knows."""

    direction: Annotated[SortDirection, Field(description="which end comes first")] = SortDirection.desc


class ListOrder(Order):
    """The list's own order, from either end."""

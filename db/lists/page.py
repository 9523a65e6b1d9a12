"""Pages of lists: the arguments that they are asked for with, and their rows.

A page by number is shapes.page.Rows, which REST shows.
"""

import asyncio
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.errors import ValidationFailed
from db.lists.cursor import write_cursor
from shapes.page import MAX_LIMIT, MAX_PAGE

T = TypeVar("T")
DEFAULT = 20
MOST_COUNTED = 100_000
"""Counting stops here: ten million rows are not counted for a number above a page."""
MOST_COUNTED_EACH = 10_000
"""Counting stops here for each parent, if one statement counts the lists of many parents."""


def in_bounds(page: int, limit: int) -> None:
    """Checks the number and the size of a page. Raises ValidationFailed."""
    rules = []
    if not 1 <= page <= MAX_PAGE:
        rules.append(f"page: must be from 1 to {MAX_PAGE}")
    if not 1 <= limit <= MAX_LIMIT:
        rules.append(f"limit: must be from 1 to {MAX_LIMIT}")
    if rules:
        raise ValidationFailed(rules)


@dataclass(frozen=True, slots=True)
class PageArgs:
    """The arguments of a page: those of Relay, the columns to read (None: all of them), and the order."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None
    order: str | None = None  # None: the list's own order
    descending: bool | None = None
    columns: frozenset[str] | None = None

    @property
    def limit(self) -> int:
        """Returns the number of rows of the page."""
        if self.first is not None:
            return self.first
        return DEFAULT if self.last is None else self.last

    @property
    def backwards(self) -> bool:
        """Returns whether the page is read from the end of the list."""
        return self.last is not None and self.first is None

    def check(self) -> "PageArgs":
        """Returns this page if its arguments are valid. Raises ValidationFailed."""
        rules = [
            f"{name}: must be from 0 to {MAX_LIMIT}"
            for name, value in (("first", self.first), ("last", self.last))
            if value is not None and not 0 <= value <= MAX_LIMIT
        ]
        if self.first is not None and self.last is not None:
            rules.append("first: send `first` or `last`, not both")
        if rules:
            raise ValidationFailed(rules)
        return self


class Counting:
    """The row counts of all lists that one statement read pages of, counted when the first one is requested."""

    def __init__(self, count: Any) -> None:
        self._count = count
        self._running: Any = None

    async def of(self, parent: Any) -> int:
        """Returns the count of the list of this parent."""
        if self._running is None:
            self._running = asyncio.ensure_future(self._count())
        return int((await self._running).get(parent, 0))


@dataclass(frozen=True, slots=True)
class Edge(Generic[T]):
    """A row and its cursor."""

    cursor: str
    node: T


@dataclass(frozen=True, slots=True)
class PageInfo:
    """The position of a page in its list."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@dataclass(slots=True)
class CursorPage(Generic[T]):
    """A page by cursor."""

    nodes: list[T]
    has_next_page: bool
    has_previous_page: bool
    keys: tuple[str, ...]  # the attributes that a cursor is made of
    name: str  # of the list in its order, which the cursors begin with
    counting: Counting
    parent: Any = None

    def _cursor(self, row: Any) -> str:
        return write_cursor(self.name, [getattr(row, key) for key in self.keys])

    @property
    def edges(self) -> list[Edge[T]]:
        """Returns the rows with their cursors."""
        return [Edge(self._cursor(row), row) for row in self.nodes]

    @property
    def page_info(self) -> PageInfo:
        """Returns the position of the page in the list."""
        return PageInfo(
            self.has_next_page,
            self.has_previous_page,
            self._cursor(self.nodes[0]) if self.nodes else None,
            self._cursor(self.nodes[-1]) if self.nodes else None,
        )

    @property
    def items(self) -> list[T]:
        """Returns the rows, by the name that they have in REST."""
        return self.nodes

    @property
    def next(self) -> str | None:
        """Returns the cursor behind which the next page begins, or None for the last page."""
        return self._cursor(self.nodes[-1]) if self.has_next_page else None

    async def total_count(self) -> int:
        """Counts the rows of the whole list, up to MOST_COUNTED or MOST_COUNTED_EACH."""
        return await self.counting.of(self.parent)

"""A page of a REST list: `{items, meta}` (specification §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from pydantic import Field

from shapes.shape import Shape

S = TypeVar("S")
R_co = TypeVar("R_co", covariant=True)

# offset = (page - 1) * limit must stay inside PostgreSQL's int8
MAX_LIMIT = 100
MAX_PAGE = 2**63 // MAX_LIMIT - 1

PageNumber = Annotated[int, Field(ge=1, le=MAX_PAGE)]
PageSize = Annotated[int, Field(ge=1, le=MAX_LIMIT)]


class Meta(Shape):
    """The position of a page in its list."""

    page: Annotated[int, Field(description="number of this page, from 1")]
    limit: Annotated[int, Field(description="rows on one page")]
    total: Annotated[int, Field(description="total number of rows")]
    total_pages: Annotated[int, Field(description="total number of pages")]


class Page(Shape, Generic[S]):
    """A page of a list."""

    items: Annotated[list[S], Field(description="the rows of this page")]
    meta: Meta


class PageByCursor(Shape, Generic[S]):
    """A page of a list that is read by cursor: rows that are added meanwhile move no others to another page."""

    items: Annotated[list[S], Field(description="the rows of this page")]
    next: Annotated[str | None, Field(description="`after` of the next page; null: this is the last one")]


@dataclass(frozen=True, slots=True)
class Rows(Generic[R_co]):
    """The answer of a resolver to a list: rows, and their position among all."""

    items: Sequence[R_co]
    page: int
    limit: int
    total: int

    @property
    def meta(self) -> Meta:
        return Meta(
            page=self.page,
            limit=self.limit,
            total=self.total,
            total_pages=-(-self.total // self.limit),
        )

"""Goes through all pages of a list: those with a number, and those with a cursor."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Page(Protocol[T_co]):
    """A page of a list: its rows are `items`."""

    @property
    def items(self) -> Sequence[T_co]:
        """Returns the rows of the page."""


def iterate(list_of: Callable[P, Page[T]], *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
    """Yields all rows of a list, page after page: `iterate(postern.messages.list, status="failed")`.

    `limit` is the size of a page. Rows that come meanwhile move numbered pages: a row may then come twice.
    """
    following: dict[str, Any] | None = {}
    while following is not None:
        page = list_of(*args, **{**kwargs, **following})
        yield from page.items
        following = _following(page)


async def aiterate(
    list_of: Callable[P, Awaitable[Page[T]]], *args: P.args, **kwargs: P.kwargs
) -> AsyncIterator[T]:
    """Yields all rows of a list of an AsyncPostern, page after page."""
    following: dict[str, Any] | None = {}
    while following is not None:
        page = await list_of(*args, **{**kwargs, **following})
        for item in page.items:
            yield item
        following = _following(page)


def _following(page: Any) -> dict[str, Any] | None:
    """Returns the argument that asks for the next page, or None after the last one."""
    if hasattr(page, "next_"):
        return {"after": page.next_} if page.next_ else None
    meta = page.meta
    return {"page": meta.page + 1} if meta.page < meta.total_pages else None

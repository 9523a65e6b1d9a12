"""Relay's connections (relay.dev/graphql/connections.htm), with `nodes` and `totalCount`, over db/keyset.py."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar, cast

import strawberry

from db import keyset
from db.keyset import MOST_COUNTED, MOST_COUNTED_EACH, Conditions, PageArgs
from schema.frame import graphql
from schema.frame.graphql import Info, local_id
from shapes import where as filters
from shapes.where import ListOrder, Order, Where

N = TypeVar("N")
F = TypeVar("F", bound=Callable[..., Any])

for kind, name in (
    (filters.TimeSpan, "TimeFilter"),
    (filters.Exactly, "TextFilter"),
    (filters.Contains, "SearchFilter"),
    (filters.Flag, "BooleanFilter"),
    (filters.Ids, "IdFilter"),
):
    graphql.input(kind, name=name, description=kind.__doc__)
graphql.input(ListOrder, description=ListOrder.__doc__)
graphql.input(filters.Choice, name="Filter", description=filters.Choice.__doc__)


@strawberry.type(description="The position of a page in its list.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="whether there are rows after this page")
    has_previous_page: bool = strawberry.field(description="whether there are rows before this page")
    start_cursor: str | None = strawberry.field(
        description="cursor of the first row, for `before`; null if the page is empty"
    )
    end_cursor: str | None = strawberry.field(
        description="cursor of the last row, for `after`; null if the page is empty"
    )


@strawberry.type(description="A row of a list with its cursor.")
class Edge(Generic[N]):
    cursor: str = strawberry.field(description="position of the row, for `after` and `before`")
    node: N = strawberry.field(description="the row")


@strawberry.type(description="One page of a list, as Relay defines connections.")
class Connection(Generic[N]):
    edges: list[Edge[N]] = strawberry.field(description="the rows of this page, each with its cursor")
    nodes: list[N] = strawberry.field(description="the rows of this page")
    page_info: PageInfo = strawberry.field(description="the position of this page in the list")

    @strawberry.field(  # type: ignore[untyped-decorator]
        description="total number of rows, counted only if this field is selected; counting stops at "
        f"{MOST_COUNTED:,}, and at {MOST_COUNTED_EACH:,} for each list if several lists are counted at once"
    )
    async def total_count(self) -> int:
        return await cast("keyset.KeysetPage[Any]", self).total_count()


def as_type(result: Any) -> Any:
    """Types a page of db/keyset.py, or a list of them, as the declared connection, which reads its attributes."""
    return result


First = Annotated[
    int | None,
    strawberry.argument(
        description="number of rows from the start of the list, or after `after`; default 20, at most 100"
    ),
]
After = Annotated[str | None, strawberry.argument(description="return the rows after this cursor")]
Last = Annotated[
    int | None, strawberry.argument(description="number of rows from the end of the list, or before `before`")
]
Before = Annotated[str | None, strawberry.argument(description="return the rows before this cursor")]
_PAGING = {"first": First, "after": After, "last": Last, "before": Before}


def connection(
    description: str, *, where: type[Where] | None = None, order: type[Order] | None = None
) -> Callable[[F], F]:
    """A root field that returns a `Connection`: its function takes `page_args` and, with a filter, `where`."""

    def wrap(function: F) -> F:
        return cast(F, strawberry.field(with_page_args(function, where, order), description=description))

    return wrap


def with_page_args(function: Any, where: type[Where] | None, order: type[Order] | None) -> Any:
    """Wraps `function(of, info, page_args, where, …)` so that GraphQL sees `first`, `after`, `where` … as its arguments.

    Without `order` the list has only its own sort order, in both directions.
    """
    signature = inspect.signature(function)
    if "page_args" not in signature.parameters:
        return function
    added = [_optional(name, kind) for name, kind in _PAGING.items()]
    if where is not None:
        argument = strawberry.argument(
            description="filter; only rows that match all given conditions are returned"
        )
        added.append(_optional("where", Annotated[where | None, argument]))
    argument = strawberry.argument(
        description="sort order; a cursor is valid only for the order it was created with"
    )
    added.append(_optional("order_by", Annotated[(order or ListOrder) | None, argument]))
    unchanged = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.name not in ("page_args", "where")
    ]

    @functools.wraps(function)
    async def called(of: Any, info: Info, **arguments: Any) -> Any:
        paging = {name: arguments.pop(name, None) for name in _PAGING}
        sorting = arguments.pop("order_by", None)
        arguments["page_args"] = _page_args(info, paging, sorting)
        if where is not None:
            arguments["where"] = _conditions(arguments.pop("where", None))
        return await function(of, info, **arguments)

    called.__signature__ = signature.replace(parameters=[*unchanged, *added])  # type: ignore[attr-defined]
    return called


def _optional(name: str, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=kind)


def _page_args(info: Info, paging: dict[str, Any], order: Any) -> PageArgs:
    return PageArgs(
        **paging,
        order=str(order.field.value) if order is not None and hasattr(order, "field") else None,
        descending=None if order is None else order.direction is filters.SortDirection.desc,
        columns=info.wanted,
    ).check()


def _conditions(where: Where | None) -> Conditions:
    """Returns the filter as conditions. Raises BadRequest for an invalid id."""
    if where is None:
        return {}
    return {
        (name, operator): _ids(value, where.kinds[name]) if name in where.kinds else value
        for (name, operator), value in where.conditions().items()
    }


def _ids(value: Any, kind: str) -> Any:
    return [local_id(text, kind) for text in value] if isinstance(value, list) else local_id(value, kind)

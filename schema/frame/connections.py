"""Relay's connections (relay.dev/graphql/connections.htm), with `nodes` and `totalCount`, over db/lists."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Generic, TypeVar, cast

import strawberry
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver

from db.lists import MOST_COUNTED, MOST_COUNTED_EACH, Conditions, CursorPage, PageArgs
from schema.frame import graphql
from schema.frame.graphql import Info, local_id
from shapes import where as filters
from shapes.where import ListOrder, Order, Where

N = TypeVar("N")
F = TypeVar("F", bound=Callable[..., Any])

# The filters that lists share are registered under their GraphQL names.
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
        return await cast("CursorPage[Any]", self).total_count()


def as_type(result: Any) -> Any:
    """Returns the rows or pages unchanged, but typed Any: Strawberry reads the attributes of the declared type from
    them.
    """
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
FILTER = strawberry.argument(description="filter; only rows that match all given conditions are returned")
SORTING = strawberry.argument(
    description="sort order; a cursor is valid only for the order it was created with"
)


def connection(
    description: str | None = None, *, where: type[Where], order: type[Order] | None = None
) -> Callable[[F], F]:
    """Decorates `function(self, info, page_args, where, …)`, which makes it a root field that returns a `Connection`.

    Without a description it has the text of the operation that it calls. Further parameters of the function are
    arguments of the field, before Relay's.
    """

    def wrap(function: F) -> F:
        returned = function.__annotations__["return"]
        made = strawberry.field(
            list_field(function, with_page_args(function), where, order, returned), description=description
        )
        own = [
            argument
            for argument in StrawberryResolver(function).arguments
            if argument.python_name not in ("page_args", "where")
        ]
        return cast(F, _with_arguments(made, function, own, returned) if own else made)

    return wrap


def _with_arguments(
    field: StrawberryField, function: Any, own: Sequence[StrawberryArgument], returned: Any
) -> StrawberryField:
    """Returns a field with these arguments and those of `field`, all of which `function` gets."""
    names = {argument.python_name for argument in own}

    async def called(self: Any, info: Info, **arguments: Any) -> returned:
        more = {name: arguments.pop(name) for name in names & arguments.keys()}
        return await with_page_args(partial(function, **more))(self, info, **arguments)

    made = strawberry.field(graphql.copy_name(called, function), description=field.description)
    made.arguments = [*own, *field.arguments]
    return made


def takes_page_args(function: Callable[..., Any]) -> bool:
    """Returns whether a field's function takes `page_args` and `where`."""
    return "page_args" in function.__annotations__


def with_page_args(function: Any) -> Callable[..., Any]:
    """Wraps `function(parent, info, page_args, where)`, so that it takes GraphQL's first, after, last, before and
    orderBy.
    """

    async def called(parent: Any, info: Info, *, where: Where | None = None, **paging: Any) -> Any:
        return await function(parent, info, page_args=read_page_args(info, **paging), where=conditions(where))

    return called


def list_field(
    function: Any, call: Callable[..., Any], where: type[Where], order: type[Order] | None, returned: Any
) -> Callable[..., Any]:
    """Returns a resolver with Relay's arguments, which Strawberry reads, and which passes them to `call`.

    Without `order` only the direction of the list can be chosen. Name and module are those of `function`.
    """
    filter_type: Any = Annotated[where | None, FILTER]
    sorting_type: Any = Annotated[(order or ListOrder) | None, SORTING]

    async def field(
        self: Any,
        info: Info,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
        where: filter_type = None,
        order_by: sorting_type = None,
    ) -> returned:
        return await call(
            self, info, first=first, after=after, last=last, before=before, where=where, order_by=order_by
        )

    return graphql.copy_name(field, function)


def read_page_args(
    info: Info,
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    order_by: Any = None,
) -> PageArgs:
    """Returns the requested page. Raises BadRequest."""
    has_sort_field = order_by is not None and hasattr(order_by, "field")  # ListOrder has only a direction
    return PageArgs(
        first,
        after,
        last,
        before,
        order=str(order_by.field.value) if has_sort_field else None,
        descending=None if order_by is None else order_by.direction is filters.SortDirection.desc,
        columns=info.columns,
    ).check()


def conditions(where: Where | None) -> Conditions:
    """Returns the filter as conditions. Raises BadRequest for an invalid id."""
    if where is None:
        return {}
    return {
        (name, operator): _ids(value, where.kinds[name]) if name in where.kinds else value
        for (name, operator), value in where.conditions().items()
    }


def _ids(value: Any, kind: str) -> Any:
    return [local_id(text, kind) for text in value] if isinstance(value, list) else local_id(value, kind)

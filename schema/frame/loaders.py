"""Relations: each is read for all rows of a response at once, so a page of a hundred rows costs one statement."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast, get_args

from strawberry.dataloader import DataLoader

from schema.frame import graphql
from schema.frame.connections import list_field, takes_page_args, with_page_args
from schema.frame.graphql import COST, NEEDS, Info
from shapes.shape import Cost
from shapes.where import Order, Where

F = TypeVar("F", bound=Callable[..., Any])

BATCH = "batch"
"""This key of a relation's metadata holds its function, which takes all rows at once."""


def relation(
    description: str,
    *needs: str,
    name: str | None = None,
    where: type[Where] | None = None,
    order: type[Order] | None = None,
    cost: Cost | None = None,
) -> Callable[[F], F]:
    """Makes a field that is read for many rows at once. Each row has the attributes `needs` (default: `id`).

    Its function is `function(rows, info)`, and returns a list with one value for each row. A list's function is
    `function(rows, info, page_args, where)`: see `schema.frame.connections`. For other arguments there is `batched`.
    """

    def wrap(function: F) -> F:
        kind: Any = get_args(function.__annotations__["return"])[0]
        if takes_page_args(function):
            assert where is not None
            batch = with_page_args(function)
            made = list_field(function, partial(together, batch), where, order, kind)
        else:
            batch = function

            async def field(self: Any, info: Info) -> kind:
                return await together(batch, self, info)

            made = graphql.copy_name(field, function)
        return cast(F, batched(description, batch, *needs, name=name, cost=cost)(made))

    return wrap


def batched(
    description: str,
    batch: Callable[..., Any],
    *needs: str,
    name: str | None = None,
    cost: Cost | None = None,
) -> Callable[[F], F]:
    """Makes a field whose function awaits `together(batch, self, info, …)`: `batch` takes all rows."""

    def wrap(function: F) -> F:
        metadata = {BATCH: batch, NEEDS: needs or ("id",), COST: cost}
        return cast(
            F, cast(Any, graphql.field)(function, name=name, description=description, metadata=metadata)
        )

    return wrap


async def together(batch: Callable[..., Any], row: Any, info: Info, **arguments: Any) -> Any:
    """Returns the row's value. `batch` is called once for all rows at this place of the document."""
    # All rows at one place of the document have the same arguments.
    field_key = f"{id(info._raw_info.field_nodes[0])}"  # noqa: SLF001
    loaders = info.context.loaders
    if (loader := loaders.get(field_key)) is None:

        async def load(parents: list[Any]) -> Sequence[Any]:
            return cast(Sequence[Any], await batch(parents, info, **arguments))

        # Without a cache: it would be keyed by the rows' addresses, and a later row (of another mutation, or
        # another part) can have the address of an earlier one.
        loader = loaders[field_key] = DataLoader(load_fn=load, max_batch_size=1000, cache=False)
    return await loader.load(row)

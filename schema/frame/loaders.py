"""Relations: each is read for all rows of a response at once, so a page of a hundred rows costs one statement."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast, get_args

from strawberry.dataloader import DataLoader

from schema.frame import graphql
from schema.frame.connections import with_page_args
from schema.frame.graphql import NEEDS, Info
from shapes.where import Order, Where

F = TypeVar("F", bound=Callable[..., Any])

BATCH = "batch"
"""In a relation's metadata: its function, which takes all rows at once."""


def relation(
    description: str,
    *needs: str,
    name: str | None = None,
    where: type[Where] | None = None,
    order: type[Order] | None = None,
) -> Callable[[F], F]:
    """A field that is read for many rows at once. Each row has the attributes `needs` (default: `id`).

    Its function takes the rows where a method has `self`, and returns a list with one value for each row. A list
    may take `page_args` and `where`: see `schema.frame.connections`.
    """

    def wrap(function: F) -> F:
        batch = with_page_args(function, where, order)
        rows, info, *arguments = inspect.signature(batch).parameters.values()
        (kind,) = get_args(inspect.signature(function).return_annotation)

        async def resolve(self: Any, info: Info, **argument_values: Any) -> Any:
            # All rows at one place of the document have the same arguments.
            field_key = f"{id(info._raw_info.field_nodes[0])}"  # noqa: SLF001
            loaders = info.context.loaders
            if (loader := loaders.get(field_key)) is None:

                async def load(parents: list[Any]) -> Sequence[Any]:
                    return cast(Sequence[Any], await batch(parents, info, **argument_values))

                # Without a cache: it would be keyed by the rows' addresses, and a later row (of another mutation, or
                # another part) can have the address of an earlier one.
                loader = loaders[field_key] = DataLoader(load_fn=load, max_batch_size=1000, cache=False)
            return await loader.load(self)

        resolve.__name__ = resolve.__qualname__ = function.__name__
        resolve.__module__, resolve.__doc__ = function.__module__, function.__doc__
        resolve.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [rows.replace(name="self", annotation=Any), info, *arguments], return_annotation=kind
        )
        made = cast(Any, graphql.field)(
            resolve, name=name, description=description, metadata={BATCH: batch, NEEDS: needs or ("id",)}
        )
        return cast(F, made)

    return wrap

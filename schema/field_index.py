"""The fields of GraphQL's Query and Mutation, for the page that shows both doors."""

from collections.abc import Callable
from typing import Any, Literal, cast

from strawberry.types import get_object_definition
from strawberry.utils.str_converters import to_camel_case

from runtime.operation_index import RootField, operations_of
from schema.root import Mutation, Query


def fields() -> list[RootField]:
    """Returns the fields in the order of their declaration."""
    root_fields = []
    kinds: tuple[tuple[Literal["query", "mutation"], type], ...] = (("query", Query), ("mutation", Mutation))
    for kind, root in kinds:
        for field in get_object_definition(root, strict=True).fields:
            if field.base_resolver is not None:
                name = field.graphql_name or to_camel_case(field.python_name)
                called = operations_of(cast("Callable[..., Any]", field.base_resolver.wrapped_func))
                root_fields.append(RootField(kind, name, field.description or "", called))
    return root_fields

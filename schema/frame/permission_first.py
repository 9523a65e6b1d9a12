"""Says what a caller may not do before what is wrong with the arguments: 403 comes before 400, as in REST."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from graphql import FieldNode, GraphQLError, OperationDefinitionNode, SelectionSetNode
from strawberry.types.field import StrawberryField

from core.errors import AppError, BadRequest, ValidationFailed
from runtime.context import Context
from runtime.doors import operation_of
from runtime.operation import Operation


async def permission_first(
    schema: Any, ctx: Context, definition: OperationDefinitionNode, errors: Sequence[GraphQLError]
) -> list[GraphQLError]:
    """Returns the errors of an answer. One about the arguments of a root field becomes what its operation says to this
    caller, if it refuses; one about a variable, what any of the root fields does.
    """
    return [await _first(schema, ctx, definition, error) for error in errors]


async def _first(
    schema: Any, ctx: Context, definition: OperationDefinitionNode, error: GraphQLError
) -> GraphQLError:
    if len(error.path or ()) > 1 or not _is_about_arguments(error):
        return error
    nodes = [node for node in error.nodes or () if isinstance(node, FieldNode)]
    for node in nodes if error.path else _root_fields(definition.selection_set):
        operation = _operation(schema, definition, node.name.value)
        if operation is None:
            continue
        try:
            await operation.refuse_first(ctx)
        except AppError as refusal:
            return GraphQLError(refusal.message, nodes=error.nodes, path=error.path, original_error=refusal)
    return error


def _is_about_arguments(error: GraphQLError) -> bool:
    cause = error.original_error
    return cause is None or isinstance(cause, (BadRequest, ValidationFailed, GraphQLError))


def _root_fields(selected: SelectionSetNode) -> Iterator[FieldNode]:
    """Yields the fields of a selection; those of named fragments are left out."""
    for each in selected.selections:
        if isinstance(each, FieldNode):
            yield each
        elif (inner := getattr(each, "selection_set", None)) is not None:
            yield from _root_fields(inner)


def _operation(schema: Any, definition: OperationDefinitionNode, name: str) -> Operation | None:
    root = schema._schema.get_root_type(definition.operation)  # noqa: SLF001  graphql-core's own
    field = None if root is None else root.fields.get(name)
    made = None if field is None else field.extensions.get("strawberry-definition")
    resolver = made.base_resolver if isinstance(made, StrawberryField) else None
    return None if resolver is None else _called(resolver.wrapped_func)


@lru_cache(1024)
def _called(function: Any) -> Operation | None:
    return operation_of(function)

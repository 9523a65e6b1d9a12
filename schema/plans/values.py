"""Completes single values as GraphQL's executor does: attributes, lists and leaves."""

from typing import Any

from graphql import GraphQLError
from graphql.pyutils import inspect

from schema.frame.graphql import global_id
from schema.plans.plan import Field, Leaf


def attribute(row: Any, name: str) -> Any:
    try:
        return getattr(row, name)
    except Exception as error:
        return error


def called(call: Any, row: Any, arguments: dict[str, Any], *, takes_self: bool) -> Any:
    try:
        return call(row, **arguments) if takes_self else call(**arguments)
    except Exception as error:
        return error


def _iterable(field: Field, value: Any) -> Any:
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__") or isinstance(value, dict):
        name = f"{field.parent}.{field.nodes[0].name.value}"
        raise GraphQLError(f"Expected Iterable, but did not find one for field '{name}'.")
    return value


def listed(field: Field, value: Any) -> list[Any]:
    return value if type(value) is list else list(_iterable(field, value))


def coerced(kind: Any, coerce: Any, value: Any) -> Any:
    coerced = coerce(value)
    if coerced is None:
        raise TypeError(
            f"Expected `{kind}.coerce_output_value({inspect(value)})` to return non-nullable value,"
            f" returned: {inspect(coerced)}"
        )
    return coerced


def leaf_value(leaf: Leaf, row: Any) -> Any:
    if leaf.constant is not None:
        return leaf.constant
    assert leaf.attribute is not None
    if leaf.prefix is not None:
        return global_id(leaf.prefix, row.id)
    value = getattr(row, leaf.attribute)
    if isinstance(value, Exception):
        raise value
    if value is None:
        if not leaf.nullable:
            name = leaf.nodes[0].name.value
            raise TypeError(f"Cannot return null for non-nullable field {leaf.parent}.{name}.")
        return None
    return coerced(leaf.leaf_type, leaf.coerce, value)

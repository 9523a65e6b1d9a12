"""JSON Schema of rules between the fields of an input, for `json_schema_extra`. Code checks the same rules.

They are written with if/then/else, which generators of clients skip: the types that they make stay those of the fields.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

NULL: Mapping[str, Any] = {"type": "null"}
NOT_NULL: Mapping[str, Any] = {"not": NULL}


def required(name: str) -> dict[str, Any]:
    """Returns the rule that a field is given, and not null."""
    return {"required": [name], "properties": {name: NOT_NULL}}


def either(first: str, second: str) -> dict[str, Any]:
    """Returns the rule that exactly one of two fields is given."""
    return {"if": required(first), "then": {"properties": {second: NULL}}, "else": required(second)}


def exclusive(*names: str) -> dict[str, Any]:
    """Returns the rule that exactly one of some fields is given."""
    first, *others = names
    absent = {"properties": dict.fromkeys(others, NULL)}
    otherwise = either(*others) if len(others) == 2 else exclusive(*others)
    return {"if": required(first), "then": absent, "else": otherwise}


def absent_when(
    field: str, name: str, values: Sequence[str], absent: Mapping[str, Any] = NULL
) -> dict[str, Any]:
    """Returns the rule that `field` is `absent` if the field `name` has one of the values."""
    condition = {"required": [name], "properties": {name: {"enum": [*values]}}}
    return {"if": condition, "then": {"properties": {field: absent}}}


def never_null(*names: str) -> Callable[[dict[str, Any]], None]:
    """Returns the function that removes null from the types of fields that may only be left out."""

    def change(schema: dict[str, Any]) -> None:
        for name in names:
            field = schema["properties"][name]
            (option,) = (option for option in field.pop("anyOf") if option != NULL)
            schema["properties"][name] = {**option, **field}

    return change

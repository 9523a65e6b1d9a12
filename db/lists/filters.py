"""The filters of lists: their values, and their SQL."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import any_

from db.query import p

Conditions = Mapping[tuple[str, str], Any]
"""The filter of a list: (name, comparison) → value. A name is a column or a filter of the Listing (shapes/where.py)."""
NO_CONDITIONS: Conditions = {}

Filters = dict[tuple[str, str], Any]
"""Filters of a Listing: (name, comparison) → SQL with its parameters."""


def conditions(values: Conditions) -> Conditions:
    """Returns the conditions whose value is not None. Such a condition was not asked for."""
    return {name: value for name, value in values.items() if value is not None}


def parameters(where: Conditions) -> dict[str, Any]:
    """Returns the values of the conditions' parameters."""
    return {parameter(name, operator): value for (name, operator), value in where.items()}


def parameter(name: str, operator: str) -> str:
    """Returns the name of a condition's parameter."""
    return f"{name}_{operator}_"


def compare(column: Any, operator: str, value: str) -> Any:
    """Returns the SQL that compares a column with the parameter named `value`. Raises KeyError."""
    match operator:
        case "eq":
            return column == p(value)
        case "in_":
            return column == any_(p(value, like=column))
        case "not_in":
            return ~(column == any_(p(value, like=column)))
        case "gt":
            return column > p(value)
        case "gte":
            return column >= p(value)
        case "lt":
            return column < p(value)
        case "lte":
            return column <= p(value)
    raise KeyError(operator)


def comparisons(name: str, column: Any, operators: Iterable[str] = ("eq", "in_")) -> Filters:
    """Returns the filters called `name` that compare a column, or an expression."""
    return {(name, operator): compare(column, operator, parameter(name, operator)) for operator in operators}

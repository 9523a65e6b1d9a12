"""The filters of lists: their values, and their SQL."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import and_, any_, false, func

from core.ids import least_uuid7
from db.query import p

Conditions = Mapping[tuple[str, str], Any]
"""The filter of a list: (name, comparison) → value. A name is a column or a filter of the Listing (shapes/where.py)."""
NO_CONDITIONS: Conditions = {}
APART = timedelta(days=1)
"""The time of an id (UUIDv7) differs from the row's `created_at` by less: a machine may have had the wrong time zone.
"""
_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC) + APART, datetime(9999, 12, 31, tzinfo=UTC) - APART

Filters = dict[tuple[str, str], Any]
"""Filters of a Listing: (name, comparison) → SQL with its parameters."""


def conditions(values: Conditions) -> Conditions:
    """Returns the conditions whose value is not None. Such a condition was not asked for."""
    return {name: value for name, value in values.items() if value is not None}


def selected(where: Conditions, name: str, every: Iterable[str]) -> list[str]:
    """Returns those of a column's possible values that meet all conditions on it."""
    values = [str(value) for value in every]
    for (column, operator), asked in where.items():
        if column == name:
            some = [asked] if operator == "eq" else asked
            values = [value for value in values if (value in some) != (operator == "not_in")]
    return values


def parameters(where: Conditions) -> dict[str, Any]:
    """Returns the values of the conditions' parameters."""
    values = {parameter(name, operator): value for (name, operator), value in where.items()}
    for (name, operator), value in where.items():
        if name == "created_at" and isinstance(value, datetime):
            around = APART if operator in ("lt", "lte") else -APART
            values[_id_bound(operator)] = least_uuid7(min(max(value, _FIRST), _LAST) + around)
    return values


def created(column: Any, id: Any, operator: str) -> Any:
    """Returns the SQL that compares `created_at`, with a bound for the ids, whose index the list is read from."""
    bound = p(_id_bound(operator))
    by_id = id < bound if operator in ("lt", "lte") else id >= bound
    return and_(compare(column, operator, parameter("created_at", operator)), by_id)


def _id_bound(operator: str) -> str:
    return f"created_at_{operator}_id_"


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


def without_index(condition: Any) -> Any:
    """Returns the condition in a form by which PostgreSQL chooses no index, and which it takes to be true of half of
    the rows.

    It is for rows that another index finds, such as those of a user's account. PostgreSQL takes two equalities for
    independent of each other: it reads both indexes in full, or expects fewer rows than there are.
    """
    return func.coalesce(condition, false())


def comparisons(name: str, column: Any, operators: Iterable[str] = ("eq", "in_")) -> Filters:
    """Returns the filters called `name` that compare a column, or an expression."""
    return {(name, operator): compare(column, operator, parameter(name, operator)) for operator in operators}

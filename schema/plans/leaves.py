"""Writes the leaves of a selection for all rows at once, column by column.

Its output is that of graphql-core: a column whose values are not all exactly of their type's class is coerced by the
type itself. If that fails, or a value is missing, the whole call raises, and `run.py` processes the leaves one by one
to find the error.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from math import isfinite
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

from asyncpg.pgproto.pgproto import UUID as PostgresUUID  # noqa: N811  a class, whatever asyncpg writes
from graphql import (
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLFloat,
    GraphQLID,
    GraphQLInt,
    GraphQLString,
)

from schema.frame.graphql import SCALARS, global_id
from schema.plans.plan import Leaf, Selection, Writer

Values = tuple[Any, ...]
"""One leaf's values, of all rows."""
Column = Callable[[Values], Iterable[Any]]
"""Converts the values of one leaf for the response."""
Convert = Callable[[Values], Iterable[Any] | None]
"""Likewise, for values of the right class; returns None if one of them needs its type's coercion nevertheless."""

_INT = 2**31


class Careful(Exception):
    """A value is not as its type requires: the leaves must be processed one by one."""


def writers(selection: Selection) -> tuple[Writer, Writer]:
    """Returns two functions: for database rows, whose columns are items, and for objects with attributes."""
    return _writer(selection, itemgetter), _writer(selection, attrgetter)


def _writer(selection: Selection, getter: Callable[..., Callable[[Any], Any]]) -> Writer:
    blank: dict[str, Any] = dict.fromkeys(
        selection.keys
    )  # so that all keys stand in the order of the document
    blank.update((leaf.key, leaf.constant) for leaf in selection.leaves)
    leaves = [leaf for leaf in selection.leaves if leaf.constant is None]
    if not leaves:
        return lambda rows: [blank.copy() for _ in rows]
    get = getter(*(leaf.attribute for leaf in leaves))
    columns = [(leaf.key, _column(leaf)) for leaf in leaves]

    def write(rows: list[Any]) -> list[dict[str, Any]]:
        written = [blank.copy() for _ in rows]
        read = map(get, rows)
        values = zip(*read, strict=True) if len(columns) > 1 else [tuple(read)]
        for (key, column), column_values in zip(columns, values, strict=True):
            for row, value in zip(written, column(column_values), strict=True):
                row[key] = value
        return written

    return write


def _column(leaf: Leaf) -> Column:
    if leaf.prefix is not None:
        return partial(map, partial(global_id, leaf.prefix))
    if isinstance(leaf.leaf_type, GraphQLEnumType):
        return partial(map, _EnumNames(leaf.leaf_type, nullable=leaf.nullable).__getitem__)
    strict = _strict(leaf.coerce, nullable=leaf.nullable)
    classes, convert = _plain(leaf.leaf_type)
    if convert is None:
        allowed = {*classes, type(None)} if leaf.nullable else classes
        return lambda values: values if allowed.issuperset(map(type, values)) else map(strict, values)

    def column(values: Values) -> Iterable[Any]:
        if classes.issuperset(map(type, values)) and (converted := convert(values)) is not None:
            return converted
        return map(strict, values)

    return _with_nulls(column) if leaf.nullable else column


def _with_nulls(column: Column) -> Column:
    """Returns a column that converts the other values together, and leaves nulls where they are."""

    def with_nulls(values: Values) -> Iterable[Any]:
        if None not in values:
            return column(values)
        present = tuple(value for value in values if value is not None)
        converted = iter(column(present)) if present else iter(())
        return [None if value is None else next(converted) for value in values]

    return with_nulls


class _EnumNames(dict[Any, str | None]):
    """The names of an enum's values, each looked up once. It has at most as many entries as the enum."""

    def __init__(self, enum: GraphQLEnumType, *, nullable: bool) -> None:
        super().__init__({None: None} if nullable else {})
        self._coerce = enum.coerce_output_value

    def __missing__(self, value: Any) -> str:
        if value is None:
            raise Careful
        name = self[value] = self._coerce(value)
        return name


def _strict(coerce: Any, *, nullable: bool) -> Any:
    """Returns the type's own coercion, for values that are not exactly of its class."""

    def strict(value: Any) -> Any:
        if value is None:
            if nullable:
                return None
            raise Careful
        if isinstance(value, Exception):
            raise value
        coerced = coerce(value)
        if coerced is None:
            raise Careful
        return coerced

    return strict


def _plain(leaf_type: Any) -> tuple[set[type], Convert | None]:
    """Returns the classes of the values that need no coercion, and how those values are converted, if they are."""
    return _PLAIN_TYPES.get(leaf_type) or _PLAIN_SCALARS.get(leaf_type.name) or (set(), None)


def _integers(values: Values) -> Values | None:
    return values if -_INT <= min(values) <= max(values) < _INT else None


def _finite(values: Values) -> Values | None:
    return values if all(map(isfinite, values)) else None


def _times(values: Values) -> Values | None:
    """Leaves times in UTC to orjson, which writes them like the scalar."""
    return values if all(value.tzinfo is UTC for value in values) else None


_PLAIN_TYPES: dict[Any, tuple[set[type], Convert | None]] = {
    GraphQLString: ({str}, None),
    GraphQLID: ({str}, None),
    GraphQLBoolean: ({bool}, None),
    GraphQLInt: ({int}, _integers),
    GraphQLFloat: ({float}, _finite),
}
_PLAIN_SCALARS: dict[str, tuple[set[type], Convert | None]] = {
    SCALARS[UUID].name: ({UUID, PostgresUUID}, partial(map, str)),
    SCALARS[Decimal].name: ({Decimal}, partial(map, float)),
    SCALARS[datetime].name: ({datetime}, _times),
}

"""Defines a list: its columns, its orders and its filters."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import ColumnElement, inspect, literal_column

from db.lists.filters import Conditions, compare, created, parameter, selected

T = TypeVar("T")
Ranges = tuple[tuple[tuple[str, str | None], ...], ...]
"""Ranges of an index: the columns that are constant in each, with their values. None: any value but NULL, or the
condition of that name (`Definition.range_conditions`)."""


@dataclass(frozen=True, slots=True, eq=False)
class RangeCondition:
    """A condition on a range that is no value of a column."""

    sql: ColumnElement[bool]
    few: bool = False
    """Few rows meet it, whatever the statistics of its columns say: an index of the condition finds them all, and they
    are sorted. Else PostgreSQL may look for the first of them along the order of the list, past all other rows."""


def by_values(
    *, always: bool = False, **columns: Iterable[str]
) -> Callable[[Conditions], tuple[Conditions, Ranges | None]]:
    """Returns a value for `ranges`: of an index of these columns, which have few values each, before the list's key.

    With `always` there is no other index for the list, so that it is read from all ranges if no filter selects some.
    """
    values = {name: [*every] for name, every in columns.items()}

    def ranges(where: Conditions) -> tuple[Conditions, Ranges | None]:
        if not always and not any(name in values for name, _ in where):
            return where, None
        left = {name: value for name, value in where.items() if name[0] not in values}
        choices = (selected(where, name, every) for name, every in values.items())
        return left, tuple(tuple(zip(values, item, strict=True)) for item in product(*choices))

    return ranges


@dataclass(frozen=True, eq=False)
class Definition(Generic[T]):
    """A table as a list, newest first unless `descending` is False. It is equal to itself alone."""

    model: type[T]
    key: Any = None
    """The unique column that gives the list its own order; None: `id`, a UUIDv7, whose order is that of creation."""
    orders: Mapping[str, Any] = field(default_factory=dict)
    """Further columns to sort by: none of them may be NULL, and each needs an index that ends in `key`."""
    descending: bool = True
    always: tuple[Any, ...] = ()
    """The conditions of every query."""
    filters: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    """Filters that don't compare a column with a value: (name, comparison) → SQL with its parameters."""
    extra: tuple[Any, ...] = ()
    """Labelled expressions that are read like columns."""
    without: tuple[str, ...] = ()
    """Columns that are never read."""
    ranges: Callable[[Conditions], tuple[Conditions, Ranges | None]] | None = None
    """Returns the ranges of an index that a filter selects, each in the list's own order, and the conditions that are
    left to check; None: all rows. An index may serve one state of many, for example, in the order of the list, but not
    several.
    """
    range_conditions: Mapping[str, RangeCondition] = field(default_factory=dict)
    """Conditions that ranges name in place of a column."""
    by_time: bool = False
    """True if the list's order is that of `created_at`, too: its key is a UUIDv7 that is made with the row."""
    planned: tuple[str, ...] = ()
    """Filters by columns that no index serves in the list's order. How such a statement is run best depends on the
    values, so PostgreSQL plans it each time."""

    @property
    def identity(self) -> Any:
        """Returns the column that distinguishes two rows."""
        return self.key if self.key is not None else cast(Any, self.model).id

    def order_name(self, name: str | None) -> str:
        """Returns the name if it is one of `orders`, else "", which means the list's own order."""
        return name if name is not None and name in self.orders else ""

    def cursor_name(self, order: str) -> str:
        """Returns the name of this list in an order, which its cursors begin with."""
        name: str = cast(Any, self.model).__tablename__
        return f"{name}.{order}" if order else name

    def keys(self, order: str) -> list[Any]:
        """Returns the columns that this order sorts by; together they are unique."""
        return [self.orders[order], self.identity] if order else [self.identity]

    def kinds(self, order: str) -> list[type]:
        """Returns the Python types of the values of `keys`."""
        return [column.type.python_type for column in self.keys(order)]

    def condition(self, name: str, operator: str) -> Any:
        """Returns the SQL of a filter. Raises KeyError for an unknown comparison."""
        if (name, operator) in self.filters:
            return self.filters[name, operator]
        if name == "created_at" and self.by_time:
            return created(getattr(self.model, name), self.identity, operator)
        return compare(getattr(self.model, name), operator, parameter(name, operator))

    def where_clauses(self, names: frozenset[tuple[str, str]], scope: tuple[Any, ...]) -> list[Any]:
        """Returns the conditions of the list itself, of its scope, and of its filters."""
        return [*self.always, *scope, *(self.condition(*name) for name in sorted(names))]

    def split(self, where: Conditions) -> tuple[Conditions, Ranges | None]:
        """Returns the conditions that are left, and the ranges that the others select; None: all rows."""
        return (where, None) if self.ranges is None else self.ranges(where)

    def in_range(self, fixed: tuple[tuple[str, str | None], ...]) -> list[Any]:
        """Returns the conditions that select a range. Its values are ours, so they may stand in the SQL: a partial
        index is found by them, and the planner knows how many rows they have.
        """
        conditions = [self.range_conditions[name].sql for name, _ in fixed if name in self.range_conditions]
        columns = [
            (getattr(self.model, name), value) for name, value in fixed if name not in self.range_conditions
        ]
        return conditions + [
            column.is_not(None) if value is None else column == literal_column(f"'{value}'")
            for column, value in columns
        ]

    def is_few(self, fixed: tuple[tuple[str, str | None], ...]) -> bool:
        """Returns whether all rows of a range are read and then sorted, since they are few."""
        return any(name in self.range_conditions and self.range_conditions[name].few for name, _ in fixed)

    def needs_planning(self, names: frozenset[tuple[str, str]]) -> bool:
        """Returns whether a statement with these filters is planned each time."""
        return any(name in self.planned for name, _ in names)

    def own_columns(self) -> frozenset[str]:
        """Returns the attributes of the model that may be read."""
        return frozenset(inspect(self.model).column_attrs.keys()) - frozenset(self.without)

    def labels(self, column_names: frozenset[str]) -> list[Any]:
        """Returns these columns, each under its attribute's name, so that a row reads like the model."""
        names = [attribute.key for attribute in inspect(self.model).column_attrs]
        return [
            *(getattr(self.model, name).label(name) for name in names if name in column_names),
            *(label for label in self.extra if label.key in column_names),
        ]

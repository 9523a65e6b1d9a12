"""Defines a list: its columns, its orders and its filters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import inspect

from db.lists.filters import compare, parameter

T = TypeVar("T")


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

    @property
    def identity(self) -> Any:
        """Returns the column that distinguishes two rows."""
        return self.key if self.key is not None else cast(Any, self.model).id

    def order_name(self, name: str | None) -> str:
        """Returns the name if it is one of `orders`, else "", which means the list's own order."""
        return name if name is not None and name in self.orders else ""

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
        return compare(getattr(self.model, name), operator, parameter(name, operator))

    def where_clauses(self, names: frozenset[tuple[str, str]], scope: tuple[Any, ...]) -> list[Any]:
        """Returns the conditions of the list itself, of its scope, and of its filters."""
        return [*self.always, *scope, *(self.condition(*name) for name in sorted(names))]

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

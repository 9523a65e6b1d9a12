"""The factors of a list in the price of a document: how many rows an argument allows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from resolvers.statistics.intervals import MOST
from schema.frame.list_limits import intervals

LIST = 20  # items of a connection without `first` and `last`
PAGE = 100  # the longest page of a connection

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A variable whose value is not known yet: the highest cost is assumed."""


UNKNOWN = UnknownValue()


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    default: Any = None

    def value(self, values: Values | None) -> Any:
        return UNKNOWN if values is None else values.get(self.name, self.default)


@dataclass(frozen=True, slots=True)
class Length:
    """The length of a connection: the first of the arguments that has a value."""

    arguments: tuple[Variable | int, ...]

    def times(self, values: Values | None) -> int:
        for argument in self.arguments:
            value = argument.value(values) if isinstance(argument, Variable) else argument
            if value is None:
                continue
            return max(1, min(value, PAGE)) if type(value) is int else PAGE
        return LIST


@dataclass(frozen=True, slots=True)
class Many:
    """The number of values in a variable."""

    ids: Variable

    def times(self, values: Values | None) -> int:
        value = self.ids.value(values)
        if isinstance(value, UnknownValue):
            return PAGE
        return (
            len(value) if isinstance(value, list | tuple) else 1
        )  # GraphQL accepts a single value for a list


@dataclass(frozen=True, slots=True)
class Span:
    """The number of intervals between two times."""

    interval: Variable | str | None
    since: Variable | str | None
    until: Variable | str | None

    def times(self, values: Values | None) -> int:
        arguments = (self.interval, self.since, self.until)
        read = [
            argument.value(values) if isinstance(argument, Variable) else argument for argument in arguments
        ]
        return MOST if UNKNOWN in read else intervals(*read)


@dataclass(frozen=True, slots=True)
class If:
    """A field that is present only if a variable has this value."""

    variable: Variable
    expected: bool

    def times(self, values: Values | None) -> int:
        return int(self.variable.value(values) is not (not self.expected))


Factor = Length | Many | Span | If
Factors = tuple[Factor, ...]

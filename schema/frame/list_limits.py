"""Reads what fields say of their cost (`Cost`), and counts the intervals of statistics, for schema/frame/cost.py.

A connection is as long as `first` or `last` says, and statistics have as many intervals as their time span. Every other
list of objects has a `Cost` with its maximum; a test checks that none is missing, and that the numbers are those of
the code that makes the lists.
"""

from datetime import UTC, datetime
from typing import Any

from graphql import GraphQLError, GraphQLField, GraphQLObjectType, GraphQLSchema
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.schema.types.base_scalars import DateTimeDefinition

from resolvers.message_records import instant
from resolvers.statistics.intervals import at_most
from schema.frame.graphql import COST
from shapes.shape import Cost
from shapes.statistics import Interval

_DEFINITION = GraphQLCoreConverter.DEFINITION_BACKREF
_FREE = Cost()


def attach(schema: GraphQLSchema) -> None:
    """Puts the `Cost` of each field that declares one where `cost_of` finds it."""
    for kind in schema.type_map.values():
        if isinstance(kind, GraphQLObjectType) and _DEFINITION in kind.extensions:
            shape = getattr(kind.extensions[_DEFINITION].origin, "model_fields", {})
            for field in kind.fields.values():
                definition = field.extensions[_DEFINITION]
                declared = shape.get(definition.python_name)
                notes = (definition.metadata.get(COST), *(declared.metadata if declared else ()))
                field.extensions[COST] = next((note for note in notes if isinstance(note, Cost)), _FREE)


def cost_of(field: GraphQLField | None) -> Cost:
    """Returns what the field says of its cost."""
    return field.extensions.get(COST, _FREE) if field else _FREE


SPAN = frozenset({"interval", "dateFrom", "dateTo"})
"""The arguments of fields that have intervals."""


_READ: Any = DateTimeDefinition.parse_value


def intervals(interval: Any, since: Any, until: Any) -> int:
    """Returns the maximum number of intervals, given the arguments as they were sent (None: not sent)."""
    try:
        chosen = Interval.day if interval is None else Interval[interval]
        return at_most(_instant(since), _instant(until), chosen, datetime.now(UTC))
    except (GraphQLError, KeyError, ValueError, TypeError, OverflowError):
        return 1  # the executor refuses these arguments


def _instant(value: Any) -> datetime | None:
    """Parses a time like the scalar DateTime."""
    return None if value is None else instant(_READ(value))

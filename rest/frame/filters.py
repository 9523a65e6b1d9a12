"""Filters of lists in REST: query parameters that are one value, the conditions of the list."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Query
from pydantic import ConfigDict, create_model
from pydantic.fields import FieldInfo

from db.lists import Conditions
from shapes.shape import Timestamp
from shapes.where import Contains, Filter, Ids, ListFilters, TimeSpan, Where, filter_of


def filters_of(kind: type[Where] | type[ListFilters]) -> Any:
    """Returns what a route declares its filters with: `where: Annotated[Conditions, filters_of(FileWhere)]`.

    The filter of a GraphQL list becomes parameters of the same names, whose values are compared for equality. The time
    of a row is `dateFrom` and `dateTo` here, as in every list of REST. A row's own id is left out: it has a route.
    """
    base: Any = kind if issubclass(kind, ListFilters) else _parameters(kind)

    class Parameters(base):  # type: ignore[misc]  # the class is an argument
        # The route refuses unknown parameters. FastAPI also passes those that other parts of the route take.
        model_config = ConfigDict(extra="ignore")

    parameters: Any = Parameters

    async def read(filters: Annotated[parameters, Query()]) -> Conditions:
        conditions: Conditions = filters.conditions()
        return conditions

    return Depends(read)


def _parameters(where: type[Where]) -> type[ListFilters]:
    fields: dict[str, Any] = {}
    compares: dict[str, tuple[str, str]] = {}
    for name, field in where.model_fields.items():
        kind, says = filter_of(field), field.description
        if name == "id" or kind is None:  # None: a list of conditions, which the route has a parameter for
            continue
        if issubclass(kind, TimeSpan):
            assert "date_from" not in fields  # the names are of one time
            fields["date_from"] = (
                Timestamp | None,
                FieldInfo(default=None, description=f"{says}: at or after"),
            )
            fields["date_to"] = (Timestamp | None, FieldInfo(default=None, description=f"{says}: before"))
            compares |= {"date_from": (name, "gte"), "date_to": (name, "lt")}
        else:
            operator = "contains" if issubclass(kind, Contains) else "eq"
            compares[name] = (name, operator)
            fields[name] = (_value(kind, operator), FieldInfo(default=None, description=says))
    made = create_model(where.__name__.replace("Where", "Parameters"), __base__=ListFilters, **fields)
    made.compares = compares
    return made


def _value(kind: type[Filter], operator: str) -> Any:
    if issubclass(kind, Ids):
        return UUID | None
    compared = kind.model_fields[operator]
    return Annotated[(compared.annotation, *compared.metadata)] if compared.metadata else compared.annotation

"""Filters of lists in REST: query parameters that are one value, the conditions of the list."""

from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import ConfigDict

from db.lists import Conditions
from shapes.where import ListFilters


def filters_of(kind: type[ListFilters]) -> Any:
    """Returns what a route declares its filters with: `where: Annotated[Conditions, filters_of(FileFilters)]`."""
    base: Any = kind

    class Parameters(base):  # type: ignore[misc]  # the class is an argument
        # The route refuses unknown parameters. FastAPI also passes those that other parts of the route take.
        model_config = ConfigDict(extra="ignore")

    parameters: Any = Parameters

    async def read(filters: Annotated[parameters, Query()]) -> Conditions:
        conditions: Conditions = filters.conditions()
        return conditions

    return Depends(read)

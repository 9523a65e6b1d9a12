"""Routes /traffic and /route-costs. They are Postern's own."""

import builtins
from typing import Annotated, Any

from fastapi import Depends, Path, Query
from pydantic import AfterValidator, ConfigDict, Field

from resolvers import costs
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.costs import RouteCost, RouteCostInput, TrafficGroup, TrafficInput, TrafficPage

api = router("costs", "Traffic by country, route, sender and owner, and the costs of routes.", extension=True)
Route = Annotated[
    str,
    Path(
        max_length=200, description="name of the route, as messages or as rules have it", examples=["sms-2"]
    ),
]


_GROUP = f"({'|'.join(TrafficGroup)})"


def _each_once(text: str) -> str:
    if len(set(words := text.split(","))) < len(words):
        raise ValueError("names each of its values once")
    return text


class _Parameters(TrafficInput):
    model_config = ConfigDict(extra="ignore")  # the route refuses unknown ones

    group_by: Annotated[
        str,
        Field(
            pattern=f"^({_GROUP}(,{_GROUP}){{0,4}})?$",
            description="a row for each of these, separated by commas; empty: one row for each currency",
            examples=["country,route"],
        ),
        AfterValidator(_each_once),
    ] = TrafficGroup.country.value  # type: ignore[assignment]  # a parameter is one text


async def _asked(query: Annotated[_Parameters, Query()]) -> TrafficInput:
    groups = [TrafficGroup(word) for word in query.group_by.split(",") if word]
    return TrafficInput.model_construct(**{**query.__dict__, "group_by": groups})


@api.get("/traffic", response_model=TrafficPage, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def traffic(ctx: Ctx, query: Annotated[TrafficInput, Depends(_asked)]) -> Any:
    return await costs.traffic(ctx, query)


@api.get(
    "/route-costs",
    response_model=builtins.list[RouteCost],
    responses=errors(401, 403, 503),
    openapi_extra={**BEARER},
)
async def routes(ctx: Ctx) -> Any:
    return await costs.routes(ctx)


@api.put(
    "/route-costs/{route}",
    response_model=RouteCost,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def set_route(ctx: Ctx, route: Route, body: RouteCostInput) -> Any:
    return await costs.set_route(ctx, route, body)

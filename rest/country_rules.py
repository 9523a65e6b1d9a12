"""Routes /country-rules. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query

from resolvers import country_rules
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.country_rules import CountryCheck, CountryRules, Number, SetCountryRules

api = router(
    "country-rules",
    "Countries that SMS may go to, and how many to one country.",
    prefix="/country-rules",
    extension=True,
)
OfUser = Annotated[
    UUID | None, Query(alias="userUuid", description="the user, for administrators; default: you")
]


@api.get("", response_model=CountryRules, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, user_uuid: OfUser = None) -> Any:
    return await country_rules.get(ctx, user_uuid)


@api.put(
    "",
    response_model=CountryRules,
    responses=errors(400, 401, 403, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def set(ctx: Ctx, body: SetCountryRules) -> Any:
    return await country_rules.set(ctx, body)


@api.get(
    "/check", response_model=CountryCheck, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def check(ctx: Ctx, to: Annotated[Number, Query()], user_uuid: OfUser = None) -> Any:
    return await country_rules.check(ctx, to, user_uuid)

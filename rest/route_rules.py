"""Routes /route-rules. They are Postern's own."""

import builtins
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import route_rules
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.route_rules import RouteQuality, RouteRule, RouteRuleInput, RouteRuleWhere, RouteTrace, TraceRoute

api = router(
    "route-rules", "By which route SMS to the numbers of a prefix go.", prefix="/route-rules", extension=True
)
RuleId = Annotated[UUID, Path(alias="ruleId", description="id of the rule")]


@api.get(
    "", response_model=PageByCursor[RouteRule], responses=errors(400, 401, 403, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(RouteRuleWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await route_rules.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=RouteRule,
    responses=errors(400, 401, 403, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: RouteRuleInput) -> Any:
    return await route_rules.create(ctx, body)


@api.post(
    "/trace", response_model=RouteTrace, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def trace(ctx: Ctx, body: TraceRoute) -> Any:
    return await route_rules.trace(ctx, body)


@api.get(
    "/quality",
    response_model=builtins.list[RouteQuality],
    responses=errors(401, 403, 503),
    openapi_extra={**BEARER},
)
async def quality(ctx: Ctx) -> Any:
    return await route_rules.quality(ctx)


@api.get(
    "/{ruleId}", response_model=RouteRule, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: RuleId) -> Any:
    return await route_rules.get(ctx, id)


@api.put(
    "/{ruleId}",
    response_model=RouteRule,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: RuleId, body: RouteRuleInput) -> Any:
    return await route_rules.update(ctx, id, body)


@api.delete("/{ruleId}", status_code=204, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: RuleId) -> None:
    return await route_rules.delete(ctx, id)

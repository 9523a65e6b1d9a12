"""Routes under /api-tokens, and /permissions: extensions (contract §8.7)."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query

from db.lists import Conditions, PageArgs
from resolvers import api_tokens
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.auth import ApiToken, ApiTokenPatch, ApiTokenWhere, GrantedPermission, IssuedApiToken, NewApiToken
from shapes.page import PageByCursor

api = router("auth", prefix="/api-tokens", extension=True)
permissions = router("auth", prefix="/permissions", extension=True)

KeepWebhooks = Annotated[
    bool,
    Query(
        alias="keepWebhooks",
        description="true: webhooks and event sinks that the token has made stay, as the user's own",
    ),
]


@api.get("", response_model=PageByCursor[ApiToken], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def list_api_tokens(
    ctx: Ctx, where: Annotated[Conditions, filters_of(ApiTokenWhere)], after: After = None, limit: Limit = 20
) -> Any:
    return await api_tokens.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=IssuedApiToken,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def create_api_token(ctx: Ctx, body: NewApiToken) -> Any:
    return await api_tokens.create(ctx, body)


@api.get("/{id}", response_model=ApiToken, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get_api_token(ctx: Ctx, id: UUID) -> Any:
    return await api_tokens.get(ctx, id)


@api.delete(
    "/{id}", response_model=ApiToken, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def revoke_api_token(ctx: Ctx, id: UUID, keep_webhooks: KeepWebhooks = False) -> Any:
    return await api_tokens.revoke(ctx, id, keep_webhooks)


@api.patch(
    "/{id}",
    response_model=ApiToken,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update_api_token(ctx: Ctx, id: UUID, body: ApiTokenPatch) -> Any:
    return await api_tokens.update(ctx, id, body)


@permissions.get(
    "", response_model=list[GrantedPermission], responses=errors(401, 503), openapi_extra={**BEARER}
)
async def list_permissions(ctx: Ctx) -> Any:
    return await api_tokens.permissions(ctx)

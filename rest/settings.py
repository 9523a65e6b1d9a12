"""Routes under /settings (specification §4). `accountId` is an extension."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Body, Path, Query

from resolvers import settings
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.settings import Changes, Key, NewValue, Scope, Setting, Settings

api = router("settings", "Settings of users and accounts.", prefix="/settings")
Of = Annotated[Scope, Query(description="your own settings (user), or those of an account")]
OfAccount = Annotated[
    UUID | None,
    Query(alias="accountId", description="the account, with scope=account; default: your oldest account"),
]
Dotted = Annotated[Key, Path()]


@api.get("", response_model=Settings, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def list(ctx: Ctx, scope: Of = Scope.user, account_id: OfAccount = None) -> Any:
    return await settings.list(ctx, scope, account_id)


@api.patch("", response_model=Settings, responses=errors(400, 401, 404, 413, 503), openapi_extra={**BEARER})
async def update(
    ctx: Ctx, body: Annotated[Changes, Body()], scope: Of = Scope.user, account_id: OfAccount = None
) -> Any:
    return await settings.update(ctx, body, scope, account_id)


@api.get("/{key}", response_model=Setting, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, key: Dotted, scope: Of = Scope.user, account_id: OfAccount = None) -> Any:
    return await settings.get(ctx, key, scope, account_id)


@api.put(
    "/{key}", response_model=Setting, responses=errors(400, 401, 404, 413, 503), openapi_extra={**BEARER}
)
async def put(
    ctx: Ctx, key: Dotted, body: NewValue, scope: Of = Scope.user, account_id: OfAccount = None
) -> Any:
    return await settings.put(ctx, key, body.value, scope, account_id)


@api.delete("/{key}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, key: Dotted, scope: Of = Scope.user, account_id: OfAccount = None) -> None:
    return await settings.delete(ctx, key, scope, account_id)

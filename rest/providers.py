"""Routes /system/providers: what can be set up from a form, and one test message. Postern's own."""

from typing import Any

from resolvers import providers
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.providers import NewProvider, ProviderDescription, ProviderTest, ProviderTestResult
from shapes.system import SystemRoute

api = router("system", prefix="/system/providers", extension=True)


@api.get(
    "",
    response_model=list[ProviderDescription],
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def list_providers(ctx: Ctx) -> Any:
    return await providers.every(ctx)


@api.post(
    "",
    status_code=201,
    response_model=SystemRoute,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def set_up(ctx: Ctx, body: NewProvider) -> Any:
    return await providers.set_up(ctx, body)


@api.post(
    "/test",
    response_model=ProviderTestResult,
    responses=errors(400, 401, 403, 429, 503),
    openapi_extra={**BEARER},
)
async def test_provider(ctx: Ctx, body: ProviderTest) -> Any:
    return await providers.test(ctx, body)

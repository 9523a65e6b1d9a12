"""Routes /installation: what it is for, and whether messages cost money. Postern's own (contract §9.9, 9.10)."""

from typing import Any

from resolvers import purposes
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.purposes import InstallationView, Purposes, PurposesPatch

api = router("system", prefix="/installation", extension=True)


@api.get("", response_model=InstallationView, responses=errors(400, 401, 403, 503), openapi_extra={**BEARER})
async def get_installation(ctx: Ctx) -> Any:
    return await purposes.view(ctx)


@api.get("/purposes", response_model=Purposes, responses=errors(400, 401, 403, 503), openapi_extra={**BEARER})
async def get_purposes(ctx: Ctx) -> Any:
    return await purposes.get(ctx)


@api.patch(
    "/purposes",
    response_model=Purposes,
    responses=errors(400, 401, 403, 409, 503),
    openapi_extra={**BEARER},
)
async def set_purposes(ctx: Ctx, body: PurposesPatch) -> Any:
    return await purposes.set_purposes(ctx, body)

"""/user/tariff: contract §3."""

from typing import Any

from postern.context import Ctx
from resolvers import tariffs
from rest.errors import errors
from rest.routing import BEARER, Limit, Page, router
from schema.types import page as pages
from schema.types.tariffs import CurrentTariff, SetTariff, Tariff

api = router("tariffs", prefix="/user/tariff")


@api.get("", response_model=CurrentTariff, responses=errors(401, 503), openapi_extra={**BEARER})
async def current(ctx: Ctx) -> Any:
    """Your tariff, and how much of it is used up."""
    return await tariffs.current(ctx)


@api.post(
    "", response_model=CurrentTariff, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def set(ctx: Ctx, body: SetTariff) -> Any:
    """Chooses a tariff by its code; with more than the code, makes or changes it, for administrators."""
    return await tariffs.set(ctx, body)


@api.get(
    "/all/configs",
    response_model=pages.Page[Tariff],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, page: Page = 1, limit: Limit = 20) -> Any:
    """Tariffs that you may choose, and your own; all, for administrators."""
    return await tariffs.list(ctx, page, limit)

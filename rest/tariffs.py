"""Routes under /user/tariff (contract §3)."""

from typing import Any

from resolvers import tariffs
from rest.frame.errors import errors
from rest.frame.routing import BEARER, Limit, Page, router
from runtime.context import Ctx
from runtime.texts import text
from shapes import page as pages
from shapes.tariffs import CurrentTariff, SetTariff, Tariff

api = router("tariffs", "Prices and limits.", prefix="/user/tariff")


@api.get("", response_model=CurrentTariff, responses=errors(401, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx) -> Any:
    return await tariffs.current(ctx)


@api.post(
    "", response_model=CurrentTariff, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def select(ctx: Ctx, body: SetTariff) -> Any:
    return await tariffs.set(ctx, body)


@api.get(
    "/all/configs",
    description=text(tariffs.page),
    response_model=pages.Page[Tariff],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, page: Page = 1, limit: Limit = 20) -> Any:
    return await tariffs.list(ctx, page, limit)

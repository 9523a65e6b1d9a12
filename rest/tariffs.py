"""Routes under /user/tariff (contract §3)."""

from typing import Any

from resolvers import tariffs
from rest.frame.errors import errors
from rest.frame.routing import BEARER, Limit, Page, router
from runtime.context import Ctx
from shapes import page as pages
from shapes.tariffs import CurrentTariff, SetTariff, Tariff

api = router("tariffs", "Prices and limits.", prefix="/user/tariff")


@api.get("", response_model=CurrentTariff, responses=errors(401, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx) -> Any:
    """Returns your tariff and how much of its limits is used."""
    return await tariffs.current(ctx)


@api.post(
    "", response_model=CurrentTariff, responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def select(ctx: Ctx, body: SetTariff) -> Any:
    """Selects a tariff by its code. With further fields, creates or changes that tariff, for administrators."""
    return await tariffs.set(ctx, body)


@api.get(
    "/all/configs",
    response_model=pages.Page[Tariff],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, page: Page = 1, limit: Limit = 20) -> Any:
    """Lists the tariffs that you can select, and your own; administrators get all tariffs."""
    return await tariffs.list(ctx, page, limit)

"""Routes /price-lists. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import price_lists
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.price_lists import (
    NewPriceList,
    NewPriceListVersion,
    PricedChannel,
    PriceList,
    PriceListPatch,
    PriceListVersion,
    PriceListVersionWhere,
    PriceListWhere,
    PriceRow,
    PriceWhere,
)

api = router(
    "price-lists",
    "Prices by prefix of the number, with versions, which tariffs name.",
    prefix="/price-lists",
    extension=True,
)
ListId = Annotated[UUID, Path(alias="listId", description="id of the price list")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="number of the version")]
OfChannel = Annotated[PricedChannel, Query(description="channel of the messages")]
OfVersion = Annotated[
    int | None,
    Query(ge=1, le=2**31 - 1, description="number of the version; default: the one that holds now"),
]
Begins = Annotated[
    str,
    Query(
        pattern=r"^\+?[0-9]{0,10}$", description="only prefixes that begin with these digits", examples=["49"]
    ),
]


@api.get(
    "", response_model=PageByCursor[PriceList], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(PriceListWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await price_lists.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=PriceList,
    responses=errors(400, 401, 403, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewPriceList) -> Any:
    return await price_lists.create(ctx, body)


@api.get(
    "/{listId}", response_model=PriceList, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: ListId) -> Any:
    return await price_lists.get(ctx, id)


@api.patch(
    "/{listId}",
    response_model=PriceList,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: ListId, body: PriceListPatch) -> Any:
    return await price_lists.update(ctx, id, body)


@api.delete(
    "/{listId}", status_code=204, responses=errors(400, 401, 403, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: ListId) -> None:
    return await price_lists.delete(ctx, id)


@api.get(
    "/{listId}/versions",
    response_model=PageByCursor[PriceListVersion],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def versions(
    ctx: Ctx,
    id: ListId,
    where: Annotated[Conditions, filters_of(PriceListVersionWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await price_lists.versions_of(ctx, id, PageArgs(first=limit, after=after), where)


@api.post(
    "/{listId}/versions",
    status_code=201,
    response_model=PriceListVersion,
    responses=errors(400, 401, 403, 404, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def add_version(ctx: Ctx, id: ListId, body: NewPriceListVersion) -> Any:
    return await price_lists.add_version(ctx, id, body)


@api.delete(
    "/{listId}/versions/{number}",
    status_code=204,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def delete_version(ctx: Ctx, id: ListId, number: Number) -> None:
    return await price_lists.delete_version(ctx, id, number)


@api.get(
    "/{listId}/prices",
    response_model=PageByCursor[PriceRow],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def prices(
    ctx: Ctx,
    id: ListId,
    where: Annotated[Conditions, filters_of(PriceWhere)],
    channel: OfChannel = PricedChannel.sms,
    version: OfVersion = None,
    begins: Begins = "",
    after: After = None,
    limit: Limit = 20,
) -> Any:
    page_args = PageArgs(first=limit, after=after)
    return await price_lists.prices(
        ctx, id, page_args, where, channel=channel, version=version, begins=begins
    )

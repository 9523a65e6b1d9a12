"""Routes /brand. They are Postern's own."""

from typing import Annotated, Any

from fastapi import Query

from resolvers import brands
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.brands import Brand, BrandPreview, SetBrand
from shapes.users import Locale

api = router("brands", "The dress of the pages and mails that recipients see.", extension=True)


PageLocale = Annotated[Locale | None, Query(max_length=64, description="language tag of the page (BCP 47)")]


@api.get("/brand", response_model=Brand, responses=errors(401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx) -> Any:
    return await brands.get(ctx)


@api.put("/brand", response_model=Brand, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def put(ctx: Ctx, body: SetBrand) -> Any:
    return await brands.put(ctx, body)


@api.post(
    "/brand/preview",
    status_code=200,
    response_model=BrandPreview,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, body: SetBrand, locale: PageLocale = None) -> Any:
    return await brands.preview(ctx, body, locale)


@api.delete("/brand", status_code=204, responses=errors(401, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx) -> None:
    return await brands.delete(ctx)

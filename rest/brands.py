"""Routes /brand. They are Postern's own."""

from typing import Any

from resolvers import brands
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.brands import Brand, SetBrand

api = router("brands", "The dress of the pages and mails that recipients see.", extension=True)


@api.get("/brand", response_model=Brand, responses=errors(401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx) -> Any:
    return await brands.get(ctx)


@api.put("/brand", response_model=Brand, responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def put(ctx: Ctx, body: SetBrand) -> Any:
    return await brands.put(ctx, body)


@api.delete("/brand", status_code=204, responses=errors(401, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx) -> None:
    return await brands.delete(ctx)

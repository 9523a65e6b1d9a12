"""Routes /persons. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import persons
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.exports import ExportLink
from shapes.page import PageByCursor
from shapes.persons import ErasePerson, Erasure, ErasureWhere, ExportPerson

api = router("persons", "Export and erasure of what is stored of people.", prefix="/persons", extension=True)
ErasureId = Annotated[UUID, Path(alias="erasureId", description="id of the erasure")]


@api.post(
    "/erase",
    status_code=202,
    response_model=Erasure,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def erase(ctx: Ctx, body: ErasePerson) -> Any:
    return await persons.erase(ctx, body)


@api.post(
    "/export",
    status_code=201,
    response_model=ExportLink,
    responses=errors(400, 401, 403, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def export(ctx: Ctx, body: ExportPerson) -> Any:
    return await persons.export(ctx, body)


@api.get(
    "/erasures",
    response_model=PageByCursor[Erasure],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ErasureWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await persons.page(ctx, PageArgs(first=limit, after=after), where)


@api.get(
    "/erasures/{erasureId}",
    response_model=Erasure,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: ErasureId) -> Any:
    return await persons.get(ctx, id)

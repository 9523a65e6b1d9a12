"""Routes /brand/domains. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import brand_domains
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.brand_domains import BrandDomain, BrandDomainWhere, NewBrandDomain
from shapes.page import PageByCursor

api = router("brands", prefix="/brand/domains", extension=True)
DomainId = Annotated[UUID, Path(alias="domainId", description="id of the domain")]
Asked = Annotated[
    str, Query(max_length=255, description="the domain of a client", examples=["links.example.com"])
]


@api.get(
    "", response_model=PageByCursor[BrandDomain], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(BrandDomainWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await brand_domains.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=BrandDomain,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewBrandDomain) -> Any:
    return await brand_domains.create(ctx, body)


@api.get("/ask", status_code=200, response_model=None, responses=errors(400, 404, 429, 503))
async def ask(ctx: Ctx, domain: Asked) -> None:
    return await brand_domains.ask(ctx, domain)


@api.get(
    "/{domainId}", response_model=BrandDomain, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: DomainId) -> Any:
    return await brand_domains.get(ctx, id)


@api.post(
    "/{domainId}/verify",
    response_model=BrandDomain,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def verify(ctx: Ctx, id: DomainId) -> Any:
    return await brand_domains.verify(ctx, id)


@api.delete("/{domainId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: DomainId) -> None:
    return await brand_domains.delete(ctx, id)

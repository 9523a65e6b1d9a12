"""Routes /domains. They are Postern's own."""

import builtins
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import domains
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.domains import Domain, DomainFinding, DomainName, DomainWhere, NewDomain
from shapes.page import PageByCursor

api = router(
    "domains", "Domains of emails, and the records that they need.", prefix="/domains", extension=True
)
DomainId = Annotated[UUID, Path(alias="domainId", description="id of the domain")]


@api.get("", response_model=PageByCursor[Domain], responses=errors(400, 401, 503), openapi_extra={**BEARER})
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(DomainWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await domains.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=Domain,
    responses=errors(400, 401, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewDomain) -> Any:
    return await domains.create(ctx, body)


@api.get("/{domainId}", response_model=Domain, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: DomainId) -> Any:
    return await domains.get(ctx, id)


@api.post(
    "/{domainId}/verify",
    response_model=Domain,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def verify(ctx: Ctx, id: DomainId) -> Any:
    return await domains.verify(ctx, id)


@api.post(
    "/{domainId}/rotate-dkim",
    response_model=Domain,
    responses=errors(400, 401, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def rotate(ctx: Ctx, id: DomainId) -> Any:
    return await domains.rotate(ctx, id)


@api.delete("/{domainId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: DomainId) -> None:
    return await domains.delete(ctx, id)


@api.get(
    "/{domainId}/findings",
    response_model=builtins.list[DomainFinding],
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def findings(ctx: Ctx, id: DomainId) -> Any:
    return await domains.findings(ctx, id)


system = router("domains", prefix="/system/domains", extension=True)
DomainPath = Annotated[DomainName, Path(description="a domain of emails, such as example.com")]
Selector = Annotated[
    str | None, Query(max_length=63, description="only the installation's key of this selector")
]


@system.get(
    "/{domain}",
    response_model=builtins.list[DomainFinding],
    responses=errors(400, 401, 403, 429, 503),
    openapi_extra={**BEARER},
)
async def check(ctx: Ctx, domain: DomainPath, selector: Selector = None) -> Any:
    return await domains.check(ctx, domain, selector)

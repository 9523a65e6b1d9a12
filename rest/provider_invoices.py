"""Routes /provider-invoices. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import provider_invoices
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.page import PageByCursor
from shapes.provider_invoices import NewProviderInvoice, ProviderInvoice, ProviderInvoiceWhere

api = router(
    "provider-invoices",
    "Invoices of providers, compared with what was sent.",
    prefix="/provider-invoices",
    extension=True,
)
InvoiceId = Annotated[UUID, Path(alias="invoiceId", description="id of the invoice")]


@api.get(
    "",
    response_model=PageByCursor[ProviderInvoice],
    responses=errors(400, 401, 403, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ProviderInvoiceWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await provider_invoices.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=ProviderInvoice,
    responses=errors(400, 401, 403, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewProviderInvoice) -> Any:
    return await provider_invoices.create(ctx, body)


@api.get(
    "/{invoiceId}",
    response_model=ProviderInvoice,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: InvoiceId) -> Any:
    return await provider_invoices.get(ctx, id)


@api.delete(
    "/{invoiceId}",
    status_code=204,
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def delete(ctx: Ctx, id: InvoiceId) -> None:
    return await provider_invoices.delete(ctx, id)

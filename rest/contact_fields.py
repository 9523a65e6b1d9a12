"""Routes /contact-fields. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import contact_fields
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.contact_fields import ContactField, ContactFieldPatch, ContactFieldWhere, NewContactField
from shapes.page import PageByCursor

api = router("contacts", prefix="/contact-fields", extension=True)
FieldId = Annotated[UUID, Path(alias="fieldId", description="id of the field")]


@api.get(
    "", response_model=PageByCursor[ContactField], responses=errors(400, 401, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ContactFieldWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    return await contact_fields.page(ctx, PageArgs(first=limit, after=after), where)


@api.post(
    "",
    status_code=201,
    response_model=ContactField,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def create(ctx: Ctx, body: NewContactField) -> Any:
    return await contact_fields.create(ctx, body)


@api.get(
    "/{fieldId}", response_model=ContactField, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: FieldId) -> Any:
    return await contact_fields.get(ctx, id)


@api.patch(
    "/{fieldId}", response_model=ContactField, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def update(ctx: Ctx, id: FieldId, body: ContactFieldPatch) -> Any:
    return await contact_fields.update(ctx, id, body)


@api.delete(
    "/{fieldId}", status_code=204, responses=errors(400, 401, 404, 409, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, id: FieldId) -> None:
    return await contact_fields.delete(ctx, id)

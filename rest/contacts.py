"""Routes /contacts. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query
from pydantic import TypeAdapter, ValidationError

from core.errors import ValidationFailed
from db.lists import Conditions, PageArgs
from resolvers import contacts
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, IDEMPOTENT, After, Limit, router
from runtime.context import Ctx
from shapes.contacts import (
    MOST_CONDITIONS,
    Contact,
    ContactFieldCondition,
    ContactPatch,
    ContactWhere,
    MergeContact,
    UpsertContact,
    UpsertContacts,
    UpsertedContacts,
)
from shapes.page import PageByCursor

api = router(
    "contacts", "People whom you write to, and the fields that they have.", prefix="/contacts", extension=True
)
ContactId = Annotated[UUID, Path(alias="contactId", description="id of the contact")]
FieldConditions = Annotated[
    str | None,
    Query(
        max_length=16_384,
        description="conditions on fields, as the JSON of GraphQL's `where.fields`",
        examples=['[{"key":"city","eq":"Berlin"}]'],
    ),
]
_CONDITIONS = TypeAdapter(list[ContactFieldCondition])


@api.get(
    "", response_model=PageByCursor[Contact], responses=errors(400, 401, 403, 503), openapi_extra={**BEARER}
)
async def page(
    ctx: Ctx,
    where: Annotated[Conditions, filters_of(ContactWhere)],
    fields: FieldConditions = None,
    after: After = None,
    limit: Limit = 20,
) -> Any:
    every = {**where, ("fields", "match"): _conditions(fields)} if fields else where
    return await contacts.page(ctx, PageArgs(first=limit, after=after), every)


@api.post(
    "",
    response_model=Contact,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def upsert(ctx: Ctx, body: UpsertContact) -> Any:
    return await contacts.upsert(ctx, body)


@api.post(
    "/bulk",
    response_model=UpsertedContacts,
    responses=errors(400, 401, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def upsert_many(ctx: Ctx, body: UpsertContacts) -> Any:
    return await contacts.upsert_many(ctx, body)


@api.get(
    "/{contactId}", response_model=Contact, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def get(ctx: Ctx, id: ContactId) -> Any:
    return await contacts.get(ctx, id)


@api.patch(
    "/{contactId}",
    response_model=Contact,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, id: ContactId, body: ContactPatch) -> Any:
    return await contacts.update(ctx, id, body)


@api.post(
    "/{contactId}/merge",
    response_model=Contact,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def merge(ctx: Ctx, id: ContactId, body: MergeContact) -> Any:
    return await contacts.merge(ctx, id, body)


@api.delete("/{contactId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def delete(ctx: Ctx, id: ContactId) -> None:
    return await contacts.delete(ctx, id)


def _conditions(text: str) -> list[ContactFieldCondition]:
    """Returns the conditions of the query parameter `fields`. Raises ValidationFailed."""
    try:
        conditions = _CONDITIONS.validate_json(text)
    except ValidationError as error:
        raise ValidationFailed(
            [f"fields.{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:10]]
        ) from error
    if len(conditions) > MOST_CONDITIONS:
        raise ValidationFailed([f"fields: has more than {MOST_CONDITIONS} conditions"])
    return conditions

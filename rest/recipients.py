"""Routes under /recipient (specification §6); single recipients and removals are extensions."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import recipients
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx
from runtime.texts import text
from shapes import page as pages
from shapes.recipients import AddedRecipients, AddRecipients, Recipient, RemovedRecipients, RemoveRecipients

api = router("recipients", "Recipients of projects.", prefix="/recipient")
ProjectId = Annotated[UUID, Path(alias="sendingProjectUuid")]
RecipientId = Annotated[UUID, Path(alias="recipientUuid")]


@api.get(
    "/list/{sendingProjectUuid}",
    description=text(recipients.page),
    response_model=pages.Page[Recipient],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, id: ProjectId, page: Page = 1, limit: Limit = 20) -> Any:
    return await recipients.list(ctx, id, page, limit)


@api.post(
    "/{sendingProjectUuid}",
    response_model=AddedRecipients,
    responses=errors(400, 401, 404, 409, 413, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def add(ctx: Ctx, id: ProjectId, body: AddRecipients) -> Any:
    return await recipients.add(ctx, id, body)


@api.delete(
    "/{sendingProjectUuid}/{recipientUuid}",
    status_code=204,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def remove(ctx: Ctx, id: ProjectId, recipient: RecipientId) -> None:
    await recipients.remove(ctx, recipient, id)


@api.get(
    "/info/{recipientUuid}",
    response_model=Recipient,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
    tags=EXTENSION,
)
async def get(ctx: Ctx, id: RecipientId) -> Any:
    return await recipients.get(ctx, id)


@api.post(
    "/{sendingProjectUuid}/remove",
    response_model=RemovedRecipients,
    responses=errors(400, 401, 404, 409, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
    tags=EXTENSION,
)
async def remove_some(ctx: Ctx, id: ProjectId, body: RemoveRecipients) -> Any:
    return await recipients.remove_some(ctx, id, body)

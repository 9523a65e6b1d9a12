"""Routes under /recipient (specification §6)."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from resolvers import recipients
from rest.frame.errors import errors
from rest.frame.routing import BEARER, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx
from shapes import page as pages
from shapes.recipients import AddedRecipients, AddRecipients, Recipient

api = router("recipients", prefix="/recipient")
extension = router("recipients", prefix="/recipient")
ProjectId = Annotated[UUID, Path(alias="sendingProjectUuid")]


@api.get(
    "/list/{sendingProjectUuid}",
    response_model=pages.Page[Recipient],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list(ctx: Ctx, id: ProjectId, page: Page = 1, limit: Limit = 20) -> Any:
    """Lists the recipients of a project, in the order in which they were added."""
    return await recipients.list(ctx, id, page, limit)


@api.post(
    "/{sendingProjectUuid}",
    response_model=AddedRecipients,
    responses=errors(400, 401, 404, 409, 413, 422, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def add(ctx: Ctx, id: ProjectId, body: AddRecipients) -> Any:
    """Adds recipients to a project that is draft, scheduled or stopped. Either all are added or none."""
    return await recipients.add(ctx, id, body)


@extension.delete(
    "/{sendingProjectUuid}/{recipientUuid}",
    status_code=204,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def remove(ctx: Ctx, id: ProjectId, recipient: Annotated[UUID, Path(alias="recipientUuid")]) -> None:
    """Removes a recipient from a project that is draft, scheduled or stopped, unless a message to it exists."""
    await recipients.remove(ctx, recipient, id)

"""Routes under /messages (specification §4)."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query

from resolvers import messages
from rest.frame.errors import errors
from rest.frame.routing import BEARER, EXTENSION, IDEMPOTENT, Limit, Page, router
from runtime.context import Ctx, OwnerCtx
from runtime.texts import text
from shapes import page as pages
from shapes.message_chains import Message, SendMessage
from shapes.messages import ListedChannel, MessageStatus, RescheduleMessage, StatusReport
from shapes.shape import Timestamp

api = router("messages", "Single messages by SMS, email, push, WhatsApp and Telegram.", prefix="/messages")
OfAccount = Annotated[UUID | None, Query(alias="accountId")]
Since = Annotated[
    Timestamp | None, Query(alias="updatedSince", description="only entries changed at or after this time")
]


@api.get(
    "",
    description=text(messages.page),
    response_model=pages.Page[Message],
    responses=errors(400, 401, 403, 404, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: OwnerCtx,
    page: Page = 1,
    limit: Limit = 20,
    status: MessageStatus | None = None,
    channel: ListedChannel | None = None,
    account_id: OfAccount = None,
    updated_since: Since = None,
) -> Any:
    return await messages.list(ctx, page, limit, status, channel, account_id, updated_since)


@api.post(
    "",
    status_code=202,
    response_model=Message,
    responses=errors(400, 401, 402, 404, 409, 422, 429, 503),
    openapi_extra={**BEARER, **IDEMPOTENT},
)
async def send(ctx: Ctx, body: SendMessage) -> Any:
    return await messages.send(ctx, body)


@api.get("/{id}", response_model=Message, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER})
async def get(ctx: Ctx, id: UUID) -> Any:
    return await messages.explained(ctx, id)


@api.delete(
    "/{id}",
    tags=EXTENSION,
    response_model=Message,
    responses=errors(400, 401, 403, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def cancel(ctx: Ctx, id: UUID) -> Any:
    return await messages.cancel(ctx, id)


@api.patch(
    "/{id}",
    tags=EXTENSION,
    response_model=Message,
    responses=errors(400, 401, 403, 404, 409, 429, 503),
    openapi_extra={**BEARER},
)
async def reschedule(ctx: Ctx, id: UUID, body: RescheduleMessage) -> Any:
    return await messages.reschedule(ctx, id, body.send_at)


@api.get(
    "/{id}/status",
    response_model=StatusReport,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get_status(ctx: Ctx, id: UUID) -> Any:
    return await messages.status(ctx, id)

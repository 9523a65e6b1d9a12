"""Webhooks: at the vendor's paths (contract §4, area C), and under /webhooks, which are Postern's own routes."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from db.lists import Conditions, PageArgs
from resolvers import webhooks
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from rest.frame.vendor import vendor
from runtime.context import Ctx, OwnerCtx
from shapes.event_webhooks import (
    EventWebhook,
    NewEventWebhook,
    NewSecret,
    SavedEventWebhook,
    WebhookPatch,
    WebhookPreview,
    WebhookPreviewed,
    WebhookReplay,
    WebhookReplayed,
    WebhookSecret,
    WebhookTested,
)
from shapes.page import Page, PageByCursor, PageNumber, PageSize
from shapes.vendor import Answer
from shapes.webhooks import AddWebhook, DeleteWebhook, WebhookAnswer, WebhookWhere

api = vendor("webhooks", "Addresses that the events of a messenger account are sent to.")
extension = router("webhooks", prefix="/webhooks", extension=True)
records = router("webhooks", prefix="/messenger-accounts", extension=True)
Id = Annotated[UUID, Path(alias="webhookId")]


@api.post("/addWebhook", response_model=WebhookAnswer)
async def add(ctx: Ctx, body: AddWebhook) -> Any:
    """Adds a webhook to an account, or changes and re-enables the existing webhook with this URL. Each event is one
    POST, signed as Standard Webhooks specifies. `secret` is returned only in this response, and only if the service
    generated it.
    """
    return await webhooks.add(ctx, body, body)


@api.post("/deleteWebhook", response_model=Answer)
async def remove(ctx: Ctx, body: DeleteWebhook) -> Any:
    return await webhooks.remove(ctx, body, body.webhook_url)


@extension.post(
    "",
    response_model=SavedEventWebhook,
    status_code=201,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def create(ctx: Ctx, body: NewEventWebhook) -> Any:
    """Makes a webhook of your event feed: it receives what happens from now on. Each request is one event (with
    `batch`: up to 100), signed as Standard Webhooks specifies. `secret` is returned only in this response, and only if
    the service generated it.
    """
    saved = await webhooks.create(ctx, body)
    return saved_as_body(saved.webhook, saved.secret)


@extension.get(
    "", response_model=Page[EventWebhook], responses=errors(400, 401, 403, 404, 503), openapi_extra={**BEARER}
)
async def list(ctx: OwnerCtx, page: PageNumber = 1, limit: PageSize = 20) -> Any:
    return await webhooks.list(ctx, page, limit)


@extension.post(
    "/preview",
    response_model=WebhookPreviewed,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def preview(ctx: Ctx, body: WebhookPreview) -> Any:
    return await webhooks.preview(ctx, body)


@extension.get(
    "/{webhookId}",
    response_model=EventWebhook,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, webhook_id: Id) -> Any:
    return await webhooks.get(ctx, webhook_id)


@extension.patch(
    "/{webhookId}",
    response_model=EventWebhook,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def update(ctx: Ctx, webhook_id: Id, body: WebhookPatch) -> Any:
    return await webhooks.update(ctx, webhook_id, body)


@extension.delete(
    "/{webhookId}", status_code=204, responses=errors(400, 401, 404, 503), openapi_extra={**BEARER}
)
async def delete(ctx: Ctx, webhook_id: Id) -> None:
    return await webhooks.delete(ctx, webhook_id)


@extension.post(
    "/{webhookId}/test",
    response_model=WebhookTested,
    responses=errors(400, 401, 404, 429, 503),
    openapi_extra={**BEARER},
)
async def test(ctx: Ctx, webhook_id: Id) -> Any:
    return await webhooks.test(ctx, webhook_id)


@extension.post(
    "/{webhookId}/try-now",
    response_model=EventWebhook,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def try_now(ctx: Ctx, webhook_id: Id) -> Any:
    return await webhooks.try_now(ctx, webhook_id)


@extension.post(
    "/{webhookId}/replay",
    response_model=WebhookReplayed,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def replay(ctx: Ctx, webhook_id: Id, body: WebhookReplay) -> Any:
    return WebhookReplayed(count=await webhooks.replay(ctx, webhook_id, body))


@extension.post(
    "/{webhookId}/secret",
    response_model=WebhookSecret,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def rotate_secret(ctx: Ctx, webhook_id: Id, body: NewSecret) -> Any:
    return WebhookSecret(secret=(await webhooks.rotate(ctx, webhook_id, body.secret)).secret)


@records.get(
    "/{accountUuid}/webhooks",
    response_model=PageByCursor[EventWebhook],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list_of_account(
    ctx: Ctx,
    id: Annotated[UUID, Path(alias="accountUuid")],
    where: Annotated[Conditions, filters_of(WebhookWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    """Lists the webhooks of a messenger account, oldest first."""
    return await webhooks.page(ctx, id, PageArgs(first=limit, after=after), where)


def saved_as_body(row: Any, secret: str | None) -> SavedEventWebhook:
    """Returns the response for a webhook that was made."""
    return SavedEventWebhook.model_construct(**EventWebhook.model_validate(row).model_dump(), secret=secret)

"""Routes for deliveries of webhooks: what waits, what was delivered, and dead letters. They are Postern's own."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from db.lists import Conditions, PageArgs
from resolvers import webhook_deliveries
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from runtime.texts import text
from shapes.event_webhooks import EventWebhookDelivery, WebhookDeliveryState, WebhookReplayed
from shapes.page import Page, PageByCursor, PageNumber, PageSize
from shapes.webhooks import DeadLetter, DeadLetterWhere, DeliveryCounts, ReplayLetters

api = router("webhooks", prefix="/webhooks", extension=True)
records = router("webhooks", extension=True)
Id = Annotated[UUID, Path(alias="webhookId")]
State = Annotated[WebhookDeliveryState | None, Query(description="only deliveries of this state")]


@api.get(
    "/{webhookId}/deliveries",
    description=text(webhook_deliveries.page),
    response_model=Page[EventWebhookDelivery],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list(
    ctx: Ctx, webhook_id: Id, state: State = None, page: PageNumber = 1, limit: PageSize = 20
) -> Any:
    return await webhook_deliveries.list(ctx, webhook_id, state, page, limit)


@api.get(
    "/{webhookId}/deliveries/counts",
    response_model=DeliveryCounts,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def count(ctx: Ctx, webhook_id: Id) -> Any:
    return await webhook_deliveries.counts_of(ctx, webhook_id)


@api.get(
    "/{webhookId}/dead-letters",
    response_model=PageByCursor[DeadLetter],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def list_dead_letters(
    ctx: Ctx,
    webhook_id: Id,
    where: Annotated[Conditions, filters_of(DeadLetterWhere)],
    after: After = None,
    limit: Limit = 20,
) -> Any:
    """Lists the dead letters of a webhook, newest event first."""
    return await webhook_deliveries.dead(ctx, None, webhook_id, PageArgs(first=limit, after=after), where)


@api.post(
    "/{webhookId}/dead-letters/replay",
    response_model=WebhookReplayed,
    responses=errors(400, 401, 404, 409, 503),
    openapi_extra={**BEARER},
)
async def replay_dead_letters(ctx: Ctx, webhook_id: Id, body: ReplayLetters | None = None) -> Any:
    ids = (body or ReplayLetters()).ids
    return WebhookReplayed(count=await webhook_deliveries.replay(ctx, webhook_id, ids))


@records.get(
    "/webhook-deliveries/{id}",
    response_model=EventWebhookDelivery,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get(ctx: Ctx, id: UUID) -> Any:
    return await webhook_deliveries.get(ctx, id)


@records.get(
    "/dead-letters/{id}",
    response_model=DeadLetter,
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def get_dead_letter(ctx: Ctx, id: UUID) -> Any:
    return await webhook_deliveries.letter(ctx, id)

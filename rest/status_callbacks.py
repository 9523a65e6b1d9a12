"""Routes of the status callbacks of messages. They are Postern's own."""

from typing import Annotated, Any

from db.lists import Conditions, PageArgs
from resolvers import status_callbacks
from rest.frame.errors import errors
from rest.frame.filters import filters_of
from rest.frame.routing import BEARER, After, Limit, router
from runtime.context import Ctx
from shapes.event_webhooks import EventWebhook, NewSecret, WebhookSecret
from shapes.page import PageByCursor
from shapes.webhooks import WebhookWhere

api = router("messages", prefix="/status-callbacks", extension=True)


@api.post(
    "/secret",
    response_model=WebhookSecret,
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def rotate_secret(ctx: Ctx, body: NewSecret | None = None) -> Any:
    return await status_callbacks.rotate_secret(ctx, body.secret if body else None)


@api.get(
    "/hosts",
    response_model=PageByCursor[EventWebhook],
    responses=errors(400, 401, 503),
    openapi_extra={**BEARER},
)
async def list_hosts(
    ctx: Ctx, where: Annotated[Conditions, filters_of(WebhookWhere)], after: After = None, limit: Limit = 20
) -> Any:
    return await status_callbacks.page(ctx, PageArgs(first=limit, after=after), where)

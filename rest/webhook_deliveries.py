"""Route /webhooks/{id}/deliveries: what waits for a webhook, what was delivered, and dead letters. It is Postern's
own.
"""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query

from resolvers import webhook_deliveries
from rest.frame.errors import errors
from rest.frame.routing import BEARER, router
from runtime.context import Ctx
from shapes.event_webhooks import EventWebhookDelivery, WebhookDeliveryState
from shapes.page import Page, PageNumber, PageSize

api = router("webhooks", prefix="/webhooks")
Id = Annotated[UUID, Path(alias="webhookId")]
State = Annotated[WebhookDeliveryState | None, Query(description="only deliveries of this state")]


@api.get(
    "/{webhookId}/deliveries",
    response_model=Page[EventWebhookDelivery],
    responses=errors(400, 401, 404, 503),
    openapi_extra={**BEARER},
)
async def page(
    ctx: Ctx, webhook_id: Id, state: State = None, page: PageNumber = 1, limit: PageSize = 20
) -> Any:
    """Lists the deliveries of a webhook, newest event first. Delivered ones are kept for three days."""
    return await webhook_deliveries.list(ctx, webhook_id, state, page, limit)

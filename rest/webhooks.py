"""Webhooks at the vendor's paths (contract §4, area C)."""

from typing import Any

from resolvers import webhooks
from rest.frame.vendor import vendor
from runtime.context import Ctx
from shapes.vendor import Answer
from shapes.webhooks import AddWebhook, DeleteWebhook, WebhookAnswer

api = vendor("webhooks")


@api.post("/addWebhook", response_model=WebhookAnswer)
async def add(ctx: Ctx, body: AddWebhook) -> Any:
    """Adds a webhook to an account, or changes and re-enables the existing webhook with this URL. Each event is one
    POST, signed as Standard Webhooks specifies. `secret` is returned only in this response, and only if the service
    generated it.
    """
    return await webhooks.add(ctx, body, body)


@api.post("/deleteWebhook", response_model=Answer)
async def remove(ctx: Ctx, body: DeleteWebhook) -> Any:
    """Deletes a webhook and the events that are queued for it."""
    return await webhooks.remove(ctx, body, body.webhook_url)

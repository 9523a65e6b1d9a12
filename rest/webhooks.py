"""Area C (contract §4), webhooks, at the vendor's paths."""

from typing import Any

from postern.context import Ctx
from resolvers import webhooks
from rest.vendor import vendor
from schema.types.vendor import Answer
from schema.types.webhooks import AddWebhook, DeleteWebhook, WebhookAnswer

api = vendor("webhooks")


@api.post("/addWebhook", response_model=WebhookAnswer)
async def add(ctx: Ctx, body: AddWebhook) -> Any:
    """Tells an address of what happens to an account. One that is there is changed, and enabled again.

    Each event is one POST, signed as Standard Webhooks says. `secret` is shown this once, and only if we made it.
    """
    return await webhooks.add(ctx, body, body)


@api.post("/deleteWebhook", response_model=Answer)
async def remove(ctx: Ctx, body: DeleteWebhook) -> Any:
    """The address is told nothing more, not even of what waits for it."""
    return await webhooks.remove(ctx, body, body.webhook_url)

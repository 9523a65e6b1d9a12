"""Status callbacks of messages: the secret that signs them, and the hosts that receive them.

Their deliveries are those of webhooks: resolvers/webhook_deliveries.py.
"""

from db import models
from db.lists import Conditions, CursorPage, Listing, PageArgs
from db.query import p
from engine.webhooks import callbacks
from runtime.operation import Op, operation
from runtime.permissions import Permission
from shapes.event_webhooks import WebhookSecret

_HOOK = models.Webhook
_HOSTS = Listing(
    _HOOK,
    descending=False,
    without=("secret_encrypted", "old_secret_encrypted", "claim_id", "claimed_until", "version", "wakes"),
    always=(_HOOK.is_callback,),
)
_MINE = _HOOK.owner_id == p("owner_id")


@operation(Permission.events_read, "read")
async def page(op: Op, page_args: PageArgs, where: Conditions) -> CursorPage[models.Webhook]:
    """Lists the hosts to which status callbacks of your messages go, at most one hundred, oldest first; administrators
    get those of all users. `deleteWebhook` ends the callbacks of a host.
    """
    return await _HOSTS.page(op.db, page_args, where, *op.own(_MINE), owner_id=op.viewer.id)


@operation(Permission.events_write, "sql")
async def rotate_secret(op: Op, secret: str | None = None) -> WebhookSecret:
    """Replaces the secret that signs the status callbacks of your messages; it is made by the first one. For one day,
    requests are signed with the old secret too. Raises BadRequest `invalid_secret`.
    """
    made = await callbacks.rotate(op.connection, op.services, op.viewer.id, secret)
    return WebhookSecret.model_construct(secret=made)

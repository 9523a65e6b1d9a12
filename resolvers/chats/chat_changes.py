"""Tells everybody who follows the inbox that a chat has changed."""

from typing import Any

from core.pubsub import publish_account
from runtime.operation import Op


async def publish(op: Op, account: Any, chat: Any, kind: str = "chat") -> None:
    """Publishes that a chat has changed: subscribers get its newest message, and with it the chat as it is now."""
    change = {
        "kind": kind,
        "account": str(account.id),
        "item": str(chat.last_item),
        "thread": chat.thread,
    }
    await publish_account(op.services.store, account.id, account.owner_id, change)

"""The texts and events that both sides of a contest send."""

import time
from typing import Any

from core.ids import uuid7

TEXT = "Hello {{ name }}, your code is {{ code }}."
SUBJECT = "Your order has left our warehouse"
THREADS = 64  # chats that events belong to: those of one chat are delivered one after the other


def rendered(number: int) -> str:
    """Returns what TEXT says to a recipient."""
    return f"Hello Name {number}, your code is {number}."


def recipient(channel: str, number: int) -> tuple[str, str, str]:
    """Returns address, name and variables of a recipient. Push goes to the sandbox, which then reports nothing more."""
    address = {"email": f"anna{number}@example.com", "push": f"sandbox-sent-{number}"}.get(
        channel, f"+1415{number:07}"
    )
    return address, f"Name {number}", f'{{"code": "{number}"}}'


def event(number: int) -> dict[str, Any]:
    """Returns the body of a received text message, as webhooks report it."""
    return {
        "hook_type": "message", "source": "telegram", "login": "14155550100", "item": str(uuid7()),
        "thread": f"chat{number % THREADS}", "from": "+14155550101", "to": "+14155550100", "time": int(time.time()),
        "text": f"{time.time()} was when I sent this.", "outgoing": False, "replyTo": None, "content": [],
        "name": "Bob",
    }  # fmt: skip

"""The delivery reports of a `post` server: JSON that it signs by Standard Webhooks and posts to `/hooks/post/{name}`.

    one event, a list, or {"events": [{"id"?, "providerMessageId" | "messageId", "status", "code"?, "reason"?, "at"?}]}

`providerMessageId` is the id that the server answered with, `messageId` the message's own. A report counts once: its
key is the event's `id`, or else its place in the request of this `webhook-id`.
"""

import hashlib
from typing import Any, Final

import orjson

from channels.port import BadHook, Receipt, Result
from core.clock import moment

MOST_EVENTS: Final = 1000
_LONGEST_ID: Final = 255
_LONGEST_CODE: Final = 64
_RESULTS: Final = {
    "sent": Result.sent,
    "delivered": Result.delivered,
    "read": Result.delivered,
    "failed": Result.refused,
}


def read(body: bytes, request_id: str) -> list[Receipt]:
    """Returns the reports of a request whose signature is right. Events without a message or with another status are
    left out. Raises BadHook.
    """
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadHook("the body is not valid JSON") from error
    if isinstance(parsed, dict):
        parsed = parsed["events"] if isinstance(parsed.get("events"), list) else [parsed]
    if not isinstance(parsed, list) or len(parsed) > MOST_EVENTS:
        raise BadHook(f'send one event, or {{"events": [...]}} with at most {MOST_EVENTS} events')
    receipts = (_receipt(event, f"{request_id}#{index}") for index, event in enumerate(parsed))
    return [receipt for receipt in receipts if receipt is not None]


def _receipt(event: Any, fallback: str) -> Receipt | None:
    if not isinstance(event, dict):
        return None
    id = _text(event.get("providerMessageId")) or _text(event.get("messageId"))
    result = _RESULTS.get(_text(event.get("status")) or "")
    if id is None or result is None or len(id) > _LONGEST_ID:
        return None
    own = _text(event.get("id"))
    key = f"{event['status']}:{fallback if own is None else f'id:{own}'}"
    failed = result is Result.refused
    return Receipt(
        id,
        result,
        (_text(event.get("code")) or "")[:_LONGEST_CODE] or None if failed else None,
        _text(event.get("reason")) if failed else None,
        moment(event.get("at")),
        hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def _text(value: Any) -> str | None:
    """Returns a text that is not empty, or the digits of a whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value or None if isinstance(value, str) else None

"""Verifies what Postern posts to a webhook: Standard Webhooks, HMAC-SHA256 over id, time and body."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import WebhookRefused

TOLERANCE = 300.0
"""Seconds by which a request may be older or newer than this machine's clock."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> Any:
    """Returns the content of a request, which Postern has signed with this secret. Raises WebhookRefused.

    `body`: exactly the bytes that were received. The same request may come again with the same `webhook-id`.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    id, sent_at = lower.get("webhook-id", ""), lower.get("webhook-timestamp", "")
    if not id or not sent_at.isdecimal():
        raise WebhookRefused("The headers webhook-id and webhook-timestamp are missing or malformed.")
    data = body.encode() if isinstance(body, str) else body
    expected = hmac.digest(_key(secret), f"{id}.{sent_at}.".encode() + data, "sha256")
    # While a secret is replaced there are two signatures. All of them are compared, in constant time.
    signatures = [
        _bytes(part[3:]) for part in lower.get("webhook-signature", "").split() if part[:3] == "v1,"
    ]
    if not sum(hmac.compare_digest(signature, expected) for signature in signatures):
        raise WebhookRefused("No signature of the request fits its body and the secret.")
    if abs((time.time() if now is None else now) - int(sent_at)) > tolerance:
        raise WebhookRefused("The request is too old, or of the future. Is the clock of this machine right?")
    return json.loads(data)


def events_of(content: Any) -> list[Any]:
    """Returns the events in the content of a request: several if the webhook has `batch`, else one."""
    events = content.get("events") if isinstance(content, dict) else None
    return events if isinstance(events, list) else [content]


def _key(secret: str) -> bytes:
    key = _bytes(secret.removeprefix("whsec_"))
    if not key:
        raise WebhookRefused("The secret is not `whsec_` followed by base64.")
    return key


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""

"""Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over `{id}.{timestamp}.{body}`.

The `standardwebhooks` package is used only in tests: it fixes the tolerance at five minutes, raises various errors for
malformed headers, and signs another timestamp than it was given (`1.5` as `1`).
"""

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterable, Mapping

PREFIX = "whsec_"
_MOST_SIGNATURES = 16
_ID = re.compile(r"[!-~]{1,255}")


def new_secret() -> str:
    """Returns a secret of 256 random bits; the specification asks for at least 192."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def verify(
    webhook_secrets: Iterable[str],
    headers: Mapping[str, str],
    body: bytes,
    tolerance: float,
    now: float | None = None,
) -> str | None:
    """Returns `webhook-id` if one of the known secrets made a signature and the timestamp is within the tolerance.

    `headers` have lower-case names; `tolerance` is in seconds, into the past and into the future.
    """
    id, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not _ID.fullmatch(id) or not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12:
        return None
    if abs((time.time() if now is None else now) - int(stamp)) > tolerance:
        return None
    signatures = [
        mac
        for part in headers.get("webhook-signature", "").split(" ")[:_MOST_SIGNATURES]
        if part.startswith("v1,") and (mac := _decoded(part[3:])) is not None
    ]
    # Every pair is compared, so that the time does not reveal which one matched.
    fits = [
        hmac.compare_digest(_mac(secret, id, stamp, body), mac)
        for secret in webhook_secrets
        for mac in signatures
    ]
    return id if any(fits) else None


def _mac(secret: str, id: str, timestamp: str, body: bytes) -> bytes:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None

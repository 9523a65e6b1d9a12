"""Standard Webhooks: secrets, and the headers by which a receiver verifies a call. We sign, and we verify.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: HMAC-SHA256 over
`{id}.{timestamp}.{body}`, in base64 as `v1,…`; after a rotation one signature per secret, separated by a space.

The `standardwebhooks` package is used only in tests, as the reference: it fixes the tolerance at five minutes, raises
various errors for malformed headers, and signs another timestamp than it was given (`1.5` as `1`).
"""

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

PREFIX = "whsec_"
_FEWEST, _MOST = 24, 64  # bytes of a secret
_MOST_SIGNATURES = 16
_ID = re.compile(r"[!-~]{1,255}")


class BadSecret(ValueError):
    """The message is a sentence for the user; it doesn't repeat the secret."""


def new_secret() -> str:
    """Returns a secret of 256 random bits; the specification asks for at least 192."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def key_of(secret: str) -> bytes:
    """Returns the key of a secret. Raises BadSecret."""
    key = _decoded(secret.removeprefix(PREFIX)) or b""
    if not secret.startswith(PREFIX) or not _FEWEST <= len(key) <= _MOST:
        raise BadSecret(
            f"secret: write {PREFIX} and the base64 of {_FEWEST} to {_MOST} random bytes, or leave it out to get one"
        )
    return key


def sign(keys: Sequence[bytes], id: UUID, body: bytes, at: int, *, names: str = "webhook") -> dict[str, str]:
    """Returns the headers of one attempt, with a signature by each key. `at`: seconds. `names`: with which the names of
    the headers begin; `svix` is what they were before the standard, with the same values.

    `id` is the same in all attempts: receivers drop duplicates by it.
    """
    text, stamp = str(id), str(at)
    signatures = (base64.b64encode(_mac(key, text, stamp, body)).decode() for key in keys)
    return {
        "content-type": "application/json",
        f"{names}-id": text,
        f"{names}-timestamp": stamp,
        f"{names}-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }


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
    own = [_mac(key_of(secret), id, stamp, body) for secret in webhook_secrets] if signatures else []
    fits = [hmac.compare_digest(expected, mac) for expected in own for mac in signatures]
    return id if any(fits) else None


def _mac(key: bytes, id: str, timestamp: str, body: bytes) -> bytes:
    return hmac.digest(key, b"%s.%s.%s" % (id.encode(), timestamp.encode(), body), hashlib.sha256)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None

"""Standard Webhooks: secrets, and the headers by which a receiver verifies a call.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: HMAC-SHA256 over
`id.timestamp.body`, in base64 as `v1,…`; after a rotation one signature per secret, separated by a space.
"""

import base64
import binascii
import hashlib
import hmac
import os
from collections.abc import Sequence
from uuid import UUID

PREFIX = "whsec_"
_FEWEST, _MOST = 24, 64  # bytes of a secret


class BadSecret(ValueError):
    """The message is a sentence for the user; it doesn't repeat the secret."""


def new_secret() -> str:
    """Returns a new random secret."""
    return PREFIX + base64.b64encode(os.urandom(32)).decode()


def key_of(secret: str) -> bytes:
    """Returns the key of a secret. Raises BadSecret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (ValueError, binascii.Error):
        key = b""
    if not secret.startswith(PREFIX) or not _FEWEST <= len(key) <= _MOST:
        raise BadSecret(
            f"secret: write {PREFIX} and the base64 of {_FEWEST} to {_MOST} random bytes, or leave it out to get one"
        )
    return key


def headers(keys: Sequence[bytes], id: UUID, body: bytes, at: int) -> dict[str, str]:
    """Returns the headers of one attempt. `at`: seconds. `id` is the same in all attempts: receivers drop duplicates by
    it."""
    signed = b"%s.%d.%s" % (str(id).encode(), at, body)
    signatures = (base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in keys)
    return {
        "content-type": "application/json",
        "webhook-id": str(id),
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }

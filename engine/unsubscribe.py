"""Unsubscribe links in promotional messages: RFC 8058's header, a variable of texts, and the token.

A token is a message's id and its signature, so that others can't be unsubscribed by guessing. It does not expire: the
link of an old email must still work.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from core.settings import Settings
from runtime import links
from shapes.messages import MessageCategory

_SIGNATURE = 16  # bytes
_TOKEN = 43  # characters


VARIABLE = "unsubscribe_url"
"""The texts of promotional projects have this variable."""

PLACEHOLDER = f"{{{{ {VARIABLE} }}}}"
"""In a promotional direct email this literal is replaced by the link; its text is no template otherwise."""

EXAMPLE = "https://example.com/unsubscribe/…"
"""Histories show this instead of a link: their readers must not be able to unsubscribe recipients."""


def offered(content: Mapping[str, Any]) -> bool:
    """Returns whether recipients of this content can unsubscribe. One without a category is promotional."""
    return bool(content.get("category", MessageCategory.promotional) == MessageCategory.promotional)


def url(settings: Settings, key: bytes, message_id: UUID) -> str:
    """Returns the unsubscribe URL of this message; `key` is `services.key("unsubscribe")`."""
    return f"{links.base(settings)}/unsubscribe/{token(key, message_id)}"


def example(settings: Settings) -> str:
    """Returns a URL that unsubscribes no recipient, with the length and the alphabet of a real one: for previews and
    trials, whose parts of an SMS are counted.
    """
    return f"{links.base(settings)}/unsubscribe/{'example'.ljust(_TOKEN, 'x')}"


def headers(settings: Settings, key: bytes, message_id: UUID) -> dict[str, str]:
    """Returns the unsubscribe headers of this message's email."""
    return {
        "List-Unsubscribe": f"<{url(settings, key, message_id)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def token(key: bytes, message_id: UUID) -> str:
    """Returns a token of 43 characters that are safe in a URL."""
    signed = message_id.bytes + _signature(key, message_id.bytes)
    return base64.urlsafe_b64encode(signed).decode().rstrip("=")


def read(keys: Sequence[bytes], text: str) -> UUID | None:
    """Returns the id of the message that a token names, or None if none of `keys` signed it."""
    try:
        signed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return None
    id, signature = signed[:16], signed[16:]
    ours = [hmac.compare_digest(signature, _signature(key, id)) for key in keys]
    return UUID(bytes=id) if any(ours) else None


def _signature(key: bytes, id: bytes) -> bytes:
    return hmac.digest(key, id, hashlib.sha256)[:_SIGNATURE]

"""Unsubscribe links in promotional messages: RFC 8058's header, a variable of texts, and the token.

A token is a message's id and its signature, so that others can't be unsubscribed by guessing. It does not expire: the
link of an old email must still work.
"""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID, uuid5

from core.settings import Settings
from runtime import links
from shapes.messages import MessageCategory

_SIGNATURE = 16  # bytes
_TOKEN = 43  # characters
_EXAMPLE: Final = "example"
_LISTS: Final = UUID("6b1c9a52-6c39-5a0c-8d61-0f5b7f0f6f2a")
_LOCAL: Final = "localhost"  # RFC 2919 §3: lists that have no domain of their own


VARIABLE = "unsubscribe_url"
"""The texts of promotional projects have this variable."""

_PLACEHOLDER = re.compile(rf"\{{\{{-?[ \t]*({VARIABLE}|preferences_url)[ \t]*-?\}}\}}")

EXAMPLE = "https://example.com/unsubscribe/…"
"""Histories show this instead of a link: their readers must not be able to unsubscribe recipients."""


def offered(content: Mapping[str, Any]) -> bool:
    """Returns whether recipients of this content can unsubscribe. One without a category is promotional."""
    return bool(content.get("category", MessageCategory.promotional) == MessageCategory.promotional)


def url(settings: Settings, key: bytes, message_id: UUID, base: str | None = None) -> str:
    """Returns the unsubscribe URL of this message; `key` is `services.key("unsubscribe")`, and `base` the address of
    the owner's links (`link_domains.base_of`).
    """
    return f"{base or links.base(settings)}/unsubscribe/{token(key, message_id)}"


EXAMPLE_TOKEN: Final = "example".ljust(_TOKEN, "x")
"""It has the length and the alphabet of a real one, and no signature."""


def example(settings: Settings, base: str | None = None) -> str:
    """Returns a URL that unsubscribes no recipient, with the length and the alphabet of a real one."""
    return f"{base or links.base(settings)}/unsubscribe/{EXAMPLE_TOKEN}"


def trial_url(settings: Settings, key: bytes, owner_id: UUID, base: str | None = None) -> str:
    """Returns a URL that unsubscribes no recipient, for previews and trials of an owner. Its page says what it is. It
    is as long as a real one, because the parts of an SMS are counted.
    """
    return f"{base or links.base(settings)}/unsubscribe/{token(_trial_key(key), owner_id)}"


def is_example(text: str) -> bool:
    """Returns whether a token is that of an example, which is of no owner."""
    return text == EXAMPLE_TOKEN


def trial_owner(keys: Sequence[bytes], text: str) -> UUID | None:
    """Returns the owner of the preview or trial that a token is of; None if it is of none."""
    return read([_trial_key(key) for key in keys], text)


def _trial_key(key: bytes) -> bytes:
    """Returns the key of the tokens of trials: an owner's id that a message had too would not be its token."""
    return hmac.digest(key, b"trial", hashlib.sha256)


def with_link(text: str, link: str) -> str:
    """Returns the text of a promotional direct email with its link in place of `{{ unsubscribe_url }}`, however it is
    spaced; the text is no template otherwise.
    """
    return _PLACEHOLDER.sub(lambda _: link, text)


def headers(
    settings: Settings,
    key: bytes,
    message_id: UUID,
    list_name: str,
    sender: str | None,
    base: str | None = None,
) -> dict[str, str]:
    """Returns the headers of a list for this message's email: `list_name` by the function; `sender`: its From, if it
    is not the channel's own; `base`: as of `url`.
    """
    return {
        "List-Id": f"<{list_name}.{_domain(sender or links.base(settings))}>",
        "List-Unsubscribe": f"<{url(settings, key, message_id, base)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def list_name(
    owner_id: UUID,
    project_id: UUID | None = None,
    *,
    topics: Sequence[UUID] | None = None,
    repeatable: UUID | None = None,
) -> str:
    """Returns the part of a List-Id (RFC 2919) before the domain, which is the same for all that a recipient gets of a
    list: that of the topics, or of the repeatable project, or of the project, or all of the owner's direct messages.
    """
    if topics:
        name = (
            f"topic-{topics[0].hex}" if len(topics) == 1 else f"topics-{uuid5(_LISTS, _sorted(topics)).hex}"
        )
    elif repeatable is not None:
        name = f"repeatable-{repeatable.hex}"
    else:
        name = f"project-{project_id.hex}" if project_id is not None else "direct"
    return f"{name}.owner-{owner_id.hex}"


def _sorted(ids: Sequence[UUID]) -> str:
    return " ".join(sorted(map(str, ids)))


@lru_cache(1_000)
def _domain(source: str) -> str:
    """Returns the domain of a List-Id in ASCII: of a From, or else of the public address."""
    host = urlsplit(source).hostname if "://" in source else source.rpartition("@")[2].strip("> ")
    try:
        ip_address((host or "").strip("[]"))
    except ValueError:
        with suppress(UnicodeError):
            return (host or _LOCAL).encode("idna").decode("ascii").lower()
    return _LOCAL


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

"""The token by which a returned mail names the message it is about.

A token is the message's id and its signature in 38 characters of base32: `b-<token>` is the local part of the envelope
sender (variable envelope return path), so that a bounce comes back to an address that names the message. Servers may
fold a local part to lower case and cut one of more than 64 characters (RFC 5321 §4.5.3.1.1), so the alphabet has lower
case alone, and the local part 40 characters. It does not expire: a bounce may come days later.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

KEY: Final = "mail_reports"
"""The purpose of the signing key: `services.key(KEY)`."""

_ID: Final = 26  # characters: 128 bits, and two that are zero
_SIGNATURE: Final = 12  # characters: 60 bits
_PREFIX: Final = "b-"
_TOKEN: Final = f"[a-z2-7]{{{_ID + _SIGNATURE}}}"
_WHOLE: Final = re.compile(_TOKEN)
# An address in a text, or a token by itself in the header X-Postern-Ref.
_IN_ADDRESS: Final = re.compile(rf"(?<![a-z0-9-]){_PREFIX}({_TOKEN})@", re.IGNORECASE | re.ASCII)


def token(key: bytes, message_id: UUID) -> str:
    """Returns the token of a message."""
    return _base32(message_id.bytes)[:_ID] + _signature(key, message_id.bytes)


def local_part(token: str) -> str:
    """Returns the local part of the envelope sender."""
    return f"{_PREFIX}{token}"


def in_address(address: str) -> str | None:
    """Returns the token in an address of the form `b-<token>@…`, in lower case, or None."""
    match = _IN_ADDRESS.match(address.strip().strip("<>"))
    return match[1].lower() if match else None


def in_text(text: str) -> Iterator[str]:
    """Returns the tokens of all such addresses in a text, in lower case."""
    return (match[1].lower() for match in _IN_ADDRESS.finditer(text))


def alone(text: str) -> str | None:
    """Returns the token that a text is, in lower case, or None."""
    text = text.strip()
    text = text.lower() if text.isascii() else ""
    return text if _WHOLE.fullmatch(text) else None


def read(keys: Sequence[bytes], token: str) -> UUID | None:
    """Returns the id of the message that a token names, or None if none of `keys` signed it."""
    if (whole := alone(token)) is None:
        return None
    token = whole
    id = base64.b32decode(token[:_ID].upper() + "======")
    # One id has one token: the two spare bits must be zero.
    canonical = hmac.compare_digest(_base32(id)[:_ID], token[:_ID])
    ours = [hmac.compare_digest(token[_ID:], _signature(key, id)) for key in keys]
    return UUID(bytes=id) if canonical and any(ours) else None


def _signature(key: bytes, id: bytes) -> str:
    return _base32(hmac.digest(key, id, hashlib.sha256)[:10])[:_SIGNATURE]


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").lower()

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
from functools import lru_cache
from typing import Final
from uuid import UUID

from channels.port import MailReference

KEY: Final = "mail_reports"
"""The purpose of the signing key: `services.key(KEY)`."""

_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz234567"
_ID: Final = 26  # characters: 128 bits, and two that are zero
_SIGNATURE: Final = 12  # characters: 60 bits
# What parts the characters of a number, 5 bits each, into octets: each step moves every second group of them up. It
# takes half as long as 19 pairs of characters out of a table, and a fourth of the standard library's base32.
_SPREAD: Final = tuple(
    (sum((1 << 5 * size) - 1 << 5 * size + 16 * size * index for index in range(32 // size)), (1 << 3 * size) - 1)
    for size in (32, 16, 8, 4, 2, 1)
)  # fmt: skip
_ALPHABET: Final = _LETTERS.ljust(256)
_PREFIX: Final = "b-"
_TOKEN: Final = f"[a-z2-7]{{{_ID + _SIGNATURE}}}"
_WHOLE: Final = re.compile(_TOKEN)
# An address in a text, or a token by itself in the header X-Postern-Ref.
_IN_ADDRESS: Final = re.compile(rf"(?<![a-z0-9-]){_PREFIX}({_TOKEN})@", re.IGNORECASE | re.ASCII)


def token(key: bytes, message_id: UUID) -> str:
    """Returns the token of a message."""
    number = message_id.int
    inner, outer = _hashes(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(number.to_bytes(16, "big"))
    outer.update(inner.digest())
    signature = int.from_bytes(outer.digest()[:8], "big") >> 4
    number = number << 62 | signature  # 128 bits, two that are zero, and 60
    for upper, factor in _SPREAD:
        number += (number & upper) * factor
    return number.to_bytes(_ID + _SIGNATURE, "big").translate(_ALPHABET).decode("ascii")


@lru_cache(maxsize=16)
def _hashes(key: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """Returns the inner and the outer hash of HMAC-SHA-256 (RFC 2104) when they have read the key. To go on with copies
    of them takes less than half the time of `hmac.digest`, which begins with the key each time.
    """
    assert len(key) <= 64, "a longer key would be hashed first"
    inner, outer = (bytes(octet ^ pad for octet in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


def of_message(key: bytes, message_id: UUID, feedback_id: str) -> MailReference:
    """Returns the names of a message's email; `key` is `services.key(KEY)`. Only a channel that uses them calls it."""
    made = token(key, message_id)
    return MailReference(local_part(made), made, feedback_id)


def of_direct_message(key: bytes, message_id: UUID, owner_id: UUID) -> MailReference:
    """Works as `of_message` does, for a direct message."""
    return of_message(key, message_id, feedback_id(owner_id))


def feedback_id(owner_id: UUID, project_id: UUID | None = None) -> str:
    """Returns the value of the header Feedback-ID: what is sent, who sends, and a word that is the same for all."""
    return f"{project_id or 'direct'}:{owner_id}:postern"


def local_part(token: str) -> str:
    """Returns the local part of the envelope sender."""
    return f"{_PREFIX}{token}"


def in_text(text: str) -> Iterator[str]:
    """Returns the tokens of all addresses of the form `b-<token>@…` in a text, in lower case."""
    return (match[1].lower() for match in _IN_ADDRESS.finditer(text))


def alone(text: str) -> str | None:
    """Returns the token that a text is, in lower case, or None."""
    text = text.strip()
    text = text.lower() if text.isascii() else ""
    return text if _WHOLE.fullmatch(text) else None


def read(keys: Sequence[bytes], text: str) -> UUID | None:
    """Returns the id of the message that a token names, or None if none of `keys` signed it."""
    if (signed := alone(text)) is None:
        return None
    id = UUID(bytes=base64.b32decode(signed[:_ID].upper() + "======"))
    ours = [hmac.compare_digest(signed, token(key, id)) for key in keys]
    return id if any(ours) else None

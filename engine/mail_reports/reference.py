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

from channels.port import MailReference

KEY: Final = "mail_reports"
"""The purpose of the signing key: `services.key(KEY)`."""

# Two characters at once: the standard library's base32 takes as long as the signature.
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS: Final = [first + second for first in _LETTERS for second in _LETTERS]
_SHIFTS: Final = tuple(range(180, -1, -10))
_ID: Final = 26  # characters: 128 bits, and two that are zero
_SIGNATURE: Final = 12  # characters: 60 bits
_PREFIX: Final = "b-"
_TOKEN: Final = f"[a-z2-7]{{{_ID + _SIGNATURE}}}"
_WHOLE: Final = re.compile(_TOKEN)
# An address in a text, or a token by itself in the header X-Postern-Ref.
_IN_ADDRESS: Final = re.compile(rf"(?<![a-z0-9-]){_PREFIX}({_TOKEN})@", re.IGNORECASE | re.ASCII)


def token(key: bytes, message_id: UUID) -> str:
    """Returns the token of a message."""
    signature = int.from_bytes(hmac.digest(key, message_id.bytes, hashlib.sha256)[:8], "big") >> 4
    number = message_id.int << 62 | signature  # 128 bits, two that are zero, and 60
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def of_message(key: bytes, message_id: UUID, feedback_id: str) -> MailReference:
    """Returns the names of a message's email; `key` is `services.key(KEY)`. Only a channel that uses them calls it."""
    made = token(key, message_id)
    return MailReference(local_part(made), made, feedback_id)


def of_direct_message(key: bytes, message_id: UUID, owner_id: UUID) -> MailReference:
    """Does what `of_message` does, for a direct message."""
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

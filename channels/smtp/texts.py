"""Encodes the text parts of an email: 7bit, quoted-printable or base64 (RFC 2045 §6), as Python's email package
chooses.

The package's own encoders work character by character. These use `binascii`, and decode to the same octets.
"""

import binascii
import re
from email.message import EmailMessage
from email.policy import SMTP
from email.quoprimime import body_encode
from typing import Final

from aiosmtplib.protocol import normalize_message_line_endings

# 7 bit: no server can damage it, and 8BITMIME need not be negotiated.
_POLICY = SMTP.clone(cte_type="7bit")
_MIME = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}")
_LONGEST_7BIT: Final = 78  # octets of a line that is sent as it is (RFC 5322 §2.1.1 recommends it)
_SNIFFED: Final = 10  # lines that decide between quoted-printable and base64
# Octets that stand for themselves in quoted-printable (RFC 2045 §6.7), and the line ends.
_PLAIN: Final = bytes((*range(32, 61), *range(62, 127), 9, 10, 13))
_SHORTEST_PIECE: Final = 75  # octets between two soft line breaks of `body_encode` are at least as many
# A line of 77 octets that ends with an escaped space or tab.
_TOO_LONG = re.compile(rb"(?m)^([^\r\n]{74})=(20|09)\r\n")


def encode_text(text: str) -> tuple[bytes, bytes]:
    """Returns the content transfer encoding, and the text in it: lines that end in CRLF, dots not stuffed.

    Raises UnicodeEncodeError for a lone surrogate.
    """
    lines = text.encode().splitlines()
    data = b"\r\n".join(lines) + b"\r\n"
    if max(map(len, lines), default=0) <= _LONGEST_7BIT and data.isascii():
        return b"7bit", data
    if _is_better_as_base64(lines):
        return b"base64", base64_lines(data)
    return b"quoted-printable", _quoted_printable(data)


def _quoted_printable(data: bytes) -> bytes:
    """Returns the data in lines of 76 octets at most (RFC 2045 §6.7).

    `b2a_qp` writes one octet too many where a line ends with a space or tab that has room for two: it escapes it. A
    soft line break after it needs no escape: the email package writes it so.
    """
    encoded = binascii.b2a_qp(data)
    if b"=20\r\n" not in encoded and b"=09\r\n" not in encoded:
        return encoded
    return _TOO_LONG.sub(lambda match: match[1] + bytes.fromhex(match[2].decode()) + b"=\r\n\r\n", encoded)


def base64_lines(data: bytes) -> bytes:
    """Returns the data as base64 in lines of 76 octets (RFC 2045 §6.8), each with its CRLF."""
    encoded = binascii.b2a_base64(data, newline=False)
    return b"".join([encoded[start : start + 76] + b"\r\n" for start in range(0, len(encoded), 76)])


def _is_better_as_base64(lines: list[bytes]) -> bool:
    """Returns whether the first lines are shorter in base64, by the email package's own count.

    Soft line breaks are counted only where they can make a difference, because only `body_encode` can count them.
    """
    sniffed = b"\r\n".join(lines[:_SNIFFED]) + b"\r\n"
    base64 = (len(sniffed) + 2) // 3 * 4 + 1
    escaped = len(sniffed.translate(None, _PLAIN))
    # `body_encode` ends lines with LF alone, and writes a space or tab at the end of a line as three octets at most
    # and a soft break.
    count = min(len(lines), _SNIFFED)
    least = len(sniffed) - count + 2 * escaped
    most = least + 2 * (least // _SHORTEST_PIECE + count) + 4 * count
    if least > base64:
        return True
    if most <= base64:
        return False
    return len(body_encode(sniffed.decode("latin-1"), _LONGEST_7BIT)) > base64


def attachment_head(name: str, mime: str) -> bytes:
    """Returns the fields of an attachment, with the empty line after them. Raises ValueError.

    Python's email package writes them, because it folds and encodes a long name as RFC 2231 says.
    """
    mime = mime.lower()
    # An attached message or multipart would be parsed as part of our own structure, so it is sent as plain bytes.
    if not _MIME.fullmatch(mime) or mime.startswith(("multipart/", "message/")):
        mime = "application/octet-stream"
    kind, _, subtype = mime.partition("/")
    part = EmailMessage(_POLICY)
    part.set_content(b"", maintype=kind, subtype=subtype, filename=name)
    return normalize_message_line_endings(part.as_bytes())

"""Splits a text into short messages: which alphabet it needs, and where it is split.

A short message holds 140 octets: 160 characters of the GSM 7-bit default alphabet (a character of its
extension table counts twice) or 70 units of UCS-2 (a character outside the Basic Multilingual Plane, such as most
emoji, takes two). A longer text is sent in parts, each with 6 octets less because of the concatenation header: 153 or
67. Sources: 3GPP TS 23.038 §6.2.1 (alphabet), TS 23.040 §9.2.3.24.1 (concatenation).
"""

import codecs
from typing import Final, Literal, NamedTuple

# TS 23.038 §6.2.1: the index of a character is its code. 0x1B introduces the extension table.
_BASIC: Final = (
    "@£$¥èéùìòÇ\nØø\rÅå"
    "Δ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ"
    " !\"#¤%&'()*+,-./"
    "0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNO"
    "PQRSTUVWXYZÄÖÑÜ§"
    "¿abcdefghijklmno"
    "pqrstuvwxyzäöñüà"
)
# TS 23.038 §6.2.1.1
_EXTENSION: Final = {
    0x0A: "\f",
    0x14: "^",
    0x28: "{",
    0x29: "}",
    0x2F: "\\",
    0x3C: "[",
    0x3D: "~",
    0x3E: "]",
    0x40: "|",
    0x65: "€",
}
_ESCAPE: Final = 0x1B
_TO_GSM: Final = {ord(char): bytes([code]) for code, char in enumerate(_BASIC) if code != _ESCAPE} | {
    ord(char): bytes([_ESCAPE, code]) for code, char in _EXTENSION.items()
}

MOST_PARTS: Final = 255  # the concatenation header counts them in one octet

Alphabet = Literal["gsm", "ucs2"]


class _Room(NamedTuple):
    """Octets that fit if one octet has one septet (gsm) or half a unit (ucs2)."""

    alone: int
    part: int


_ROOM: Final[dict[Alphabet, _Room]] = {"gsm": _Room(160, 153), "ucs2": _Room(140, 134)}


def encode(text: str) -> tuple[Alphabet, bytes]:
    """Returns the alphabet and the encoded text: GSM with one septet in an octet (not packed), or UTF-16BE.

    A lone surrogate, which no alphabet can carry, becomes a question mark.
    """
    try:
        return "gsm", codecs.charmap_encode(text, "strict", _TO_GSM)[0]
    except UnicodeEncodeError:
        return "ucs2", text.encode("utf-16-be", "replace")


def split(text: str) -> tuple[Alphabet, list[bytes]]:
    """Returns the alphabet and the parts in order; never empty, and never split inside a character.

    There may be more than `MOST_PARTS` parts; such a text cannot be sent with a concatenation header.
    """
    alphabet, data = encode(text)
    room = _ROOM[alphabet]
    if len(data) <= room.alone:
        return alphabet, [data]
    leads_pair = _is_escape if alphabet == "gsm" else _is_high_surrogate
    parts = []
    start = 0
    while start < len(data):
        end = start + room.part
        if end < len(data) and leads_pair(data, end):
            end -= 1 if alphabet == "gsm" else 2
        parts.append(data[start:end])
        start = end
    return alphabet, parts


def segments(text: str) -> int:
    """Returns the number of short messages that the text is sent and charged as. An empty text is one."""
    return len(split(text)[1])


def decode_gsm(data: bytes) -> str:
    """Decodes unpacked septets. Refuses nothing.

    A code that the extension table lacks is read in the basic table (TS 23.038 §6.2.1.1); an octet above 0x7F, which
    is not a septet, becomes U+FFFD.
    """
    if _ESCAPE not in data and data.isascii():
        return "".join(map(_BASIC.__getitem__, data))
    text = []
    escaped = False
    for code in data:
        if code == _ESCAPE and not escaped:
            escaped = True
            continue
        if code > 0x7F:
            text.append("\ufffd")
        elif escaped:
            # Two escapes in a row are reserved for a further table, and shown as a space.
            text.append(" " if code == _ESCAPE else _EXTENSION.get(code, _BASIC[code]))
        else:
            text.append(_BASIC[code])
        escaped = False
    return "".join(text)


def _is_escape(data: bytes, end: int) -> bool:
    """Returns whether the septet before `end` is the first of a pair. An escape is never the second."""
    return data[end - 1] == _ESCAPE


def _is_high_surrogate(data: bytes, end: int) -> bool:
    return data[end - 2] & 0xFC == 0xD8

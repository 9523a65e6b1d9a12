"""Header fields of an email: folded lines, and encoded words of at most 75 octets (RFC 2047 §2).

The standard library writes words of 76 octets (CPython 3.11 to 3.13), which some servers refuse or don't decode.
"""

import base64
import re
from collections.abc import Iterator

from channels.mailbox import Mailbox

_WORD = 75  # octets of an encoded word, including =?utf-8?q? and ?=
_LINE = 76  # octets of a line with an encoded word
_LONGEST = 900  # characters of a word that is not encoded: a line has at most 998 (RFC 5322 §2.1.1)
_ROOM = _WORD - len("=?utf-8?q??=")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")  # a phrase that needs no quotes (RFC 5322 §3.2.3)
_PRINTABLE = re.compile(r"[\t -~]*")
# Octets that are not escaped in a Q word, also in a phrase (RFC 2047 §5 (3)); a space becomes an underscore.
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")


def field(name: str, text: str) -> str:
    """Returns a field of free text (a subject), with its line end. Raises ValueError for several lines."""
    if len(text.splitlines()) > 1 or text.endswith(("\r", "\n")):
        raise ValueError("a header is one line")
    if not _PRINTABLE.fullmatch(text) or "=?" in text or max(map(len, text.split(" "))) > _LONGEST:
        return f"{name}: {_words(text, len(name) + 2)}\r\n"
    return f"{_folded(f'{name}: {text}')}\r\n"


def address(name: str, box: Mailbox) -> str:
    """Returns a field of one address, with its line end. Raises ValueError."""
    if not box.name:
        return f"{name}: {box.spec}\r\n"
    if not _PRINTABLE.fullmatch(box.name) or "=?" in box.name:
        display_name = _words(box.name, len(name) + 2)
    elif _ATOMS.fullmatch(box.name) and "  " not in box.name:
        display_name = box.name
    else:
        display_name = '"{}"'.format(re.sub(r'(["\\])', r"\\\1", box.name))
    line = f"{name}: {display_name} <{box.spec}>"
    if len(line.rpartition("\r\n")[2].encode()) > _LINE:
        line = f"{name}: {display_name}\r\n <{box.spec}>"
    return f"{line}\r\n"


def _folded(line: str) -> str:
    """Returns the line, broken before spaces if it is longer than 76."""
    head, *pieces = re.split(r"(?<=[^ ])(?= )", line)
    lines = [head]
    for piece in pieces:
        # A line of only white space would end the head, and a field's name must not stand alone either.
        if len(lines[-1]) + len(piece) > _LINE and piece.strip() and lines[-1] != head:
            lines.append(piece)
        else:
            lines[-1] += piece
    return "\r\n".join(lines)


def _words(text: str, used: int) -> str:
    """Returns the text as encoded words, one a line; the first line has `used` octets already."""
    room = min(_ROOM, _LINE - used - len("=?utf-8?q??="))
    if room < 4 * len("=F0"):  # not even one character fits after this name
        return f"\r\n {_words(text, 1)}"
    data = text.encode()
    quoted = sum(1 if octet in _PLAIN or octet == 0x20 else 3 for octet in data)
    write = _q if quoted <= len(data) * 4 / 3 + 4 else _b
    return "\r\n ".join(write(text, room))


def _q(text: str, room: int) -> Iterator[str]:
    word = ""
    for char in text:
        octets = "".join(
            "_" if octet == 0x20 else chr(octet) if octet in _PLAIN else f"={octet:02X}"
            for octet in char.encode()
        )
        if len(word) + len(octets) > room:  # a character must not be split between two words (RFC 2047 §5)
            yield f"=?utf-8?q?{word}?="
            word, room = "", _ROOM
        word += octets
    yield f"=?utf-8?q?{word}?="


def _b(text: str, room: int) -> Iterator[str]:
    word = b""
    for char in text:
        octets = char.encode()
        if len(word) + len(octets) > room // 4 * 3:
            yield f"=?utf-8?b?{base64.b64encode(word).decode()}?="
            word, room = b"", _ROOM
        word += octets
    yield f"=?utf-8?b?{base64.b64encode(word).decode()}?="

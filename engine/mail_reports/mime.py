"""The parts of a mail, within bounds: a mail with more of anything is read as far as the bound.

Python's parser descends once for each nested part, so the fields that can open one are counted before it begins.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import MessageError
from email.message import Message
from typing import Final

MOST_OCTETS: Final = 256 * 1024
_MOST_PARTS: Final = 50
_DEEPEST: Final = 10
_MOST_TEXT: Final = 64 * 1024  # characters of a part
_LONGEST_FIELD: Final = 4_000
_MOST_LINES: Final = 5_000  # of the head
_MOST_FIELDS: Final = 200  # of the head of a mail
# Each nested part has one of these, or is between two lines that begin with a boundary.
_OPENS: Final = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
_BOUNDARY: Final = re.compile(rb"^--", re.MULTILINE)
_MOST_BOUNDARIES: Final = 2_000  # lines of a quoted text may begin with two hyphens
_SLOW_CODECS: Final = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"})
# The types whose content is fields, and no mail.
_FIELD_TYPES: Final = frozenset(
    {"message/delivery-status", "message/global-delivery-status", "message/feedback-report"}
)


class TooManyParts(Exception):
    """The mail has more parts than a report has, or they are nested deeper."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a mail that is no multipart."""

    type: str  # in lower case, `text/plain` if it has none
    text: str  # decoded, with line feeds alone


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A mail: its head's fields by their lower-case names, the first of each, and its parts in order."""

    fields: dict[str, str]
    report_type: str | None  # of a multipart/report (RFC 6522), in lower case
    type: str
    parts: tuple[Part, ...]


def parse(raw: bytes) -> ParsedMail:
    """Returns the parts of a mail. Raises TooManyParts."""
    octets = raw[:MOST_OCTETS].replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\0", b"")
    octets = re.sub(rb"\AFrom [^\n]*\n", b"", octets.lstrip(b"\n"))  # the line before a mail in an mbox
    head = octets.partition(b"\n\n")[0]
    if (
        head.count(b"\n") > _MOST_LINES
        or len(_OPENS.findall(octets)) > 4 * _MOST_PARTS
        or len(_BOUNDARY.findall(octets)) > _MOST_BOUNDARIES
    ):
        raise TooManyParts
    try:
        message = message_from_bytes(octets)
        parts = tuple(_parts(message))
        report_type = message.get_param("report-type")
    except RecursionError:
        raise TooManyParts from None
    except (MessageError, ValueError, LookupError, TypeError):  # errors of the email package for bad input
        return ParsedMail({}, None, "text/plain", (Part("text/plain", _decoded(octets, "utf-8")),))
    kind = report_type if isinstance(report_type, str) else None
    return ParsedMail(_fields(message), kind and kind.lower(), message.get_content_type(), parts)


def fields_of(text: str) -> dict[str, str]:
    """Returns the fields of a head or of a block of a report by their lower-case names, the first of each."""
    fields: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        if not line.strip():
            break
        if line[0] in " \t":
            if name and len(fields[name]) < _LONGEST_FIELD:
                fields[name] += " " + line.strip()[:_LONGEST_FIELD]
            continue
        before, colon, value = line.partition(":")
        name = ""
        lower_name = before.strip().lower()
        if colon and lower_name and " " not in lower_name and lower_name not in fields:
            if len(fields) >= _MOST_FIELDS:
                break
            name = lower_name
            fields[name] = value.strip()[:_LONGEST_FIELD]
    return fields


def _parts(message: Message) -> Iterator[Part]:
    """Returns the parts in their order. Raises TooManyParts."""
    pending: list[tuple[Message, int]] = [(message, 0)]
    count = 0
    while pending:
        part, depth = pending.pop()
        count += 1
        if count > _MOST_PARTS or depth > _DEEPEST:
            raise TooManyParts
        kind = part.get_content_type().split()[0]  # a semicolon may be missing
        payload = part.get_payload()
        if kind in _FIELD_TYPES or not isinstance(payload, list):
            # A multipart whose boundaries are missing is one text.
            yield Part("text/plain" if kind.startswith("multipart/") else kind, _text(part))
        elif kind.startswith("message/"):
            # The mail that came back: its head says which one, and its content is not read.
            yield Part("message/rfc822", _head(payload[0]) if payload else "")
        else:
            pending.extend((child, depth + 1) for child in reversed(payload) if isinstance(child, Message))


def _text(part: Message) -> str:
    payload = part.get_payload()
    if isinstance(payload, list):  # of a delivery status: a message for each block
        text = "\n\n".join(f"{_head(block)}\n{_plain_payload(block)}" for block in payload)
        encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
        if "\x1b$" in text:  # Japanese servers write ISO-2022-JP where ASCII is due
            text = text.encode("ascii", "replace").decode("iso2022_jp", "replace")
        if encoding not in ("base64", "quoted-printable"):
            return _clean(text)
        inner = Message()
        inner["Content-Transfer-Encoding"] = encoding
        inner.set_payload("\n".join(_plain_payload(block) for block in payload) or text)
        part, payload = inner, inner.get_payload()
    data = part.get_payload(decode=True)
    charset = part.get_content_charset() or "utf-8"
    return _decoded(data, charset) if isinstance(data, bytes) else ""


def _head(message: object) -> str:
    if not isinstance(message, Message):
        return ""
    lines = []
    for name, value in list(message.items())[:_MOST_FIELDS]:
        plain = re.sub(r"\s*\n\s*", " ", str(value))[:_LONGEST_FIELD]
        lines.append(f"{name}: {plain}")
    return _clean("\n".join(lines))


def _plain_payload(message: object) -> str:
    payload = message.get_payload() if isinstance(message, Message) else ""
    return payload if isinstance(payload, str) else ""


def _fields(message: Message) -> dict[str, str]:
    return fields_of(_head(message))


def _decoded(data: bytes, charset: str) -> str:
    data = data[:_MOST_TEXT]
    try:
        codec = codecs.lookup(charset).name.replace("-", "_")
        text = data.decode("utf-8" if codec in _SLOW_CODECS else charset, "replace")
    except (LookupError, ValueError):  # no such charset, or none for texts
        text = data.decode("latin-1")
    return _clean(text)


def _clean(text: str) -> str:
    """Returns the text without lone surrogates and NUL, which neither JSON nor PostgreSQL takes."""
    text = text[:_MOST_TEXT]
    try:
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # from UTF-7
        text = text.encode("utf-8", "replace").decode()
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")

"""Reads an email that a mail program has written: who it is from, what names it, and what of its head goes out.

The head is read strictly: what two readers could understand differently, a second From for example, is refused. The
body is not touched. Only the text that is shown with the message is decoded, of the first octets alone.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from typing import Final
from uuid import UUID

from channels.mailbox import Mailbox
from core.errors import BadRequest
from core.http.html_text import text_of
from engine.mail_reports import mime
from shapes.messages import MessageCategory

_FIELD: Final = re.compile(rb"([!-9;-~]+):(.*)", re.DOTALL)  # RFC 5322 §2.2, without obsolete spaces
_UNFOLD: Final = re.compile(r"\r\n(?=[ \t])")
_BETWEEN: Final = re.compile(rb"\r\n(?![ \t])")
_BLANK: Final = re.compile(rb"\r\n[ \t]+(\r\n|\Z)")  # some readers end the head here
_LONGEST_HEAD: Final = 256 * 1024
_MOST_FIELDS: Final = 500
_LONGEST_LINE: Final = 998  # RFC 5322 §2.1.1
_TEXT_OCTETS: Final = 32 * 1024  # in which the text is looked for
_LONGEST_TEXT: Final = 1600  # characters, as of any message
_LONGEST_SUBJECT: Final = 998
_LONGEST_ADDRESS: Final = 320
_BOUNDARY: Final = re.compile(r"[;\s]boundary=\"?([^\";\s]{1,70})", re.IGNORECASE)
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")

_REMOVED: Final = frozenset({b"received", b"return-path", b"bcc", b"resent-bcc", b"idempotency-key"})
_OURS: Final = b"x-postern-"
_CATEGORY, _ACCOUNT = b"x-postern-category", b"x-postern-account"
_OF_SENT_MAIL: Final = frozenset(
    {b"x-postern-key", b"x-postern-ref"}
)  # it was sent by us once, and is passed on
_ONCE: Final = (b"from", b"sender", b"message-id", b"idempotency-key", _CATEGORY, _ACCOUNT)

# One mailbox as all readers understand it: no second address, no comment that could hold one, no group. The quantifiers
# are possessive, so that no text makes this slow.
_ADDR = r"[^\s\"(),:;<>@\[\]\\]++@[A-Za-z0-9.\-\u0080-\U0010ffff]++"
_WORD = r"(?:\"(?:[^\"\\]|\\.)*+\"|[^\s\"(),:;<>@\[\]\\]++)"
_SINGLE_MAILBOX: Final = re.compile(
    rf"(?:{_ADDR}|(?:{_WORD}\s*+)*+<\s*+{_ADDR}\s*+>|{_ADDR}\s++\([^()\\,@<>\"]*+\))"
)


@dataclass(frozen=True, slots=True)
class ReadMail:
    """An email as it is stored, and what was read of it."""

    content: tuple[bytes, ...]  # the head as it goes out, an empty line, the body
    has_date: bool
    has_message_id: bool
    from_address: str
    sender: str | None  # of the field Sender, if that is another one
    name: bytes  # the same when the mail is submitted again
    subject: str
    text: str
    category: MessageCategory
    account_id: UUID | None


def read(raw: bytes) -> ReadMail:
    """Reads an email whose lines end in CRLF. Raises BadRequest (`bad_mail`, `bad_sender`)."""
    if raw.count(b"\n") != raw.count(b"\r\n") or raw.count(b"\r") != raw.count(b"\r\n") or b"\0" in raw:
        raise _bad("It has a line that does not end in CRLF, or a NUL")
    head, _, body = raw.partition(b"\r\n\r\n")
    if _has_long_line(raw):
        raise _bad(
            f"It has a line of more than {_LONGEST_LINE} octets; encode it as quoted-printable or base64"
        )
    fields = _fields(head)
    once = {name: _text(fields, name) for name in _ONCE}
    sender = _mailbox("Sender", once[b"sender"]) if once[b"sender"] is not None else None
    author = once[b"from"]
    if author is None:
        raise BadRequest(
            "The mail has no From. Give it one, in one of your verified domains.", code="bad_sender"
        )
    from_address = _mailbox("From", author)
    outgoing = [field for name, field in fields if name not in _REMOVED and not name.startswith(_OURS)]
    subject = _decoded(_text(fields, b"subject", first=True) or "")[:_LONGEST_SUBJECT]
    return ReadMail(
        (b"\r\n".join(outgoing), body),
        any(name == b"date" for name, _ in fields),
        once[b"message-id"] is not None,
        from_address,
        sender if sender != from_address else None,
        _name(once, _text(fields, b"date", first=True), author, body),
        subject,
        _visible_text(raw, _text(fields, b"content-type", first=True) or "")[:_LONGEST_TEXT].strip()
        or subject
        or "-",
        _category(once[_CATEGORY]),
        _account(once[_ACCOUNT]),
    )


def _has_long_line(raw: bytes) -> bool:
    """Returns whether a line has more octets than it may have. It looks at one place of each thousand octets, since to
    split 10 MiB of short lines takes 0.2 s and 200 MiB.
    """
    begin = 0
    while len(raw) - begin > _LONGEST_LINE:
        end = raw.rfind(b"\n", begin, begin + _LONGEST_LINE + len(b"\r\n"))
        if end < 0:
            return True
        begin = end + 1
    return False


def _fields(head: bytes) -> Sequence[tuple[bytes, bytes]]:
    """Returns the lower-case name and the octets of each field."""
    if len(head) > _LONGEST_HEAD or _BLANK.search(head):
        raise _bad("Its head is longer than 256 KiB, or has a line of spaces alone")
    fields = []
    for field in _BETWEEN.split(head):
        match = _FIELD.fullmatch(field)
        if match is None:
            raise _bad("Its head has a line that is no field (Name: value)")
        fields.append((match[1].lower(), field))
    if len(fields) > _MOST_FIELDS:
        raise _bad(f"Its head has more than {_MOST_FIELDS} fields")
    for name, _ in fields:
        if name.startswith(_OURS) and name not in (_CATEGORY, _ACCOUNT) and name not in _OF_SENT_MAIL:
            raise _bad(
                f"There is no field {name.decode()}; there are X-Postern-Category and X-Postern-Account"
            )
    return fields


def _text(fields: Sequence[tuple[bytes, bytes]], asked: bytes, *, first: bool = False) -> str | None:
    """Returns the unfolded value of a field; None: there is none, or it is empty. Raises BadRequest if there are
    several, unless the first one is enough.
    """
    values = [field.partition(b":")[2] for name, field in fields if name == asked]
    if len(values) > 1 and not first:
        raise _bad(f"It has {len(values)} fields {asked.decode()}; it may have one")
    if not values:
        return None
    try:
        text = values[0].decode()
    except UnicodeDecodeError as error:
        if first:
            return values[0].decode("latin-1")
        raise _bad(f"Its field {asked.decode()} is not UTF-8") from error
    return _UNFOLD.sub("", text).strip() or None


def _mailbox(name: str, text: str) -> str:
    try:
        if not _SINGLE_MAILBOX.fullmatch(text):
            raise ValueError
        spec = Mailbox.parse(text).spec
        if len(spec) > _LONGEST_ADDRESS:
            raise ValueError
    except ValueError as error:
        raise BadRequest(
            f"The {name} of the mail must be one address, with or without a name: News <news@example.com>.",
            code="bad_sender",
        ) from error
    return spec


def _name(once: Mapping[bytes, str | None], date: str | None, author: str, body: bytes) -> bytes:
    """Returns what names the mail: its Idempotency-Key, else its Message-ID, else its date, its author and its body."""
    for field in (b"idempotency-key", b"message-id"):
        if (value := once[field]) is not None:
            return field + b":" + value.encode()
    return b"content:" + hashlib.sha256(repr((date, author)).encode() + body).digest()


def _category(text: str | None) -> MessageCategory:
    try:
        return MessageCategory.transactional if text is None else MessageCategory(text.lower())
    except ValueError as error:
        raise _bad("X-Postern-Category must be transactional or promotional") from error


def _account(text: str | None) -> UUID | None:
    try:
        return None if text is None else UUID(text)
    except ValueError as error:
        raise _bad("X-Postern-Account must be the uuid of an account") from error


def _visible_text(raw: bytes, kind: str) -> str:
    """Returns the first text of the mail, without the tags of HTML. `kind`: its Content-Type."""
    first = _first_part(raw, kind)
    parts = _parts(first)
    plain = _plain_text(parts)
    if plain is None and first is not raw:
        parts = _parts(raw)
        plain = _plain_text(parts)
    if plain is None:
        plain = text_of(next((part.text for part in parts if part.type == "text/html"), ""))
    return plain.strip()


def _first_part(raw: bytes, kind: str) -> bytes:
    """Returns the first part of a mail, which nearly always has its text: to parse the others too takes five times as
    long. A mail without parts is returned as it is.
    """
    match = _BOUNDARY.search(kind) if kind.lower().startswith("multipart/") else None
    if match is None:
        return raw
    delimiter = b"\r\n--" + match[1].encode()
    begin = raw.find(delimiter + b"\r\n")
    if begin < 0:
        return raw
    begin += len(delimiter) + 2
    end = raw.find(delimiter, begin)
    part = raw[begin:end] if end >= 0 else raw[begin:]
    return b"Content-Type: text/plain\r\n" + part if part.startswith(b"\r\n") else part


def _plain_text(parts: Sequence[mime.Part]) -> str | None:
    return next((part.text for part in parts if part.type == "text/plain" and part.text.strip()), None)


def _parts(mail: bytes) -> Sequence[mime.Part]:
    try:
        return mime.parse(mail[:_TEXT_OCTETS]).parts
    except mime.TooManyParts:
        return ()


def _decoded(text: str) -> str:
    with suppress(HeaderParseError, LookupError, ValueError):
        text = str(make_header(decode_header(text)))
    return _CONTROLS.sub(" ", text.encode("utf-8", "replace").decode()).strip()


def _bad(what: str) -> BadRequest:
    return BadRequest(f"The mail can't be sent. {what}.", code="bad_mail")

"""An email that its sender wrote as a whole: what is added to its head, and what of its head makes room for that.

The body and all other fields go out as they are, signatures of others included.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_FIELD: Final = re.compile(rb"\r\n(?![ \t])")
_LONGEST_ID: Final = 250


class Whole(NamedTuple):
    """An email as it is sent, before dots are stuffed."""

    content: bytes
    message_id: str | None  # with its angle brackets; None: it has none that is ASCII and short
    utf8: bool  # a field is not ASCII: the server must offer SMTPUTF8
    eight_bit: bool  # the body is not ASCII: the server must offer 8BITMIME


def with_fields(mail: bytes, ours: bytes, unless_there: Mapping[bytes, bytes]) -> Whole:
    """Returns an email with fields before its own, which replace those of the same names. `unless_there`: fields that
    are added if the head does not speak of a name, and has none of the same names. (An existing signature may say that
    there is none.)
    """
    head, blank, body = mail.partition(b"\r\n\r\n")
    replaced = {_name_of(field) for field in _lines(ours)}
    fields = [(name, field) for field in _FIELD.split(head) if (name := _name_of(field)) not in replaced]
    names, lower_head = {name for name, _ in fields}, head.lower()
    for spoken_of, added in unless_there.items():
        if spoken_of not in lower_head:
            ours += b"".join(field + b"\r\n" for field in _lines(added) if _name_of(field) not in names)
    message_id = next((field.partition(b":")[2] for name, field in fields if name == b"message-id"), b"")
    id_text = message_id.strip().decode("ascii", "replace")
    usable = id_text.isascii() and id_text.isprintable() and 0 < len(id_text) <= _LONGEST_ID
    head = b"\r\n".join(field for _, field in fields)
    return Whole(
        ours + head + blank + body, id_text if usable else None, not head.isascii(), not body.isascii()
    )


def _lines(fields: bytes) -> list[bytes]:
    return [field for field in _FIELD.split(fields) if field]


def _name_of(field: bytes) -> bytes:
    return field.partition(b":")[0].strip().lower()

"""One email address with its display name, as people and mail programs write it."""

import re
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from functools import lru_cache
from typing import Final

from email_validator import validate_email

_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_NAME_FIRST = re.compile(r"(?P<name>.*?)\s*<(?P<address>[^<>]+)>", re.DOTALL)
_ADDRESS_FIRST = re.compile(r"(?P<address>[^\s()]+)\s+\((?P<name>.*)\)", re.DOTALL)  # RFC 5322 §3.4, note 2
_ENCODED = re.compile(r"=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=")  # RFC 2047 §2
LONGEST_NAME = 256
_LONGEST_REMEMBERED: Final = 1000  # characters


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address for SMTP: the domain in ASCII, the local part not necessarily (RFC 6531)."""

    name: str
    local: str
    domain: str

    @staticmethod
    def parse(text: str) -> "Mailbox":
        """Parses `a@b`, `Name <a@b>` and `a@b (Name)`. Raises ValueError.

        RFC 5322 requires quotes around a name with a comma, a dot, brackets or a letter beyond ASCII. Mail programs
        don't require that of the person who types it, and neither does this: there is only one address, so the name
        is whatever is before it.
        """
        return _parsed(text) if len(text) <= _LONGEST_REMEMBERED else _parsed.__wrapped__(text)

    @property
    def spec(self) -> str:
        """Returns the address without the name."""
        return f"{self.local}@{self.domain}"


@lru_cache(4096)  # a shop's mails have the same author, and to parse it takes 50 microseconds
def _parsed(text: str) -> Mailbox:
    if _CONTROLS.search(text):
        raise ValueError("the address holds control characters")
    text = text.strip()
    match = _NAME_FIRST.fullmatch(text) or _ADDRESS_FIRST.fullmatch(text)
    name, address = (match["name"], match["address"]) if match else ("", text)
    if len(name := _unquoted(name)) > LONGEST_NAME:
        raise ValueError(f"the name before the address is longer than {LONGEST_NAME} characters")
    # globally_deliverable=False: a relay inside a company may have .local or .test addresses.
    valid = validate_email(
        address.strip(),
        allow_quoted_local=True,
        allow_domain_literal=True,
        check_deliverability=False,
        globally_deliverable=False,
        test_environment=True,
    )
    return Mailbox(name, valid.local_part, valid.ascii_domain)


def _unquoted(name: str) -> str:
    """Returns the name without a header's quotes and encoded words (RFC 2047). Raises ValueError."""
    name = name.strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = re.sub(r"\\(.)", r"\1", name[1:-1])
    elif _ENCODED.search(name):
        try:
            name = str(make_header(decode_header(name)))
        except (HeaderParseError, LookupError, UnicodeError) as error:
            raise ValueError(
                "the name before the address holds an encoded word that can't be read"
            ) from error
    if _CONTROLS.search(name):
        raise ValueError("the name before the address holds control characters")
    name.encode()  # raises ValueError for a lone surrogate
    return name.strip()

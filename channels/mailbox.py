"""One email address with its display name, as people and mail programs write it."""

import re
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from typing import Self

from email_validator import validate_email

_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_NAMED = re.compile(r"(?P<name>.*?)\s*<(?P<address>[^<>]+)>", re.DOTALL)
_COMMENTED = re.compile(r"(?P<address>[^\s()]+)\s+\((?P<name>.*)\)", re.DOTALL)  # RFC 5322 §3.4, note 2
_ENCODED = re.compile(r"=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=")  # RFC 2047 §2
LONGEST_NAME = 256


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address as SMTP wants it: the domain in ASCII, the local part perhaps not (RFC 6531)."""

    name: str
    local: str
    domain: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `a@b`, `Name <a@b>` and `a@b (Name)`. Raises ValueError.

        RFC 5322 wants a name in quotes as soon as it holds a comma, a dot, brackets or a letter beyond ASCII. Mail
        programs don't ask that of the person who types it, and nothing here depends on it: one address, so the
        name is whatever stands before it.
        """
        if _CONTROLS.search(text):
            raise ValueError("the address holds control characters")
        text = text.strip()
        found = _NAMED.fullmatch(text) or _COMMENTED.fullmatch(text)
        name, address = (found["name"], found["address"]) if found else ("", text)
        if len(name := _unquoted(name)) > LONGEST_NAME:
            raise ValueError(f"the name before the address is longer than {LONGEST_NAME} characters")
        # globally_deliverable=False: a relay inside a company may well have .local or .test addresses.
        valid = validate_email(
            address.strip(),
            allow_quoted_local=True,
            allow_domain_literal=True,
            check_deliverability=False,
            globally_deliverable=False,
            test_environment=True,
        )
        return cls(name, valid.local_part, valid.ascii_domain)

    @property
    def spec(self) -> str:
        return f"{self.local}@{self.domain}"


def _unquoted(name: str) -> str:
    """The name that is meant: without the quotes and encoded words (RFC 2047) of a header. Raises ValueError."""
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
    name.encode()  # a lone surrogate is a ValueError
    return name.strip()

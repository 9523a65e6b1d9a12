"""The configuration of a channel: one line, `scheme://user:password@host:port/path?option=value`.

Every part may be percent-encoded, and must be where it holds one of `:/?#[]@,%`. A plus sign stands for
itself (phone numbers), a space is `%20`. Drivers read options with `text`, `number`, `whole` and `flag`;
an option that no driver has read is refused, so that a misspelt one is not silently ignored.

Errors name the wrong part and the allowed values. They never repeat a value, as any may be a secret.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload
from urllib.parse import unquote, urlsplit

from core.outbound import EVERYWHERE, Guard

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f]")
_BAD_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2})")
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})

# These have a URL of another program after the colon, whose query is not parsed here.
OPAQUE = frozenset({"apprise"})


class BadDsn(ValueError):
    """A DSN that cannot be used. The text names the part or option and the allowed values, and holds no secret."""


@dataclass(frozen=True, slots=True, repr=False)
class Dsn:
    """A parsed DSN; all parts are percent-decoded (an opaque scheme's `path` is kept as it was written).

    `path` starts with `/` unless it is empty or opaque.
    """

    scheme: str
    user: str | None = None
    password: str | None = None
    host: str | None = None
    port: int | None = None
    path: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    hook_name: str | None = None  # of the route's callbacks; None: that of its kind
    guard: Guard = field(
        default=EVERYWHERE, compare=False
    )  # judges the addresses that the channel connects to
    _read: set[str] = field(default_factory=set, compare=False)

    @classmethod
    def parse(cls, text: str) -> "Dsn":
        """Parses a DSN. Raises BadDsn."""
        text = text.strip()
        if not (match := _SCHEME.match(text)):
            raise BadDsn("a channel's DSN starts with its scheme, for example smtp://user:password@host:587")
        scheme = match.group()[:-1].lower()
        if _UNPRINTABLE.search(text):
            raise BadDsn(f"{scheme}: a DSN holds no spaces or control characters; write a space as %20")
        if scheme in OPAQUE:
            return cls(scheme, path=text[match.end() :])
        if _BAD_ESCAPE.search(text):
            raise BadDsn(f"{scheme}: a % is not followed by two hexadecimal digits; write % itself as %25")
        if "#" in text:
            raise BadDsn(f"{scheme}: write # as %23")
        if not text.startswith("//", match.end()):
            raise BadDsn(f"{scheme}: the scheme is followed by ://")
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError:  # its text may repeat a part of the password
            raise BadDsn(
                f"{scheme}: the host or port cannot be read; write host:port, the port 0..65535, an IPv6"
                " address in [], and any of :/?#[]@,% inside user or password percent-encoded"
            ) from None
        return cls(
            scheme,
            user=None if parts.username is None else unquote(parts.username),
            password=None if parts.password is None else unquote(parts.password),
            host=unquote(host) if host else None,
            port=port,
            path=unquote(parts.path),
            options=_options(scheme, parts.query),
        )

    def __repr__(self) -> str:
        """Omits user, password, path and option values: each of them is a secret in some driver."""
        who = "***@" if self.user is not None or self.password is not None else ""
        where = (self.host or "") + (f":{self.port}" if self.port is not None else "")
        path = "/…" if self.path else ""
        names = f"?{'&'.join(self.options)}" if self.options else ""
        return f"<Dsn {self.scheme}://{who}{where}{path}{names}>"

    @overload
    def text(self, name: str, default: str, *, allowed: Sequence[str] | None = None) -> str: ...
    @overload
    def text(
        self, name: str, default: None = None, *, allowed: Sequence[str] | None = None
    ) -> str | None: ...
    def text(
        self, name: str, default: str | None = None, *, allowed: Sequence[str] | None = None
    ) -> str | None:
        """Returns the option, or `default` if it is not given. An empty value is refused."""
        self._read.add(name)
        if (value := self.options.get(name)) is None:
            return default
        if not value:
            raise BadDsn(f"{self.scheme}: option {name} is empty; give it a value or leave it out")
        if allowed is not None and value not in allowed:
            raise BadDsn(f"{self.scheme}: option {name} must be one of {', '.join(allowed)}")
        return value

    def required(self, name: str, example: str) -> str:
        """Returns an option that must be given; `example` is shown if it is missing."""
        if (value := self.text(name)) is None:
            raise BadDsn(f"{self.scheme}: option {name} is missing; add for example ?{name}={example}")
        return value

    def number(self, name: str, default: float, *, at_least: float, at_most: float) -> float:
        """Returns a decimal number within the bounds."""
        if (value := self.text(name)) is None:
            return default
        if (
            not re.fullmatch(r"-?\d{1,15}(\.\d{1,9})?", value, re.ASCII)
            or not at_least <= float(value) <= at_most
        ):
            raise BadDsn(f"{self.scheme}: option {name} must be a number from {at_least:g} to {at_most:g}")
        return float(value)

    def integer(self, name: str, default: int, *, at_least: int, at_most: int) -> int:
        """Returns a whole number within the bounds."""
        if (value := self.text(name)) is None:
            return default
        if not re.fullmatch(r"-?\d{1,15}", value, re.ASCII) or not at_least <= int(value) <= at_most:
            raise BadDsn(f"{self.scheme}: option {name} must be a whole number from {at_least} to {at_most}")
        return int(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """Returns a Boolean option, written 1/true/yes/on or 0/false/no/off."""
        if (value := self.text(name)) is None:
            return default
        if value.lower() in _TRUE:
            return True
        if value.lower() in _FALSE:
            return False
        raise BadDsn(f"{self.scheme}: option {name} must be 1 or 0")

    def refuse_unread(self) -> None:
        """Raises BadDsn if the DSN has an option that was not read. `channels.connect` calls it."""
        if unknown := sorted(set(self.options) - self._read):
            # Only names with a value are repeated: `?secret` without `=` may be a misplaced secret.
            listed = ", ".join(name for name in unknown if self.options[name]) or "without a value"
            allowed = f"allowed are {', '.join(sorted(self._read))}" if self._read else "it has none"
            raise BadDsn(f"{self.scheme}: unknown option {listed}; {allowed}")

    def mask(self, text: str) -> str:
        """Returns a provider's text without this DSN's password, in case the provider has repeated it."""
        return text.replace(self.password, "***") if self.password else text


def parse_list(text: str) -> list[str]:
    """Splits `a://…, b://…` into DSNs, in order. A comma inside a DSN is written %2C. Raises BadDsn."""
    pieces = [piece.strip() for piece in text.split(",")]
    for position, piece in enumerate(pieces, 1):
        if not _SCHEME.match(piece):
            raise BadDsn(
                f"entry {position} of the comma-separated DSNs does not start with a scheme such as smtp://;"
                " a comma inside a DSN (an apprise: URL too) is written %2C"
            )
    return pieces


def _options(scheme: str, query: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        name = unquote(name)
        if name in options:
            raise BadDsn(f"{scheme}: option {name} is given twice")
        options[name] = unquote(value)
    return options

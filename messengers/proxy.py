"""Parses a proxy written as text: `socks5://user:password@host:port`; also socks5h, http and https.

User and password may be percent-encoded. A `:` in the password and an `@` in either need no encoding: the last `@` ends
the login.
"""

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal, cast
from urllib.parse import quote, unquote

LONGEST = 1024  # characters
_LONGEST_PART = 255  # of a user or password (RFC 1929 §2)
Scheme = Literal["socks5", "socks5h", "http", "https"]

_SCHEME = re.compile(r"(?P<scheme>[A-Za-z0-9+.-]+)://(?P<rest>.*)")
_ADDRESS = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]{1,253}):(?P<port>[0-9]{1,5})/?")


class BadProxy(ValueError):
    """The text is no usable proxy.

    The message is one sentence that never repeats the text, which may hold a password.
    """


@dataclass(frozen=True, slots=True)
class Proxy:
    """A parsed proxy. `host` is a name, or an address without brackets. `url` and `password` are secrets; `str()` is
    not."""

    scheme: Scheme
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Returns the full URL with the password, percent-encoded."""
        user = "" if self.user is None else quote(self.user, safe="")
        if self.password is not None:
            user += f":{quote(self.password, safe='')}"
        return f"{self.scheme}://{user and user + '@'}{self._address}"

    def __str__(self) -> str:
        """Returns the proxy with a masked user, for display: `socks5://u***@1.2.3.4:1080`."""
        return f"{self.scheme}://{f'{self.user[:1]}***@' if self.user else ''}{self._address}"

    @property
    def identity(self) -> tuple[str, str, int, str | None]:
        """Returns the proxy without its password: a new password does not make it another proxy."""
        return self.scheme, self.host, self.port, self.user

    @property
    def _address(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse(text: str) -> Proxy:
    """Parses a proxy. Raises BadProxy.

    `engine/messengers/proxies.py` checks whether we may connect to it.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise BadProxy(f"a proxy has at most {LONGEST} characters")
    if any(not char.isprintable() or char.isspace() for char in text):
        raise BadProxy("a proxy holds no spaces or control characters; percent-encode them")
    shape = _SCHEME.fullmatch(text)
    scheme = shape["scheme"].lower() if shape else ""
    if shape is None or scheme not in ("socks5", "socks5h", "http", "https"):
        raise BadProxy("write a proxy as socks5://user:password@host:port (or socks5h://, http://, https://)")
    login, at, address = shape["rest"].rpartition("@")
    where = _ADDRESS.fullmatch(address)
    if where is None or not 1 <= int(where["port"]) <= 65535:
        raise BadProxy("the proxy's host or port can't be read; write host:port after the password's @")
    user, password = _login(login) if at else (None, None)
    return Proxy(cast(Scheme, scheme), _host(where["host"]), int(where["port"]), user, password)


def _login(text: str) -> tuple[str, str | None]:
    user, colon, password = text.partition(":")
    user, password = unquote(user), unquote(password)
    if not user:
        raise BadProxy("the proxy's user is empty; leave the @ out where there is no user")
    for part in (user, password):
        if len(part) > _LONGEST_PART:
            raise BadProxy(f"a proxy's user and password have at most {_LONGEST_PART} characters each")
        if not (part.isascii() and part.isprintable()):
            raise BadProxy("a proxy's user and password are plain ASCII, without control characters")
    return user, password if colon else None


def _host(text: str) -> str:
    if text.startswith("["):
        try:
            return str(ip_address(text[1:-1]))
        except ValueError:
            raise BadProxy("the proxy's address can't be read") from None
    return text.lower()

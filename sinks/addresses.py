"""Addresses of brokers: `nats://user:password@host:4222`, or several servers of one cluster with commas between."""

import re
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from typing import Final
from urllib.parse import unquote, urlsplit

from core.outbound.guard import DANGEROUS_PORTS

PORT: Final = 4222
SCHEMES: Final = ("nats", "tls")
MOST_SERVERS: Final = 16

_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?\.?")


class BadAddress(ValueError):
    """The address can't be used. Its message is a sentence that says what to write."""


@dataclass(frozen=True, slots=True)
class Server:
    """One server of a cluster."""

    host: str
    port: int
    name: str  # in its certificate: the host, or for an announced address the host of the server that announced it


@dataclass(frozen=True, slots=True)
class Address:
    """The servers of a cluster, and who logs in there."""

    servers: tuple[Server, ...]
    tls: bool
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)

    @property
    def visible(self) -> str:
        """Returns the address without user, password and token."""
        scheme = "tls" if self.tls else "nats"
        return ",".join(f"{scheme}://{_in_brackets(server.host)}:{server.port}" for server in self.servers)


def parse(url: str) -> Address:
    """Parses the address of one server, or of several of one cluster. Raises BadAddress."""
    parts = url.split(",")
    scheme = urlsplit(parts[0].strip()).scheme.lower() if "://" in parts[0] else ""
    if scheme not in SCHEMES:
        raise BadAddress("The address begins with nats:// or, with TLS, with tls://.")
    if len(parts) > MOST_SERVERS:
        raise BadAddress(f"The address may name at most {MOST_SERVERS} servers.")
    servers: list[Server] = []
    login: tuple[str | None, str | None] = (None, None)
    for part in parts:
        text = part.strip()
        server, own_login = _server(text if "://" in text else f"{scheme}://{text}", scheme)
        servers.append(server)
        if own_login != (None, None):
            if login not in ((None, None), own_login):
                raise BadAddress("The servers of one address have one user. Leave the others out.")
            login = own_login
    user, password = login
    if user is not None and password is None:
        return Address(tuple(servers), scheme == "tls", token=user)
    return Address(tuple(servers), scheme == "tls", user, password)


def announced(text: str, name: str) -> Server | None:
    """Returns a server that a cluster has announced as `host:port`; None if it can't be read."""
    try:
        return _server(f"nats://{text}", "nats", name)[0]
    except BadAddress:
        return None


def _server(text: str, scheme: str, name: str | None = None) -> tuple[Server, tuple[str | None, str | None]]:
    if any(char.isspace() or not char.isprintable() or char == "\\" for char in text):
        raise BadAddress("The address holds no spaces, control characters or backslashes.")
    try:
        parsed = urlsplit(text)
        host, port = parsed.hostname, parsed.port
    except ValueError:
        raise BadAddress(
            "The address's host or port can't be read. Write nats://host:port, and % codes for special"
            " characters of a password."
        ) from None
    if parsed.scheme.lower() != scheme:
        raise BadAddress("The servers of one address have one scheme: nats:// or tls://.")
    if not host:
        raise BadAddress("The address has no host. Write for example nats://nats.example.com:4222.")
    if parsed.path not in ("", "/") or parsed.query or parsed.fragment:
        raise BadAddress("The address ends with the port. Leave out what follows it.")
    if not _is_host(host):
        raise BadAddress("The address's host is not a valid name or address.")
    port = PORT if port is None else port
    if port == 0 or port in DANGEROUS_PORTS:
        raise BadAddress(f"Port {port} belongs to another service. A server of NATS has usually port {PORT}.")
    login = (
        None if parsed.username is None else unquote(parsed.username),
        None if parsed.password is None else unquote(parsed.password),
    )
    if login[0] == "" and login[1] is None:
        login = (None, None)
    return Server(host, port, name or host), login


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            IPv6Address(host)
        except ValueError:
            return False
        return True
    return _HOST.fullmatch(host) is not None and ".." not in host


def _in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host else host

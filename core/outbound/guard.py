"""Decides which addresses may be called. `client.py` says how they are called.

The deny list is written out, since `ipaddress.is_global` of Python 3.11 calls 64:ff9b::7f00:1, 2002:7f00:1::,
::127.0.0.1 and 224.0.0.1 global. Its sources: the IANA special-purpose registries (RFC 6890 and its updates)
and the networks that Svix's resolver and Stripe's smokescreen refuse.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import httpx
from yarl import URL

from core.outbound.errors import CallFailed, UrlRefused

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# Resolves host (ASCII) and port to addresses, as texts. Raises OSError if the name has none.
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

LOOKUP_SECONDS = 5.0  # to resolve a name when a URL is saved
LONGEST_URL = 2048
LOOPBACKS: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))

_DENIED: dict[str, str] = {
    # IPv4
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "carrier-grade NAT, and a cloud's metadata server",
    "127.0.0.0/8": "loopback",
    "168.63.129.16/32": "a cloud's own services (public by its number, private by its use)",
    "169.254.0.0/16": "link-local, and the clouds' metadata servers",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "protocol assignments, and a cloud's metadata server",
    "192.0.2.0/24": "documentation",
    "192.88.99.0/24": "6to4 relay",
    "192.168.0.0/16": "private",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved, and broadcast",
    # IPv6. Specific networks come first, so that the reason is exact; the last three lines refuse everything else
    # that is not global unicast (2000::/3), also networks that are assigned later.
    "::1/128": "loopback",
    "::/128": "unspecified",
    "::/96": "IPv4 inside IPv6 (compatible)",
    "64:ff9b::/96": "IPv4 inside IPv6 (NAT64)",
    "64:ff9b:1::/48": "IPv4 inside IPv6 (local NAT64)",
    "100::/64": "discard",
    "fc00::/7": "private",
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
    "2001::/32": "IPv4 inside IPv6 (Teredo)",
    "2001:db8::/32": "documentation",
    "2001::/23": "protocol assignments",
    "2002::/16": "IPv4 inside IPv6 (6to4)",
    "3ffe::/16": "a closed test network",
    "3fff::/20": "documentation",
    "5f00::/16": "segment routing",
    "::/3": "reserved",
    "4000::/2": "reserved",
    "8000::/1": "reserved",
}
DENIED: tuple[tuple[Network, str], ...] = tuple((ip_network(net), why) for net, why in _DENIED.items())

# The Fetch standard's blocked ports ("port blocking"), and those of databases, queues and file shares that
# execute a line of text that they find in a request.
# fmt: off
DANGEROUS_PORTS = frozenset({
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530,
    531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
    5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    445, 873, 1433, 1521, 1883, 2775, 3306, 3389, 4369, 5432, 5672, 5900, 6379, 6380, 9042, 9092, 11211, 26379,
    27017,
})
# fmt: on

_SHAPE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)")
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:]+)(?::(?P<port>[0-9]{1,5}))?")
_NAME = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
)
_NUMBER = re.compile(
    r"(?:0x[0-9a-f]*|[0-9]+)"
)  # a last label like this makes the host an IPv4 address (WHATWG URL)

# A lookup can't be cancelled, and a hostile name server can delay it. In threads of its own it delays only
# other lookups, and each of those has a timeout.
_lookups = ThreadPoolExecutor(max_workers=16, thread_name_prefix="postern-lookup")


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Returns the addresses that the operating system finds, in its order of preference. Raises OSError."""
    entries = await asyncio.get_running_loop().run_in_executor(_lookups, _getaddrinfo, host, port)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in entries))


def _getaddrinfo(host: str, port: int) -> list[Any]:
    return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


class Guard:
    """Checks URLs and addresses. `allow` has the CIDRs that the operator permits (POSTERN_OUTBOUND_ALLOW)."""

    def __init__(
        self,
        allow: Iterable[str] = (),
        *,
        resolver: Resolver = system_resolver,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Raises ValueError if an entry of `allow` is not an address or CIDR."""
        self._allow = tuple(_network(entry) for entry in allow)
        self._resolver = resolver
        self._own_tls = tls

    def check(self, url: str) -> URL:
        """Parses a URL strictly, without the network, and returns it in ASCII. Raises UrlRefused.

        A URL that parsers read differently is refused: backslashes, `@`, percent signs in a host, and IPv4
        addresses that are not four decimal numbers.
        """
        if len(url) > LONGEST_URL:
            raise UrlRefused("url_invalid", f"a URL may have at most {LONGEST_URL} characters")
        if any(not char.isprintable() or char.isspace() or char == "\\" for char in url):
            raise UrlRefused("url_invalid", "a URL holds no spaces, control characters or backslashes")
        if not (shape := _SHAPE.match(url)):
            raise UrlRefused("url_invalid", "a URL starts with https:// or http://")
        if shape["scheme"].lower() not in ("http", "https"):
            raise UrlRefused("url_scheme", "only https and http URLs are called")
        if "@" in shape["authority"]:
            raise UrlRefused(
                "url_userinfo", "a URL may hold no user name or password; use a header or the path"
            )
        if not (authority := _AUTHORITY.fullmatch(shape["authority"])):
            raise UrlRefused("url_invalid", "the URL's host or port cannot be read; write host or host:port")
        if authority["port"]:
            _check_port(int(authority["port"]))
        host, parsed = _parsed(url)
        self._check_host(host, literal=authority["host"])
        return parsed

    async def probe(self, url: str) -> URL:
        """Checks a URL and resolves its name, for the moment when it is saved. Connects to nothing.

        Raises UrlRefused, and CallFailed if the name can't be resolved at the moment.
        """
        parsed = self.check(url)
        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                await self.addresses(parsed.raw_host or "", parsed.port or 0)
        except TimeoutError:
            reason = "the host name could not be resolved in time"
            raise CallFailed("connect_timeout", reason, may_have_left=False) from None
        except OSError:
            raise CallFailed(
                "connect_failed", "the host name does not resolve", may_have_left=False
            ) from None
        return parsed

    async def addresses(self, host: str, port: int) -> list[Address]:
        """Returns the addresses of `host`, all of them permitted. For our clients of other protocols than HTTP.

        One address that is not public refuses the whole name: a name that leads both outside and inside is
        an attack or a mistake. Raises UrlRefused, and OSError if the name does not resolve. The caller sets
        the timeout (`asyncio.timeout`).
        """
        if (literal := _literal(host)) is not None:
            self.judge(literal)
            return [_canonical(literal)]
        addresses = [parse_address(text) for text in await self._resolver(host, port)]
        if not addresses:
            raise OSError("the host name has no address")
        for address in addresses:
            self.judge(address)
        return [_canonical(address) for address in addresses]

    def judge(self, address: Address) -> None:
        """Raises UrlRefused unless `address` is public or on the allow list."""
        if self._allows(address):
            return
        plain = _canonical(address)
        if plain != address:
            raise UrlRefused("url_private", "the URL leads to an IPv4 address written inside an IPv6 one")
        for network, why in DENIED:
            if plain in network:
                raise UrlRefused("url_private", f"the URL leads to an address that is not public ({why})")
        if _is_own(plain):
            raise UrlRefused("url_private", "the URL leads back to this very machine")

    def _allows(self, address: Address) -> bool:
        plain = _canonical(address)
        return any(plain in network for network in self._allow)

    @cached_property
    def tls(self) -> ssl.SSLContext:
        """Returns the TLS context of all clients, made once: loading the certificate bundle takes tens of milliseconds.

        It honours SSL_CERT_FILE, with which an operator can add a private authority.
        """
        if self._own_tls is not None:
            return self._own_tls
        context = httpx.create_ssl_context()
        context.set_alpn_protocols(["http/1.1"])
        return context

    def _check_host(self, host: str, *, literal: str) -> None:
        if (address := _literal(host)) is not None:
            if not literal.isascii():
                raise UrlRefused("url_invalid", "write the host's address in plain digits")
            self.judge(address)
            return
        name = host.removesuffix(".")
        if not _NAME.fullmatch(name):
            raise UrlRefused("url_invalid", "the URL's host is not a valid name or address")
        if _NUMBER.fullmatch(name.rpartition(".")[2]):
            raise UrlRefused(
                "url_invalid", "write an IPv4 address as four decimal numbers, without a final dot"
            )
        # RFC 6761 §6.3: these names are always loopback.
        if (name == "localhost" or name.endswith(".localhost")) and not any(map(self._allows, LOOPBACKS)):
            raise UrlRefused("url_private", "the URL leads to this very machine (loopback)")


def _check_port(port: int) -> None:
    if not 1 <= port <= 65535:
        raise UrlRefused("url_port", "a port is 1 to 65535")
    if port in DANGEROUS_PORTS:
        raise UrlRefused("url_port", f"port {port} belongs to a service that does not speak HTTP")


def parse_address(text: str) -> Address:
    """Returns an address that was written by the system, which may name an interface: fe80::1%eth0."""
    return ip_address(text.partition("%")[0])


def configure(allow: Iterable[str]) -> None:
    """Sets the rules of `shared`; called once, when the service starts. Raises ValueError."""
    global _shared
    _shared = Guard(allow)


def shared() -> Guard:
    """Returns the service's guard. It permits only public addresses until `configure` is called."""
    return _shared


def _network(entry: str) -> Network:
    """Parses a CIDR of the allow list; an IPv4-mapped one means the IPv4 network."""
    try:
        network = ip_network(entry.strip())
    except ValueError:
        raise ValueError(
            f"{entry.strip()!r} in the list of permitted outbound addresses is not a CIDR;"
            " write for example 10.0.0.0/8, 10.1.2.3 or fd00::/8, without bits beyond the prefix"
        ) from None
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    if mapped is not None and network.prefixlen >= 96:
        return IPv4Network((mapped, network.prefixlen - 96))
    return network


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _canonical(address: Address) -> Address:
    """Returns the IPv4 address inside ::ffff:a.b.c.d, which is the one that the kernel connects to."""
    return getattr(address, "ipv4_mapped", None) or address


def _parsed(url: str) -> tuple[str, URL]:
    """Returns the host in ASCII, and the URL as the client reads it. Raises UrlRefused.

    httpx has the stricter rules for international names (IDNA 2008). The client's own parser must find the same host
    and port in the result.
    """
    try:
        strict = httpx.URL(url)
        host = strict.raw_host.decode("ascii")
        parsed = URL(str(strict), encoded=True)
        port = strict.port if strict.port is not None else {"https": 443, "http": 80}[strict.scheme]
        agreed = (parsed.raw_host, parsed.port, parsed.scheme) == (host, port, strict.scheme)
    except (httpx.InvalidURL, ValueError):  # covers UnicodeError
        agreed = False
    if not agreed:
        raise UrlRefused("url_invalid", "the URL's host is not a valid name or address")
    return host, parsed


def _is_own(address: Address) -> bool:
    """Returns whether `address` is this machine's own, past its firewall. (Connecting a datagram socket sends no
    packet.)
    """
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))
            return ip_address(probe.getsockname()[0].partition("%")[0]) == address
    except OSError:  # no such address family or no route: connecting will fail as well
        return False


_shared = Guard()
# For addresses that the operator chose, in the settings: they may lead anywhere.
EVERYWHERE = Guard(("0.0.0.0/0", "::/0"))

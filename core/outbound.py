"""The guard for every URL that a user supplies: webhooks, media, Web Push endpoints, targets of proxies.

The rule (SSRF, OWASP API7:2023): a user's URL may lead to public addresses only. `Guard.check` reads the URL
without the network; `Guard.probe` also resolves the name, for the moment when a URL is saved; `Guard.client` makes
an HTTP client for the moment when it is used. Only the client protects: a name may resolve to another address a
second later, so the client resolves it once, checks the result, and connects to that address. TLS is still verified
for the name.

The deny list is written out, since `ipaddress.is_global` of Python 3.11 calls 64:ff9b::7f00:1, 2002:7f00:1::,
::127.0.0.1 and 224.0.0.1 global. Its sources: the IANA special-purpose registries (RFC 6890 and its updates)
and what Svix's resolver and Stripe's smokescreen refuse.
"""

import asyncio
import re
import socket
import ssl
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import httpcore
import httpx

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# Resolves host (ASCII) and port to addresses, as texts. Raises OSError if the name has none.
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

CONNECT_SECONDS = 5.0  # to resolve the name and connect; the TLS handshake has the same time again
LONGEST_URL = 2048
ADDRESSES_TRIED = 4
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
    # that is not global unicast (2000::/3), also what is assigned later.
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


class UrlRefused(Exception):
    """The URL may not be called. Not a network failure: a retry never helps, only another URL does.

    `code` is `url_invalid`, `url_scheme`, `url_userinfo`, `url_port` or `url_private`; `reason` is a
    sentence for the user. Neither repeats the URL, which may contain a secret.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


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

    def check(self, url: str) -> httpx.URL:
        """Parses a URL strictly, without the network. Raises UrlRefused.

        What different parsers read differently is refused: backslashes, `@`, percent signs in a host, and IPv4
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
        try:
            parsed = httpx.URL(url)
        except (httpx.InvalidURL, UnicodeError):
            raise UrlRefused("url_invalid", "the URL's host is not a valid name or address") from None
        self._check_port(parsed)
        self._check_host(parsed.raw_host.decode("ascii"), literal=authority["host"])
        return parsed

    async def probe(self, url: str) -> httpx.URL:
        """Checks a URL and resolves its name, for the moment when it is saved. Connects to nothing.

        Raises UrlRefused, and httpx.ConnectError or ConnectTimeout if the name can't be resolved at the moment.
        """
        parsed = self.check(url)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self.addresses(parsed.raw_host.decode("ascii"), _port(parsed))
        except TimeoutError:
            raise httpx.ConnectTimeout("the host name could not be resolved in time") from None
        except OSError:
            raise httpx.ConnectError("the host name does not resolve") from None
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
        addresses = [ip_address(text.partition("%")[0]) for text in await self._resolver(host, port)]
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

    def client(
        self,
        *,
        timeout: float = 15.0,
        max_bytes: int = 65536,
        headers: dict[str, str] | None = None,
    ) -> httpx.AsyncClient:
        """Returns a client that checks every request. Close it with `aclose`; share it if possible.

        `timeout` is in seconds, for the whole exchange from the lookup to the last byte; after it the client raises
        httpx.TimeoutException. `max_bytes` bounds the decompressed body: the rest is not read, and
        `was_truncated(response)` says so. httpx.ConnectError, ConnectTimeout and PoolTimeout mean that nothing was sent.
        Headers beyond 100 KiB raise httpx.RemoteProtocolError. The client follows no redirects, keeps no cookies and
        uses no proxy of the environment. Each request raises UrlRefused if its URL leads to a forbidden address.
        """
        return httpx.AsyncClient(
            transport=_Transport(self, timeout=timeout, max_bytes=max_bytes),
            timeout=httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            follow_redirects=False,
            trust_env=False,
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
            headers={"User-Agent": "Postern", "Accept-Encoding": "gzip, deflate", **(headers or {})},
        )

    @cached_property
    def tls(self) -> ssl.SSLContext:
        """The TLS context of all clients, made once: loading the certificate bundle takes tens of milliseconds.

        It honours SSL_CERT_FILE, with which an operator can add a private authority.
        """
        return self._own_tls or httpx.create_ssl_context()

    def _check_port(self, url: httpx.URL) -> None:
        port = _port(url)
        if not 1 <= port <= 65535:
            raise UrlRefused("url_port", "a port is 1 to 65535")
        if port in DANGEROUS_PORTS:
            raise UrlRefused("url_port", f"port {port} belongs to a service that does not speak HTTP")

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


def was_truncated(response: httpx.Response) -> bool:
    """Returns whether the body was longer than the client's `max_bytes`."""
    body = response.extensions.get("guarded_body")
    return isinstance(body, _Body) and body.truncated


def configure(allow: Iterable[str]) -> None:
    """Sets what `shared` permits; called once, when the service starts. Raises ValueError."""
    global _shared
    _shared = Guard(allow)


def shared() -> Guard:
    """The service's guard. It permits only public addresses until `configure` is called."""
    return _shared


_shared = Guard()


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


def _port(url: httpx.URL) -> int:
    if url.port is not None:
        return url.port
    return 443 if url.scheme == "https" else 80


def _is_own(address: Address) -> bool:
    """Whether `address` is this machine's own, past its firewall. (Connecting a datagram socket sends no packet.)"""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))
            return ip_address(probe.getsockname()[0].partition("%")[0]) == address
    except OSError:  # no such address family or no route: connecting will fail as well
        return False


class _Backend(httpcore.AsyncNetworkBackend):
    """Opens httpcore's sockets: the only place that knows the address that is really connected to."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses = (await self._guard.addresses(host, port))[:ADDRESSES_TRIED]
                return _Stream(await self._connect_first(addresses, port, timeout or CONNECT_SECONDS))
        except TimeoutError:
            raise httpcore.ConnectTimeout("no connection in time") from None
        except OSError:
            raise httpcore.ConnectError("the host name does not resolve") from None

    async def _connect_first(
        self, addresses: list[Address], port: int, seconds: float
    ) -> httpcore.AsyncNetworkStream:
        """Tries the addresses in turn, so that one dead address does not use up the whole time."""
        for address in addresses[:-1]:
            try:
                return await self._sockets.connect_tcp(str(address), port, seconds / len(addresses))
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._sockets.connect_tcp(str(addresses[-1]), port, seconds)

    async def connect_unix_socket(self, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        raise UrlRefused("url_scheme", "no local sockets")  # pragma: no cover: no URL leads here

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)  # pragma: no cover: only used for retries, and there are none


class _Stream(httpcore.AsyncNetworkStream):
    """A connection that is closed if its TLS handshake is cancelled, as by the total timeout; httpcore's stays open."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner
        self.read = inner.read  # type: ignore[method-assign]
        self.write = inner.write  # type: ignore[method-assign]
        self.aclose = inner.aclose  # type: ignore[method-assign]
        self.get_extra_info = inner.get_extra_info  # type: ignore[method-assign]

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
    ) -> httpcore.AsyncNetworkStream:
        try:
            return await self._inner.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            await self._inner.aclose()
            raise


class _Transport(httpx.AsyncHTTPTransport):
    """httpx's transport with sockets from `_Backend`, and bounds on time and size."""

    def __init__(self, guard: Guard, *, timeout: float, max_bytes: int) -> None:
        # Without super().__init__(), as httpx accepts no network backend. The rest of the parent class (mapping
        # errors and responses) works on this attribute.
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=guard.tls,
            max_connections=200,
            max_keepalive_connections=20,
            keepalive_expiry=5.0,
            network_backend=_Backend(guard),
        )
        self._guard = guard
        self._timeout = timeout
        self._max_bytes = max_bytes

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._guard.check(str(request.url))
        deadline = asyncio.get_running_loop().time() + self._timeout
        begun = _watch(request)
        try:
            async with asyncio.timeout_at(deadline):
                response = await super().handle_async_request(request)
        except TimeoutError:
            if not begun.is_set():
                raise httpx.ConnectTimeout("no connection within the total time") from None
            raise httpx.ReadTimeout("no answer within the total time") from None
        body = _Body(response, deadline=deadline, max_bytes=self._max_bytes)
        return httpx.Response(
            response.status_code, headers=body.headers, stream=body, extensions=body.extensions
        )


def _watch(request: httpx.Request) -> asyncio.Event:
    """Returns an event that is set when the request begins to be written; before that it can have no effect."""
    begun = asyncio.Event()
    inner = request.extensions.get("trace")

    async def trace(name: str, info: dict[str, Any]) -> None:
        if name == "http11.send_request_headers.started":
            begun.set()
        if inner is not None:
            await inner(name, info)

    request.extensions = {**request.extensions, "trace": trace}
    return begun


class _Body(httpx.AsyncByteStream):
    """A response's body: decompressed, at most `max_bytes` long, and read until `deadline` (loop time) at most.

    It is decompressed here, because httpx would decompress without a bound; so the header that tells httpx to do it
    is removed. `truncated` says whether some of the body is missing.
    """

    def __init__(self, response: httpx.Response, *, deadline: float, max_bytes: int) -> None:
        assert isinstance(response.stream, httpx.AsyncByteStream)
        self._stream = response.stream
        self._deadline = deadline
        self._left = max_bytes
        self.truncated = False
        coding = response.headers.get("content-encoding", "").strip().lower()
        # 32: detects gzip or zlib by the first bytes. A coding that was not requested is passed on unchanged.
        self._zip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32) if coding in _ZIPPED else None
        gone = {b"content-encoding", b"content-length"} if self._zip else {b"content-encoding"}
        self.headers = [(name, value) for name, value in response.headers.raw if name.lower() not in gone]
        self.extensions = {**response.extensions, "guarded_body": self}

    async def __aiter__(self) -> AsyncIterator[bytes]:
        source = aiter(self._stream)
        try:
            while not self.truncated:
                try:
                    async with asyncio.timeout_at(self._deadline):
                        piece = await anext(source)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise httpx.ReadTimeout("the body did not end within the total time") from None
                if plain := self._take(piece):
                    yield plain
        finally:
            if isinstance(source, AsyncGenerator):
                await source.aclose()

    def _take(self, piece: bytes) -> bytes:
        """Returns the decompressed bytes of `piece`, as far as `max_bytes` allows."""
        if self._zip:
            try:
                # One byte more than allowed shows that there is more; zlib takes 0 for "no limit".
                piece = self._zip.decompress(self._zip.unconsumed_tail + piece, self._left + 1)
            except zlib.error:  # the body is not what its header says; the caller still gets the status
                self.truncated = True
                return b""
        if len(piece) > self._left:
            self.truncated = True
            piece = piece[: self._left]
        self._left -= len(piece)
        return piece

    async def aclose(self) -> None:
        await self._stream.aclose()


_ZIPPED = frozenset({"gzip", "x-gzip", "deflate"})

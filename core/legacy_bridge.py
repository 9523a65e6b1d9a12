"""The client half of the legacy bridge: one call to the old service, and its answer re-wrapped as plain JSON data.

Only this file decides which requests are sent: paths inside the allowed prefixes, allow-listed headers, our own service
credential. The answer is bounded in time and size, and core/legacy_answers.py makes data of it.
"""

import asyncio
import re
import ssl
import unicodedata
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes, urlencode

import httpx
import structlog

from core.legacy_answers import LegacyAnswer, RawAnswer, rewrapped

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
FORWARDED_HEADERS = (
    "accept",
    "accept-language",
    "content-type",
    "idempotency-key",
    "user-agent",
    "x-request-id",
)
# Hop-by-hop (RFC 9110 §7.6.1), rebuilt here (host, content-length, accept-encoding, expect), or our own credential.
NEVER_FORWARDED = frozenset(
    [
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "expect",
        "host",
        "http2-settings",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)
MAX_PATH = 2048  # characters
MAX_QUERY = 8192

_ON_LOOP = 64 * 1024  # bytes; parsing this much JSON takes a few milliseconds, so it needs no thread
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 §5.6.2
_FIELD_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_CREDENTIAL = re.compile(r"[!-~]+( [!-~]+)*")

log = structlog.get_logger(__name__)

Query = str | Iterable[tuple[str, str]]
Headers = Mapping[str, str] | Iterable[tuple[str, str]]


class LegacyPathRefused(ValueError):
    """The path or query can't be forwarded (400); nothing was sent. The message is for the caller."""


class LegacyUnavailable(Exception):
    """The old service gave no usable answer: refused, unknown host, TLS, protocol error, reset (502)."""


class LegacyTimeout(Exception):
    """The old service did not connect, or did not finish its answer, in time (504)."""


@dataclass(frozen=True, slots=True)
class LegacyLimits:
    """The bounds of a bridge: seconds for a connection and for a whole call, bytes of an answer, connections."""

    connect_timeout: float = 2.0
    total_timeout: float = 15.0
    max_bytes: int = 5 * 1024 * 1024
    max_connections: int = 64


class LegacyBridge:
    """A pooled client of one old service. `url` may have a path; `prefixes` are relative to it.

    `token` is sent as `Authorization: Bearer …`, or as it is if it names its scheme ("Basic …"). Raises
    ValueError for an invalid configuration.
    """

    def __init__(
        self,
        url: str,
        *,
        prefixes: Sequence[str],
        forward_headers: Sequence[str] = FORWARDED_HEADERS,
        limits: LegacyLimits | None = None,
        token: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._base = _base(url)
        self._base_path = (
            "" if self._base.path == "/" else _Path.of(self._base.raw_path.decode()).text.rstrip("/")
        )
        self._prefixes = [_prefix(prefix) for prefix in prefixes]
        if not self._prefixes:
            raise ValueError(
                "the legacy bridge needs at least one allowed path prefix; '/' allows every path"
            )
        self._forwarded = frozenset(_forwardable(name) for name in forward_headers)
        self._authorization = None if token is None else _authorization(token)
        # TCP and TLS each get this time. Both must end before the total timeout does: httpcore closes the socket of a
        # handshake that timed out, but not of one that was cancelled.
        limits = limits or LegacyLimits()
        connect_timeout = min(limits.connect_timeout, limits.total_timeout / 3)
        self._timeout = httpx.Timeout(None, connect=connect_timeout).as_dict()
        self._total_timeout = limits.total_timeout
        self._max_bytes = limits.max_bytes
        # A plain HTTP URL needs no context, since no redirect is followed to an https one.
        needs_tls = self._base.scheme == "https"
        self._tls = (tls or httpx.create_ssl_context(trust_env=False)) if needs_tls else False
        self._slots = asyncio.Semaphore(limits.max_connections)
        self._idle: list[httpx.AsyncHTTPTransport] = []

    async def call(
        self, method: str, path: str, query: Query = "", headers: Headers = (), body: bytes = b""
    ) -> LegacyAnswer:
        """Sends one request and returns the answer, whatever its status. Never follows a redirect, never retries.

        `path` and a textual `query` are written as on a request line, percent-encoded. Characters that must not stand
        there raw are encoded; a path that looks doubly encoded is refused. Raises LegacyPathRefused,
        LegacyUnavailable, LegacyTimeout, and ValueError for a method that is not in METHODS.
        """
        request = self._request(method, path, query, headers, body)
        try:
            async with asyncio.timeout(self._total_timeout):
                async with self._connection() as connection:
                    answer = await _exchange(connection, request, self._max_bytes)
        except (TimeoutError, httpx.TimeoutException) as error:
            self._report("legacy service timed out", error)
            raise LegacyTimeout("The legacy service did not answer in time; try again later.") from error
        except (httpx.TransportError, OSError) as error:
            self._report("legacy service unavailable", error)
            raise LegacyUnavailable("The legacy service can't be reached; try again later.") from error
        if answer.body is not None and (answer.encoding or len(answer.body) > _ON_LOOP):
            return await asyncio.to_thread(rewrapped, answer, self._max_bytes)
        return rewrapped(answer, self._max_bytes)

    async def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            await self._idle.pop().aclose()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[httpx.AsyncHTTPTransport]:
        """Lends a connection for one exchange. It is kept for later ones unless the exchange fails.

        A bare transport, not a client: a client keeps cookies (one caller's would reach the next), reads Location
        headers, and adds headers of its own. One transport for each connection, since httpcore's pool loses a slot
        for good if a request that waits for one is cancelled.
        """
        async with self._slots:
            if self._idle:
                connection = self._idle.pop()
            else:
                # Less than the usual keep-alive of servers (5 s), so that few requests meet a connection that closes.
                limits = httpx.Limits(max_connections=1, keepalive_expiry=2.0)
                connection = httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False, limits=limits)
            try:
                yield connection
            except BaseException:
                await connection.aclose()
                raise
            self._idle.append(connection)

    def _request(self, method: str, path: str, query: Query, headers: Headers, body: bytes) -> httpx.Request:
        if method not in METHODS:
            raise ValueError(f"{method!r} is not a method of the legacy bridge: {', '.join(sorted(METHODS))}")
        asked = _Path.of(path)
        if not any(asked.segments[: len(prefix)] == prefix for prefix in self._prefixes):
            raise LegacyPathRefused("This path is not among those that the legacy bridge forwards.")
        search = _query(query)
        target = f"{self._base_path}{asked.text}{'?' if search else ''}{search}"
        return httpx.Request(
            method,
            self._base.copy_with(raw_path=target.encode("ascii")),
            headers=self._headers(headers),
            content=body or None,
            extensions={"timeout": self._timeout},
        )

    def _headers(self, headers: Headers) -> list[tuple[bytes, bytes]]:
        pairs = [
            (name.lower(), value)
            for name, value in (headers.items() if isinstance(headers, Mapping) else headers)
        ]
        # A caller's Connection header can declare any other header hop-by-hop (RFC 9110 §7.6.1).
        dropped = {
            option.strip().lower()
            for name, value in pairs
            if name == "connection"
            for option in value.split(",")
        }
        sent = [
            (name.encode(), value.strip(" \t").encode("latin-1"))
            for name, value in pairs
            if name in self._forwarded and name not in dropped and _FIELD_VALUE.fullmatch(value)
        ]
        if not any(name == b"user-agent" for name, _ in sent):
            sent.append((b"user-agent", b"postern"))
        if self._authorization is not None:
            sent.append((b"authorization", self._authorization))
        # Uncompressed, so that the bound on the size of the body also bounds memory.
        sent.append((b"accept-encoding", b"identity"))
        return sent

    def _report(self, event: str, error: Exception) -> None:
        log.warning(
            event, origin=f"{self._base.scheme}://{self._base.netloc.decode()}", reason=repr(error)[:300]
        )


# --- Sending


@dataclass(frozen=True, slots=True)
class _Path:
    """A path that every server reads alike: no empty, `.` or `..` segment, however it is encoded."""

    segments: tuple[str, ...]  # decoded; a trailing slash shows as a last segment that is empty
    text: str  # encoded again, with a leading slash

    @classmethod
    def of(cls, path: str) -> "_Path":
        """Parses a path. Raises LegacyPathRefused."""
        if len(path) > MAX_PATH:
            raise LegacyPathRefused(f"A legacy path has at most {MAX_PATH} characters.")
        *inner, last = path.removeprefix("/").split("/")
        segments = (*map(_segment, inner), last and _segment(last))
        return cls(segments, "".join("/" + quote(segment, safe="!$&'()*+,;=:@~") for segment in segments))


def _segment(raw: str) -> str:
    """Returns one path segment, decoded. Raises LegacyPathRefused if a server could read it as more than a name."""
    if re.search(r"%(?![0-9A-Fa-f]{2})", raw):
        raise LegacyPathRefused(
            "A '%' in a legacy path must be followed by two hexadecimal digits; write it as %25."
        )
    try:
        text = unquote_to_bytes(raw).decode(
            "utf-8"
        )  # strict: an overlong encoding of '.' or '/' is invalid UTF-8
    except UnicodeError:
        raise LegacyPathRefused("A legacy path must be UTF-8.") from None
    # Some servers fold look-alikes ('．', '／', '‥') into ASCII, so the folded form must be harmless as well.
    for form in (text, unicodedata.normalize("NFKC", text)):
        if not form.isprintable() or re.search(r"[/\\?#]|%[0-9A-Fa-f]{2}", form):
            raise LegacyPathRefused(
                "A segment of a legacy path can't hold '/', '\\', '?', '#', control characters or doubly encoded "
                "ones; parameters belong into the query."
            )
        # Some servers take the text after ';' for a parameter, and others ignore trailing dots and spaces.
        if not form.partition(";")[0].strip(". "):
            raise LegacyPathRefused("A legacy path can't hold empty, '.' or '..' segments.")
    return text


def _query(query: Query) -> str:
    """Returns the query, encoded, without its '?'. Raises LegacyPathRefused."""
    try:
        if isinstance(query, str):
            if re.search(r"[\x00-\x1f\x7f]", query):
                raise LegacyPathRefused(
                    "A legacy query can't hold raw control characters; percent-encode them."
                )
            query = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", query)
            search = quote(query, safe="!$&'()*+,;=:@/?[]~%")
        else:
            search = urlencode(list(query))
    except UnicodeEncodeError:
        raise LegacyPathRefused("A legacy query must be UTF-8; it holds half a surrogate pair.") from None
    if len(search) > MAX_QUERY:
        raise LegacyPathRefused(f"A legacy query has at most {MAX_QUERY} characters, encoded.")
    return search


# --- Configuration


def _base(url: str) -> httpx.URL:
    """Parses the base URL. Raises ValueError without repeating the URL, which may contain a password."""
    try:
        base = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"the legacy URL can't be read: {type(error).__name__}") from None
    if base.scheme not in ("http", "https") or not base.host:
        raise ValueError("the legacy URL must be like https://legacy.example.com or https://example.com/old")
    if base.userinfo or base.query or base.fragment:
        raise ValueError(
            "the legacy URL can't hold a user, query or fragment; a credential is given as the token"
        )
    return base


def _prefix(prefix: str) -> tuple[str, ...]:
    segments = _Path.of(prefix).segments
    return segments if segments[-1] else segments[:-1]


def _forwardable(name: str) -> str:
    name = name.strip().lower()
    if not _TOKEN.fullmatch(name) or name in NEVER_FORWARDED:
        raise ValueError(f"the legacy bridge can't forward the header {name!r}; remove it from the list")
    return name


def _authorization(token: str) -> bytes:
    if not _CREDENTIAL.fullmatch(token):
        raise ValueError("the legacy token must be printable ASCII without line breaks")
    return (token if " " in token else f"Bearer {token}").encode()


# --- Receiving


async def _exchange(
    connection: httpx.AsyncHTTPTransport, request: httpx.Request, max_bytes: int
) -> RawAnswer:
    response = await connection.handle_async_request(request)
    try:
        body = await _body(response, max_bytes)
    finally:
        await response.aclose()
    header = response.headers.get
    return RawAnswer(response.status_code, header("content-type", ""), header("content-encoding", ""), body)


async def _body(response: httpx.Response, max_bytes: int) -> bytes | None:
    """Returns the body as sent, or None if it is larger than allowed; then the rest is not read."""
    declared = response.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > max_bytes:
        return None
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > max_bytes:
            return None
    return bytes(body)

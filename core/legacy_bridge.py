"""The client half of the legacy bridge: one call to the old service, and its answer re-wrapped as plain JSON data.

Only this file decides what is sent: paths inside the allowed prefixes, allow-listed headers, our own service
credential. What comes back is bounded in time and size, and is always data that can be stored and sent on as JSON;
`warnings` says what was left out or changed for that.
"""

import asyncio
import json
import math
import re
import ssl
import unicodedata
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlencode

import httpx
import structlog

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
MAX_TEXT = 64 * 1024  # characters of an answer that is text, not JSON
MAX_DEPTH = 100  # levels; JSON encoders fail between 250 and 1000, and the data is wrapped in further levels

_ON_LOOP = 64 * 1024  # bytes; parsing this much JSON takes a few milliseconds, so it needs no thread
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 §5.6.2
_FIELD_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_CREDENTIAL = re.compile(r"[!-~]+( [!-~]+)*")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL accepts neither NUL nor half a surrogate pair
_CHARSET = re.compile(
    r"utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|cp125\d|koi8-[ru]|big5|gb\w*|euc-\w\w|shift_jis"
)

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
class LegacyAnswer:
    """`data` is JSON data, or None if there was none or it can't be passed on (then `warnings` says why)."""

    legacy_status: int
    data: Any
    warnings: list[str]


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
        connect_timeout: float = 2.0,
        total_timeout: float = 15.0,
        max_bytes: int = 5 * 1024 * 1024,
        token: str | None = None,
        max_connections: int = 64,
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
        self._timeout = httpx.Timeout(None, connect=min(connect_timeout, total_timeout / 3)).as_dict()
        self._total_timeout = total_timeout
        self._max_bytes = max_bytes
        # A plain HTTP URL needs no context, since no redirect is followed to an https one.
        needs_tls = self._base.scheme == "https"
        self._tls = (tls or httpx.create_ssl_context(trust_env=False)) if needs_tls else False
        self._slots = asyncio.Semaphore(max_connections)
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
            return await asyncio.to_thread(_rewrapped, answer, self._max_bytes)
        return _rewrapped(answer, self._max_bytes)

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
        # Some servers take what follows ';' for a parameter, and others ignore trailing dots and spaces.
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


@dataclass(frozen=True, slots=True)
class _Raw:
    status: int
    content_type: str
    encoding: str
    body: bytes | None  # None: larger than allowed


async def _exchange(connection: httpx.AsyncHTTPTransport, request: httpx.Request, max_bytes: int) -> _Raw:
    response = await connection.handle_async_request(request)
    try:
        body = await _body(response, max_bytes)
    finally:
        await response.aclose()
    header = response.headers.get
    return _Raw(response.status_code, header("content-type", ""), header("content-encoding", ""), body)


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


def _rewrapped(raw: _Raw, max_bytes: int) -> LegacyAnswer:
    if 300 <= raw.status < 400:
        note = f"The legacy service answered with a redirect ({raw.status}), which is not followed."
        return LegacyAnswer(raw.status, None, [note])
    try:
        body = _plain(raw, max_bytes)
    except _NotPassedOn as error:
        return LegacyAnswer(raw.status, None, [str(error)])
    if not body.strip():
        return LegacyAnswer(raw.status, None, [])
    media, charset = _media(raw.content_type)
    if _may_be_json(media, body):
        notes: dict[str, None] = {}  # a set that keeps its order
        try:
            data = _storable(_parsed(body, charset), notes, MAX_DEPTH)
            return LegacyAnswer(raw.status, data, list(notes))
        except (ValueError, RecursionError) as error:
            reason = str(error)[:200]
    else:
        reason = f"its type is {media}"
    if b"\0" in body or not _is_text(media):
        return LegacyAnswer(
            raw.status, None, [f"The legacy answer is neither JSON nor text ({reason}); data is null."]
        )
    return _as_text(raw.status, body, charset, reason)


class _NotPassedOn(Exception):
    pass


def _plain(raw: _Raw, max_bytes: int) -> bytes:
    """Returns the body without its content coding. Raises _NotPassedOn."""
    too_large = f"The legacy answer is larger than {max_bytes} bytes; data is null."
    if raw.body is None:
        raise _NotPassedOn(too_large)
    coding = raw.encoding.strip().lower()
    if coding in ("", "identity"):
        return raw.body
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise _NotPassedOn("The legacy answer has a content coding that was not asked for; data is null.")
    inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # 32: detects gzip or zlib by the header
    try:
        body = inflater.decompress(raw.body, max_bytes + 1)
    except zlib.error:
        body = b""
    if len(body) > max_bytes:
        raise _NotPassedOn(too_large)
    if not inflater.eof or inflater.unused_data:
        raise _NotPassedOn("The legacy answer is compressed and damaged; data is null.")
    return body


def _media(content_type: str) -> tuple[str, str]:
    """Returns the media type ("" if there is none), and a charset that is safe to decode with."""
    media, _, parameters = content_type.lower().partition(";")
    media = media.strip()
    if media and not re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,60}", media, re.ASCII):
        media = "unknown/unknown"
    match = re.search(r"charset\s*=\s*[\"']?([\w-]+)", parameters, re.ASCII)
    charset = match[1] if match and _CHARSET.fullmatch(match[1]) else "utf-8"
    return media, "utf-8-sig" if charset in ("utf-8", "utf8") else charset


def _may_be_json(media: str, body: bytes) -> bool:
    # Old services send JSON as text/html, so the first character decides; but `12` as text/plain is just text.
    return (
        not media
        or media.endswith(("/json", "+json"))
        or body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    )


def _is_text(media: str) -> bool:
    return (
        not media
        or media.startswith("text/")
        or bool(re.search("json|xml|javascript|urlencoded|yaml", media))
    )


def _parsed(body: bytes, charset: str) -> Any:
    return json.loads(_decoded(body, charset, "strict"), parse_float=_finite, parse_constant=_finite)


def _decoded(body: bytes, charset: str, errors: str) -> str:
    try:
        return body.decode(charset, errors)
    except LookupError:  # the name matches _CHARSET, but Python has no such codec
        return body.decode("utf-8", errors)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"it holds the number {number[:20]}")
    return value


def _storable(value: Any, notes: dict[str, None], depth: int) -> Any:
    """Returns JSON data that every encoder and the database accept. Raises ValueError if deeper than `depth`."""
    if isinstance(value, str):
        clean = _UNSTORABLE.sub("\ufffd", value)
        if clean != value:
            notes["Characters that can't be stored (NUL, half surrogate pairs) were replaced by U+FFFD."] = (
                None
            )
        return clean
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        notes["Integers beyond 64 bits are given as text."] = None
        return str(value)
    if not isinstance(value, (dict, list)):
        return value
    if depth == 0:
        raise ValueError(f"it is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, list):
        return [_storable(item, notes, depth - 1) for item in value]
    return {
        _storable(key, notes, depth - 1): _storable(item, notes, depth - 1) for key, item in value.items()
    }


def _as_text(status: int, body: bytes, charset: str, reason: str) -> LegacyAnswer:
    start = body[: 4 * MAX_TEXT]
    text = _UNSTORABLE.sub("\ufffd", _decoded(start, charset, "replace"))
    note = f"The legacy answer is not JSON that can be passed on ({reason}); data is its text"
    truncated = len(text) > MAX_TEXT or len(start) < len(body)
    return LegacyAnswer(
        status, text[:MAX_TEXT], [f"{note}, cut after {MAX_TEXT} characters." if truncated else f"{note}."]
    )

"""Meta's Graph API over HTTP: pooled, bounded, and exact about whether a request may have been executed.

A request may have been executed from the moment its body is being sent: httpcore's trace shows that moment, its
exceptions don't. Before it the error is Unreachable, after it Uncertain.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final, cast
from urllib.parse import urlsplit

import httpcore
import httpx
import orjson

from core import outbound
from messengers.port import MessengerError, Refused, Uncertain, Unreachable
from messengers.proxy import BadProxy, Proxy, parse
from messengers.whatsapp_cloud import errors
from messengers.whatsapp_cloud.socks import SocksTransport

SECONDS: Final = 25.0  # for a call; callers wait 30 seconds
UPLOAD_SECONDS: Final = 60.0
CONNECT_SECONDS: Final = 5.0
MOST_BYTES: Final = 1024 * 1024  # bytes of an answer
_CONNECTIONS: Final = 50  # connections of one pool
# Idle connections are closed long before Meta closes them: a request on a closing one would be Uncertain.
_IDLE: Final = 5.0
# The hosts of Meta's file URLs. The access token is sent nowhere else.
_MEDIA_HOSTS: Final = (".fbsbx.com", ".facebook.com", ".fbcdn.net", ".whatsapp.net")


@dataclass(frozen=True, slots=True)
class Token:
    """An access token that no log line shows."""

    value: str = field(repr=False)


class Graph:
    """The HTTP clients of one process: one for all accounts without a proxy, and one for each proxy in use."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")
        self._pools: dict[str | None, tuple[httpx.AsyncClient, int]] = {}  # client and number of users

    def join(self, proxy: str | None) -> httpx.AsyncClient:
        """Returns the client of a proxy; release it with `leave`. Raises Unreachable if the proxy can't be used."""
        client, users = self._pools.get(proxy) or (self._open(proxy), 0)
        self._pools[proxy] = (client, users + 1)
        return client

    async def leave(self, proxy: str | None) -> None:
        """Releases the client of a proxy."""
        client, users = self._pools.pop(proxy, (None, 0))
        if client is None:  # already closed
            return
        if users > 1 or proxy is None:  # the client without a proxy stays open
            self._pools[proxy] = (client, users - 1)
        else:
            await client.aclose()

    async def close(self) -> None:
        while self._pools:
            await self._pools.popitem()[1][0].aclose()

    async def call(
        self,
        client: httpx.AsyncClient,
        token: Token,
        method: str,
        path: str,
        *,
        effect: bool = False,
        **sent: Any,
    ) -> dict[str, Any]:
        """Returns the JSON object that Meta answers. `sent`: httpx's arguments (json, params, data, files). Raises
        MessengerError."""
        seconds = UPLOAD_SECONDS if "files" in sent else SECONDS
        if "json" in sent:
            sent["content"] = orjson.dumps(sent.pop("json"))
            sent["headers"] = {"content-type": "application/json"}
        request = client.build_request(method, f"{self.base}/{path}", **sent)
        request.headers["authorization"] = f"Bearer {token.value}"
        answer = await exchange(client, request, seconds=seconds, most=MOST_BYTES, effect=effect)
        try:
            value = orjson.loads(answer.body) if answer.status == 200 else None
        except orjson.JSONDecodeError:
            value = None
        if not isinstance(value, dict) or "error" in value:
            raise errors.of(answer.status, answer.body, answer.headers, effect=effect)
        return value

    async def download(self, client: httpx.AsyncClient, token: Token, url: str, most: int) -> bytes:
        """Returns the file at a URL that Meta gave. Raises MessengerError."""
        if not self._trusted(url):
            raise Refused(
                "Meta returned a file address that does not belong to Meta. The file was not downloaded; try"
                " again later.",
                code="media_unavailable",
            )
        request = client.build_request("GET", url, headers={"authorization": f"Bearer {token.value}"})
        answer = await exchange(client, request, seconds=UPLOAD_SECONDS, most=most, effect=False)
        if answer.status in (404, 410):
            raise Refused(
                "Meta no longer stores this file. It can't be downloaded.", code="media_unavailable"
            )
        if answer.status != 200:
            raise errors.of(answer.status, answer.body, answer.headers, effect=False)
        if answer.truncated:
            raise Refused(
                f"The file is larger than {most >> 20} MiB. Open it in the messenger itself.",
                code="media_too_large",
            )
        return answer.body

    def _trusted(self, url: str) -> bool:
        try:
            there, ours = urlsplit(url), urlsplit(self.base)
            if (there.scheme, there.netloc) == (ours.scheme, ours.netloc):
                return True
            host = f".{there.hostname or ''}"
            return there.scheme == "https" and there.port in (None, 443) and host.endswith(_MEDIA_HOSTS)
        except ValueError:
            return False

    def _open(self, proxy: str | None) -> httpx.AsyncClient:
        limits = httpx.Limits(
            max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS, keepalive_expiry=_IDLE
        )
        options: dict[str, Any] = {
            "timeout": httpx.Timeout(UPLOAD_SECONDS, connect=CONNECT_SECONDS, pool=SECONDS),
            "headers": {"user-agent": "Postern", "accept": "application/json"},
            "follow_redirects": False,
            "trust_env": False,
        }
        tls = outbound.shared().tls
        if proxy is None:
            return httpx.AsyncClient(verify=tls, limits=limits, **options)
        try:
            way = parse(proxy)
        except BadProxy as error:
            raise Unreachable(f"The account's proxy can't be used: {error}.", code="bad_proxy") from None
        if way.scheme in ("socks5", "socks5h"):
            return httpx.AsyncClient(
                transport=SocksTransport(way, tls, connections=_CONNECTIONS, idle=_IDLE), **options
            )
        if way.scheme == "https":
            return httpx.AsyncClient(transport=_HttpsProxy(way, tls), **options)
        return httpx.AsyncClient(proxy=httpx.Proxy(way.url), verify=tls, limits=limits, **options)


class _HttpsProxy(httpx.AsyncHTTPTransport):
    """Connects to an https proxy at an address that was just checked, and verifies its certificate against its name."""

    def __init__(self, proxy: Proxy, tls: ssl.SSLContext) -> None:
        # Not super().__init__(): httpx offers no way to hand over a network backend.
        way = httpx.Proxy(proxy.url)
        self._pool = httpcore.AsyncHTTPProxy(
            proxy_url=httpcore.URL(
                scheme=way.url.raw_scheme, host=way.url.raw_host, port=proxy.port, target=b"/"
            ),
            proxy_auth=way.raw_auth,
            ssl_context=tls,
            proxy_ssl_context=tls,
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_CONNECTIONS,
            keepalive_expiry=_IDLE,
            network_backend=_GuardedBackend(),
        )


class _GuardedBackend(httpcore.AnyIOBackend):
    """Resolves a name once, and connects to the address that the outbound guard allowed."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                address = (await outbound.shared().addresses(host, port))[0]
        except outbound.UrlRefused:
            raise httpcore.ProxyError("the proxy's address is not allowed") from None
        except TimeoutError:
            raise httpcore.ConnectTimeout("the proxy's name did not resolve in time") from None
        except OSError:
            raise httpcore.ConnectError("the proxy's name does not resolve") from None
        return await super().connect_tcp(str(address), port, timeout, local_address, socket_options)


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer. `truncated`: the body was longer than allowed, or ended early."""

    status: int
    headers: httpx.Headers
    body: bytes
    truncated: bool


async def exchange(
    client: httpx.AsyncClient, request: httpx.Request, *, seconds: float, most: int, effect: bool
) -> Answer:
    """Sends a request. Raises Unreachable, and Uncertain if it has an effect and may have been sent."""
    left = _Left()
    request.extensions = {**request.extensions, "trace": left}
    try:
        async with asyncio.timeout(seconds):
            response = await client.send(request, stream=True)
            body, truncated = await _read(response, most)
    except (TimeoutError, httpx.TimeoutException):
        raise _silent(left.begun and effect, "Meta did not answer in time") from None
    except httpx.ProxyError:
        raise Unreachable(
            "The account's proxy refuses the connection or does not answer as a proxy.", code="proxy_failed"
        ) from None
    except httpx.HTTPError:
        why = "the connection broke" if left.begun else "Meta can't be reached"
        raise _silent(left.begun and effect, why) from None
    return Answer(response.status_code, response.headers, body, truncated)


def _silent(uncertain: bool, why: str) -> MessengerError:
    why = f"{why[:1].upper()}{why[1:]}"
    if uncertain:
        return Uncertain(f"{why}; the message may have been sent. A report will tell.")
    return Unreachable(f"{why}; nothing was done.")


async def _read(response: httpx.Response, most: int) -> tuple[bytes, bool]:
    """Reads the body. The status is known by then, so a body that ends early is no error."""
    body = bytearray()
    pieces = cast("AsyncGenerator[bytes]", response.aiter_bytes())
    try:
        async with aclosing(response), aclosing(pieces):
            async for piece in pieces:
                body += piece
                if len(body) > most:
                    return bytes(body[:most]), True
    except httpx.HTTPError:
        return bytes(body), True
    return bytes(body), False


class _Left:
    """Notes by httpcore's trace whether the body was sent.

    The trace also covers a proxy's CONNECT, which is ignored.
    """

    def __init__(self) -> None:
        self.begun = False
        self._tunnel = False

    async def __call__(self, name: str, info: Mapping[str, Any]) -> None:
        if name == "http11.send_request_headers.started":
            self._tunnel = info["request"].method == b"CONNECT"
        elif name == "http11.send_request_body.started" and not self._tunnel:
            self.begun = True
        elif name == "http11.send_request_body.failed" and isinstance(info["exception"], httpcore.WriteError):
            self.begun = False  # the peer had closed before the body was sent

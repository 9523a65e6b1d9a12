"""The HTTP client: one request, and its response or the reason why there is none.

It follows no redirects, keeps no cookies, reads nothing of the environment and repeats nothing. An answer is bounded in
size and time: each header in its length and all in their number, the body after decompression, the whole exchange by a
deadline. How many connections there are is the caller's choice.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp
from aiohttp.client_middlewares import ClientHandlerType
from multidict import CIMultiDictProxy
from yarl import URL

from core.outbound import connector
from core.outbound.body import ACCEPTED, BoundedBody
from core.outbound.connector import Connector, Dial
from core.outbound.errors import CallFailed, Code
from core.outbound.guard import Guard
from core.outbound.progress import Body, Progress, Stage, current

SECONDS = 15.0
MOST_BYTES = 65536
LONGEST_HEADER = 16384  # bytes; there are at most 128
IDLE_SECONDS = 4.0  # many servers end an idle connection after five, and a request that meets this is lost
_CLOSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Response:
    """A response. `truncated`: some of the body is missing, because it was too long or because it broke off."""

    status: int
    headers: CIMultiDictProxy[str]
    body: bytes
    truncated: bool


class Client:
    """A pool of connections. Make it in a running event loop, share it if possible, and close it."""

    def __init__(
        self,
        guard: Guard,
        *,
        seconds: float = SECONDS,
        most: int = MOST_BYTES,
        connections: int = 200,
        idle_seconds: float = IDLE_SECONDS,
        headers: Mapping[str, str] | None = None,
        proxy: str | None = None,
        dial: Dial | None = None,
    ) -> None:
        """`seconds` bound a whole exchange, from the lookup to the last byte; `most` bounds the decompressed body.

        With `proxy`, an http or https URL, connections go through this proxy, and the guard judges its address. With
        `dial` they are opened by this function, which has to judge its addresses.
        """
        self._guard = guard
        self._seconds = seconds
        self._most = most
        self._session = aiohttp.ClientSession(
            connector=Connector(guard, connections=connections, idle_seconds=idle_seconds, dial=dial),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
            # The deadline is ours: aiohttp's would cost a timer and hide whether the request had left.
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=connector.CONNECT_SECONDS),
            headers={"User-Agent": "Postern", "Accept-Encoding": ACCEPTED, **(headers or {})},
            proxy=None if proxy is None else URL(proxy),
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections. It can be called twice."""
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._session.close()
        except TimeoutError:  # a connection with unsent data and a deaf peer; the process gives it up
            pass

    async def send(
        self,
        method: str,
        url: str | URL,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | aiohttp.FormData | None = None,
        seconds: float | None = None,
        most: int | None = None,
    ) -> Response:
        """Returns the response. A body that breaks off is cut short: the status is known by then.

        A URL that is a text is checked by the guard; `Guard.check` returns one that is not checked again. Raises
        UrlRefused if the URL or its address is forbidden, and CallFailed.
        """
        seconds = self._seconds if seconds is None else seconds
        progress = Progress(has_body=isinstance(body, bytes))
        response: aiohttp.ClientResponse | None = None
        data = bytearray()
        truncated = False
        try:
            async with asyncio.timeout(seconds):
                response = await self._request(progress, method, url, headers, body)
                bounded = BoundedBody(response.headers, self._most if most is None else most)
                content = response.content
                while piece := await content.readany():
                    data += bounded.feed(piece)
                    if bounded.truncated:
                        truncated = True
                        break
        except (OSError, aiohttp.ClientError) as error:  # covers TimeoutError
            if response is None:
                progress.abort()
                raise _failure(error, progress, seconds) from None
            truncated = True
        except BaseException:
            _give_up(progress, response)
            raise
        if truncated:
            _give_up(progress, response)
        return Response(response.status, response.headers, bytes(data), truncated)

    @asynccontextmanager
    async def stream(
        self, method: str, url: str | URL, *, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator["Stream"]:
        """Gives a response whose body is read in pieces. Raises as `send` does; so does reading."""
        deadline = asyncio.get_running_loop().time() + self._seconds
        progress = Progress(has_body=False)
        try:
            async with asyncio.timeout_at(deadline):
                response = await self._request(progress, method, url, headers, None)
        except (OSError, aiohttp.ClientError) as error:
            progress.abort()
            raise _failure(error, progress, self._seconds) from None
        except BaseException:
            progress.abort()
            raise
        try:
            yield Stream(response, deadline, self._most)
        finally:
            _give_up(progress, response)

    async def _request(
        self,
        progress: Progress,
        method: str,
        url: str | URL,
        headers: Mapping[str, str] | None,
        body: bytes | aiohttp.FormData | None,
    ) -> aiohttp.ClientResponse:
        token = current.set(progress)
        try:
            return await self._session.request(
                method,
                self._guard.check(url) if isinstance(url, str) else url,
                headers=headers,
                data=Body(body, progress) if isinstance(body, bytes) else body,
                allow_redirects=False,
                middlewares=() if method == "POST" else _ONCE,
            )
        finally:
            current.reset(token)


class Stream:
    """A response whose body is read in pieces."""

    def __init__(self, response: aiohttp.ClientResponse, deadline: float, most: int) -> None:
        self.status = response.status
        self.headers = response.headers
        self._content = response.content
        self._deadline = deadline  # of the loop's clock
        self._body = BoundedBody(response.headers, most)

    @property
    def truncated(self) -> bool:
        """Returns whether the body was longer than allowed, or not as its header says. Call it after reading."""
        return self._body.truncated

    async def pieces(self) -> AsyncIterator[bytes]:
        """Reads the body, as far as its bound. Raises CallFailed if it breaks off or takes too long."""
        while not self._body.truncated:
            try:
                async with asyncio.timeout_at(self._deadline):
                    piece = await self._content.readany()
            except TimeoutError:
                reason = "the body did not end within the total time"
                raise CallFailed("timeout", reason, may_have_left=True) from None
            except (OSError, aiohttp.ClientError):
                reason = "the connection broke before the body ended"
                raise CallFailed("connection_lost", reason, may_have_left=True) from None
            if not piece:
                return
            if plain := self._body.feed(piece):
                yield plain


def _give_up(progress: Progress, response: aiohttp.ClientResponse | None) -> None:
    """Closes the connection, unless it is back in the pool, where another request may have taken it."""
    if response is None or response.connection is not None:
        progress.abort()
    if response is not None:
        response.close()


class _Broke(aiohttp.ClientError):
    """The connection broke before an answer came."""


async def _once(request: aiohttp.ClientRequest, handler: ClientHandlerType) -> aiohttp.ClientResponse:
    """Hides a broken connection from aiohttp, which would repeat any request but a POST on a new one."""
    try:
        return await handler(request)
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _Broke(str(error)) from error


_ONCE = (_once,)


def _failure(error: Exception, progress: Progress, seconds: float) -> CallFailed:
    """Returns the meaning of an exception of aiohttp's."""
    left = progress.may_have_left(error)
    code, reason = _meaning(error, progress, seconds, left=left)
    return CallFailed(code, reason, may_have_left=left)


def _meaning(error: Any, progress: Progress, seconds: float, *, left: bool) -> tuple[Code, str]:
    if isinstance(error, TimeoutError):
        if left:
            return "timeout", f"no answer within {seconds:g} s"
        if progress.stage is Stage.waiting:
            return "busy", f"no free connection within {seconds:g} s"
        return "connect_timeout", "no connection in time"
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return "proxy_failed", f"the proxy answered {error.status}"
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        return "proxy_failed", f"the proxy can't be reached: {error.os_error}"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "connect_failed", "the host name does not resolve"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return "connect_failed", str(error.certificate_error)
    if isinstance(error, aiohttp.ClientConnectorError):
        return "connect_failed", str(error.os_error)
    if not left:
        return "connect_failed", "the connection broke before the request was sent"
    if isinstance(error, aiohttp.ClientResponseError):
        return "bad_answer", "the answer is not HTTP, or its headers are too long"
    return "connection_lost", "the connection broke before an answer came"

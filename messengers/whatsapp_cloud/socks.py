"""A SOCKS5 transport for httpx. httpx's own one needs another library, which is not installed."""

import select
import ssl
from collections.abc import Iterable
from typing import Any

import anyio
import httpcore
import httpx
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.tls import TLSAttribute, TLSStream
from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError, ProxyType
from python_socks.async_.asyncio import Proxy as Socks

from messengers.proxy import Proxy

_SECONDS = 5.0


class SocksTransport(httpx.AsyncHTTPTransport):
    """An httpx transport through a SOCKS5 proxy."""

    def __init__(self, proxy: Proxy, tls: ssl.SSLContext, *, connections: int, idle: float) -> None:
        # Not super().__init__(): httpx offers no way to hand over a network backend.
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=idle,
            network_backend=_Backend(proxy),
        )


class _Backend(httpcore.AsyncNetworkBackend):
    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        proxy = self._proxy
        client = Socks(ProxyType.SOCKS5, proxy.host, proxy.port, proxy.user, proxy.password or "", rdns=True)
        try:
            made = await client.connect(host, port, timeout=timeout or _SECONDS)
        except ProxyTimeoutError:
            raise httpcore.ConnectTimeout("the proxy did not answer in time") from None
        except (ProxyConnectionError, OSError):
            raise httpcore.ConnectError("the proxy can't be reached") from None
        except (ProxyError, ValueError):
            raise httpcore.ProxyError("the proxy refuses the connection, or is not a proxy") from None
        return _Stream(await SocketStream.from_socket(made))

    async def connect_unix_socket(self, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("no local sockets")  # pragma: no cover: no URL leads here

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)  # pragma: no cover: only used for retries, and there are none


class _Stream(httpcore.AsyncNetworkStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream  # an anyio byte stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109  as above
        try:
            with anyio.fail_after(timeout):
                received: bytes = await self._stream.receive(max_bytes)
                return received
        except anyio.EndOfStream:
            return b""
        except TimeoutError:
            raise httpcore.ReadTimeout from None
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ssl.SSLError) as error:
            raise httpcore.ReadError(type(error).__name__) from None

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109  as above
        if not buffer:
            return
        try:
            with anyio.fail_after(timeout):
                await self._stream.send(buffer)
        except TimeoutError:
            raise httpcore.WriteTimeout from None
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ssl.SSLError) as error:
            raise httpcore.WriteError(type(error).__name__) from None

    async def aclose(self) -> None:
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(self._stream)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  as above
    ) -> httpcore.AsyncNetworkStream:
        try:
            with anyio.fail_after(timeout):
                return _Stream(
                    await TLSStream.wrap(
                        self._stream,
                        ssl_context=ssl_context,
                        hostname=server_hostname,
                        standard_compatible=False,
                        server_side=False,
                    )
                )
        except BaseException as error:
            await self.aclose()
            if isinstance(error, TimeoutError):
                raise httpcore.ConnectTimeout from None
            if isinstance(error, anyio.BrokenResourceError | anyio.EndOfStream | ssl.SSLError):
                raise httpcore.ConnectError(str(error)) from None
            raise

    def get_extra_info(self, info: str) -> Any:
        if info == "ssl_object":
            return self._stream.extra(TLSAttribute.ssl_object, None)  # noqa: S610  anyio's, not Django's
        if info == "is_readable":  # of an idle connection: its end is there to be read
            made = self._stream.extra(SocketAttribute.raw_socket, None)  # noqa: S610  as above
            return made is None or _readable(made.fileno())
        return None


def _readable(number: int) -> bool:
    if number < 0:
        return True
    ready = select.poll()
    ready.register(number, select.POLLIN)
    return bool(ready.poll(0))

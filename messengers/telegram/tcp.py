"""The TCP connection to Telegram, direct or through a proxy."""

from typing import Any

from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError, ProxyType
from python_socks.async_.asyncio import Proxy as Dialler
from telethon.network import ConnectionTcpFull

from messengers.proxy import BadProxy, Proxy, parse

_TYPES = {"socks5": ProxyType.SOCKS5, "socks5h": ProxyType.SOCKS5, "http": ProxyType.HTTP}


class ProxyFailed(Exception):
    """The proxy failed. This is no OSError: Telethon would retry on those, and lose the reason."""


class TcpConnection(ConnectionTcpFull):  # type: ignore[misc]  # Telethon has no types
    """A connection that dials proxies itself.

    Telethon would patch python-socks for the whole process, and report every failure as one of the network.
    """

    def abort(self) -> None:
        """Stops all output at once, including data already written to the buffer."""
        if self._writer is not None:
            self._writer.transport.abort()

    async def _proxy_connect(
        self,
        timeout: float | None = None,  # noqa: ASYNC109  Telethon's signature
        local_addr: Any = None,
    ) -> Any:
        proxy: Proxy = self._proxy
        dialler = Dialler(_TYPES[proxy.scheme], proxy.host, proxy.port, proxy.user, proxy.password, rdns=True)
        try:
            return await dialler.connect(self._ip, self._port, timeout=timeout)
        except (ProxyError, ProxyConnectionError, ProxyTimeoutError, OSError, TimeoutError) as error:
            raise ProxyFailed(type(error).__name__) from None  # the message may contain the proxy's login


def proxy(text: str | None) -> Proxy | None:
    """Returns the parsed proxy. Raises BadProxy."""
    if text is None:
        return None
    made = parse(text)
    if made.scheme not in _TYPES:
        raise BadProxy(f"Telegram can't be reached through {made.scheme}://; use socks5:// or http://")
    return made

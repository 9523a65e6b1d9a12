"""Connections through a SOCKS5 proxy, for the outbound client."""

import socket

from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError, ProxyType
from python_socks.async_.asyncio import Proxy as Socks

from core.outbound import CallFailed, Guard
from core.outbound.connector import CONNECT_SECONDS, Dial
from messengers.proxy import Proxy


def dial_through(proxy: Proxy, guard: Guard) -> Dial:
    """Returns a function that opens connections through a proxy, at an address that the guard allows each time.

    The proxy resolves the names. The function raises CallFailed, UrlRefused and TimeoutError.
    """

    async def dial(host: str, port: int) -> socket.socket:
        try:
            address = (await guard.addresses(proxy.host, proxy.port))[0]
            client = Socks(
                ProxyType.SOCKS5, str(address), proxy.port, proxy.user, proxy.password or "", rdns=True
            )
            return await client.connect(host, port, timeout=CONNECT_SECONDS)
        except ProxyTimeoutError:
            raise TimeoutError from None
        except (ProxyConnectionError, OSError):
            reason = "the proxy can't be reached"
        except (ProxyError, ValueError):
            reason = "the proxy refuses the connection, or is not a proxy"
        raise CallFailed("proxy_failed", reason, may_have_left=False)

    return dial

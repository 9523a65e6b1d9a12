"""Recognises requests of our own pages by the header `Origin`, which scripts can't set (fetch.spec.whatwg.org), and
requests of this machine by their peer.
"""

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from core.settings import Settings

# Behind a proxy on this machine every peer is loopback. These headers show that a proxy forwarded the request.
_PROXIED = ("x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via")


def of_this_machine(connection: HTTPConnection) -> bool:
    """Returns whether a program on this machine sent the request itself, not as a proxy."""
    if connection.client is None or any(name in connection.headers for name in _PROXIED):
        return False
    try:
        peer = ipaddress.ip_address(connection.client.host)
    except ValueError:
        return False
    return (getattr(peer, "ipv4_mapped", None) or peer).is_loopback


def of_own_page(connection: HTTPConnection, settings: Settings) -> bool:
    """Returns whether `Origin` is this service: the host of the request, or that of `POSTERN_PUBLIC_URL`.

    A request without `Origin` is not one of our pages'. Nor is one with `null`, the origin of a sandboxed page.
    """
    site = _site(connection.headers.get("origin", ""))
    return bool(site) and site in (connection.headers.get("host"), _site(settings.public_url or ""))


def _site(url: str) -> str:
    """Returns host and port of a URL; "" for text that is not a URL."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""

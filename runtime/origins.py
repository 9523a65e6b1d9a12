"""Recognises requests of our own pages by the header `Origin`, which scripts can't set (fetch.spec.whatwg.org), and
requests of this machine by their peer and the header `Host`.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from core.settings import Settings

# Behind a proxy on this machine every peer is loopback. These headers show that a proxy forwarded the request.
_PROXIED = ("x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z.-]+)(:[0-9]+)?", re.IGNORECASE)


def of_this_machine(connection: HTTPConnection) -> bool:
    """Returns whether a program on this machine sent the request itself, not as a proxy."""
    if connection.client is None or any(name in connection.headers for name in _PROXIED):
        return False
    return is_loopback(connection.client.host)


def at_this_machine(connection: HTTPConnection) -> bool:
    """Returns whether `of_this_machine` holds, and the request was sent to a loopback address or to `localhost`.

    A page of another site can have a browser of this machine send requests to a name that leads to 127.0.0.1, and read
    the answers (DNS rebinding). The header `Host` has that name then.
    """
    hosts = connection.headers.getlist("host")
    host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if host is None or not of_this_machine(connection):
        return False
    return is_loopback(host[1].strip("[]").lower())


def is_loopback(host: str) -> bool:
    """Returns whether it is `localhost` or a loopback address, also of IPv4 inside IPv6."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


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

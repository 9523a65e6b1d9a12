"""Recognises requests of our own pages by the header `Origin`, which scripts can't set (fetch.spec.whatwg.org)."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from core.settings import Settings


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

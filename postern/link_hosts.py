"""Requests to the domains of owners: only links and pages for recipients answer there, all else is 404.

The owner of a page is read from its token (`resolvers/brands/pages.py`), so the site goes with the request.
"""

import asyncio
import time
from typing import Final

import structlog
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from rest.frame.errors import absent
from runtime import link_domains
from runtime.link_domains import LinkSite
from runtime.services import Services

log = structlog.get_logger("postern.request")

PATHS: Final = (
    "/l/", "/web-copy/", "/unsubscribe/", "/preferences/", "/signup/", "/opt-in/", "/your-data/", "/verify/",
)  # fmt: skip
"""The paths that answer on a domain of an owner's."""

_SECONDS: Final = 1.0  # by which a database that does not answer may delay a request
_PAUSE: Final = 5.0  # in which it is not asked again
_METHODS: Final = ("GET", "HEAD", "POST")


class LinkHosts:
    """Recognizes the domains of owners by the Host header. Hosts that are no such domain are left alone."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app, self._services = app, services
        self._blind_until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        site = await self._site(scope)
        if site is None:
            return await self.app(scope, receive, send)
        scope["postern"]["link_site"] = site
        if site.owner_id is None or _is_page(scope):
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1008})
        return await absent(Request(scope))(scope, receive, send)

    async def _site(self, scope: Scope) -> LinkSite | None:
        host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
        if time.monotonic() < self._blind_until:
            return None
        try:
            async with asyncio.timeout(_SECONDS):
                return await link_domains.site_of(self._services, host)
        except Exception as error:  # the database does not answer: no page can be shown, but /health must be
            self._blind_until = time.monotonic() + _PAUSE
            log.warning("the host of a request was not looked up", error=type(error).__name__)
            return None


def _is_page(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in _METHODS and scope["path"].startswith(PATHS)

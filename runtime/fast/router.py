"""Finds the route of a request, for both doors, and skips layers of FastAPI that the route does not need."""

from typing import Any, cast

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send


class FastRoute(APIRoute):
    """A route that may have a second handler, which needs no layer of FastAPI."""

    fast: ASGIApp | None = None
    """An ASGI application that answers what FastAPI's handler would answer. Only `FastRouter` calls it."""


class Index:
    """Finds a route by its whole path if that is fixed, else by its first segment and then by its pattern.

    FastAPI tries one route after the other, and those of an included router twice; with 120 operations that would
    take most of the time of a small request.
    """

    def __init__(self, router: APIRouter) -> None:
        self._router = router
        self._by_first: dict[str, list[BaseRoute]] = {}
        for route in router.routes:
            self._by_first.setdefault(_first(getattr(route, "path", "")), []).append(route)
        self._fixed = {
            (method, route.path): route
            for route in router.routes
            if isinstance(route, APIRoute) and "{" not in route.path
            for method in route.methods or ()
            if self._comes_first(route, method)
        }

    def find(self, scope: Scope) -> BaseRoute | None:
        """Returns the route of an HTTP request and puts its path parameters into the scope; None if none matches."""
        fixed = self._fixed.get((scope["method"], scope["path"]))
        if fixed is not None and not scope.get("root_path"):
            scope["endpoint"], scope["route"], scope["path_params"] = fixed.endpoint, fixed, {}
            return fixed
        for route in self._by_first.get(_first(scope["path"]), ()):
            match, matched_scope = route.matches(scope)
            if match is Match.FULL:
                scope.update(matched_scope)
                return route
        return None

    def _comes_first(self, route: APIRoute, method: str) -> bool:
        """Returns whether this route is the first to match its own path, so no earlier pattern takes the request."""
        asked = {"type": "http", "method": method, "path": route.path, "root_path": "", "headers": []}
        alike = self._by_first[_first(route.path)]
        return next(other for other in alike if other.matches({**asked})[0] is Match.FULL) is route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["router"] = self._router
            if (route := self.find(scope)) is not None:
                await route.handle(scope, receive, send)
                return
        await self._router.app(scope, receive, send)  # lifespan, WebSockets, 404 and 405


class FastRouter:
    """Calls `FastRoute.fast` without FastAPI's layers, and answers the exceptions that it raises.

    FastAPI's layers (telemetry, an exit stack, two for exceptions) take up to a tenth of the time of a small
    request. A route without FastAPI's dependencies needs only the exception handlers of them.
    """

    def __init__(self, api: FastAPI) -> None:
        """All routes and exception handlers must have been added to `api` before."""
        self._api, self._index = api, Index(api.router)
        api.router.middleware_stack = self._index

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._index.find(scope) if scope["type"] == "http" else None
        if not isinstance(route, FastRoute) or route.fast is None:
            await self._api(scope, receive, send)
            return
        scope["app"], scope["router"] = self._api, self._api.router
        try:
            await route.fast(scope, receive, send)
        except Exception as error:
            if scope["postern"].get("status"):  # the response has begun
                raise
            handlers = self._api.exception_handlers
            kind = next(kind for kind in type(error).__mro__ if kind in handlers)
            response = await cast(Any, handlers[kind])(Request(scope, receive), error)
            await response(scope, receive, send)
            if kind is Exception:
                raise  # a bug, which the outermost middleware logs


def _first(path: str) -> str:
    return path.split("/", 2)[1] if "/" in path else ""

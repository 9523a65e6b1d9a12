"""Shared by all REST routes: request bodies are parsed by orjson, and responses are written directly from rows."""

import re
from collections.abc import Callable, Coroutine, Mapping
from enum import Enum
from functools import cached_property
from http import HTTPStatus
from typing import Annotated, Any, cast, get_args

import orjson
from fastapi import APIRouter, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from rest.frame.errors import errors
from runtime.context import get_context
from runtime.doors import operation_of
from runtime.fast.endpoints import fast_endpoint, query_parameters
from runtime.fast.router import FastRoute
from runtime.operation import Operation
from shapes.page import PageNumber, PageSize

_INTEGER = re.compile(r"-?[0-9]{1,40}")


class JsonRequest(Request):
    """Parses strict JSON (RFC 8259): no NaN, no huge integers, no lone surrogates, at most 1024 levels."""

    async def json(self) -> Any:
        """Returns the parsed body."""
        if not hasattr(self, "_json"):
            self._json = orjson.loads(await self.body())
        return self._json


class Route(FastRoute):
    """Rejects unknown query parameters, as bodies reject unknown fields: a misspelt filter must not be ignored.

    An integer is written with digits. Pydantic would take `1_0`, `+5` and ` 5 `, too, which OpenAPI does not allow.
    """

    any_query = False

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        if options.get("status_code") == HTTPStatus.NO_CONTENT:
            options["response_class"] = (
                Response  # FastAPI's default would declare a Content-Type without content
            )
        self._needs_credential = (options.get("openapi_extra") or {}).get("security") == BEARER["security"]
        if self._needs_credential and not {*(options.get("methods") or ())} <= {"GET"}:
            # An owner may make only so many changes at once (runtime/owner_slots.py).
            options["responses"] = errors(HTTPStatus.TOO_MANY_REQUESTS) | (options.get("responses") or {})
        super().__init__(path, endpoint, **options)
        parameters = query_parameters(self.dependant)
        self._query_names = {*parameters}
        self._integers = {name for name, kind in parameters.items() if _is_integer(kind)}
        self._fast_endpoint = fast_endpoint(self)
        if self._fast_endpoint is not None:
            self.fast = self._checked

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Returns FastAPI's handler with orjson as its parser."""
        handle = super().get_route_handler()

        async def with_orjson(request: Request) -> Response:
            try:
                return await handle(JsonRequest(request.scope, request.receive))
            except (RequestValidationError, HTTPException):
                await self._refuse_strangers(request)
                raise

        return with_orjson

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles a request by FastAPI. Raises RequestValidationError for unknown query parameters, Unauthenticated."""
        try:
            self._check_query(scope)
        except RequestValidationError:
            await self._refuse_strangers(Request(scope, receive))
            raise
        await super().handle(scope, receive, send)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._fast_endpoint is not None
        try:
            self._check_query(scope)
            await self._fast_endpoint(scope, receive, send)
        except RequestValidationError:
            await self._refuse_strangers(Request(scope, receive))
            raise

    async def _refuse_strangers(self, request: Request) -> None:
        """Raises Unauthenticated or Forbidden if the caller of an invalid request may not call its operation.

        The caller learns that first: 401 and 403 come before 400. An operation looks at its caller when it runs, which
        an invalid request never reaches.
        """
        if not self._needs_credential:
            return
        context = await get_context(request)
        if self._operation is not None:
            await self._operation.refuse_first(context)
        else:
            await context.viewer()

    @cached_property
    def _operation(self) -> Operation | None:
        return operation_of(self.endpoint)

    def _check_query(self, scope: Scope) -> None:
        if scope["query_string"] and not self.any_query:
            names = QueryParams(scope["query_string"])
            unknown = [name for name in names if name not in self._query_names]
            if unknown:
                raise RequestValidationError(
                    [{"type": "extra_forbidden", "loc": ("query", name), "msg": ""} for name in unknown]
                )
            wrong = [
                name for name in self._integers if name in names and _INTEGER.fullmatch(names[name]) is None
            ]
            if wrong:
                message = "Input should be a valid integer, unable to parse string as an integer"
                raise RequestValidationError(
                    [{"type": "int_parsing", "loc": ("query", name), "msg": message} for name in wrong]
                )


def _is_integer(annotation: Any) -> bool:
    return annotation is int or int in get_args(annotation)


class Lenient(Route):
    """Ignores unknown query parameters: health probes and providers add their own."""

    any_query = True


EXTENSION: list[str | Enum] = ["extensions"]
"""The `tags` of a route that the specification does not have, beside the tag of its router."""


def is_extension(route: BaseRoute) -> bool:
    """Returns whether the route says that the specification does not have it."""
    return isinstance(route, APIRoute) and not {*EXTENSION}.isdisjoint(route.tags)


class Router(APIRouter):
    """The routes of one tag, which `about` describes in OpenAPI unless another router of the tag does."""

    def __init__(self, tag: str, about: str = "", *, extension: bool = False, **options: Any) -> None:
        """`extension`: the specification has none of the routes."""
        super().__init__(
            tags=[tag, *(EXTENSION if extension else ())], generate_unique_id_function=operation_id, **options
        )
        self.tag, self.about = tag, about


def router(tag: str, about: str = "", *, any_query: bool = False, **options: Any) -> Router:
    """Returns a router for routes with this tag. `any_query` allows unknown query parameters."""
    return Router(tag, about, route_class=Lenient if any_query else Route, **options)


def operation_id(route: APIRoute) -> str:
    """Returns the route's name in generated clients: its feature and its function, `messages_send`."""
    return f"{route.endpoint.__module__.rpartition('.')[2]}_{route.endpoint.__name__}"


Page = Annotated[PageNumber, Query(description="number of the page, from 1")]
Limit = Annotated[PageSize, Query(description="rows on one page")]
After = Annotated[
    str | None,
    Query(min_length=1, max_length=4096, description="`next` of the page before; none: the first page"),
]

BEARER: Mapping[str, Any] = {"security": [{"bearer": []}]}
"""The `openapi_extra` of a route that needs a credential."""


def bearer(**extra: Any) -> dict[str, Any]:
    """Returns the `openapi_extra` of a route that needs a credential, with further entries."""
    return cast(dict[str, Any], {**BEARER, **extra})


IDEMPOTENT: dict[str, Any] = {
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
            "description": "Makes a retry safe: the first response is kept for 24 h and replayed with "
            "`Idempotent-Replayed: true`.",
        }
    ]
}

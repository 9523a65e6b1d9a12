"""Makes the fast handler of a simple route.

FastAPI reads a route's signature once, but resolves its dependencies again for every request, which costs more than a
small operation. Our routes take the context, path and query parameters and one JSON body. For these, this module does
what FastAPI would do (FastAPI's own fields validate, its own errors are raised) in a tenth of the steps. A route that
takes more (a request, a response, a form, headers) is handled by FastAPI.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic_core import PydanticUndefined
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.http.bodies import whole
from core.json_text import dumps_row
from runtime.context import Context, get_context
from runtime.fast.row_writer import converter_of

_EMPTY = QueryParams("")


def fast_endpoint(route: APIRoute) -> ASGIApp | None:
    """Returns the route's fast handler, or None if FastAPI must handle it."""
    wants = route.dependant
    context = [part.name for part in wants.dependencies if part.call is get_context]
    unusual = (
        len(context) != len(wants.dependencies)
        or len(context) != 1
        or wants.header_params
        or wants.cookie_params
        or len(wants.body_params) > 1
        or route._embed_body_fields  # noqa: SLF001  FastAPI has no public name for it
        or wants.request_param_name
        or wants.websocket_param_name
        or wants.http_connection_param_name
        or wants.response_param_name
        or wants.background_tasks_param_name
        or route.response_model_exclude_none
        or route.response_model_exclude_unset
    )
    write = converter_of(route.response_model)
    status = route.status_code or 200
    if unusual or (write is None and status != 204):
        return None
    call: Callable[..., Any] = route.endpoint
    context_name = str(context[0])
    body_field = wants.body_params[0] if wants.body_params else None

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        values: dict[str, Any] = {}
        wrong: list[Any] = []
        for field in wants.path_params:
            value, errors = field.validate(
                scope["path_params"][field.alias], values, loc=("path", field.alias)
            )
            values[field.name] = value
            wrong.extend(errors)
        if wants.query_params:
            query = QueryParams(scope["query_string"]) if scope["query_string"] else _EMPTY
            for field in wants.query_params:
                validate_parameter(
                    field, query.get(field.alias, PydanticUndefined), ("query", field.alias), values, wrong
                )
        request = Request(scope, receive)
        if body_field is not None:
            validate_parameter(body_field, await _body(request), ("body",), values, wrong)
        if wrong:
            raise RequestValidationError(wrong)
        values[context_name] = Context(scope["app"].state.services, request)
        answer = await call(**values)
        if isinstance(answer, Response):
            response = answer
        elif status == 204 or write is None:
            response = Response(status_code=status)
        else:
            response = Response(dumps_row(write(answer)), status, media_type="application/json")
        await response(scope, receive, send)

    return app


def with_context(endpoint: Callable[[Context, Request], Awaitable[Response]]) -> ASGIApp:
    """Returns the fast handler of a route that takes the context and the request, and parses the request itself."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await endpoint(Context(scope["app"].state.services, request), request)
        await response(scope, receive, send)

    return app


def validate_parameter(
    field: Any, raw: Any, loc: tuple[str, ...], values: dict[str, Any], wrong: list[Any]
) -> None:
    """Validates a parameter as FastAPI does: its value goes into `values`, its errors into `wrong`.

    `raw` is PydanticUndefined if the request does not have the parameter.
    """
    if raw is PydanticUndefined:
        if field.field_info.is_required():
            wrong.append({"type": "missing", "loc": loc, "msg": "Field required", "input": None})
        else:
            values[field.name] = field.get_default()
        return
    value, errors = field.validate(raw, values, loc=loc)
    values[field.name] = value
    wrong.extend(errors)


async def _body(request: Request) -> Any:
    """Returns the parsed body, or its bytes if they are not declared as JSON (validation then rejects them)."""
    content = await whole(request.receive)
    if not content:
        return PydanticUndefined
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        return content
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise RequestValidationError(
            [{"type": "json_invalid", "loc": ("body", error.pos), "msg": "JSON decode error", "input": {}}]
        ) from error

"""Makes the fast handler of a simple route.

FastAPI reads a route's signature once, but resolves its dependencies again for every request, which costs more than a
small operation. Our routes take the context, path and query parameters and one JSON body. For these, this module does
what FastAPI would do (FastAPI's own fields validate, its own errors are raised) in a tenth of the steps. A route that
takes more (a response, a form, headers) is handled by FastAPI, and so is one that takes the request, unless its answer
is 204: such a route reads the body as bytes, or not at all.
"""

from collections.abc import Awaitable, Callable, Sequence
from inspect import iscoroutinefunction
from typing import Any, NamedTuple

import orjson
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.http.bodies import read_body
from core.json_text import dumps_row
from runtime.context import Context, get_context, get_owner_context
from runtime.fast.row_writer import converter_of

_EMPTY = QueryParams("")


def fast_endpoint(route: APIRoute) -> ASGIApp | None:
    """Returns the route's fast handler, or None if FastAPI must handle it."""
    wants = route.dependant
    context = [part for part in wants.dependencies if part.call in (get_context, get_owner_context)]
    gathered = [made for part in wants.dependencies if (made := _gathered(part)) is not None]
    unusual = (
        len(context) + len(gathered) != len(wants.dependencies)
        or len(context) != 1
        or wants.header_params
        or wants.cookie_params
        or len(wants.body_params) > 1
        or route._embed_body_fields  # noqa: SLF001  FastAPI has no public name for it
        or wants.websocket_param_name
        or wants.http_connection_param_name
        or wants.response_param_name
        or wants.background_tasks_param_name
        or route.response_model_exclude_none
        or route.response_model_exclude_unset
    )
    write = converter_of(route.response_model)
    status = route.status_code or 200
    if unusual or (status != 204 and (write is None or wants.request_param_name)):
        return None
    call: Callable[..., Any] = route.endpoint
    context_name, owner_fields = str(context[0].name), context[0].query_params
    query_fields = [*wants.query_params, *owner_fields]
    body_field = wants.body_params[0] if wants.body_params else None

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        values: dict[str, Any] = {}
        wrong: list[Any] = []
        for part in gathered:
            part.validate(scope, values, wrong)
        for field in wants.path_params:
            value, errors = field.validate(
                scope["path_params"][field.alias], values, loc=("path", field.alias)
            )
            values[field.name] = value
            wrong.extend(errors)
        if query_fields:
            query = QueryParams(scope["query_string"]) if scope["query_string"] else _EMPTY
            for field in query_fields:
                validate_parameter(
                    field, query.get(field.alias, PydanticUndefined), ("query", field.alias), values, wrong
                )
        request = Request(scope, receive)
        if body_field is not None:
            validate_parameter(body_field, await _body(request), ("body",), values, wrong)
        if wrong:
            raise RequestValidationError(wrong)
        for part in gathered:
            values[part.name] = await part.call(values[part.name])
        ctx = Context(scope["app"].state.services, request)
        for field in owner_fields:
            ctx = await get_owner_context(ctx, values.pop(field.name))
        values[context_name] = ctx
        if wants.request_param_name:
            values[wants.request_param_name] = request
        answer = await call(**values)
        if isinstance(answer, Response):
            response = answer
        elif status == 204 or write is None:
            response = Response(status_code=status)
        else:
            response = Response(dumps_row(write(answer)), status, media_type="application/json")
        await response(scope, receive, send)

    return app


class _Gathered(NamedTuple):
    """A dependency that makes one value of a model of query parameters."""

    name: str
    call: Callable[[Any], Awaitable[Any]]
    field: Any
    aliases: Sequence[str]

    def validate(self, scope: Scope, values: dict[str, Any], wrong: list[Any]) -> None:
        """Validates the parameters as FastAPI does: the model goes into `values`, its errors into `wrong`."""
        query = QueryParams(scope["query_string"]) if scope["query_string"] else _EMPTY
        raw = {alias: query[alias] for alias in self.aliases if alias in query}
        values[self.name], errors = self.field.validate(raw, values, loc=("query",))
        wrong.extend(errors)


def _gathered(part: Dependant) -> _Gathered | None:
    """Returns the dependency if all it takes is a model of query parameters, else None."""
    lists = (part.path_params, part.header_params, part.cookie_params, part.body_params, part.dependencies)
    if any(lists) or len(part.query_params) != 1 or not iscoroutinefunction(part.call):
        return None
    (field,) = part.query_params
    return _Gathered(str(part.name), part.call, field, [*query_parameters(part)])


def query_parameters(dependant: Dependant) -> dict[str, Any]:
    """Returns the kind of each query parameter, by its name in a request; a model's fields are parameters."""
    kinds: dict[str, Any] = {}
    for field in dependant.query_params:
        kind = field.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kinds |= {part.alias or name: part.annotation for name, part in kind.model_fields.items()}
        else:
            kinds[field.alias] = kind
    for part in dependant.dependencies:
        kinds |= query_parameters(part)
    return kinds


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
    content = await read_body(request.receive)
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

"""GraphQL over HTTP (graphql.github.io/graphql-over-http/draft).

Strawberry's own router keeps the result of the latest request in a field that all requests share, and answers 500 to
JSON bodies that are not an object. So only the execution is Strawberry's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response, WebSocket
from graphql import GraphQLError
from strawberry.types import ExecutionResult

from core.errors import AppError
from runtime import console_cookie
from runtime.context import Context, Ctx
from runtime.fast.endpoints import with_context
from runtime.fast.router import FastRoute
from schema import root
from schema.frame import incremental, uploads, websocket
from schema.frame.admission import QUERIES, QUERIES_AND_MUTATIONS, Admitted, Refused, admit, checked, refused
from schema.frame.errors import render
from schema.frame.introspection import introspect
from schema.frame.permission_first import permission_first
from schema.frame.requests import (
    JSON,
    RESPONSE_REF,
    body_described,
    from_body,
    from_query,
    media_type,
    query_described,
    ranked,
)
from schema.frame.schema import Schema
from schema.plans import ready

GRAPHQL_JSON = "application/graphql-response+json"
FORM = "multipart/form-data"
_SHORT = 256  # characters of an Accept header that is worth caching
_QUERY_PARAMETERS = frozenset({"query", "documentId", "extensions"})
"""A URL with any of these parameters is a query."""


def graphql_router(*, explorable: bool, welcome: Callable[[Request], Response] | None = None) -> APIRouter:
    """Returns the routes of /graphql. `welcome` answers a browser that sends no query."""
    schema = root.build(explorable=explorable)
    router = APIRouter(tags=["extensions"], route_class=FastRoute)

    @router.post(
        "/graphql",
        operation_id="graphql_execute",
        responses=_answers(200, 400, 403, 406, 413, 415, 429),
        openapi_extra=_REQUEST,
    )
    async def post(ctx: Ctx, request: Request) -> Response:
        """Executes a GraphQL operation. The SDL is `schema.graphql` in the repository."""
        return await _serve(schema, ctx, request)

    @router.get(
        "/graphql",
        operation_id="graphql_query",
        responses=_answers(200, 400, 403, 405, 406, 429),
        openapi_extra=_QUERY,
    )
    async def get(ctx: Ctx, request: Request) -> Response:
        """Executes a GraphQL query by GET; mutations are not allowed."""
        if (
            welcome is not None
            and _is_browser(request)
            and _QUERY_PARAMETERS.isdisjoint(request.query_params)
        ):
            return welcome(request)
        return await _serve(schema, ctx, request)

    for route in router.routes:
        if isinstance(route, FastRoute):
            route.fast = with_context(route.endpoint)

    @router.websocket("/graphql")
    async def subscriptions(socket: WebSocket) -> None:
        await websocket.serve(schema, socket.app.state.services, socket)

    return router


_SECURITY: dict[str, Any] = {"security": [{"bearer": []}, {}]}
_REQUEST = {**body_described("{ me { email accounts { nodes { balance currency } } } }"), **_SECURITY}
_QUERY = {**query_described(), **_SECURITY}
_RESPONSE = {"schema": RESPONSE_REF}
_DESCRIPTIONS = {
    200: "`data`, and the errors of single fields",
    400: "the request or the document is invalid; the response has no `data`",
    403: "the document is not a trusted document, and this server executes no others",
    405: "mutations are not allowed by GET",
    406: f"the client accepts neither {GRAPHQL_JSON} nor {JSON}",
    413: "the body is too large; without a login it has at most 256 KiB",
    415: f"the Content-Type of the body is not {JSON}",
    429: "the query costs more points than the caller has left; `Retry-After` says when to try again",
}


def _answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    answers: dict[int | str, dict[str, Any]] = {
        status: {"description": _DESCRIPTIONS[status], "content": {JSON: _RESPONSE, GRAPHQL_JSON: _RESPONSE}}
        for status in statuses
    }
    # Requests that are refused before this router (a NUL in the URL) get REST's error body.
    either = [RESPONSE_REF, {"$ref": "#/components/schemas/ErrorEnvelope"}]
    answers[400]["content"] = {JSON: {"schema": {"anyOf": either}}, GRAPHQL_JSON: _RESPONSE}
    # For a query with @defer from a client that accepts parts.
    answers[200]["content"][incremental.PARTS] = {"schema": {"type": "string"}}
    return answers


async def _serve(schema: Schema, ctx: Context, request: Request) -> Response:
    media = _media_type(request.headers.get("accept"))
    try:
        if media is None:
            raise refused(f"Accept {GRAPHQL_JSON} or {JSON}.", HTTPStatus.NOT_ACCEPTABLE)
        if request.method != "GET" and "authorization" not in request.headers:
            ctx.credential = console_cookie.from_request(request, ctx.services.settings)
        asked = from_query(request) if request.method == "GET" else await _from_body(ctx, request)
        return await _execute(schema, ctx, request.method, media, asked)
    except Refused as error:
        status = error.status if error.plainly or media == GRAPHQL_JSON else HTTPStatus.OK
        return Response(orjson.dumps(error.body()), status, error.headers, media or JSON)


async def _execute(schema: Schema, ctx: Context, method: str, media: str, asked: dict[str, Any]) -> Response:
    """Runs the request. Raises Refused."""
    admitted = await admit(schema, ctx, asked, QUERIES if method == "GET" else QUERIES_AND_MUTATIONS)
    if admitted.operation.defers and incremental.accepted(ctx.connection.headers.get("accept")):
        executed = await incremental.execute(schema, ctx, admitted)
        if isinstance(executed, Response):
            return executed
        result = Result(executed.data, executed.errors)
    else:
        result = await _run(schema, ctx, admitted)
    return await _answer(schema, ctx, admitted, result, media)


@dataclass(slots=True)
class Result:
    """The result of an executor. `objects`: how many `data` has, if counted; `points`: the cost of compiling."""

    data: dict[str, Any] | None
    errors: list[GraphQLError] | None
    objects: int | None = None
    points: int = 0


async def _run(schema: Schema, ctx: Context, admitted: Admitted) -> Result:
    """Runs an operation that may run."""
    prepared, operation, variables = admitted.prepared, admitted.operation, admitted.variables
    if operation.price.introspects:
        introspected = await introspect(schema._schema, ctx, admitted)  # noqa: SLF001  graphql-core's own
        if introspected is not None:
            return Result(introspected.data, introspected.errors)
    plan, points = None, 0
    if ctx.services.settings.graphql_plans:
        plan, points = ready(schema, prepared, operation, variables, anonymous=admitted.anonymous)
    if plan is not None:
        answer = await plan.run(ctx)
        return Result(answer.data, answer.errors, answer.objects, points)
    result = await schema.execute(
        prepared.text,
        variable_values=variables,
        context_value=ctx,
        operation_name=operation.name,
        operation_extensions=prepared.handed,
    )
    assert isinstance(result, ExecutionResult)
    return Result(result.data, result.errors, points=points)


async def _answer(schema: Schema, ctx: Context, admitted: Admitted, result: Result, media: str) -> Response:
    body: dict[str, Any] = {}
    never_ran = False
    if result.errors:
        never_ran = result.data is None and all(error.path is None for error in result.errors)
        errors = await permission_first(schema, ctx, admitted.operation.node, result.errors)
        body["errors"] = [
            render(error, ctx.request_id, explorable=schema.explorable).formatted for error in errors
        ]
    cost = await admitted.settle(result.data, result.objects, result.points)
    if not never_ran:  # otherwise a variable was invalid
        body["data"] = result.data
        body["extensions"] = {"cost": cost}
    # Old clients that accept only plain JSON read the body of an error only from a 200.
    status = HTTPStatus.BAD_REQUEST if never_ran and media == GRAPHQL_JSON else HTTPStatus.OK
    # OPT_UTC_Z writes times as the scalar DateTime does, as plans leave times to orjson.
    return Response(orjson.dumps(body, option=orjson.OPT_UTC_Z), status, media_type=media)


def _is_browser(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "text/html" in accepted and JSON not in accepted and GRAPHQL_JSON not in accepted


def _media_type(accept: str | None) -> str | None:
    """Returns the media type of the response: the first of ours in the client's order of preference."""
    if not accept:
        return JSON
    return _preferred(accept) if len(accept) <= _SHORT else _preferred.__wrapped__(accept)


@lru_cache(256)
def _preferred(accept: str) -> str | None:
    for kind, _ in ranked(accept):
        if kind in (GRAPHQL_JSON, JSON):
            return kind
        if kind in ("*/*", "application/*"):
            return JSON
    # A client that accepts only parts gets JSON if there is only one.
    return JSON if incremental.accepted(accept) else None


async def _from_body(ctx: Context, request: Request) -> dict[str, Any]:
    """Reads a request from a JSON body or a form. Raises Refused."""
    if media_type(request)[0] == FORM:
        return checked(await _from_form(request))
    return await from_body(ctx, request)


async def _from_form(request: Request) -> Any:
    """Reads a request with a file, through schema/frame/uploads.py."""
    try:
        return await uploads.asked(request)
    except AppError as error:
        rendered = render(GraphQLError(error.message, original_error=error), "")
        raise Refused([rendered], error.status, plainly=True, headers=error.headers) from error

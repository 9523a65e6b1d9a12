"""GraphQL over HTTP, after the specification of that name (graphql.github.io/graphql-over-http/draft).

Strawberry's own router keeps the answer of the request that came last in a field that all requests share,
and answers 500 to bodies that are JSON but no object; so the door is ours, and the execution Strawberry's.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response, WebSocket
from graphql import GraphQLError
from strawberry.exceptions import MissingQueryError
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from postern.context import Context, Ctx
from schema import live, root
from schema.errors import render

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"


class Refused(Exception):
    """The request can't be executed at all."""

    def __init__(self, status: HTTPStatus, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})


def graphql_router(*, explorable: bool, welcome: Callable[[Request], Response] | None = None) -> APIRouter:
    """`welcome` answers a browser that comes without a query."""
    schema = root.build(explorable=explorable)
    router = APIRouter()

    @router.post("/graphql", responses=_answers(200, 400, 406, 415), openapi_extra=_REQUEST)
    async def post(ctx: Ctx, request: Request) -> Response:
        """GraphQL. The SDL is `schema.graphql` in the repository."""
        return await _serve(schema, ctx, request)

    @router.get("/graphql", responses=_answers(200, 400, 405, 406), openapi_extra=_QUERY)
    async def get(ctx: Ctx, request: Request) -> Response:
        """GraphQL queries (no mutations) by GET."""
        if welcome is not None and "query" not in request.query_params and _is_browser(request):
            return welcome(request)
        return await _serve(schema, ctx, request)

    @router.websocket("/graphql")
    async def subscriptions(socket: WebSocket) -> None:
        await live.serve(schema, socket.app.state.services, socket)

    return router


_REQUEST: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {
                "schema": {
                    "type": "object",
                    "required": ["query"],
                    "properties": {
                        "query": {"type": "string"},
                        "variables": {"type": ["object", "null"]},
                        "operationName": {"type": ["string", "null"]},
                        "extensions": {"type": ["object", "null"]},
                    },
                },
                "example": {"query": "{ me { email accounts { balance currency } } }"},
            }
        },
    },
    "security": [{"bearer": []}, {}],
}
_QUERY: dict[str, Any] = {
    "parameters": [
        {
            "name": name,
            "in": "query",
            "required": name == "query",
            "schema": {"type": "string"},
            "description": said,
        }
        for name, said in (
            ("query", "the document; queries only"),
            ("variables", "JSON"),
            ("operationName", "which operation of the document"),
            ("extensions", "JSON"),
        )
    ],
    "security": [{"bearer": []}, {}],
}
_SHAPE: dict[str, Any] = {
    "schema": {
        "type": "object",
        "properties": {
            "data": {"type": ["object", "null"]},
            "errors": {"type": "array", "items": {"type": "object", "required": ["message"]}},
            "extensions": {"type": "object"},
        },
        "additionalProperties": False,
    }
}
_SAID = {
    200: "`data`, and the errors of single fields",
    400: "the request or the document is wrong; no `data`",
    405: "a mutation by GET",
    406: f"neither {GRAPHQL_JSON} nor {JSON} is accepted",
    415: f"the body is no {JSON}",
}


def _answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    answers: dict[int | str, dict[str, Any]] = {
        status: {"description": _SAID[status], "content": {JSON: _SHAPE, GRAPHQL_JSON: _SHAPE}}
        for status in statuses
    }
    # What never reaches this door (a NUL in the URL) is refused in REST's words.
    either = [_SHAPE["schema"], {"$ref": "#/components/schemas/ErrorEnvelope"}]
    answers[400]["content"] = {JSON: {"schema": {"anyOf": either}}, GRAPHQL_JSON: _SHAPE}
    return answers


async def _serve(schema: root.Schema, ctx: Context, request: Request) -> Response:
    media = _media_type(request.headers.get("accept"))
    try:
        if media is None:
            raise Refused(HTTPStatus.NOT_ACCEPTABLE, f"Accept {GRAPHQL_JSON} or {JSON}.")
        asked = _from_query(request) if request.method == "GET" else await _from_body(request)
        return await _execute(schema, ctx, request.method, media, asked)
    except Refused as error:
        body = {"errors": [{"message": error.message, "extensions": {"code": "bad_request"}}]}
        return Response(orjson.dumps(body), error.status, error.headers, media or JSON)


async def _execute(
    schema: root.Schema, ctx: Context, method: str, media: str, asked: dict[str, Any]
) -> Response:
    try:
        result = await schema.execute(
            asked["query"],
            variable_values=asked.get("variables"),
            context_value=ctx,
            operation_name=asked.get("operationName"),
            allowed_operation_types=OperationType.from_http(method),  # type: ignore[arg-type]
        )
    except CannotGetOperationTypeError as error:
        raise Refused(HTTPStatus.BAD_REQUEST, error.as_http_error_reason()) from error
    except InvalidOperationTypeError as error:
        if error.operation_type is OperationType.SUBSCRIPTION:
            raise Refused(
                HTTPStatus.BAD_REQUEST,
                "Subscriptions go over a WebSocket (graphql-transport-ws) to this path.",
            ) from error
        raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "Send mutations by POST.", {"Allow": "POST"}) from error
    except MissingQueryError as error:
        raise Refused(HTTPStatus.BAD_REQUEST, "There is no query in the request.") from error
    assert isinstance(result, ExecutionResult)
    return _answer(result, media, lambda error: render(error, ctx.request_id, explorable=schema.explorable))


def _answer(result: ExecutionResult, media: str, shown: Callable[[GraphQLError], GraphQLError]) -> Response:
    body: dict[str, Any] = {}
    never_ran = result.data is None and all(error.path is None for error in result.errors or ())
    if result.errors:
        body["errors"] = [shown(error).formatted for error in result.errors]
    if not never_ran:
        body["data"] = result.data
    if result.extensions:
        body["extensions"] = result.extensions
    # Old clients that accept plain JSON only take an error's body from a 200.
    status = HTTPStatus.BAD_REQUEST if never_ran and media == GRAPHQL_JSON else HTTPStatus.OK
    return Response(orjson.dumps(body), status, media_type=media)


def _is_browser(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "text/html" in accepted and JSON not in accepted and GRAPHQL_JSON not in accepted


def _media_type(accept: str | None) -> str | None:
    """The type to answer in: the first of ours in the client's order of preference."""
    if not accept:
        return JSON
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept.split(",")[:64]):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        try:
            weight = float(quality)
        except ValueError:
            weight = 0.0
        if weight > 0:
            ranked.append((-weight, place, kind))
    for _, _, kind in sorted(ranked):
        if kind in (GRAPHQL_JSON, JSON):
            return kind
        if kind in ("*/*", "application/*"):
            return JSON
    return None


async def _from_body(request: Request) -> dict[str, Any]:
    kind, *parameters = (part.strip().lower() for part in request.headers.get("content-type", "").split(";"))
    charset = next((text[8:].strip('"') for text in parameters if text.startswith("charset=")), "utf-8")
    if kind != JSON or charset not in ("utf-8", "utf8"):
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send Content-Type: {JSON}.")
    try:
        body = orjson.loads(await request.body())
    except orjson.JSONDecodeError as error:
        raise Refused(HTTPStatus.BAD_REQUEST, "The body is no valid JSON.") from error
    return _checked(body)


def _from_query(request: Request) -> dict[str, Any]:
    asked: dict[str, Any] = {name: value for name, value in request.query_params.items() if value}
    for name in ("variables", "extensions"):
        if name in asked:
            try:
                asked[name] = orjson.loads(asked[name])
            except orjson.JSONDecodeError as error:
                raise Refused(HTTPStatus.BAD_REQUEST, f"{name} is no valid JSON.") from error
    return _checked(asked)


def _checked(asked: Any) -> dict[str, Any]:
    if not isinstance(asked, dict):
        raise Refused(HTTPStatus.BAD_REQUEST, "The request must be one JSON object; batches are not taken.")
    if not isinstance(asked.get("query"), str) or not asked["query"]:
        raise Refused(HTTPStatus.BAD_REQUEST, "query must be a GraphQL document.")
    for name, kind in (("variables", dict), ("extensions", dict), ("operationName", str)):
        if asked.get(name) is not None and not isinstance(asked[name], kind):
            what = "text" if kind is str else "an object"
            raise Refused(HTTPStatus.BAD_REQUEST, f"{name} must be {what}.")
    return asked

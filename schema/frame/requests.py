"""Reads a GraphQL request from HTTP, for schema/router.py, schema/frame/incremental.py and schema/frame/sse.py."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import Request
from starlette.types import Receive

from core.http.bodies import read_body
from runtime.context import Context
from schema.frame.admission import checked, has_login, refused

JSON = "application/json"
ANONYMOUS_BYTES = 256 * 1024
"""Bytes of a JSON body without a login; a document may have a quarter of them."""
UNBUFFERED = {"cache-control": "no-cache, no-store, no-transform", "x-accel-buffering": "no"}
"""Headers of a response that is sent in parts."""


def ranked(accept: str) -> list[tuple[str, dict[str, str]]]:
    """Returns the accepted media types with their parameters, in the order of preference (RFC 9110 §12.5.1)."""
    accepted: list[tuple[float, int, str, dict[str, str]]] = []
    for index, part in enumerate(accept.split(",")[:64]):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        options = dict(text.partition("=")[::2] for text in parameters)
        try:
            weight = float(options.pop("q", "1"))
        except ValueError:
            weight = 0.0
        if weight > 0:
            accepted.append((-weight, index, kind, options))
    return [(kind, options) for _, _, kind, options in sorted(accepted, key=lambda item: item[:2])]


def media_type(request: Request) -> tuple[str, Mapping[str, str]]:
    """Returns the media type of the request's body, with its parameters."""
    content_type = request.headers.get("content-type", "")
    return (JSON, _NONE) if content_type == JSON else _media_type(content_type)


_NONE: Mapping[str, str] = {}


def _media_type(content_type: str) -> tuple[str, Mapping[str, str]]:
    kind, *parameters = (part.strip().lower() for part in content_type.split(";"))
    return kind, dict(text.partition("=")[::2] for text in parameters)


async def from_body(ctx: Context, request: Request) -> dict[str, Any]:
    """Reads a request from a JSON body. Raises Refused."""
    kind, parameters = media_type(request)
    if kind != JSON or parameters.get("charset", "utf-8").strip('"') not in ("utf-8", "utf8"):
        raise refused(f"Send Content-Type: {JSON}.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    body = await read_body(request.receive)
    # To parse two megabytes takes up to 0.15 s.
    if len(body) > ANONYMOUS_BYTES and not await has_login(ctx):
        raise refused(
            f"Without a login a request has at most {ANONYMOUS_BYTES} bytes. Log in, or send less at a time.",
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        )
    return checked(_json(body, "The body"))


def from_query(request: Request) -> dict[str, Any]:
    """Reads a request from the query string. Raises Refused."""
    asked: dict[str, Any] = {name: value for name, value in request.query_params.items() if value}
    for name in ("variables", "extensions"):
        if name in asked:
            asked[name] = _json(asked[name], name)
    return checked(asked)


def _json(text: bytes | str, name: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise refused(f"{name} is not valid JSON.") from error


async def left(receive: Receive) -> None:
    """Returns when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


RESPONSE_REF = {"$ref": "#/components/schemas/GraphQLResponse"}
ERROR_REF = {"$ref": "#/components/schemas/GraphQLError"}
OPENAPI_SCHEMAS: dict[str, dict[str, Any]] = {
    "GraphQLError": {
        "type": "object",
        "description": "An error in GraphQL's response format (§7.1.2 of its specification).",
        "properties": {
            "message": {"type": "string", "description": "what went wrong, as a sentence"},
            "locations": {
                "type": "array",
                "items": {"type": "object"},
                "description": "`line` and `column` in the document, from 1",
            },
            "path": {
                "type": "array",
                "items": {"type": ["string", "integer"]},
                "description": "names and indexes that lead to the field in `data`",
            },
            "extensions": {"type": "object", "description": "the error's `code`, and its details"},
        },
        "required": ["message"],
    },
    "GraphQLResponse": {
        "type": "object",
        "description": "A response in GraphQL's response format (§7.1 of its specification).",
        "properties": {
            "data": {
                "type": ["object", "null"],
                "description": "the result; absent if the request is invalid",
            },
            "errors": {
                "type": "array",
                "items": ERROR_REF,
                "description": "errors; absent if there are none",
            },
            "extensions": {"type": "object", "description": "further facts about the execution"},
        },
        "additionalProperties": False,
    },
}
"""Schemas of the OpenAPI document that the routes of GraphQL refer to."""

_ASKED: dict[str, tuple[Any, str]] = {
    "query": ({"type": "string"}, "the JSON document"),
    "documentId": (
        {"type": "string"},
        "identifies a trusted document in place of `query`: its id, or `sha256:` followed by its hash",
    ),
    "variables": ({"type": ["object", "null"]}, "values of the document's variables"),
    "operationName": (
        {"type": ["string", "null"]},
        "name of the operation to run, if the document has several",
    ),
    "extensions": (
        {"type": ["object", "null"]},
        "extensions of the request, as GraphQL over HTTP defines them",
    ),
}


def body_described(example: str) -> dict[str, Any]:
    """Returns the OpenAPI description of a request in the body."""
    properties = {name: {**kind, "description": description} for name, (kind, description) in _ASKED.items()}
    content = {"schema": {"type": "object", "properties": properties}, "example": {"query": example}}
    return {"requestBody": {"required": True, "content": {JSON: content}}}


def query_described() -> dict[str, Any]:
    """Returns the OpenAPI description of a request in the query string."""
    return {
        "parameters": [
            {"name": name, "in": "query", "schema": {"type": "string"}, "description": description}
            for name, (_, description) in _ASKED.items()
        ]
    }

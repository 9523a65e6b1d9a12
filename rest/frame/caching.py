"""Responses that seldom change: they have an ETag, and a client with a current copy gets 304 (RFC 9110 §8.8.3,
§13.1.2).
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from fastapi import Request, Response
from pydantic_core import to_json

CACHEABLE: dict[int | str, dict[str, Any]] = {
    200: {
        "headers": {
            "ETag": {
                "schema": {"type": "string"},
                "description": "entity tag of the response; send it as If-None-Match in the next request",
            },
            "Cache-Control": {"schema": {"type": "string"}},
        }
    },
    304: {"description": "not modified: the copy named in If-None-Match is current"},
}
"""The OpenAPI entries of a route that returns `cacheable`."""

_SECONDS = 3600


def cacheable(request: Request, items: Sequence[Any], *, vary: str | None = None) -> Response:
    """Returns public `items` as a JSON array, or 304. `vary` names the request header that the items depend on."""
    body = to_json(items, by_alias=True)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={_SECONDS}"}
    if vary is not None:
        headers["Vary"] = vary
    if matches(request.headers.getlist("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def matches(header_values: Sequence[str], tag: str) -> bool:
    """Returns whether If-None-Match contains the tag, by weak comparison (RFC 9110 §13.1.2).

    Our tags contain no comma, so a list of tags can be split at commas.
    """
    tags = {part.strip().removeprefix("W/") for value in header_values for part in value.split(",")}
    return not tags.isdisjoint((tag, "*"))

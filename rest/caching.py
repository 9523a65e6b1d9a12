"""Answers that seldom change: an ETag, and 304 for who has it already (RFC 9110 §8.8.3, §13.1.2)."""

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
"""The OpenAPI entries of a route that answers `cacheable`."""

_SECONDS = 3600


def cacheable(request: Request, items: Sequence[Any], *, vary: str | None = None) -> Response:
    """Public `items` as a JSON array. `vary` names the request header that they depend on."""
    body = to_json(items, by_alias=True)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={_SECONDS}"}
    if vary is not None:
        headers["Vary"] = vary
    if matches(request.headers.getlist("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def matches(given: Sequence[str], tag: str) -> bool:
    """Weak comparison, as If-None-Match wants it. Our tags have no comma, so a list can be split at them."""
    tags = {part.strip().removeprefix("W/") for line in given for part in line.split(",")}
    return not tags.isdisjoint((tag, "*"))

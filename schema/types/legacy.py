"""The legacy bridge: the specification's LegacyEnvelope (§2), and a call as GraphQL takes it."""

from enum import StrEnum
from typing import Annotated, Any

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.shape import Json, Line, Shape
from schema.types.values import json_at_most

MAX_BODY = 1024 * 1024  # bytes, as JSON


class LegacyMethod(StrEnum):
    """What the legacy system can be asked."""

    GET = "GET"
    POST = "POST"
    PUT = "PUT"
    PATCH = "PATCH"
    DELETE = "DELETE"


class LegacyEnvelope(Shape):
    """What the legacy system answered, whatever its status."""

    ok: Annotated[bool, Field(description="whether legacyStatus is 2xx")]
    legacy_status: Annotated[int, Field(description="its HTTP status", examples=[200])]
    data: Annotated[
        Any,
        Field(description="its body: JSON, else text, else null", examples=[{"id": 7, "name": "Ada"}]),
        strawberry.field(graphql_type=JSON | None),
    ]
    warnings: Annotated[
        list[str], Field(description="what had to be left out or changed, and why", examples=[[]])
    ]


class LegacyHeader(Shape):
    name: Annotated[
        Line, Field(min_length=1, max_length=128, description="in any case", examples=["accept-language"])
    ]
    value: Annotated[Line, Field(max_length=4096, description="one line", examples=["de"])]


class LegacyCall(Shape):
    """A request to the legacy system."""

    method: Annotated[LegacyMethod, Field(description="how it is asked")] = LegacyMethod.GET
    path: Annotated[str, Field(description="percent-encoded, as in a URL", examples=["/customers/7"])]
    query: Annotated[str, Field(description="percent-encoded, without its `?`", examples=["page=2"])] = ""
    body: Annotated[
        Json,
        json_at_most(MAX_BODY),
        Field(description="sent as JSON; null: no body"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    headers: Annotated[
        list[LegacyHeader],
        Field(
            max_length=32, description="only those that the bridge forwards go out, the others are dropped"
        ),
    ] = Field(default_factory=list)

"""The legacy bridge: the specification's LegacyEnvelope (§2), and a call as GraphQL takes it."""

from typing import Annotated, Any

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import Json, Line, Shape
from shapes.values import json_at_most

MAX_BODY = 1024 * 1024  # bytes, as JSON


class LegacyMethod(DescribedEnum):
    """HTTP method of a request to the legacy system."""

    GET = "GET", "reads"
    POST = "POST", "creates"
    PUT = "PUT", "replaces"
    PATCH = "PATCH", "changes"
    DELETE = "DELETE", "deletes"


class LegacyEnvelope(Shape):
    """The response of the legacy system, whatever its status."""

    ok: Annotated[bool, Field(description="whether legacyStatus is 2xx")]
    legacy_status: Annotated[
        int, Field(description="HTTP status of the legacy system's response", examples=[200])
    ]
    data: Annotated[
        Any,
        Field(
            description="body of the response: the JSON value, otherwise the text; null if there is none",
            examples=[{"id": 7, "name": "Ada"}],
        ),
        strawberry.field(graphql_type=JSON | None),
    ]
    warnings: Annotated[
        list[str], Field(description="what was omitted or changed in forwarding, and why", examples=[[]])
    ]


class LegacyHeader(Shape):
    name: Annotated[
        Line,
        Field(
            min_length=1,
            max_length=128,
            description="name of the header, in upper or lower case",
            examples=["accept-language"],
        ),
    ]
    value: Annotated[
        Line, Field(max_length=4096, description="value of the header, on one line", examples=["de"])
    ]


class LegacyCall(Shape):
    """A request to forward to the legacy system."""

    method: Annotated[LegacyMethod, Field(description="HTTP method")] = LegacyMethod.GET
    path: Annotated[str, Field(description="percent-encoded path, as in a URL", examples=["/customers/7"])]
    query: Annotated[
        str, Field(description="percent-encoded query string, without `?`", examples=["page=2"])
    ] = ""
    body: Annotated[
        Json,
        json_at_most(MAX_BODY),
        Field(description="body, sent as JSON; null: no body"),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    headers: Annotated[
        list[LegacyHeader],
        Field(
            max_length=32,
            description="headers to forward; those that the bridge does not forward are dropped",
        ),
    ] = Field(default_factory=list)

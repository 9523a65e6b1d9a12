"""Builds the descriptions of both doors once a test process: each takes a second of processor time."""

from functools import cache
from typing import Any

from graphql import GraphQLSchema, build_schema

from postern.app import doors
from schema.root import build


@cache
def openapi() -> dict[str, Any]:
    """Returns the OpenAPI document, which no test may change."""
    return doors(explorable=True).openapi()


@cache
def printed_schema() -> GraphQLSchema:
    """Returns the GraphQL schema as a client reads it from the SDL, which no test may change."""
    return build_schema(build(explorable=True).as_str())

"""Checks the descriptions of schema.graphql and openapi.json: no gendered pronouns and none of the project's own words.

Other tests hold both files equal to what the service serves.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    build_schema,
)

from tests.linters.source import ROOT
from tests.linters.word_list import PUBLIC

Text = tuple[str, str]  # where it is shown, and the description

_CODE = re.compile(r"`[^`]*`")


def breaches(texts: list[Text]) -> Iterator[str]:
    """Yields `place: sentence` for each word that a description must not use; code in backticks is exempt."""
    patterns = [
        (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), instead) for pattern, instead in PUBLIC.items()
    ]
    for place, text in texts:
        prose = " ".join(_CODE.sub("``", text).split())
        for pattern, instead in patterns:
            if match := pattern.search(prose):
                yield f'{place}: do not write "{match[0]}", but: {instead}'


def check() -> list[str]:
    sdl = (ROOT / "schema.graphql").read_text(encoding="utf-8")
    document = json.loads((ROOT / "openapi.json").read_text(encoding="utf-8"))
    return [*breaches(of_sdl(sdl)), *breaches(of_openapi(document))]


def of_sdl(sdl: str) -> list[Text]:
    """All descriptions of a GraphQL schema: types, fields, arguments and values of enums."""
    return [(f"schema.graphql: {place}", text) for place, text in _of_sdl(sdl) if text]


def _of_sdl(sdl: str) -> Iterator[tuple[str, str | None]]:
    for name, kind in build_schema(sdl).type_map.items():
        yield name, kind.description
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for field_name, field in kind.fields.items():
                yield f"{name}.{field_name}", field.description
                yield f"{name}.{field_name}", field.deprecation_reason
                for argument_name, argument in field.args.items():
                    yield f"{name}.{field_name}({argument_name}:)", argument.description
        elif isinstance(kind, GraphQLInputObjectType):
            for field_name, inner in kind.fields.items():
                yield f"{name}.{field_name}", inner.description
        elif isinstance(kind, GraphQLEnumType):
            for value_name, value in kind.values.items():
                yield f"{name}.{value_name}", value.description
                yield f"{name}.{value_name}", value.deprecation_reason


def of_openapi(document: Any, place: str = "openapi.json:") -> list[Text]:
    """All descriptions and summaries of an OpenAPI document; examples are left out."""
    if isinstance(document, list):
        return [text for i, part in enumerate(document) for text in of_openapi(part, f"{place} {i}")]
    if not isinstance(document, dict):
        return []
    texts: list[Text] = []
    for key, part in document.items():
        if key in {"description", "summary"} and isinstance(part, str):
            texts.append((f"{place} {key}", part))
        elif key not in {"example", "examples"}:
            texts += of_openapi(part, f"{place} {key}")
    return texts

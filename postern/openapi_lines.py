"""Writes the OpenAPI document so that a difference shows which operations and schemas have changed."""

from typing import Any

import orjson

_DEPTH = 3  # document → paths → path → operation, and document → components → schemas → schema


def lines(value: Any, depth: int = _DEPTH) -> str:
    """Returns JSON whose objects down to this depth have a line for each member; deeper ones are one line."""
    if depth == 0 or not isinstance(value, dict) or not value:
        return orjson.dumps(value).decode()
    members = (f"{orjson.dumps(name).decode()}: {lines(each, depth - 1)}" for name, each in value.items())
    return "{\n" + ",\n".join(members) + "\n}"

"""Cursors: the name of a list and its order, and a row's values in it, as base64 of JSON."""

import base64
import binascii
from datetime import UTC, datetime
from enum import Enum
from typing import Any, cast
from uuid import UUID

import orjson

from core.errors import BadRequest


def write_cursor(name: str, values: list[Any]) -> str:
    """Returns the cursor of a row that has these values, in the list and order of this name."""
    texts = [part.isoformat() if isinstance(part, datetime) else str(part) for part in (name, *values)]
    return base64.urlsafe_b64encode(orjson.dumps(texts)).decode().rstrip("=")


def read_cursor(cursor: str, name: str, kinds: list[type]) -> list[Any]:
    """Returns the values of a cursor. Raises BadRequest if it is invalid, or of another list or order."""
    try:
        parts = orjson.loads(base64.urlsafe_b64decode(cursor[:4096] + "=" * (-len(cursor) % 4)))
        if not isinstance(parts, list) or not parts or not all(isinstance(part, str) for part in parts):
            raise ValueError("not one of ours")
        if parts[0] != name:
            raise BadRequest(
                "The cursor belongs to another list, or to a list in another order. Start again without a cursor.",
                code="bad_cursor",
            )
        if len(parts) != len(kinds) + 1:
            raise ValueError("not one of ours")
        return [_value(kind, text) for kind, text in zip(kinds, parts[1:], strict=True)]
    except (ValueError, TypeError, OverflowError, binascii.Error) as error:
        raise BadRequest(
            "The cursor is not valid. Start again without a cursor.", code="bad_cursor"
        ) from error


def _value(kind: type, text: str) -> Any:
    if kind is datetime:
        at = datetime.fromisoformat(text)
        at.astimezone(
            UTC
        )  # raises OverflowError for times outside of the calendar, which PostgreSQL would refuse
        return at
    if kind is UUID:
        return UUID(text)
    if kind is int:
        value = int(text)
        if not -(2**63) <= value < 2**63:
            raise ValueError("not one of ours")
        return value
    if issubclass(kind, Enum) or kind is str:
        if "\x00" in text:
            raise ValueError("not one of ours")
        return text
    return cast(Any, kind)(text)

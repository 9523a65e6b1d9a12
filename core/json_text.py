"""JSON of values that orjson does not know, by one of two rules.

- `dumps`, for what is stored, logged or announced: an unknown value becomes its text, so that a Decimal keeps all of
  its digits and no type fails. Times are ISO 8601 with their offset.
- `dumps_row`, for a database row in the API: a Decimal is a number, a time in UTC ends in `Z`, and a
  type that no row contains is a bug.

Both write a UUID as text, and keys that are no texts as texts. A parameter of SQL is neither: db/session.py encodes
plain JSON alone, so that a value of another type is found out.
"""

from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

import orjson

_ROW = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS


def dumps(value: Any) -> bytes:
    """Returns the value as JSON. A part for which JSON has no type becomes its text. Raises orjson.JSONEncodeError."""
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)


def dumps_row(value: Any) -> bytes:
    """Returns the value as JSON, with the types that database rows contain, as the API shows them."""
    return orjson.dumps(value, default=_as_api, option=_ROW)


def _as_api(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)  # asyncpg returns its own UUID class
    if isinstance(value, Decimal):
        return float(value)
    # A model of pydantic, which is not imported here: processes that log may do without it.
    if (dump := getattr(value, "model_dump", None)) is not None:
        return dump(mode="json", by_alias=True)
    raise TypeError(f"{type(value).__name__} is not JSON")


def instant(moment: datetime, timespec: str = "auto") -> str:
    """Returns a time as ISO 8601 in UTC, with `Z`."""
    return moment.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


@lru_cache(4096)  # most messages have one of a few prices
def amount_text(amount: Decimal) -> str:
    """Returns an amount as a text with all its digits and no others: 1.5, 0, 12."""
    text = f"{amount:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"

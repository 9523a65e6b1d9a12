"""Key-value storage: the specification's StorageValue (§2)."""

import re
from typing import Annotated, Any

import strawberry
from pydantic import AfterValidator, Field
from strawberry.scalars import JSON

from shapes.shape import Json, Shape
from shapes.values import WithValue, json_at_most, nothing
from shapes.where import Filter, Where

MAX_KEY = 256  # characters
MAX_VALUE = 1024 * 1024  # bytes, as JSON
MAX_TTL = 31_536_000  # seconds: 365 days

# U+FFFD is what a path that is no UTF-8 turns into: two such paths would be one key.
_UNPRINTABLE = "\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufffd"
_REFUSED = re.compile(f"[{_UNPRINTABLE}]")


def _printable(text: str) -> str:
    if _REFUSED.search(text):
        raise ValueError("must be UTF-8 without control characters and line breaks")
    return text


_Text = Annotated[
    str,
    Field(max_length=MAX_KEY, json_schema_extra={"pattern": f"^[^{_UNPRINTABLE}]*$"}),
    AfterValidator(_printable),
]
Key = Annotated[
    _Text,
    Field(min_length=1, description="any printable text; it may contain slashes", examples=["carts/42"]),
]
Prefix = Annotated[_Text, Field(examples=["carts/"])]
Value = Annotated[
    Json, json_at_most(MAX_VALUE), Field(description="any JSON value", examples=[{"items": [1, 2]}])
]
Ttl = Annotated[
    int,
    Field(
        ge=1,
        le=MAX_TTL,
        description="seconds until the value expires; null: it is kept until it is deleted",
        examples=[3600],
    ),
]


class StorageValue(Shape):
    """A stored value and its key."""

    key: Annotated[str, Field(description="the key", examples=["carts/42"])]
    value: Annotated[
        Any,
        Field(description="any JSON value", examples=[{"items": [1, 2]}]),
        strawberry.field(graphql_type=JSON | None),
    ]
    ttl_seconds: Annotated[
        int | None,
        Field(
            description="seconds until the value expires, rounded up; null: it is kept until it is deleted",
            examples=[3600],
        ),
    ]


class NewStorageValue(Shape):
    """A value to store. It replaces the previous value and its expiry."""

    value: Value
    ttl_seconds: Ttl | None = None


class PutStorageValue(WithValue):
    """A value to store under a key. It replaces the previous value and its expiry."""

    key: Key
    value: Annotated[Value, strawberry.field(graphql_type=JSON | None)] = Field(default_factory=nothing)
    ttl_seconds: Ttl | None = None


class KeyFilter(Filter):
    """Filter by the beginning of a text."""

    starts_with: Annotated[
        Prefix | None, Field(description="the text it begins with; there are no wildcards")
    ] = None


class StorageWhere(Where):
    """Filter for stored values."""

    key: Annotated[KeyFilter | None, Field(description="filter by key")] = None

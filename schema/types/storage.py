"""Key-value storage: the specification's StorageValue (§2)."""

import re
from typing import Annotated, Any

import strawberry
from pydantic import AfterValidator, Field
from strawberry.scalars import JSON

from schema.types.shape import Json, Shape
from schema.types.values import WithValue, json_at_most, nothing
from schema.types.where import Filter, Where

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
    _Text, Field(min_length=1, description="any printable text, slashes too", examples=["carts/42"])
]
Prefix = Annotated[_Text, Field(examples=["carts/"])]
Value = Annotated[Json, json_at_most(MAX_VALUE), Field(description="any JSON", examples=[{"items": [1, 2]}])]
Ttl = Annotated[
    int,
    Field(ge=1, le=MAX_TTL, description="how long to keep it; null: until it is deleted", examples=[3600]),
]


class StorageValue(Shape):
    """A value under a key of yours."""

    key: Annotated[str, Field(description="as it was put", examples=["carts/42"])]
    value: Annotated[
        Any,
        Field(description="any JSON", examples=[{"items": [1, 2]}]),
        strawberry.field(graphql_type=JSON | None),
    ]
    ttl_seconds: Annotated[
        int | None,
        Field(description="what is left, rounded up; null: until it is deleted", examples=[3600]),
    ]


class NewStorageValue(Shape):
    """What to keep, and for how long. It replaces what was there, its time too."""

    value: Value
    ttl_seconds: Ttl | None = None


class PutStorageValue(WithValue):
    """What to keep under which key, and for how long. It replaces what was there, its time too."""

    key: Key
    value: Annotated[Value, strawberry.field(graphql_type=JSON | None)] = Field(default_factory=nothing)
    ttl_seconds: Ttl | None = None


class KeyFilter(Filter):
    """A text's beginning."""

    starts_with: Annotated[Prefix | None, Field(description="taken literally")] = None


class StorageWhere(Where):
    """What must hold for stored values."""

    key: Annotated[KeyFilter | None, Field(description="which keys")] = None

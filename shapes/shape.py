"""The ground on which the shapes of both doors stand."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from math import isfinite
from typing import Annotated, Any, Self, cast, get_args
from uuid import UUID

import orjson
import strawberry
from pydantic import (
    AfterValidator,
    AliasChoices,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
)
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

NO_NUL = r"^[^\x00]*$"
NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"

Text = Annotated[str, Field(pattern=NO_NUL)]
"""Any text that PostgreSQL can store. A pattern also makes pydantic refuse half surrogates."""

Line = Annotated[str, Field(pattern=NO_CONTROLS)]
"""Text on one line: names, subjects, whatever may end in a header."""

Id = Annotated[
    UUID,
    Field(description="id (UUIDv7)"),
    strawberry.field(name="uuid", description="the id that REST uses"),
]
"""A row's id. GraphQL shows it as `uuid`, since `id` is Relay's there (contract §5)."""

Uuid = Annotated[
    UUID,
    Field(
        validation_alias=AliasChoices("id", "uuid"),
        serialization_alias="uuid",
        description="id, a UUIDv7 unless stated otherwise",
    ),
    strawberry.field(name="uuid", description="the id that REST uses"),
]
"""A row's id in Areas B and C, where REST calls it `uuid`; the attribute is `id` all the same."""


@dataclass(frozen=True, slots=True)
class BesideRow:
    """Marks a field that no column has, in the annotation of a shape: a row without it shows null."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Says what the price of a GraphQL document must know of a field beside its type: schema/frame/cost.py.

    It stands in the annotation of a shape's field, or in the decorator of a function.
    """

    most: int | None = None
    """The length of a list of objects that no argument bounds."""
    counted: bool = False
    """True if the field is counted row by row, or calculated for each row."""
    work: int = 0
    """Points of a field whose value takes far more work than its objects tell."""


def in_calendar(moment: datetime) -> datetime:
    """Raises ValueError for a moment that UTC's calendar doesn't have: Python and PostgreSQL can't compare it."""
    try:
        moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must be between the years 1 and 9999 in UTC") from error
    return moment


Timestamp = Annotated[AwareDatetime, AfterValidator(in_calendar)]
"""ISO 8601 in UTC with `Z`: the database's sessions are in UTC, and pydantic writes that as `Z`."""

_MAKER = "id of the member who has made it, and with whose membership it ends; null: it is its owner's own"
SavedBy = Annotated[
    UUID | None,
    Field(
        validation_alias=AliasChoices("saved_by", "createdBy"),
        serialization_alias="createdBy",
        description=_MAKER,
    ),
    strawberry.field(name="createdBy", description=_MAKER),
]
"""The member who has made a row. The column is called `saved_by`, both doors say `createdBy`."""
StartedBy = Annotated[
    UUID | None,
    Field(
        validation_alias=AliasChoices("started_by", "createdBy"),
        serialization_alias="createdBy",
        description=_MAKER,
    ),
    strawberry.field(name="createdBy", description=_MAKER),
]
"""The same, of a column `started_by`."""
Created = Annotated[Timestamp, Field(description="time of creation")]
Updated = Annotated[Timestamp, Field(description="time of the last change")]


class _AsNumber:
    """A Decimal that leaves as a JSON number; GraphQL's `Decimal` scalar does the same."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        inner: dict[str, Any] = {**handler(source)}
        inner["serialization"] = core_schema.plain_serializer_function_ser_schema(
            float, return_schema=core_schema.float_schema(), when_used="json-unless-none"
        )
        return cast(CoreSchema, inner)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        return {"type": "number"}


Money = Annotated[Decimal, Field(max_digits=18, decimal_places=6, allow_inf_nan=False), _AsNumber()]
"""`numeric(18,6)` inside, a JSON number outside."""


def _storable_json(value: Any) -> Any:
    """Bounds nesting and refuses what jsonb can't hold, wherever it stands in a free-form value."""
    try:
        text = orjson.dumps(value)
    except (orjson.JSONEncodeError, RecursionError) as error:
        # Only a GraphQL document can hold such a thing; parsed JSON can't.
        raise ValueError("must be JSON: integers of at most 64 bits, valid Unicode, no NaN") from error
    if b"\\u0000" in text or b"null" in text:
        _refuse_unstorable(value)
    if text.count(b"[") + text.count(b"{") > _DEEPEST and _depth(value) > _DEEPEST:
        raise ValueError(f"is nested more than {_DEEPEST} levels deep")
    return value


_DEEPEST = 32


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    return value if isinstance(value, list) else ()


def _depth(value: Any) -> int:
    """Counts level by level, so that no nesting exhausts the stack."""
    levels, level = 0, [value]
    while level and levels <= _DEEPEST:
        level = [part for item in level for part in _parts(item) if isinstance(part, dict | list)]
        levels += 1
    return levels


def _refuse_unstorable(value: Any) -> None:
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str) and "\x00" in item:
            raise ValueError("must not contain a NUL character")
        if isinstance(item, float) and not isfinite(item):
            raise ValueError("must not contain NaN or Infinity")  # orjson would write null
        left.extend(_parts(item))


Json = Annotated[Any, BeforeValidator(_storable_json)]
"""Any JSON value that PostgreSQL can store, at most 32 levels deep."""

JsonObject = Annotated[dict[str, Any], BeforeValidator(_storable_json)]


def _inner_description(annotation: Any) -> str | None:
    notes = (note for part in get_args(annotation) for note in getattr(part, "__metadata__", ()))
    return next(
        (note.description for note in notes if isinstance(note, FieldInfo) and note.description), None
    )


class Shape(BaseModel):
    """A resource or an input as both doors show it: camelCase outside, unknown fields refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        extra="forbid",
        str_max_length=1_000_000,
        ser_json_inf_nan="null",
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Describes a field that may be null like its value, in GraphQL too."""
        for field in cls.model_fields.values():
            field.description = field.description or _inner_description(field.annotation)

    @classmethod
    def of(cls, row: object) -> Self:
        """Casts the row for mypy: GraphQL reads attributes straight from the row, so nothing is copied."""
        return cast(Self, row)

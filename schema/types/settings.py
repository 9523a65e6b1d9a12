"""Settings: a free-form key/value object with dotted keys (specification §2)."""

from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from schema.types.shape import Json, Shape
from schema.types.values import WithValue, json_at_most, nothing

MAX_VALUE = 64 * 1024  # bytes, as JSON
MAX_KEYS = 1000  # in one scope
MAX_TOTAL = 4 * 1024 * 1024  # bytes of values in one scope, as PostgreSQL writes them


class Scope(StrEnum):
    """Whose settings: the caller's own, or those of an account."""

    user = "user"
    account = "account"


Key = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_.-]{1,128}$", description="a dotted name", examples=["ui.theme"])
]
Value = Annotated[Json, json_at_most(MAX_VALUE)]
Settings = Annotated[dict[str, Any], Field(examples=[{"ui.theme": "dark", "ui.rows": 50}])]
Changes = Annotated[
    dict[Key, Value],
    Field(
        max_length=MAX_KEYS,
        description="keys to set; a key with null is removed, a key that isn't named stays as it is",
        examples=[{"ui.theme": "dark", "ui.rows": 50}],
        json_schema_extra={"additionalProperties": False},
    ),
]


class Setting(Shape):
    """One key of the settings."""

    key: Annotated[str, Field(description="a dotted name")]
    value: Annotated[Any, Field(description="any JSON"), strawberry.field(graphql_type=JSON | None)]


class NewValue(Shape):
    """What a key is set to; null is a value like any other here."""

    value: Annotated[Value, Field(description="any JSON", examples=["dark"])]


class UpdateSettings(Shape):
    """Settings to merge into those that are there."""

    values: Annotated[Changes, strawberry.field(graphql_type=JSON)]
    scope: Annotated[Scope, Field(description="whose")] = Scope.user
    account_id: (
        Annotated[UUID, Field(description="with scope account; default: the caller's oldest")] | None
    ) = None


class SetSetting(WithValue):
    """One key to set; null is a value like any other here."""

    key: Key
    value: Annotated[Value, strawberry.field(graphql_type=JSON | None)] = Field(
        default_factory=nothing, description="any JSON"
    )
    scope: Annotated[Scope, Field(description="whose")] = Scope.user
    account_id: (
        Annotated[UUID, Field(description="with scope account; default: the caller's oldest")] | None
    ) = None


class DeleteSetting(Shape):
    """One key to remove."""

    key: Key
    scope: Annotated[Scope, Field(description="whose")] = Scope.user
    account_id: (
        Annotated[UUID, Field(description="with scope account; default: the caller's oldest")] | None
    ) = None

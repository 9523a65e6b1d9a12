"""Settings: a free-form key/value object with dotted keys (specification §2)."""

from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field
from strawberry.scalars import JSON

from shapes.described import DescribedEnum
from shapes.shape import Json, Shape
from shapes.values import WithValue, json_at_most, nothing

MAX_VALUE = 64 * 1024  # bytes, as JSON
MAX_KEYS = 1000  # in one scope
MAX_TOTAL = 4 * 1024 * 1024  # bytes of values in one scope, as PostgreSQL writes them


class Scope(DescribedEnum):
    """The scope of settings: the caller's own, or those of an account."""

    user = "user", "the caller's own settings"
    account = "account", "the settings of an account"


Key = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_.-]{1,128}$", description="dotted name of the setting", examples=["ui.theme"]
    ),
]
Value = Annotated[Json, json_at_most(MAX_VALUE)]
Settings = Annotated[dict[str, Any], Field(examples=[{"ui.theme": "dark", "ui.rows": 50}])]
Changes = Annotated[
    dict[Key, Value],
    Field(
        max_length=MAX_KEYS,
        description="keys to set; null deletes a key, and keys that are not given stay unchanged",
        examples=[{"ui.theme": "dark", "ui.rows": 50}],
        json_schema_extra={"additionalProperties": False},
    ),
]


class Setting(Shape):
    """One setting: a key and its value."""

    key: Annotated[str, Field(description="dotted name of the setting")]
    value: Annotated[Any, Field(description="any JSON value"), strawberry.field(graphql_type=JSON | None)]


class NewValue(Shape):
    """The new value of a setting. Null is stored as a value."""

    value: Annotated[Value, Field(description="any JSON value", examples=["dark"])]


class UpdateSettings(Shape):
    """Settings to merge into the existing ones."""

    values: Annotated[Changes, strawberry.field(graphql_type=JSON)]
    scope: Annotated[Scope, Field(description="whose settings")] = Scope.user
    account_id: (
        Annotated[UUID, Field(description="the account, with scope account; default: your oldest account")]
        | None
    ) = None


class SetSetting(WithValue):
    """One setting to change. Null is stored as a value."""

    key: Key
    value: Annotated[Value, strawberry.field(graphql_type=JSON | None)] = Field(
        default_factory=nothing, description="any JSON value"
    )
    scope: Annotated[Scope, Field(description="whose settings")] = Scope.user
    account_id: (
        Annotated[UUID, Field(description="the account, with scope account; default: your oldest account")]
        | None
    ) = None


class DeleteSetting(Shape):
    """One setting to delete."""

    key: Key
    scope: Annotated[Scope, Field(description="whose settings")] = Scope.user
    account_id: (
        Annotated[UUID, Field(description="the account, with scope account; default: your oldest account")]
        | None
    ) = None

"""Tariffs: what a message costs and how much a user may send (contract §3)."""

from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field, WithJsonSchema
from strawberry.scalars import JSON

from shapes.accounts import Currency
from shapes.sending_projects import ProjectChannel
from shapes.shape import Line, Shape, Timestamp
from shapes.values import nothing
from shapes.where import Exactly, Flag, Where

MANY = 2_000_000_000  # what GraphQL's Int and the table's columns hold

Code = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="code of the tariff",
        examples=["default"],
    ),
]
# Twelve digits are what a JSON number carries there and back unharmed.
Price = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=6, allow_inf_nan=False, examples=[0.01])]
_PRICES: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
}
_PRICES_ABOUT = "price of a message (for SMS: of each segment), by currency and channel"
_PRICE_LIST = (
    "the price list, by prefix of the number, for accounts in its currency; null: none, and `prices` hold"
)
_PRICES_EXAMPLE = {"USD": {"sms": 0.01, "email": 0.001}}
Projects = Annotated[int, Field(ge=0, le=100_000)]
Many = Annotated[int, Field(ge=0, le=MANY)]


class TariffWhere(Where):
    """The filter of a list of tariffs."""

    code: Annotated[Exactly | None, Field(description="their names for programs")] = None
    public: Annotated[Flag | None, Field(description="whether users may choose them themselves")] = None


class Tariff(Shape):
    """A tariff: the prices of messages and the limits of sending."""

    code: Annotated[str, Field(description="code of the tariff")]
    name: Annotated[str, Field(description="display name")]
    public: Annotated[bool, Field(description="whether users can select the tariff themselves")]
    max_concurrent_projects: Annotated[
        int,
        Field(description="maximum number of projects that are scheduled, running or paused at once"),
    ]
    max_recipients_per_project: Annotated[int, Field(description="maximum number of recipients of a project")]
    messages_per_day: Annotated[int, Field(description="maximum number of project messages per day (UTC)")]
    messages_per_minute: Annotated[int, Field(description="maximum number of project messages per minute")]
    channels: Annotated[list[ProjectChannel], Field(description="channels that messages may be sent on")]
    prices: Annotated[
        Any,
        WithJsonSchema(_PRICES),
        Field(description=_PRICES_ABOUT, examples=[_PRICES_EXAMPLE]),
        strawberry.field(graphql_type=JSON),
    ]
    price_list_id: Annotated[UUID | None, Field(description=_PRICE_LIST)]


class TariffUse(Shape):
    """The used part of a tariff's limits."""

    concurrent_projects: Annotated[int, Field(description="number of scheduled, running and paused projects")]
    messages_today: Annotated[int, Field(description="number of project messages since midnight (UTC)")]
    resets_at: Annotated[Timestamp, Field(description="when the daily count is reset")]


class CurrentTariff(Tariff):
    """A user's tariff, and how much of its limits is used."""

    used: Annotated[TariffUse, Field(description="how much of the limits is used")]


class SetTariff(Shape):
    """Selects a tariff by `code` alone. With further fields, creates or changes that tariff; only administrators can
    do that.
    """

    code: Code
    user_uuid: (
        Annotated[
            UUID, Field(description="the user who gets the tariff, for administrators; default: the caller")
        ]
        | None
    ) = None
    name: Annotated[Line, Field(min_length=1, max_length=128, description="display name")] | None = None
    public: (
        Annotated[
            bool,
            Field(
                description="whether users can select the tariff themselves; default for a new one: yes, "
                "unless it is made"
                " for one user (`userUuid`)"
            ),
        ]
        | None
    ) = None
    max_concurrent_projects: (
        Annotated[
            Projects,
            Field(description="maximum number of projects that are scheduled, running or paused at once"),
        ]
        | None
    ) = None
    max_recipients_per_project: (
        Annotated[Many, Field(description="maximum number of recipients of a project")] | None
    ) = None
    messages_per_day: (
        Annotated[Many, Field(description="maximum number of project messages per day (UTC)")] | None
    ) = None
    messages_per_minute: (
        Annotated[Many, Field(description="maximum number of project messages per minute")] | None
    ) = None
    channels: (
        Annotated[
            list[ProjectChannel], Field(max_length=16, description="channels that messages may be sent on")
        ]
        | None
    ) = None
    prices: Annotated[
        Annotated[
            dict[Currency, Annotated[dict[ProjectChannel, Price], Field(max_length=16)]],
            Field(max_length=200, json_schema_extra={"additionalProperties": False}),
        ]
        | None,
        Field(description=_PRICES_ABOUT, examples=[_PRICES_EXAMPLE]),
        strawberry.field(graphql_type=JSON | None),
    ] = None
    price_list_id: Annotated[UUID, Field(description=_PRICE_LIST)] | None = Field(default_factory=nothing)

"""Tariffs: what a message costs and how much a user may send (contract §3)."""

from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import strawberry
from pydantic import Field, WithJsonSchema
from strawberry.scalars import JSON

from schema.types.accounts import Currency
from schema.types.sending_projects import ProjectChannel
from schema.types.shape import Line, Shape, Timestamp
from schema.types.where import Exactly, Flag, Where

MANY = 2_000_000_000  # what GraphQL's Int and the table's columns hold

Code = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="the tariff's name for programs",
        examples=["default"],
    ),
]
# Twelve digits are what a JSON number carries there and back unharmed.
Price = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=6, allow_inf_nan=False, examples=[0.01])]
_PRICES: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
}
_PRICES_ABOUT = "of a message (of an SMS: of each part), by currency and channel"
_PRICES_EXAMPLE = {"USD": {"sms": 0.01, "email": 0.001}}
Projects = Annotated[int, Field(ge=0, le=100_000)]
Many = Annotated[int, Field(ge=0, le=MANY)]


class TariffWhere(Where):
    """What must hold for tariffs."""

    code: Annotated[Exactly | None, Field(description="their names for programs")] = None
    public: Annotated[Flag | None, Field(description="whether users may choose them themselves")] = None


class Tariff(Shape):
    """What a message costs, and how much a user may send."""

    code: Annotated[str, Field(description="its name for programs")]
    name: Annotated[str, Field(description="shown to people")]
    public: Annotated[bool, Field(description="whether users may choose it themselves")]
    max_concurrent_projects: Annotated[
        int, Field(description="projects that may be scheduled, running or paused at once")
    ]
    max_recipients_per_project: Annotated[int, Field(description="recipients that a project may have")]
    messages_per_day: Annotated[int, Field(description="messages of projects a day (UTC)")]
    messages_per_minute: Annotated[int, Field(description="messages of projects a minute")]
    channels: Annotated[list[ProjectChannel], Field(description="ways that messages may leave")]
    prices: Annotated[
        Any,
        WithJsonSchema(_PRICES),
        Field(description=_PRICES_ABOUT, examples=[_PRICES_EXAMPLE]),
        strawberry.field(graphql_type=JSON),
    ]


class TariffUse(Shape):
    """How much of a tariff is used up."""

    concurrent_projects: Annotated[int, Field(description="scheduled, running and paused projects")]
    messages_today: Annotated[int, Field(description="messages of projects since midnight (UTC)")]
    resets_at: Annotated[Timestamp, Field(description="when the next day begins")]


class CurrentTariff(Tariff):
    """A user's tariff, and how much of it he has used up."""

    used: Annotated[TariffUse, Field(description="how much of it is used up")]


class SetTariff(Shape):
    """`code` alone chooses a tariff. With more it makes or changes that tariff, which administrators may."""

    code: Code
    user_uuid: (
        Annotated[UUID, Field(description="for administrators: who shall have it; default: the caller")]
        | None
    ) = None
    name: Annotated[Line, Field(min_length=1, max_length=128, description="shown to people")] | None = None
    public: Annotated[bool, Field(description="whether users may choose it themselves")] | None = None
    max_concurrent_projects: (
        Annotated[Projects, Field(description="projects that may be scheduled, running or paused at once")]
        | None
    ) = None
    max_recipients_per_project: (
        Annotated[Many, Field(description="recipients that a project may have")] | None
    ) = None
    messages_per_day: Annotated[Many, Field(description="messages of projects a day (UTC)")] | None = None
    messages_per_minute: Annotated[Many, Field(description="messages of projects a minute")] | None = None
    channels: (
        Annotated[list[ProjectChannel], Field(max_length=16, description="ways that messages may leave")]
        | None
    ) = None
    prices: Annotated[
        dict[Currency, Annotated[dict[ProjectChannel, Price], Field(max_length=16)]] | None,
        Field(max_length=200, description=_PRICES_ABOUT, examples=[_PRICES_EXAMPLE]),
        strawberry.field(graphql_type=JSON | None),
    ] = None

"""Source accounts: who a project's messages come from (contract §3)."""

from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from schema.types.shape import Created, Line, Shape, Text, Uuid
from schema.types.where import Choice, Contains, Exactly, Ids, Order, TimeSpan, Where


class SenderStatus(StrEnum):
    """Whether messages can leave through it."""

    connected = "connected"
    disconnected = "disconnected"
    blocked = "blocked"
    deleted = "deleted"


Source = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
        description="what kind of account it is; in lower case",
        examples=["telegram"],
    ),
    AfterValidator(str.lower),
]
Login = Annotated[
    Line,
    Field(min_length=1, max_length=256, description="its name at the source", examples=["+14155550100"]),
]


class SourceAccount(Shape):
    """A sender identity. Its token is never shown again."""

    id: Uuid
    source: Annotated[str, Field(description="what kind of account it is")]
    login: Annotated[str, Field(description="its name at the source")]
    name: Annotated[str, Field(description="shown to people")]
    status: Annotated[SenderStatus, Field(description="whether messages can leave through it")]
    token_hint: Annotated[
        str, Field(description="the token masked, with its last four characters if it is long")
    ]
    messenger_account_uuid: Annotated[UUID | None, Field(description="the messenger account behind it")]
    created_at: Created


class SourceAccountWhere(Where):
    """What must hold for source accounts."""

    kinds: ClassVar = {
        "id": "SourceAccount",
        "owner_id": "User",
        "messenger_account_uuid": "MessengerAccount",
    }

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose they are")] = None
    source: Annotated[Exactly | None, Field(description="what kind of account they are; in lower case")] = (
        None
    )
    login: Annotated[Exactly | None, Field(description="their name at the source")] = None
    text: Annotated[Contains | None, Field(description="in the login or the name")] = None
    status: Annotated[
        Choice[SenderStatus] | None, Field(description="whether messages can leave through them")
    ] = None
    messenger_account_uuid: Annotated[Ids | None, Field(description="the messenger account behind them")] = (
        None
    )
    created_at: Annotated[TimeSpan | None, Field(description="when they were added")] = None


class SourceAccountSort(StrEnum):
    """What source accounts are ordered by."""

    createdAt = "createdAt"  # noqa: N815  as GraphQL and its cursors write it
    name = "name"


class SourceAccountOrder(Order):
    """An order to read source accounts in."""

    field: Annotated[SourceAccountSort, Field(description="what decides")] = SourceAccountSort.createdAt


class NewSourceAccount(Shape):
    """A sender identity to add. Source, login and token together tell it from others."""

    source: Source
    login: Login
    token: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=8192,
            description="the credential at the source; kept encrypted, never shown",
            examples=["qE1…"],
        ),
    ]
    name: Annotated[Line, Field(max_length=128, description="shown to people; default: the login")] | None = (
        None
    )

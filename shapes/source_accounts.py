"""Source accounts: who a project's messages come from (contract §3)."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.shape import Created, Line, Shape, Text, Uuid
from shapes.where import Choice, Contains, Exactly, Ids, Order, TimeSpan, Where


class SenderStatus(DescribedEnum):
    """The status of a source account: messages can be sent through it or not."""

    connected = "connected", "messages can be sent through it"
    disconnected = "disconnected", "its messages wait until it is connected again"
    blocked = "blocked", "its messenger has blocked it"
    deleted = "deleted", "deleted; it is no longer used"


Source = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
        description="type of the account, in lower case",
        examples=["telegram"],
    ),
    AfterValidator(str.lower),
]
Login = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=256,
        description="name of the account at its source",
        examples=["+14155550100"],
    ),
]


class SourceAccount(Shape):
    """A source account: a sender identity of projects. Its token is never returned."""

    id: Uuid
    source: Annotated[str, Field(description="type of the account")]
    login: Annotated[str, Field(description="name of the account at its source")]
    name: Annotated[str, Field(description="display name")]
    status: Annotated[SenderStatus, Field(description="whether messages can be sent through it")]
    token_hint: Annotated[
        str, Field(description="masked token; it includes the last four characters if the token is long")
    ]
    messenger_account_uuid: Annotated[
        UUID | None, Field(description="the messenger account that it sends through; null for other sources")
    ]
    created_at: Created


class SourceAccountWhere(Where):
    """Filter for source accounts."""

    kinds: ClassVar = {
        "id": "SourceAccount",
        "owner_id": "User",
        "messenger_account_uuid": "MessengerAccount",
    }

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    source: Annotated[Exactly | None, Field(description="filter by type, in lower case")] = None
    login: Annotated[Exactly | None, Field(description="filter by the name of the account at its source")] = (
        None
    )
    text: Annotated[Contains | None, Field(description="filter by a part of the login or the name")] = None
    status: Annotated[Choice[SenderStatus] | None, Field(description="filter by status")] = None
    messenger_account_uuid: Annotated[
        Ids | None, Field(description="filter by the messenger account that they send through")
    ] = None
    created_at: Annotated[
        TimeSpan | None, Field(description="filter by the time at which they were added")
    ] = None


class SourceAccountSort(DescribedEnum):
    """Sort keys of source accounts."""

    createdAt = "createdAt", "time of creation"  # noqa: N815  as GraphQL and its cursors write it
    name = "name", "by name, compared character by character"  # type: ignore[assignment]  # Enum.name


class SourceAccountOrder(Order):
    """Sort order of source accounts."""

    field: Annotated[SourceAccountSort, Field(description="sort key")] = SourceAccountSort.createdAt


class NewSourceAccount(Shape):
    """A source account (sender identity) to add. Source, login and token together identify it."""

    source: Source
    login: Login
    token: Annotated[
        Text,
        Field(
            min_length=1,
            max_length=8192,
            description="credential at the source; stored encrypted and never returned",
            examples=["qE1…"],
        ),
    ]
    name: Annotated[Line, Field(max_length=128, description="display name; default: the login")] | None = None

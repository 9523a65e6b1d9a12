"""Blocked phones and addresses (contract §3)."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from schema.types.shape import Created, Shape, Text, Uuid
from schema.types.where import Choice, Contains, Exactly, Ids, TimeSpan, Where

Address = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=320,
        description="a phone in any spelling, or an email address",
        examples=["+14155550100"],
    ),
]
Part = Annotated[
    Text,
    Field(min_length=1, max_length=320, description="what the address has somewhere in it; taken literally"),
]


class BlockScope(StrEnum):
    """Which messages a block stops."""

    all = "all"
    promotional = "promotional"


class BlockReason(StrEnum):
    """Why nobody may write to it."""

    manual = "manual"
    optOut = "optOut"  # noqa: N815  the contract's word
    hardBounce = "hardBounce"  # noqa: N815  the contract's word
    complaint = "complaint"
    unsubscribed = "unsubscribed"


class BlockedPhone(Shape):
    """A phone or email address that its owner's messages don't go to: none of them, or no promotional ones."""

    id: Uuid
    phone: Annotated[str, Field(description="E.164, or an email address", examples=["+14155550100"])]
    reason: Annotated[BlockReason, Field(description="why")]
    scope: Annotated[BlockScope, Field(description="which messages it stops")]
    created_at: Created


class BlockPhone(Shape):
    """Why an address is blocked, and for which messages."""

    reason: (
        Annotated[BlockReason, Field(description="default: manual, or what it is blocked for already")] | None
    ) = None
    scope: Annotated[BlockScope, Field(description="which messages it stops; it only ever widens")] = (
        BlockScope.all
    )


class BlockCount(Shape):
    """How many there are."""

    count: Annotated[int, Field(description="blocked phones and addresses")]


class BlockedPhoneWhere(Where):
    """What must hold for blocked phones and addresses."""

    kinds: ClassVar = {"id": "BlockedPhone", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="which ones")] = None
    owner_id: Annotated[Ids | None, Field(description="whose messages don't go there")] = None
    phone: Annotated[Exactly | None, Field(description="E.164, or an email address in small letters")] = None
    text: Annotated[Contains | None, Field(description="what the address has somewhere in it")] = None
    reason: Annotated[Choice[BlockReason] | None, Field(description="why")] = None
    scope: Annotated[Choice[BlockScope] | None, Field(description="which messages they stop")] = None
    created_at: Annotated[TimeSpan | None, Field(description="since when")] = None

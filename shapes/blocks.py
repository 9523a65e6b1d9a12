"""Blocked phones and addresses (contract §3)."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from shapes.shape import Created, Shape, Text, Uuid
from shapes.where import Choice, Contains, Exactly, Ids, TimeSpan, Where

Address = Annotated[
    Text,
    Field(
        min_length=1,
        max_length=320,
        description="a phone in any common notation, or an email address",
        examples=["+14155550100"],
    ),
]
Part = Annotated[
    Text,
    Field(min_length=1, max_length=320, description="part of the phone or address; there are no wildcards"),
]


class BlockScope(StrEnum):
    """The messages that a block stops."""

    all = "all"
    promotional = "promotional"


class BlockReason(StrEnum):
    """The reason for which a phone or an address is blocked."""

    manual = "manual"
    optOut = "optOut"  # noqa: N815  the contract's word
    hardBounce = "hardBounce"  # noqa: N815  the contract's word
    complaint = "complaint"
    unsubscribed = "unsubscribed"


class BlockedPhone(Shape):
    """A phone or email address that the owner's messages are not sent to: either no messages at all, or no promotional
    ones.
    """

    id: Uuid
    phone: Annotated[
        str, Field(description="a phone in E.164 format, or an email address", examples=["+14155550100"])
    ]
    reason: Annotated[BlockReason, Field(description="why it is blocked")]
    scope: Annotated[BlockScope, Field(description="which messages the block stops")]
    created_at: Created


class BlockPhone(Shape):
    """The reason and the scope of a block."""

    reason: (
        Annotated[
            BlockReason,
            Field(description="default: `manual` for a new block, the current reason for an existing one"),
        ]
        | None
    ) = None
    scope: Annotated[
        BlockScope, Field(description="which messages the block stops; an existing scope can only be widened")
    ] = BlockScope.all


class BlockCount(Shape):
    """A count."""

    count: Annotated[int, Field(description="number of blocked phones and addresses")]


class BlockedPhoneWhere(Where):
    """Filter for blocked phones and addresses."""

    kinds: ClassVar = {"id": "BlockedPhone", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="the user whose messages are not sent there")] = None
    phone: Annotated[
        Exactly | None,
        Field(description="filter by the phone or the email address, in any common notation"),
    ] = None
    text: Annotated[Contains | None, Field(description="filter by a part of the phone or address")] = None
    reason: Annotated[Choice[BlockReason] | None, Field(description="filter by reason")] = None
    scope: Annotated[Choice[BlockScope] | None, Field(description="filter by scope")] = None
    created_at: Annotated[
        TimeSpan | None, Field(description="filter by the time since when they are blocked")
    ] = None

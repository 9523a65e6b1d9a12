"""Blocked phones and addresses (contract §3)."""

from typing import Annotated, ClassVar, Self
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from shapes.described import DescribedEnum
from shapes.recipients import InvalidRecipient
from shapes.rules import either
from shapes.shape import Cost, Created, Shape, Text, Timestamp, Uuid
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


MOST = 1000
"""Addresses of one request; more come by an import."""


class BlockScope(DescribedEnum):
    """The messages that a block stops."""

    all = "all", "all messages are blocked"
    promotional = "promotional", "only promotional messages are blocked"


class BlockReason(DescribedEnum):
    """The reason for which a phone or an address is blocked."""

    manual = "manual", "blocked manually, or through the API"
    softBounce = "softBounce", "several emails came back: the block ends by itself"  # noqa: N815  as the others
    optOut = "optOut", "the recipient opted out by a stop word"  # noqa: N815  the contract's word
    hardBounce = "hardBounce", "the provider reports that the address does not exist"  # noqa: N815  the contract's word
    complaint = "complaint", "the recipient reported a message as spam"
    unsubscribed = "unsubscribed", "the recipient used an unsubscribe link"


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
    expires_at: Annotated[
        Timestamp | None, Field(description="time at which the block ends by itself; null: it does not")
    ]
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


Addresses = Annotated[
    list[Address],
    Field(min_length=1, max_length=MOST, description="at most 1,000 addresses", examples=[["+14155550100"]]),
]


class BlockMany(Shape):
    """Addresses to block: the given ones, or those of an import, which may say a reason and a scope for each."""

    model_config = ConfigDict(json_schema_extra=either("phones", "importUuid"))

    phones: Addresses | None = None
    import_uuid: (
        Annotated[
            UUID,
            Field(
                description="uuid of an import that is ready. A request blocks 10,000 lines of it; send `nextLine` of"
                " the answer as `afterLine` until it is null. A line's variables `reason` and `scope` count for it"
            ),
        ]
        | None
    ) = None
    after_line: Annotated[
        int, Field(ge=0, le=2**31 - 1, description="lines of the import up to this one are left out")
    ] = 0
    reason: (
        Annotated[
            BlockReason,
            Field(description="default: `manual` for a new block, the current reason for an existing one"),
        ]
        | None
    ) = None
    scope: Annotated[
        BlockScope, Field(description="which messages the blocks stop; an existing scope can only be widened")
    ] = BlockScope.all

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.phones is None) == (self.import_uuid is None):
            raise ValueError("send either phones or importUuid")
        return self


class BlockedMany(Shape):
    """Result of blocking many addresses."""

    added: Annotated[int, Field(description="addresses that were not blocked before")]
    changed: Annotated[int, Field(description="blocks whose reason or scope has changed")]
    unchanged: Annotated[
        int, Field(description="blocks that stay as they were, and addresses that were sent twice")
    ]
    invalid: Annotated[
        list[InvalidRecipient], Field(description="addresses that can't be blocked, and why"), Cost(most=1000)
    ]
    next_line: (
        Annotated[
            int, Field(description="send it as `afterLine` for the rest of the import; null: nothing is left")
        ]
        | None
    )


class UnblockMany(Shape):
    """Addresses to unblock."""

    phones: Addresses


class UnblockedMany(Shape):
    """Result of unblocking many addresses."""

    removed: Annotated[int, Field(description="blocks that were removed")]
    invalid: Annotated[
        list[InvalidRecipient], Field(description="addresses that can't be read, and why"), Cost(most=1000)
    ]


class BlockCount(Shape):
    """A count."""

    count: Annotated[int, Field(description="number of blocked phones and addresses"), Cost(counted=True)]


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


class BlockGroup(Shape):
    """The blocks that have the same reason and the same scope."""

    reason: Annotated[BlockReason, Field(description="why they are blocked")]
    scope: Annotated[BlockScope, Field(description="which messages the blocks stop")]
    count: Annotated[int, Field(description="number of blocked phones and addresses")]
    newest_at: Annotated[Timestamp, Field(description="time of creation of the newest of them")]


class BlockSummary(Shape):
    """The numbers of blocked phones and addresses for each reason and scope."""

    items: Annotated[
        list[BlockGroup],
        Field(description="each reason and scope that has blocks, the most frequent first"),
        Cost(most=len(BlockReason) * len(BlockScope)),
    ]

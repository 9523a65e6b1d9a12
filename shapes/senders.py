"""Senders: the names, numbers and addresses that messages are sent from."""

from typing import Annotated, ClassVar, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from shapes.country_rules import with_phones
from shapes.described import DescribedEnum
from shapes.messages import MessageChannel
from shapes.shape import Created, Id, Line, Shape, Timestamp, Updated
from shapes.where import Choice, Exactly, Ids, Where

MOST_SENDERS = 500  # of one owner
MOST_COUNTRIES = 250  # of one sender

Countries = Annotated[
    list[Annotated[str, Field(pattern="^[A-Z]{2}$")]],
    Field(
        max_length=MOST_COUNTRIES,
        description="the countries that it serves, ISO 3166-1 with two letters; empty: all",
        examples=[["DE", "AT"]],
    ),
    AfterValidator(with_phones),
]


class SenderKind(DescribedEnum):
    """Kind of a sender."""

    alpha = "alpha", "a name of 1 to 11 characters, with at least one letter; for SMS"
    number = "number", "a phone number in E.164; for SMS"
    short = "short", "a short code of 3 to 8 digits; for SMS"
    email = "email", "an email address at one of its owner's domains, with or without a name"


class SenderState(DescribedEnum):
    """State of a sender."""

    pending = "pending", "an administrator has not decided yet; of an email: its domain is not verified"
    approved = "approved", "messages may be sent from it; of an email: while its domain is verified"
    refused = "refused", "an administrator has refused it; `reason` says why"


class SenderDecisionKind(DescribedEnum):
    """The decision of an administrator about a sender."""

    approved = "approved", SenderState.approved.description
    refused = "refused", SenderState.refused.description


class Sender(Shape):
    """A name, number or address that messages are sent from, once it is approved."""

    id: Id
    channel: Annotated[MessageChannel, Field(description="the channel: sms or email")]
    kind: Annotated[SenderKind, Field(description="what it is")]
    value: Annotated[str, Field(description="the sender, as recipients see it", examples=["Acme"])]
    countries: Annotated[
        list[str], Field(description="the countries that it serves, ISO 3166-1 with two letters; empty: all")
    ]
    state: Annotated[SenderState, Field(description="whether messages may be sent from it")]
    reason: Annotated[str | None, Field(description="why it was refused; null if it was not")]
    owner_id: Annotated[UUID, Field(description="the user whose sender it is")]
    domain_id: Annotated[UUID | None, Field(description="the domain of an email address; null for SMS")]
    decided_at: Annotated[
        Timestamp | None,
        Field(description="when it was approved or refused; null if it was not, or is an email address"),
    ]
    created_at: Created
    updated_at: Updated


class NewSender(Shape):
    """A sender to ask for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "alpha", "value": "Acme", "countries": ["DE", "AT"]}]}
    )

    kind: Annotated[SenderKind, Field(description="what it is")]
    value: Annotated[
        Line,
        Field(
            min_length=1,
            max_length=320,
            description="the sender, as recipients will see it",
            examples=["Acme"],
        ),
    ]
    countries: Countries = Field(default_factory=list)


class SenderPatch(Shape):
    """Changes to a sender of SMS."""

    countries: Countries


class SenderDecision(Shape):
    """The decision of an administrator about a sender of SMS."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"decision": "refused", "reason": "It is the name of a bank."}]}
    )

    decision: Annotated[SenderDecisionKind, Field(description="approved or refused")]
    reason: (
        Annotated[Line, Field(min_length=1, max_length=500, description="why; required to refuse it")] | None
    ) = None

    @model_validator(mode="after")
    def _say_why(self) -> Self:
        if self.decision is SenderDecisionKind.refused and self.reason is None:
            raise ValueError("reason is missing: say why it is refused")
        return self


class SenderChoice(Shape):
    """The sender that a message would have, and why."""

    sender: Annotated[str | None, Field(description="the sender; null: the channel's own")]
    kind: Annotated[SenderKind | None, Field(description="what it is; null: the channel's own")]
    country: Annotated[
        str | None,
        Field(
            description="country of the recipient; null if it is not known, or for an email", examples=["US"]
        ),
    ]
    why: Annotated[
        str,
        Field(
            description="why it is this sender, as a sentence",
            examples=["US refuses letters; sent from +14155550100."],
        ),
    ]


class SenderWhere(Where):
    """Filter for senders."""

    kinds: ClassVar = {"id": "Sender", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    channel: Annotated[Choice[MessageChannel] | None, Field(description="filter by channel")] = None
    kind: Annotated[Choice[SenderKind] | None, Field(description="filter by kind")] = None
    state: Annotated[Choice[SenderState] | None, Field(description="filter by state")] = None
    value: Annotated[
        Exactly | None, Field(description="filter by the sender itself, without regard to case")
    ] = None

"""Rules of receivers: how fast a sending domain's emails go to each class of mailbox providers, and their pauses."""

from typing import Annotated, Final
from uuid import UUID

from pydantic import ConfigDict, Field

from shapes.deliverability import ProviderClass
from shapes.domains import DomainName
from shapes.shape import Cost, Created, Shape, Timestamp, Updated

MOST_RULES: Final = 1000
"""The most rules of an installation: workers keep all of them."""
MOST_PAUSES: Final = 200
"""The most pauses in an answer."""
MOST_DAYS: Final = 120
"""The most days of a warm-up."""

_DOMAIN = (
    "the domain of the From, for all users who send from it; that of the channel for emails without a From"
)
_CLASS = "the class of providers; null: each class that has no rule of its own, each with these limits"
_IN_FLIGHT = "emails that may be in flight at once, of all workers together; null: no limit of its own"
_PER_MINUTE = "emails a minute; null: no limit of its own"
_WARM_UP = "emails of each day of the warm-up, from its first day on; after the last one there is no limit"
_WARM_UP_FROM = "when the warm-up began: its days are those of UTC"
_PAUSES = "whether the class is paused for a while when the provider refuses the sender by its policy, again and again"


class ReceiverUse(Shape):
    """The emails to a class of providers that a warm-up has counted today (UTC)."""

    provider_class: Annotated[ProviderClass, Field(description="the class of providers")]
    used: Annotated[int, Field(description="emails that were sent, refused or are being sent")]


class ReceiverRule(Shape):
    """Says how fast the emails of a sending domain go to a class of mailbox providers."""

    uuid: Annotated[UUID, Field(description="id of the rule")]
    domain: Annotated[str, Field(description=_DOMAIN, examples=["example.com"])]
    provider_class: Annotated[ProviderClass | None, Field(description=_CLASS)]
    in_flight: Annotated[int | None, Field(description=_IN_FLIGHT)]
    per_minute: Annotated[int | None, Field(description=_PER_MINUTE)]
    warm_up_from: Annotated[Timestamp | None, Field(description=_WARM_UP_FROM)]
    warm_up: Annotated[list[int] | None, Field(description=f"{_WARM_UP}; null: none")]
    pauses: Annotated[bool, Field(description=_PAUSES)]
    allowance: Annotated[
        int | None,
        Field(description="emails that the warm-up allows today, to each class; null: as many as there are"),
    ]
    used: Annotated[
        list[ReceiverUse],
        Field(description="what of the allowance is used, by class"),
        Cost(most=len(ProviderClass)),
    ]
    created_at: Created
    updated_at: Updated


class ReceiverRuleInput(Shape):
    """The values of a rule. The rule of the same domain and class is replaced."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"domain": "example.com", "providerClass": "gmail", "perMinute": 600, "warmUp": [50, 100]}
            ]
        }
    )

    domain: DomainName
    provider_class: Annotated[ProviderClass, Field(description=_CLASS)] | None = None
    in_flight: Annotated[int, Field(ge=1, le=10_000, description=_IN_FLIGHT)] | None = None
    per_minute: Annotated[int, Field(ge=1, le=1_000_000, description=_PER_MINUTE)] | None = None
    warm_up: (
        Annotated[
            list[Annotated[int, Field(ge=0, le=1_000_000_000)]],
            Field(min_length=1, max_length=MOST_DAYS, description=_WARM_UP, examples=[[50, 100, 200]]),
        ]
        | None
    ) = None
    warm_up_from: (
        Annotated[Timestamp, Field(description=f"{_WARM_UP_FROM}; default: as it was, or else now")] | None
    ) = None
    pauses: Annotated[bool, Field(description=_PAUSES)] = True


class ReceiverPause(Shape):
    """A class of mailbox providers that refuses one owner's emails from a domain. They wait, and none has failed."""

    uuid: Annotated[UUID, Field(description="id of the pause")]
    owner_uuid: Annotated[UUID, Field(description="the user whose emails wait")]
    domain: Annotated[str, Field(description=_DOMAIN, examples=["example.com"])]
    provider_class: Annotated[ProviderClass, Field(description="the class of providers")]
    until: Annotated[
        Timestamp,
        Field(description="when one email shows whether the provider takes them again; the others follow it"),
    ]
    times: Annotated[
        int, Field(description="pauses in a row; each is twice as long as the one before, at most 4 h")
    ]
    answer: Annotated[
        str,
        Field(
            description="the provider's answer that began it",
            examples=["RCPT TO: 550 5.7.1 blocked by policy: reputation of example.com"],
        ),
    ]
    created_at: Created

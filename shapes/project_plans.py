"""The plan of a Sending Project: what will happen once it is started."""

from typing import Annotated

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.project_languages import MOST_LANGUAGES
from shapes.project_settings import SpeedInput, WindowInput
from shapes.shape import Cost, Money, Shape, Timestamp
from shapes.values import nothing

MOST_COUNTRIES = 50
"""Entries of a plan's cost by country; the last one has what is left."""


class PlanLimit(DescribedEnum):
    """The limit that decides how fast the messages of a project leave."""

    speed = "speed", "the project's own messages per minute"
    senders = "senders", "the messages per minute of its source accounts"
    jitter = "jitter", "the random delay before each message"
    tariff = "tariff", "the messages per minute of the owner's tariff"
    route = "route", "nothing but the provider's route"


class PlannedChanges(Shape):
    """Settings to plan with, before they are saved. Omitted fields are the project's own; null is their default."""

    speed: Annotated[SpeedInput, Field(description="sending rate")] | None = Field(default_factory=nothing)
    window: (
        Annotated[WindowInput, Field(description="when messages may be sent; null: at any time")] | None
    ) = Field(default_factory=nothing)


class PlannedSkip(Shape):
    """A reason for which recipients will be skipped."""

    code: Annotated[str, Field(description="the code that their messages will have as `failureCode`")]
    count: Annotated[int, Field(description="number of recipients")]


class PlannedVariable(Shape):
    """A variable of the text that some recipients lack."""

    name: Annotated[str, Field(description="name of the variable")]
    count: Annotated[int, Field(description="number of recipients without it")]


class PlannedCountry(Shape):
    """The expected cost of the messages to one country."""

    country: Annotated[
        str | None,
        Field(
            description="ISO 3166-1 code with two letters; 001: numbers of no country, such as satellite phones; null: "
            "all further countries together"
        ),
    ]
    messages: Annotated[int, Field(description="number of messages")]
    amount: Annotated[Money, Field(description="what they cost")]


class PlannedCost(Shape):
    """The expected cost of the messages."""

    currency: Annotated[str, Field(description="currency of the account that pays")]
    price: Annotated[
        Money,
        Field(
            description="price of one message, or of one part of an SMS; on average, if a price list says what numbers "
            "cost"
        ),
    ]
    amount: Annotated[Money, Field(description="cost of all messages, as `exact` says")]
    at_most: Annotated[
        Money,
        Field(
            description="`amount` if `exact`; else the cost if everybody who was not examined gets a message, and each "
            "SMS has as many parts as the longest examined one, "
            "or one part if none was examined. Messages in the queue "
            "are not examined. Longer SMS of recipients without examination can cost more"
        ),
    ]
    parts: Annotated[
        float | None,
        Field(
            description="parts of an SMS on average; null for other channels and without examined messages"
        ),
    ]
    by_country: Annotated[
        list[PlannedCountry],
        Field(
            description="`amount` by the countries of the phones, the most expensive first; extrapolated if not `exact`"
        ),
        Cost(most=MOST_COUNTRIES),
    ]


class PlannedLanguage(Shape):
    """The recipients who get the text in one language."""

    locale: Annotated[str, Field(description="language of the text", examples=["pt-BR"])]
    recipients: Annotated[
        int, Field(description="number of recipients without a message, those who are skipped among them")
    ]
    missing_variable: Annotated[
        int,
        Field(
            description="how many of them lack a variable of this text, whether or not they are skipped; extrapolated"
            " if the plan is not `exact`"
        ),
    ]


class ProjectPlan(Shape):
    """Predicts what will happen to the recipients whose messages have not been sent.

    Recipients are examined as the start would do it: a text is rendered for each. Blocks, addresses, texts, prices and
    the tariff can change until then.
    """

    recipients: Annotated[int, Field(description="recipients without a message, and messages in the queue")]
    to_send: Annotated[int, Field(description="how many messages will be sent")]
    skipped: Annotated[
        list[PlannedSkip],
        Field(description="who will be skipped, the most frequent reasons first"),
        Cost(most=10),
    ]
    missing: Annotated[
        list[PlannedVariable],
        Field(
            description="variables of the text that recipients lack, whether or not they are skipped; at most 20"
        ),
        Cost(most=20),
    ]
    languages: Annotated[
        list[PlannedLanguage],
        Field(
            description="recipients by the language of their text, of a project with `languages`; none of others, and"
            " of one that follows another project"
        ),
        Cost(most=MOST_LANGUAGES),
    ] = Field(default_factory=list)
    exact: Annotated[
        bool,
        Field(
            description="true: every recipient was examined; false: the numbers are extrapolated from `examined` "
            "recipients, which are spread over the list"
        ),
    ]
    examined: Annotated[int, Field(description="recipients for whom the text was rendered")]
    cost: Annotated[
        PlannedCost | None, Field(description="what they will cost; null if the tariff has no price")
    ]
    lacks_public_url: Annotated[
        bool,
        Field(
            description="true: it can't start, since it gives its recipients links, and the operator has not set the"
            " public address of this service (`public_url_missing`)"
        ),
    ]
    per_minute: Annotated[
        float | None,
        Field(description="most messages per minute; null: as many as the provider's route accepts"),
    ]
    limited_by: Annotated[PlanLimit, Field(description="what decides how fast they are sent")]
    per_day: Annotated[int, Field(description="most messages per day (UTC), by the tariff")]
    left_today: Annotated[int, Field(description="messages that the tariff still allows today (UTC)")]
    begins_at: Annotated[
        Timestamp | None,
        Field(description="when the first message may be sent; null: not within a year, or there are none"),
    ]
    ends_at: Annotated[
        Timestamp | None,
        Field(
            description="when the last message will be sent at `perMinute` in the sending window; null: not within a "
            "year, there are none, only the provider's route decides how long it takes, "
            "or the window takes too long to "
            "evaluate"
        ),
    ]

"""Countries of SMS: where messages may go to, and how many to one country in an hour and a day."""

from typing import Annotated, Final
from uuid import UUID

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE
from pydantic import AfterValidator, Field

from shapes.described import DescribedEnum
from shapes.shape import Cost, Shape, Text, Timestamp

COUNTRIES: Final = frozenset(code for codes in COUNTRY_CODE_TO_REGION_CODE.values() for code in codes)
"""The countries that phone numbers can belong to (ISO 3166-1), and 001 for numbers of no country."""

MOST_COUNTRIES: Final = 300
"""Countries in one list; there are fewer."""

MOST_LIMITED: Final = 100
"""The reached caps in an answer."""

MOST_MESSAGES: Final = 2_000_000_000


def with_phones(codes: list[str]) -> list[str]:
    """Returns countries as they are. Raises ValueError for one that has no phone numbers, such as UK, which is GB."""
    if unknown := sorted({code for code in codes if code not in COUNTRIES}):
        raise ValueError(
            f"{unknown[0]!r} is not a country with phone numbers; use two capital letters of ISO 3166-1, or 001"
        )
    return codes


def each_once(codes: list[str]) -> list[str]:
    """Returns countries as they are. Raises ValueError for one that has no phone numbers, or is there twice."""
    if twice := sorted({code for code in with_phones(codes) if codes.count(code) > 1}):
        raise ValueError(f"{twice[0]} is there twice")
    return codes


CountryCode = Annotated[str, Field(pattern="^([A-Z]{2}|001)$")]
Countries = Annotated[
    list[CountryCode],
    Field(max_length=MOST_COUNTRIES, examples=[["DE", "FR"]]),
    AfterValidator(each_once),
]
Cap = Annotated[int, Field(ge=1, le=MOST_MESSAGES, examples=[500])]
_ALLOW = "the only countries that SMS may go to, as ISO 3166-1 codes; 001: numbers of no country, such as satellite"
_ALLOW += " phones"
_DENY = "countries that no SMS may go to, also if `allow` has them"
_PER_HOUR = "the most SMS of a user to any one country in an hour; null: no cap"
_PER_DAY = "the most SMS of a user to any one country in a day; null: no cap"


class CountryCap(DescribedEnum):
    """The cap that was reached."""

    hour = "hour", "the most SMS to one country in an hour"
    day = "day", "the most SMS to one country in a day"


class CountryRefusal(DescribedEnum):
    """The part of the rules that refuses an SMS."""

    installation = "installation", "the installation's lists do not allow the country"
    user = "user", "the user's lists do not allow the country"
    hour = "hour", "the cap of the hour is reached"
    day = "day", "the cap of the day is reached"


class CountryRuleScope(DescribedEnum):
    """Says whose rule is set."""

    user = "user", "a user's"
    installation = "installation", "the installation's, which holds for all users; for administrators"


class CountryRule(Shape):
    """Says which countries SMS may go to, and how many to one country."""

    allow: Annotated[list[str] | None, Field(description=f"{_ALLOW}; null: all", examples=[["DE", "FR"]])]
    deny: Annotated[list[str], Field(description=_DENY, examples=[["KP"]])]
    per_hour: Annotated[int | None, Field(description=_PER_HOUR)]
    per_day: Annotated[int | None, Field(description=_PER_DAY)]


class CountryLimit(Shape):
    """A cap that a user has reached in an hour: the messages beyond it were refused, or wait in their projects."""

    owner_uuid: Annotated[UUID, Field(description="uuid of the user")]
    country: Annotated[str, Field(description="the country", examples=["DE"])]
    cap: Annotated[CountryCap, Field(description="which cap was reached")]
    until: Annotated[Timestamp, Field(description="when the next SMS could go to this country")]
    created_at: Annotated[Timestamp, Field(description="when that was found")]


class CountryRules(Shape):
    """The rules that hold for the SMS of a user."""

    installation: Annotated[CountryRule, Field(description="the installation's rule, for all users")]
    own: Annotated[CountryRule, Field(description="the user's rule")]
    effective: Annotated[
        CountryRule,
        Field(
            description="what holds by both: countries that both allow, and the smaller caps. Empty `allow`: no country"
        ),
    ]
    limited: Annotated[
        list[CountryLimit],
        Field(
            description="caps that were reached in the last seven days, newest first, at most 100; for administrators"
            " those of all users, unless they name one"
        ),
        Cost(most=MOST_LIMITED),
    ]


class SetCountryRules(Shape):
    """A rule that replaces the present one. What is left out is not limited any more."""

    scope: Annotated[CountryRuleScope, Field(description="whose rule")] = CountryRuleScope.user
    user_uuid: (
        Annotated[UUID, Field(description="the user, for administrators; default: the caller")] | None
    ) = None
    allow: Annotated[Countries, Field(description=f"{_ALLOW}; null or empty: all")] | None = None
    deny: Annotated[Countries, Field(description=_DENY)] = Field(default_factory=list)
    per_hour: Annotated[Cap, Field(description=_PER_HOUR)] | None = None
    per_day: Annotated[Cap, Field(description=_PER_DAY)] | None = None


Number = Annotated[
    Text,
    Field(
        min_length=1, max_length=64, description="a phone in any common notation", examples=["+4930123456"]
    ),
]


class CountryCheck(Shape):
    """Says whether an SMS to a number would be accepted by the rules of countries."""

    to: Annotated[str, Field(description="the number in E.164 format")]
    country: Annotated[str, Field(description="its country; 001: it belongs to none", examples=["DE"])]
    allowed: Annotated[bool, Field(description="whether an SMS would be accepted now")]
    refused_by: Annotated[CountryRefusal | None, Field(description="what refuses it; null: nothing")]
    left_this_hour: Annotated[
        int | None, Field(description="SMS that the cap of the hour leaves now; null: it has no cap")
    ]
    left_today: Annotated[
        int | None, Field(description="SMS that the cap of the day leaves now; null: it has no cap")
    ]

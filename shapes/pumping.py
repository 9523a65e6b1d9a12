"""The protection of codes from SMS pumping: what was not sent, and what that has saved."""

from typing import Annotated, ClassVar, Final
from uuid import UUID

from pydantic import Field

from shapes.described import DescribedEnum
from shapes.shape import Cost, Created, Id, Money, Shape, Timestamp
from shapes.where import Ids, TimeSpan, Where

MOST_PREFIXES: Final = 200
MOST_COUNTRIES: Final = 100
"""The countries in one report."""
MOST_CURRENCIES: Final = 50
MOST_HOURS: Final = 168  # of a report


class GroupKind(DescribedEnum):
    """Kind of a group of numbers."""

    country = "country", "all numbers of a country"
    prefix = "prefix", "the numbers that begin with the same digits"


class VerificationProtection(Shape):
    """Says whether your codes are protected from SMS pumping: floods of starts that only earn money for others."""

    enabled: Annotated[bool, Field(description="whether codes to suspected groups of numbers are not sent")]
    allowed_prefixes: Annotated[
        list[str], Field(description="numbers that begin so are never suspected", examples=[["+4915"]])
    ]


class SetVerificationProtection(Shape):
    """The protection from SMS pumping that replaces the present one."""

    enabled: Annotated[
        bool,
        Field(description="whether codes to suspected groups of numbers are not sent", examples=[True]),
    ]
    allowed_prefixes: Annotated[
        list[Annotated[str, Field(pattern=r"^\+[1-9][0-9]{0,14}$")]],
        Field(
            max_length=MOST_PREFIXES,
            description="numbers that begin so are never suspected; default: none",
            examples=[["+4915"]],
        ),
    ] = Field(default_factory=list)


class SuspectedGroup(Shape):
    """A group of numbers to which codes were not sent in an hour, since hardly any of them is approved."""

    id: Id
    owner_id: Annotated[UUID, Field(description="the user whose codes they are")]
    kind: Annotated[GroupKind, Field(description="what the group is")]
    value: Annotated[str, Field(description="the country, or the first digits", examples=["+4915112345"])]
    country: Annotated[str, Field(description="country of the numbers", examples=["DE"])]
    hour: Annotated[Timestamp, Field(description="the hour in which it was suspected")]
    threshold: Annotated[
        int, Field(description="codes without an approval in an hour, from which on none is sent")
    ]
    started: Annotated[int, Field(description="codes that were sent in the hour before")]
    approved: Annotated[int, Field(description="codes that were approved in the hour before")]
    suppressed: Annotated[int, Field(description="codes that were not sent")]
    saved: Annotated[Money, Field(description="what these would have cost")]
    currency: Annotated[str, Field(description="the currency of `saved`")]
    created_at: Created
    updated_at: Annotated[Timestamp, Field(description="when a code was not sent for the last time")]


class CountryVerifications(Shape):
    """The codes to the numbers of a country."""

    country: Annotated[str, Field(description="the country", examples=["DE"])]
    started: Annotated[int, Field(description="codes that were sent")]
    approved: Annotated[int, Field(description="codes that were approved")]
    suppressed: Annotated[int, Field(description="codes that were not sent on suspicion")]


class SavedMoney(Shape):
    """Money that was saved by codes which were not sent, in a currency."""

    currency: Annotated[str, Field(description="the currency", examples=["USD"])]
    amount: Annotated[Money, Field(description="the price of these codes")]
    messages: Annotated[int, Field(description="how many codes they are")]


class VerificationReport(Shape):
    """Codes by country, and the money that the protection from SMS pumping has saved."""

    since: Annotated[Timestamp, Field(description="begin of the report")]
    enabled: Annotated[bool, Field(description="whether the protection is on")]
    countries: Annotated[
        list[CountryVerifications],
        Field(description=f"codes by SMS by country, most first; at most {MOST_COUNTRIES}"),
        Cost(most=MOST_COUNTRIES),
    ]
    saved: Annotated[
        list[SavedMoney], Field(description="what was saved, by currency"), Cost(most=MOST_CURRENCIES)
    ]


class SuspectedGroupWhere(Where):
    """Filter for suspected groups."""

    kinds: ClassVar = {"id": "SuspectedGroup", "owner_id": "User"}

    id: Annotated[Ids | None, Field(description="filter by id")] = None
    owner_id: Annotated[Ids | None, Field(description="filter by owner")] = None
    created_at: Annotated[
        TimeSpan | None, Field(description="filter by the time at which it was suspected")
    ] = None

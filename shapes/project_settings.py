"""Shapes of how a Sending Project sends: its window, its rate, its repeated attempts, and the variants of its text."""

import re
from enum import StrEnum
from functools import cache
from typing import Annotated, Self
from zoneinfo import available_timezones

import strawberry
from pydantic import AfterValidator, Field, model_validator

from shapes.shape import Line, Shape, Text

_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_CLOCK = re.compile(f"{_TIME}|24:00")
LONGEST_TEXT = 100_000
_SHORTEST_WINDOW = 60
_DAY = 24 * 60


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) - {"localtime", "posixrules", "Factory"}


def check_zone(name: str) -> str:
    if name not in _zones():
        raise ValueError("is not an IANA time zone; use a name like Europe/Berlin")
    return name


def _clock(text: str) -> str:
    if not _CLOCK.fullmatch(text):
        raise ValueError("must be a time like 09:30")
    return text


def _weekdays(days: list[int]) -> list[int]:
    return sorted(set(days))


# what is shown


class Window(Shape):
    """The local time at which messages may be sent. If it ends before it begins, it lasts until the next day."""

    timezone: Annotated[str, Field(description="IANA time zone", examples=["Europe/Berlin"])]
    days: Annotated[
        list[int],
        Field(
            description="weekdays on which the window opens: 1 is Monday, 7 is Sunday", examples=[[1, 2, 3]]
        ),
    ]
    from_: Annotated[
        str,
        Field(alias="from", description="local time at which the window opens", examples=["09:00"]),
        strawberry.field(name="from"),
    ]
    to: Annotated[
        str, Field(description="local time at which the window closes; 24:00 is midnight", examples=["18:00"])
    ]
    recipient_timezone: Annotated[
        bool, Field(description="true: use the recipient's own time zone, if it is known")
    ] = False


class Speed(Shape):
    """Sending rate. Where a value is null, only the tariff and the providers limit it."""

    per_minute: Annotated[
        int | None, Field(description="messages of the project per minute; null: no limit")
    ] = None
    per_account_per_minute: Annotated[
        int | None, Field(description="messages of each source account per minute; null: no limit")
    ] = None
    jitter_seconds: Annotated[
        int | None, Field(description="maximum random delay before each message, in seconds; null: no delay")
    ] = None


class Retry(Shape):
    """The rule for repeated attempts after a temporary failure."""

    max_attempts: Annotated[int | None, Field(description="number of attempts; null: 3")] = None
    backoff_seconds: Annotated[
        int | None,
        Field(description="seconds before the second attempt, doubled for each further one; null: 60"),
    ] = None


class Variant(Shape):
    """One of several text variants. A recipient always gets the same variant."""

    text: Annotated[str, Field(description="text in place of the project's; Liquid")]
    weight: Annotated[int, Field(description="relative frequency compared with the other variants")] = 1


class WhatsAppTemplate(Shape):
    """An approved message template of WhatsApp Cloud."""

    name: Annotated[str, Field(description="name of the template at WhatsApp")]
    language: Annotated[str, Field(description="language of the template", examples=["en_US"])]
    params: Annotated[list[str], Field(description="parameters of the template, in order; Liquid")] = Field(
        default_factory=list
    )


# what callers send

Clock = Annotated[
    Line, Field(max_length=5, json_schema_extra={"pattern": f"^({_CLOCK.pattern})$"}), AfterValidator(_clock)
]


class WindowInput(Shape):
    """The local time at which messages may be sent. If it ends before it begins, it lasts until the next day."""

    timezone: Annotated[
        Line,
        Field(max_length=64, description="IANA time zone", examples=["Europe/Berlin"]),
        AfterValidator(check_zone),
    ]
    days: Annotated[
        list[Annotated[int, Field(ge=1, le=7)]],
        Field(
            min_length=1,
            max_length=7,
            description="weekdays on which the window opens: 1 is Monday, 7 is Sunday; default: every day",
            examples=[[1, 2, 3, 4, 5]],
        ),
        AfterValidator(_weekdays),
    ] = Field(default_factory=lambda: [1, 2, 3, 4, 5, 6, 7])
    from_: Annotated[
        Clock,
        Field(
            alias="from",
            description="local time at which the window opens",
            examples=["09:00"],
            json_schema_extra={"pattern": f"^({_TIME})$"},
        ),
        strawberry.field(name="from"),
    ]
    to: Annotated[
        Clock,
        Field(description="local time at which the window closes; 24:00 is midnight", examples=["18:00"]),
    ]
    recipient_timezone: Annotated[
        bool, Field(description="true: use the recipient's own time zone, if it is known")
    ] = False

    @model_validator(mode="after")
    def _long_enough(self) -> Self:
        begin, end = (int(text[:2]) * 60 + int(text[3:]) for text in (self.from_, self.to))
        if begin == end:
            raise ValueError("from and to must differ; the whole day is from 00:00 to 24:00")
        if begin == _DAY:
            raise ValueError("from is at most 23:59; the beginning of a day is 00:00")
        if (end - begin) % _DAY < _SHORTEST_WINDOW and end - begin != _DAY:
            raise ValueError(f"a window is open for at least {_SHORTEST_WINDOW} minutes")
        return self


class SpeedInput(Shape):
    """Sending rate. Where a value is omitted, only the tariff and the providers limit it."""

    per_minute: (
        Annotated[
            int, Field(ge=1, le=1_000_000, description="messages of the project per minute; null: no limit")
        ]
        | None
    ) = None
    per_account_per_minute: (
        Annotated[
            int,
            Field(ge=1, le=100_000, description="messages of each source account per minute; null: no limit"),
        ]
        | None
    ) = None
    jitter_seconds: (
        Annotated[
            int,
            Field(
                ge=0,
                le=600,
                description="maximum random delay before each message, in seconds; null: no delay",
            ),
        ]
        | None
    ) = None


class RetryInput(Shape):
    """The rule for repeated attempts after a temporary failure."""

    max_attempts: Annotated[int, Field(ge=1, le=20, description="number of attempts; default: 3")] | None = (
        None
    )
    backoff_seconds: (
        Annotated[
            int,
            Field(
                ge=1,
                le=86_400,
                description="seconds before the second attempt, doubled for each further one; default: 60",
            ),
        ]
        | None
    ) = None


class VariantInput(Shape):
    """One of several text variants. A recipient always gets the same variant."""

    text: Annotated[
        Text,
        Field(min_length=1, max_length=LONGEST_TEXT, description="text in place of the project's; Liquid"),
    ]
    weight: Annotated[
        int, Field(ge=1, le=1000, description="relative frequency compared with the other variants")
    ] = 1


class WhatsAppTemplateInput(Shape):
    """An approved message template of WhatsApp Cloud."""

    name: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9_]{1,512}$",
            description="name of the template at WhatsApp",
            examples=["spring_sale"],
        ),
    ]
    language: Annotated[
        str,
        Field(
            pattern=r"^[a-z]{2,3}(_[A-Za-z]{2,4})?$",
            description="language of the template",
            examples=["en_US"],
        ),
    ]
    params: Annotated[
        list[Annotated[Text, Field(max_length=1024)]],
        Field(max_length=20, description="parameters of the template, in order; Liquid"),
    ] = Field(default_factory=list)


class Preparation(StrEnum):
    """The work that the engine still has to do for a project before (or beside) sending."""

    freeze = "freeze"  # make a message of every recipient
    retry = "retry"  # put the failed ones in the queue again
    cancel = "cancel"  # it was deleted: cancel what is queued

"""Enums that both doors show: each member says what it is and what it means.

GraphQL needs no further list of them: `shapes/enums.py` makes each subclass known to it, with these descriptions.
"""

from enum import StrEnum
from typing import Self


class DescribedEnum(StrEnum):
    """An enum of both doors. A member is its value and its description: `sms = "sms", "text messages"`."""

    _value_: str
    description: str
    """The meaning of the value, which GraphQL's schema shows."""

    def __new__(cls, value: str, description: str = "") -> Self:  # without one, `tests/sdl` fails
        member = str.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member

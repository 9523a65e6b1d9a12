"""The country of a phone number."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE as REGIONS
from phonenumbers import PhoneMetadata, PhoneNumberDesc

NO_COUNTRY: Final = "001"
"""The code of numbers that belong to no country, such as satellite phones (+881, +882) and +800; it is CLDR's."""

_AREA_CODE: Final = 4  # digits of +1 and an area code
_TYPES: Final = (
    "premium_rate", "toll_free", "shared_cost", "voip", "personal_number", "pager", "uan", "voicemail", "fixed_line",
    "mobile",
)  # fmt: skip
"""The kinds of numbers that libphonenumber's `region_code_for_number` looks at."""


class _Region(NamedTuple):
    """A region of a calling code that several share, with libphonenumber's patterns of its numbers."""

    code: str
    leading_digits: re.Pattern[str] | None  # alone they decide
    valid: Sequence[re.Pattern[str]]  # a number of the region matches one of them


def country_of(phone: str) -> str | None:
    """Returns the country (ISO 3166-1, two letters, or `NO_COUNTRY`) of an E.164 number; None for any other text.

    Most calling codes are those of one country. Where several share one, libphonenumber's patterns decide, as in its
    `region_code_for_number`, which takes ten times as long. A number that fits none of the patterns belongs to the
    largest country of its code.
    """
    code = calling_code(phone)
    if code is None:
        return None
    countries = REGIONS[int(code)]
    if len(countries) == 1:
        return countries[0]
    national = phone[1 + len(code) :]
    if code == "1":
        return _of_area_code(national[:3])
    return _first_match(code, national) or countries[0]


def country_of_prefix(prefix: str) -> str | None:
    """Returns the country of the numbers that begin with these digits; None if they have none, or several.

    A short prefix of a calling code with a large and some small countries, such as 44, counts as the large one's.
    """
    if calling_code(f"+{prefix}") == "1" and len(prefix) < _AREA_CODE:
        return None
    return country_of(f"+{prefix}")


def calling_code(phone: str) -> str | None:
    """Returns the calling code of an E.164 number, such as 49 of +4930123456; None for any other text."""
    if phone[:1] != "+":
        return None
    return next((phone[1:end] for end in (2, 3, 4) if phone[1:end] in _codes()), None)


@cache
def _codes() -> frozenset[str]:
    return frozenset(map(str, REGIONS))


@cache  # there are a thousand area codes
def _of_area_code(area_code: str) -> str:
    return _first_match("1", f"{area_code}2345678") or REGIONS[1][0]


def _first_match(code: str, national: str) -> str | None:
    for region in _regions(code):
        if region.leading_digits is not None:
            if region.leading_digits.match(national):
                return region.code
        elif any(pattern.fullmatch(national) for pattern in region.valid):
            return region.code
    return None


@cache
def _regions(code: str) -> Sequence[_Region]:
    regions = []
    for country in REGIONS[int(code)]:
        metadata = PhoneMetadata.metadata_for_region(country)
        assert metadata is not None  # its code is in the same tables
        descriptions: list[PhoneNumberDesc | None] = [getattr(metadata, kind) for kind in _TYPES]
        patterns = [each.national_number_pattern for each in descriptions if each is not None]
        leading = metadata.leading_digits
        regions.append(
            _Region(
                country,
                None if leading is None else re.compile(leading),
                [re.compile(pattern) for pattern in patterns if pattern is not None],
            )
        )
    return regions

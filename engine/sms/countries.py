"""The country of a phone number."""

from functools import cache
from threading import Lock
from typing import Final

import phonenumbers
from cachetools import LRUCache
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE as REGIONS

WORLD: Final = "001"
"""The code of numbers that belong to no country, such as satellite phones (+881, +882) and +800; it is CLDR's."""

_DIGITS: Final = {
    "1": 4,
    "44": 9,
    "7": 6,
}  # that decide the country, calling code included; ten for other codes
_MOST: Final = 32_768
_shared: LRUCache[str, str | None] = LRUCache(_MOST)
_lock = Lock()


def country_of(phone: str) -> str | None:
    """Returns the country (ISO 3166-1, two letters, or `WORLD`) of an E.164 number; None for any other text.

    Most calling codes are those of one country. Where several share one, libphonenumber's patterns decide (of +1, the
    area code); a number that fits none of them belongs to the largest country of its code.
    """
    code = calling_code(phone)
    if code is None:
        return None
    regions = REGIONS[int(code)]
    if len(regions) == 1:
        return regions[0]
    key = phone[1 : 1 + _DIGITS.get(code, 10)]
    with _lock:
        if key in _shared:
            return _shared[key]
    region = _region(f"+{key}2345678" if code == "1" else phone) or regions[0]
    with _lock:
        _shared[key] = region
    return region


def calling_code(phone: str) -> str | None:
    """Returns the calling code of an E.164 number, such as 49 of +4930123456; None for any other text."""
    if phone[:1] != "+":
        return None
    return next((phone[1:end] for end in (2, 3, 4) if phone[1:end] in _codes()), None)


@cache
def _codes() -> frozenset[str]:
    return frozenset(map(str, REGIONS))


def _region(phone: str) -> str | None:
    try:
        return phonenumbers.region_code_for_number(phonenumbers.parse(phone))
    except phonenumbers.NumberParseException:
        return None

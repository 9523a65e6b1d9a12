"""The currency codes of ISO 4217."""

from functools import cache

import pycountry


@cache
def codes() -> frozenset[str]:
    """Returns all codes."""
    return frozenset(currency.alpha_3 for currency in pycountry.currencies)


def check_currency(code: str) -> str:
    """Returns the code. Raises ValueError for a code that ISO 4217 doesn't list."""
    if code not in codes():
        raise ValueError(f"{code} is not an ISO 4217 currency; GET /common/currencies lists them")
    return code

"""The country of a number, against libphonenumber's own answer for whole numbers."""

import random

import phonenumbers
import pytest

from engine.sms import countries


def _numbers(region: str) -> list[str]:
    """Returns possible numbers that begin as the region's examples do, with random digits after them."""
    draw = random.Random(region)
    numbers = []
    for kind in (phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE):
        if (example := phonenumbers.example_number_for_type(region, kind)) is None:
            continue
        digits = str(example.national_number)
        for _ in range(20):
            kept = draw.randint(3, len(digits))
            tail = "".join(draw.choice("0123456789") for _ in digits[kept:])
            numbers.append(f"+{example.country_code}{digits[:kept]}{tail}")
    return numbers


@pytest.mark.parametrize("region", sorted(phonenumbers.SUPPORTED_REGIONS))
def test_country_is_that_of_libphonenumber(region: str) -> None:
    for number in _numbers(region):
        exact = phonenumbers.region_code_for_number(phonenumbers.parse(number))
        if exact is not None:
            assert countries.country_of(number) == exact, number


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("+14155550100", "US"),
        ("+16045550100", "CA"),
        ("+77012345678", "KZ"),
        ("+79161234567", "RU"),
        ("+447781000000", "GG"),
        ("+4930123456", "DE"),
        ("+88216123456", countries.WORLD),
        ("+999123456", None),
        ("a@example.com", None),
        ("", None),
        ("+", None),
    ],
)
def test_country_of_a_number(text: str, country: str | None) -> None:
    assert countries.country_of(text) == country


def test_answers_are_remembered_and_the_same_for_every_order() -> None:
    numbers = [number for region in ("US", "CA", "DO", "GB", "JE", "AU", "CX") for number in _numbers(region)]
    first = [countries.country_of(number) for number in numbers]
    assert [countries.country_of(number) for number in reversed(numbers)] == first[::-1]

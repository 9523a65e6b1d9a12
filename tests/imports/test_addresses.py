"""Phones and emails by heart say what the libraries say."""

import random

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.file_parsers import addresses
from engine.file_parsers.addresses import Addresses, Phones, email, why_not
from shapes.emails import mailbox
from tests.support.examples import examples

REGIONS = sorted(phonenumbers.SUPPORTED_REGIONS)


def numbers(region: str, chosen: random.Random) -> str:
    """Something like a number: of this region or another, dialled in this way or that."""
    code = str(phonenumbers.country_code_for_region(region))
    prefix = phonenumbers.ndd_prefix_for_region(region, True) or ""
    example = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)
    digits = "".join(chosen.choice("0123456789") for _ in range(chosen.randint(4, 13)))
    if example is not None and chosen.random() < 0.6:
        national = str(example.national_number)
        digits = national[:4] + "".join(chosen.choice("0123456789") for _ in national[4:])
    other = str(chosen.choice([*phonenumbers.COUNTRY_CODE_TO_REGION_CODE]))
    return (
        chosen.choice(["", "+"]) + chosen.choice(["", code, prefix, other, "00", "8", code + prefix]) + digits
    )


@pytest.mark.parametrize("seed", range(8))
def test_digits_come_out_as_the_library_has_them(seed: int):
    chosen = random.Random(seed)
    for region in REGIONS[seed::8]:
        phones = Phones(region)
        for _ in range(100):
            text = numbers(region, chosen)
            assert phones._digits(text) == addresses._parsed(text, region), (region, text)


@pytest.mark.parametrize(
    ("text", "phone"),
    [
        ("+79161234567", "+79161234567"), ("89161234567", "+79161234567"), ("9161234567", "+79161234567"),
        ("79161234567", "+79161234567"), ("79161234567.0", "+79161234567"), ("8 (916) 123-45-67", "+79161234567"),
        ("+7 916 123‑45‑67", "+79161234567"), ("\u202a+79161234567\u202c", "+79161234567"),
        ("'+79161234567", "+79161234567"), ("14155550100", "+14155550100"), ("+1 415 555 0100", "+14155550100"),
        ("", None), ("abc", None), ("7,91612E+10", None), ("7.91612E+10", None), ("+7", None), ("123", None),
        ("+79161234567 доб. 12", None), ("9" * 40, None), ("+٧٩١٦١٢٣٤٥٦٧", "+79161234567"),
    ],
)  # fmt: skip
def test_what_people_write(text: str, phone: str | None):
    assert Phones("RU")(text) == phone


@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=40))
def test_nothing_breaks_it(text: str):
    for normalise in (Phones("RU"), email, Addresses("DE")):
        normalise(text)
    for kind in ("phone", "email", "address"):
        code, message = why_not(kind, text)
        assert code
        assert message.endswith(".")


@settings(max_examples=examples(100), deadline=None)
@given(
    st.from_regex(
        r"[A-Za-z0-9._%+-]{1,20}@([a-z0-9-]{1,9}\.){0,3}(com|test|local|arpa|ru|invalid|x)", fullmatch=True
    )
)
def test_emails_come_out_as_the_library_has_them(text: str):
    try:
        address = mailbox(text)
    except ValueError:
        address = None
    assert email(text) == address


def test_any_address():
    normalise = Addresses("US")
    token = "dYk3:APA91bH_x-" + "a" * 120
    assert normalise(token) == token
    assert normalise("anna@example.com") == "anna@example.com"
    assert normalise("(415) 555-0100") == "+14155550100"
    assert normalise("@anna_k") == "@anna_k"
    assert normalise("two words") is None
    assert normalise("12345") is None
    push = '{"keys":{"p256dh":"a","auth":"b"},"endpoint":"https://push.example/1"}'
    assert normalise(push) == '{"endpoint":"https://push.example/1","keys":{"auth":"b","p256dh":"a"}}'
    assert normalise('{"endpoint":"http://10.0.0.1/"}') is None
    assert normalise("é" * 1250) == "é" * 1250
    assert normalise("é" * 1251) is None  # an index of PostgreSQL would refuse longer ones
    assert normalise(push.replace("/1", "/" + "a" * 2500)) is None


def test_the_reason_says_what_to_do():
    assert why_not("phone", "7,91612E+10")[1].endswith("Format the column as text.")
    assert why_not("phone", "")[0] == "missing_address"
    assert why_not("address", "a@@b")[0] == "invalid_email"

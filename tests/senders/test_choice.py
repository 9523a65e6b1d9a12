"""The sender of a message as a table, and what a sender must look like."""

from collections import Counter

import pytest

from engine.sms.number_countries import REFUSE_LETTERS, without_letters
from engine.sms.senders import NotApproved, Sender, choose, may_send, spelled
from shapes.senders import SenderKind
from tests.senders.made import BERLIN, NEW_YORK

NAME = Sender("Acme", SenderKind.alpha, ())
NAME_DE = Sender("Acme", SenderKind.alpha, ("DE",))
US = Sender("+14155550101", SenderKind.number, ("US",))
WORLD_NUMBER = Sender("+4915100000000", SenderKind.number, ())
CODE = Sender("12345", SenderKind.short, ("US", "CA"))
OTHER = "+99999"


@pytest.mark.parametrize(
    ("to", "asked", "senders", "value", "why"),
    [
        (BERLIN, None, [NAME], None, "No sender is named"),
        (BERLIN, "Acme", [NAME], "Acme", "approved for DE"),
        (BERLIN, "ACME", [NAME], "Acme", "approved for DE"),
        (BERLIN, "Acme", [NAME_DE], "Acme", "approved for DE"),
        (NEW_YORK, "Acme", [NAME], None, "US refuses letters, and you have no approved number"),
        (NEW_YORK, "Acme", [NAME, US], "+14155550101", "US refuses letters; sent from +14155550101."),
        (NEW_YORK, "Acme", [NAME, CODE], "12345", "US refuses letters; sent from 12345."),
        (NEW_YORK, "Acme", [NAME, WORLD_NUMBER], None, "no approved number"),
        (NEW_YORK, "+14155550101", [NAME, US], "+14155550101", "approved for US"),
        (BERLIN, "+4915100000000", [WORLD_NUMBER], "+4915100000000", "approved for DE"),
        ("+14165550100", "12345", [CODE], "12345", "approved for CA"),
        (OTHER, "Acme", [NAME], "Acme", "approved for this country"),
    ],
)
def test_choices(to: str, asked: str | None, senders: list[Sender], value: str | None, why: str):
    choice = choose(to, asked, senders, REFUSE_LETTERS)
    assert choice.value == value
    assert why in choice.why


@pytest.mark.parametrize(
    ("to", "asked", "senders", "why"),
    [
        (BERLIN, "Acme", [], "not one of your approved senders"),
        (BERLIN, "Acme", [US], "POST /senders"),
        (NEW_YORK, "Acme", [NAME_DE, US], "does not serve US"),
        (BERLIN, "12345", [CODE], "does not serve DE"),
        (OTHER, "Acme", [NAME_DE], "does not serve this country"),
    ],
)
def test_refusals(to: str, asked: str, senders: list[Sender], why: str):
    with pytest.raises(NotApproved, match=why):
        choose(to, asked, senders, REFUSE_LETTERS)


def test_a_recipient_hears_from_one_number():
    numbers = [Sender(f"+1415555{n:04}", SenderKind.number, ("US",)) for n in range(200, 204)]
    people = [f"+1212555{n:04}" for n in range(2000)]

    def chosen(numbers: list[Sender]) -> dict[str, str | None]:
        return {to: choose(to, "Acme", [NAME, *numbers], REFUSE_LETTERS).value for to in people}

    before = chosen(numbers)
    assert chosen(numbers[::-1]) == before
    assert all(400 < count < 600 for count in Counter(before.values()).values())
    gone = numbers[0].value
    after = chosen(numbers[1:])
    assert all(after[to] == number for to, number in before.items() if number != gone)


def test_a_chosen_sender_may_be_lost():
    assert may_send(BERLIN, "Acme", [NAME]) and may_send(BERLIN, "Acme", [NAME_DE])
    assert not may_send(NEW_YORK, "Acme", [NAME_DE])
    assert not may_send(BERLIN, "Acme", [US])


def test_the_table_of_countries_can_be_changed():
    assert {"US", "CA", "CN"} <= REFUSE_LETTERS and "DE" not in REFUSE_LETTERS
    assert without_letters([]) == REFUSE_LETTERS
    assert without_letters(["+DE", "-US"]) == REFUSE_LETTERS - {"US"} | {"DE"}
    assert without_letters(["FR", "BE"]) == {"FR", "BE"}
    assert without_letters(["FR", "+DE", "-FR"]) == {"DE"}


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("alpha", " Acme ", "Acme"),
        ("alpha", "Ärzte & Co", "Ärzte & Co"),
        ("alpha", "A2345678901", "A2345678901"),
        ("alpha", "", None),
        ("alpha", "12345", None),
        ("alpha", "TwelveLetter", None),
        ("alpha", "1234567890€a", None),
        ("alpha", "Acme€€€€€", None),
        ("alpha", "Акме", None),
        ("alpha", "Ac\nme", None),
        ("number", "+1 (415) 555-0100", NEW_YORK),
        ("number", "4155550100", None),
        ("number", "+0155550100", None),
        ("number", "+1234567890123456", None),
        ("number", "+٤١٥٥٥٥٠١٠٠", None),
        ("short", "12345", "12345"),
        ("short", "12", None),
        ("short", "123456789", None),
        ("short", "12a45", None),
        ("email", "a@b.example", None),
    ],
)
def test_spelling(kind: str, text: str, value: str | None):
    if value is not None:
        assert spelled(SenderKind(kind), text) == value
        return
    with pytest.raises(ValueError, match=r"an? "):
        spelled(SenderKind(kind), text)

"""The people of a run, and the addresses by which the provider recognizes them."""

import re
from dataclasses import dataclass
from random import Random

REFUSED = 0.04  # the share of people whose address the provider refuses for good
_MAIL = re.compile(r"person(\d{5})@", re.IGNORECASE)
_PHONE = re.compile(r"49151(\d{7})$")
_FIRST_NUMBER = 2_300_000


@dataclass(frozen=True)
class Person:
    number: int
    refused: bool  # the provider never accepts a message to this person, and says so

    @property
    def mail(self) -> str:
        return f"person{self.number:05}@example.com"

    @property
    def phone(self) -> str:
        return f"+49151{_FIRST_NUMBER + self.number}"


def people(number: int, seed: int) -> list[Person]:
    """Returns as many people as are asked for; the seed chooses those whom the provider refuses."""
    dice = Random(f"people:{seed}")
    return [Person(index, dice.random() < REFUSED) for index in range(1, number + 1)]


def number_of(address: str) -> int | None:
    """Returns the number of the person with this address; None for an address of no person, such as a bounce's."""
    if match := _MAIL.search(address):
        return int(match[1])
    if match := _PHONE.search(address):
        return int(match[1]) - _FIRST_NUMBER
    return None

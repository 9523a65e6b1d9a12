"""The sender of an SMS: the form of a name or number, and the choice of one for a message.

`choose` needs no database and no network, so that it can be asked for each way that a message may take.
"""

import re
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from channels.sms_text import encode
from engine.sms.countries import country_of
from shapes.senders import SenderKind

CODE: Final = "sender_not_approved"
LOST: Final = "Its sender is not approved any more, or does not serve the country of the recipient any more."
_MOST_SEPTETS: Final = 11  # TS 23.040 §9.1.2.5: an address has 10 octets, which are 11 septets
_NUMBER: Final = re.compile(r"\+[1-9][0-9]{6,14}", re.ASCII)
_SHORT: Final = re.compile(r"[0-9]{3,8}", re.ASCII)


class Sender(NamedTuple):
    """An approved sender of SMS."""

    value: str
    kind: SenderKind
    countries: Collection[str]  # that it serves; empty: all

    def serves(self, country: str | None) -> bool:
        """Returns whether it may be used in a country."""
        return not self.countries or country in self.countries


class Choice(NamedTuple):
    """The sender of one message, and why it is this one."""

    sender: Sender | None  # None: the channel's own
    country: str | None  # of the recipient
    why: str

    @property
    def value(self) -> str | None:
        """Returns the sender as it is told to a provider; None: the channel's own."""
        return self.sender.value if self.sender else None


class NotApproved(Exception):
    """A message may not be sent from the sender that it names; the text names the remedy."""


def choose(to: str, asked: str | None, senders: Sequence[Sender], without_letters: Collection[str]) -> Choice:
    """Returns the sender of a message to the phone `to`. Raises NotApproved.

    `asked`: the sender that the message names, or None. `senders`: those of its owner that are approved.
    `without_letters`: the countries that refuse senders of letters. They get a number of the owner that serves them by
    name, always the same one for one recipient, or else the channel's own sender.
    """
    country = country_of(to)
    if asked is None:
        return Choice(None, country, "No sender is named; the channel's own is used.")
    key = key_of(asked)
    sender = next((sender for sender in senders if key_of(sender.value) == key), None)
    if sender is None:
        raise NotApproved(
            f"{asked} is not one of your approved senders. Ask for it with POST /senders, or name another one."
        )
    where = country or "this country"
    if not sender.serves(country):
        raise NotApproved(
            f"{sender.value} does not serve {where}. Add the country with PATCH /senders/{{senderId}}, or name another"
            " sender."
        )
    if sender.kind is not SenderKind.alpha or country not in without_letters:
        return Choice(sender, country, f"{sender.value} is approved for {where}.")
    pool = [other for other in senders if other.kind is not SenderKind.alpha and country in other.countries]
    if not pool:
        return Choice(
            None,
            country,
            f"{where} refuses letters, and you have no approved number for it; sent from the channel's own sender.",
        )
    number = max(pool, key=lambda other: _weight(to, other.value))
    return Choice(number, country, f"{where} refuses letters; sent from {number.value}.")


def may_send(to: str, value: str, senders: Sequence[Sender]) -> bool:
    """Returns whether a sender that was chosen for a message is still approved and serves its country."""
    country = country_of(to)
    return any(sender.value == value and sender.serves(country) for sender in senders)


def key_of(value: str) -> str:
    """Returns a key that is the same for two senders that are spelled the same, without regard to case."""
    return value.casefold()


def spelled(kind: SenderKind, text: str) -> str:
    """Returns a sender of SMS in its one spelling. Raises ValueError with the reason."""
    value = text.strip()
    match kind:
        case SenderKind.alpha:
            alphabet, octets = encode(value)
            if alphabet != "gsm" or not value.isprintable():
                raise ValueError(
                    "a name has letters, digits and signs of the GSM alphabet (3GPP TS 23.038) alone"
                )
            if not 1 <= len(octets) <= _MOST_SEPTETS:
                raise ValueError(
                    f"a name has at most {_MOST_SEPTETS} characters; a sign such as € counts twice"
                )
            if not any(char.isalpha() for char in value):
                raise ValueError("a name has at least one letter; digits alone are a number or a short code")
        case SenderKind.number:
            value = re.sub(r"[\s().-]", "", value)
            if not _NUMBER.fullmatch(value):
                raise ValueError("a number is written in E.164, like +14155550100")
        case SenderKind.short:
            if not _SHORT.fullmatch(value):
                raise ValueError("a short code has 3 to 8 digits")
        case SenderKind.email:
            raise ValueError("an email address is no sender of SMS")
    return value


def _weight(to: str, value: str) -> bytes:
    """Returns the key by which a recipient prefers one number: another one that comes or goes moves only its own
    recipients.
    """
    return blake2b(f"{to}\0{value}".encode(), digest_size=8).digest()

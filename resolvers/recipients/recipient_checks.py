"""Checks recipients before they are added: each address is brought into its one spelling, or rejected with a reason."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

from core.errors import BadRequest
from core.outbound import Guard
from engine.file_parsers import addresses
from resolvers.recipient_addresses import push_target
from shapes.addresses import address_key
from shapes.recipients import InvalidRecipient, NewRecipient
from shapes.sending_projects import ProjectChannel


class AddressRefused(Exception):
    """Rejects an address; others of the same request are still added."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class CheckedRecipients:
    """The recipients of a request, checked before the transaction begins."""

    channel: str
    good: dict[str, NewRecipient]  # by address
    twice: int
    invalid: list[InvalidRecipient]


def check_recipients(
    recipients: list[NewRecipient], channel: ProjectChannel, region: str, guard: Guard
) -> CheckedRecipients:
    """Returns the recipients that `channel` can reach, each address once, and the reasons for rejecting the others."""
    good: dict[str, NewRecipient] = {}
    keys: set[str] = set()
    twice, invalid = 0, []
    spelled = normaliser(channel, region, guard)
    for position, recipient in enumerate(recipients, 1):
        try:
            address = _address(recipient, spelled)
        except (AddressRefused, BadRequest) as error:
            invalid.append(InvalidRecipient(place=position, code=error.code, message=error.message))
            continue
        if (key := address_key(address)) in keys:
            twice += 1
        else:
            keys.add(key)
            good[address] = recipient
    return CheckedRecipients(channel.value, good, twice, invalid)


def _address(recipient: NewRecipient, spelled: Callable[[str], str]) -> str:
    """Returns the recipient's address in its one spelling. Raises AddressRefused, and what `spelled` raises."""
    text = recipient.phone or recipient.address
    if not text or (recipient.phone and recipient.address):
        raise AddressRefused("missing_address", "A recipient has either a phone or an address.")
    if recipient.timezone and recipient.timezone not in _zones():
        raise AddressRefused(
            "bad_timezone", f"{recipient.timezone!r} is not a time zone. Write it like Europe/Berlin."
        )
    return spelled(text.strip())


def normaliser(channel: ProjectChannel, region: str, guard: Guard) -> Callable[[str], str]:
    """Returns the function that gives the one spelling of an address of the channel.

    That function raises AddressRefused or BadRequest for an address that the channel can't reach.
    """
    phones = addresses.Phones(region)

    def phone_like(text: str) -> str:
        if (phone := phones(text)) is None:
            raise _refused("phone", text)
        return phone

    def email_like(text: str) -> str:
        if (address := addresses.email(text)) is None:
            raise _refused("email", text)
        return address

    telegrams = addresses.TelegramAddresses(region)

    def telegram(text: str) -> str:
        if (address := telegrams(text)) is None:
            raise _refused("phone", text)
        return address

    return {
        ProjectChannel.sms: phone_like,
        ProjectChannel.whatsapp: phone_like,
        ProjectChannel.telegram: telegram,
        ProjectChannel.email: email_like,
        ProjectChannel.push: lambda text: push_target(text, guard),
    }[channel]


def _refused(kind: addresses.Kind, text: str) -> AddressRefused:
    return AddressRefused(*addresses.why_not(kind, text))


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())

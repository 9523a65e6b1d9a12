"""Addresses of senders: a name, a short code or an international number, with the parameters that the SMSC needs."""

from typing import NamedTuple

from channels.dsn import BadDsn, Dsn


class Address(NamedTuple):
    """An address with type of number and numbering plan (§5.2.5 to §5.2.8)."""

    text: str
    ton: int
    npi: int


def default_source(dsn: Dsn) -> Address:
    """Returns the sender of a DSN with ton and npi, by its form unless the DSN sets them (values of §5.2.5, §5.2.6)."""
    sender = dsn.text("from") or ""
    address = address_of(sender) if sender else Address("", 0, 0)
    if address is None:
        raise BadDsn(
            "smpp: option from must be up to 11 printable ASCII characters, or a number of at most 15 digits"
        )
    return Address(
        address.text,
        dsn.integer("source_ton", address.ton, at_least=0, at_most=6),
        dsn.integer("source_npi", address.npi, at_least=0, at_most=18),
    )


def address_of(sender: str) -> Address | None:
    """Returns a sender with ton and npi by its form; None if it has none that every SMSC reads in the same way."""
    digits = sender.removeprefix("+")
    if digits.isdecimal() and digits.isascii():
        if len(digits) > 15:
            return None
        if sender != digits or len(digits) > 8:
            return Address(digits, 1, 1)
        return Address(digits, 3, 0)  # network specific: a short code
    if len(sender) <= 11 and sender.isascii() and sender.isprintable():
        return Address(sender, 5, 0)  # alphanumeric
    return None

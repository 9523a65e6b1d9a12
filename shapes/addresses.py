"""The key of an address: addresses with the same key are one and the same recipient.

Blocks, the uniqueness of recipients, replies and searches compare keys. What is sent and shown is the address as it was
given. Tables store a key only where it differs from the address; `db/address_keys.py` has the SQL.
"""

import unicodedata
from collections.abc import Iterable

from shapes.emails import mailbox


def address_key(address: str) -> str:
    """Returns the key of a normalised address of any channel.

    An email's is in lower case, in Unicode NFC, with the domain as IDNA shows it (not case-folded, because `groß@` and
    `gross@` are two mailboxes). A user name's, `@Anna`, is in lower case. A phone, an id of a messenger, a device token
    and a Web Push subscription are their own keys.
    """
    if "@" not in address or address[0] == "{":
        return address
    lower = address.lower()
    if address.isascii() and "xn--" not in lower:
        return lower
    try:
        if address[0] != "@":
            lower = mailbox(address).lower()
    except ValueError:  # a reply can come from an address to which nothing can be sent
        pass
    return unicodedata.normalize("NFC", lower)


def stored_key(address: str) -> str | None:
    """Returns the key as tables store it: None if the address is its own key."""
    key = address_key(address)
    return None if key == address else key


def address_keys(addresses: Iterable[str]) -> list[str]:
    """Returns the keys of addresses, each once."""
    return [*dict.fromkeys(map(address_key, addresses))]

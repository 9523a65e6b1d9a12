"""The countries whose networks refuse senders of letters."""

from collections.abc import Iterable
from typing import Final

REFUSE_LETTERS: Final = frozenset(
    {
        # Refused by law or by every network. AWS End User Messaging, "Sender IDs" (Canada, China, United States);
        # Telnyx, "Alphanumeric Sender ID" (United States, Canada, Puerto Rico).
        "US", "CA", "PR", "CN",
        # Twilio, "International support for Alphanumeric Sender ID": replaced by a number, or not delivered.
        "AR", "BR", "CL", "CO", "CR", "DO", "EC", "KR", "MX", "MY", "PA", "PE", "TW", "UY", "VE", "ZA",
    }
)  # fmt: skip
"""ISO 3166-1 codes. A country that wants names to be registered is not here: it takes letters."""


def without_letters(changes: Iterable[str]) -> frozenset[str]:
    """Returns the countries that refuse letters, after POSTERN_SMS_NUMBER_COUNTRIES.

    `+DE` adds a country and `-MX` takes one away. Countries without a sign replace the table.
    """
    changes = [*changes]
    replacing = {change for change in changes if change[0] not in "+-"}
    added = {change[1:] for change in changes if change[0] == "+"}
    removed = {change[1:] for change in changes if change[0] == "-"}
    return frozenset((replacing or REFUSE_LETTERS) | added) - removed

"""The countries whose networks refuse senders of letters."""

from collections.abc import Iterable
from typing import Final

REFUSE_LETTERS: Final = frozenset(
    {
        # AWS End User Messaging, "Sender IDs" (Canada, China, United States); Telnyx, "Alphanumeric Sender ID" (United
        # States, Canada, Puerto Rico).
        "US", "CA", "PR", "CN",
        # Bird, "SMS Country Information Guide: South America".
        "AR", "BO",
    }
)  # fmt: skip
"""ISO 3166-1 codes of countries for which a provider's own page says so, as read in November 2026. Others may refuse
letters, too: the setting adds them. A country that wants names to be registered takes letters."""


def without_letters(changes: Iterable[str]) -> frozenset[str]:
    """Returns the countries that refuse letters, after POSTERN_SMS_NUMBER_COUNTRIES.

    `+DE` adds a country and `-AR` takes one away. Countries without a sign replace the table.
    """
    changes = [*changes]
    replacing = {change for change in changes if change[0] not in "+-"}
    added = {change[1:] for change in changes if change[0] == "+"}
    removed = {change[1:] for change in changes if change[0] == "-"}
    return frozenset((replacing or REFUSE_LETTERS) | added) - removed

"""Reads the column of a list that says whether its people may be written to, as other tools export it.

listmonk has `status` (enabled, disabled, blocklisted); Mailchimp has a file for each status, of which those of people
who left have the column UNSUB_TIME, and those of addresses that bounce CLEAN_TIME; Notifuse and others have words.
"""

import re
from collections.abc import Sequence
from typing import Final

from shapes.contact_imports import ContactStatus

WORDS: Final = {
    word: status
    for status, words in {
        ContactStatus.active: "subscribed active enabled confirmed optedin optin",
        ContactStatus.pending: "pending unconfirmed nonsubscribed notsubscribed transactional",
        ContactStatus.withdrawn: "withdrawn unsubscribed disabled inactive optedout optout removed",
        ContactStatus.blocked: "blocklisted blacklisted blocked suppressed",
        ContactStatus.bounced: "bounced bounce hardbounced hardbounce cleaned undeliverable",
        ContactStatus.complained: "complained complaint spam spamcomplaint abuse",
    }.items()
    for word in words.split()
}
"""Words of other tools, without spaces and in lower case."""

_COLUMNS: Final = frozenset(
    {"status", "state", "subscription", "subscriptionstatus", "emailstatus", "memberstatus", "liststatus"}
)
_TIMES: Final = {"unsubtime": ContactStatus.withdrawn, "cleantime": ContactStatus.bounced}
"""Columns of times: a row with such a time has this status."""


def column_in(columns: Sequence[str], sample: Sequence[Sequence[str]]) -> str | None:
    """Returns the column of statuses: a time of Mailchimp's, or one of that name whose first rows are words of it."""
    for column in columns:
        if _plain(column) in _TIMES:
            return column
    for index, column in enumerate(columns):
        if _plain(column) in _COLUMNS:
            words = {_plain(row[index]) for row in sample if index < len(row) and row[index].strip()}
            if words and words <= WORDS.keys():
                return column
    return None


def status_of(column: str, text: str) -> ContactStatus | None:
    """Returns the status that a cell says; active if it is empty, and None if it is no known word."""
    if not text:
        return ContactStatus.active
    return _TIMES.get(_plain(column)) or WORDS.get(_plain(text))


def _plain(text: str) -> str:
    return re.sub(r"[\s_\-]+", "", text.strip().casefold())

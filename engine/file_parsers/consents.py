"""Reads the columns of a list that prove consent: whether a person agreed, when, from which network address, by which
form.

Mailchimp exports OPTIN_TIME, OPTIN_IP, CONFIRM_TIME and CONFIRM_IP, in UTC; shops have a yes or no.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, Final

from engine.file_parsers.common import Fault
from shapes.contact_fields import WORDS_OF_BOOL

_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "agreed": (
        "consent", "consented", "consentgiven", "marketingconsent", "emailconsent", "emailmarketingconsent", "optin",
        "optedin", "emailoptin", "agreed", "permission", "gdpr", "gdprconsent", "acceptsmarketing",
        "acceptsemailmarketing", "einwilligung", "согласие", "consentement", "consentimiento", "consenso",
    ),
    "at": (
        "optintime", "optindate", "optedinat", "consenttime", "consentdate", "consentat", "consentedat", "confirmtime",
        "confirmedat", "agreedat",
    ),
    "ip": ("optinip", "consentip", "confirmip", "signupip"),
    "form": ("consentform", "consentsource", "optinsource", "optinform", "signupsource", "signupform"),
}  # fmt: skip
"""Names of columns, without spaces and in lower case; of several the first one that the list has counts."""
_WORDS: Final[Mapping[str, bool]] = {
    **WORDS_OF_BOOL,
    **dict.fromkeys(("granted", "given", "accepted", "agreed", "opted in", "opted-in"), True),
    **dict.fromkeys(("denied", "declined", "refused", "withdrawn", "opted out", "opted-out"), False),
}
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_LONGEST_FORM = 500
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})? ?(Z|UTC|[+-]\d{2}:?\d{2})?)?", re.ASCII
)


def columns_in(columns: Sequence[str], sample: Sequence[Sequence[str]]) -> dict[str, str]:
    """Returns the columns of a list that prove consent, by their parts. One with the name of a column of yes and no is
    one if it is empty or has such a word in its first rows: a person is not subscribed for want of a word.
    """
    by_name: dict[str, int] = {}
    for index, column in enumerate(columns):
        by_name.setdefault(re.sub(r"[\s_\-]+", "", column.strip().casefold()), index)
    proving = {}
    for part, names in _COLUMNS.items():
        index = next((by_name[name] for name in names if name in by_name), -1)
        if index < 0:
            continue
        words = {row[index].strip().casefold() for row in sample if index < len(row) and row[index].strip()}
        if part != "agreed" or not words or words & _WORDS.keys():
            proving[part] = columns[index]
    return proving


def consent_of(texts: Mapping[str, str]) -> dict[str, Any] | Fault:
    """Returns the consent of a row by the texts of its columns, or why it can't be read. A person with an empty cell
    where others have yes or no has not agreed.
    """
    consent: dict[str, Any] = {}
    if (agreed := texts.get("agreed")) is not None:
        if agreed and agreed.casefold() not in _WORDS:
            return Fault("bad_consent", f"{agreed[:64]!r} is neither yes nor no. Write yes or no.")
        consent["agreed"] = _WORDS.get(agreed.casefold(), False)
    if time := texts.get("at"):
        if (at := _time(time)) is None or not _EARLIEST <= at <= datetime.now(UTC):
            return Fault(
                "bad_consent",
                f"{time[:64]!r} is no time of the past at which a person can have agreed."
                " Write it like 2026-01-31 or 2026-01-31T10:00:00Z.",
            )
        consent["at"] = at.isoformat()
    if ip := texts.get("ip"):
        try:
            consent["ip"] = str(ip_address(ip[:64]))
        except ValueError:
            return Fault("bad_consent", f"{ip[:64]!r} is no network address. Write it like 192.0.2.1.")
    if form := _CONTROLS.sub(" ", texts.get("form", "")).strip():
        consent["form"] = form[:_LONGEST_FORM]
    return consent


def _time(text: str) -> datetime | None:
    """Returns a time, in UTC if it names no zone."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    day, minutes, seconds, zone = match.groups()
    zone = "+00:00" if zone in (None, "Z", "UTC") else zone
    try:
        return datetime.fromisoformat(f"{day}T{minutes or '00:00'}{seconds or ':00'}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None

"""Reads the columns of a list that prove consent: whether a person agreed, when, from which network address, by which
form.

Mailchimp exports OPTIN_TIME, OPTIN_IP, CONFIRM_TIME and CONFIRM_IP, in UTC; shops have a yes or no.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, Final

from engine.file_parsers.common import Fault
from shapes.contact_fields import WORDS_OF_BOOL

_AGREED: Final = frozenset(
    (
        "consent", "consented", "consentgiven", "optin", "optedin", "agreed", "gdpr", "gdprconsent", "acceptsmarketing",
        "einwilligung", "согласие", "consentement", "consentimiento", "consenso",
    )
)  # fmt: skip
"""Names of columns of yes and no, without spaces and in lower case, whatever words are in them."""
_AGREES: Final = (
    "optin",
    "consent",
    "acceptsemail",
    "acceptssms",
    "acceptsmarketing",
    "einwilligung",
    "согласи",
)
_LIKE: Final = frozenset(("subscribed", "issubscribed", "newsletter", "marketing", "permission"))
"""Names, or parts of names, of columns that have yes and no in their first rows."""
_CHANNELS: Final[Mapping[str, Sequence[str]]] = {
    "email": ("email", "mail"),
    "sms": ("sms", "phone", "textmessage"),
    "whatsapp": ("whatsapp",),
    "telegram": ("telegram",),
    "push": ("push",),
}
_PARTS: Final[Mapping[str, Sequence[str]]] = {
    "at": (
        "optintime", "optindate", "optedinat", "consenttime", "consentdate", "consentat", "consentedat", "confirmtime",
        "confirmedat", "agreedat",
    ),
    "ip": ("optinip", "consentip", "confirmip", "signupip"),
    "form": ("consentform", "consentsource", "optinsource", "optinform", "signupsource", "signupform"),
}  # fmt: skip
"""Names of the other columns; of several the first one that the list has counts."""
_OTHERS: Final = ("time", "date", "source", "form", "text", "url", "status")
_WORDS: Final[Mapping[str, bool]] = {
    **WORDS_OF_BOOL,
    **dict.fromkeys(("granted", "given", "accepted", "agreed", "opted in", "opted-in", "subscribed"), True),
    **dict.fromkeys(
        ("denied", "declined", "refused", "withdrawn", "not given", "opted out", "opted-out", "unsubscribed"),
        False,
    ),
}
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_LONGEST_FORM = 500
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})? ?(Z|UTC|[+-]\d{2}:?\d{2})?)?", re.ASCII
)


def agreements(columns: Mapping[str, Collection[str]]) -> list[str]:
    """Returns the columns of yes and no, given the words of each column in the first rows.

    One with a plain name is one whatever is in it: nobody is subscribed by a word that is not understood.
    """
    return [
        column
        for column, words in columns.items()
        if _is_agreement(_plain(column), {word.strip().casefold() for word in words if word.strip()})
    ]


def columns_in(columns: Iterable[str], agreed: Sequence[str], channel: str | None) -> dict[str, str]:
    """Returns the columns of a list that prove consent, by their parts. Of those of yes and no (`agreed`) one about the
    `channel` counts, and one about marketing before others.
    """
    proving = {}
    suited = [
        column for column in agreed if channel is None or _channel_of(_plain(column)) in (None, channel)
    ]
    if suited:
        proving["agreed"] = min(
            suited,
            key=lambda column: (_channel_of(_plain(column)) is None, "marketing" not in _plain(column)),
        )
    by_name = {_plain(column): column for column in reversed([*columns])}
    for part, names in _PARTS.items():
        if (name := next((name for name in names if name in by_name), None)) is not None:
            proving[part] = by_name[name]
    return proving


def _plain(column: str) -> str:
    return re.sub(r"[\W_]+", "", column.rpartition(".")[2].casefold())


def _is_agreement(name: str, words: Collection[str]) -> bool:
    if name in _AGREED:
        return True
    if any(name in names for names in _PARTS.values()):
        return False
    if name in _LIKE:
        return bool(words) and all(word in _WORDS for word in words)
    about = any(part in name for part in _AGREES) and not any(part in name for part in _OTHERS)
    return about and (not words or any(word in _WORDS for word in words))


def _channel_of(name: str) -> str | None:
    return next(
        (channel for channel, parts in _CHANNELS.items() if any(part in name for part in parts)), None
    )


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
            consent["ip"] = str(ip_address(ip[:64].partition("%")[0]))
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

"""Normalizes phones and emails, a million of them: the same results as the libraries', mostly from a cache.

libphonenumber takes some 50 µs per number. For most countries its result depends only on the first digits and the
length: so it is asked once for each such pair, and `_simple` says where that holds.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

import orjson
import phonenumbers
from email_validator import SPECIAL_USE_DOMAIN_NAMES
from phonenumbers import PhoneMetadata, PhoneNumberDesc

from shapes.emails import mailbox

Kind = Literal["phone", "email", "address"]

TARGET_BYTES = 2500
"""Bytes of a device token or Web Push subscription: a row of an index of PostgreSQL has at most 2,704 bytes."""

REACHED = {
    "sms": "^[+][0-9]+$",
    "whatsapp": "^[+][0-9]+$",
    "email": '^(?![{]").+@',  # a Web Push subscription may contain @, too
    "telegram": "^([+@]|[0-9]+$)",
    "push": "^(?![+][0-9]+$|[^{].*@)",
}
"""The normalized addresses that each channel of projects can reach, as patterns of Python and of PostgreSQL alike."""

WRONG_CHANNEL = "wrong_channel"
"""The code of an address that is valid, and that the channel can't reach."""

KIND_OF: dict[str, Kind] = {"sms": "phone", "whatsapp": "phone", "email": "email", "push": "address"}
"""The kind of addresses of a channel; Telegram has several."""

_NEEDS = {
    "sms": "a phone number like +14155550100",
    "whatsapp": "a phone number like +14155550100",
    "email": "an email address",
    "telegram": "a phone number like +14155550100, a user name like @anna_b, or a numeric id",
    "push": "a device token or a Web Push subscription",
}
_PATTERNS = {channel: re.compile(pattern) for channel, pattern in REACHED.items()}
_LEADING = 5  # leading characters that a plan depends on
_PLANS = 50_000  # plans that are kept
_NOISE = dict.fromkeys(map(ord, " \t\u00a0\u202f\u2009()-‐‑‒–.'’\u200b\u200e\u200f\u202a\u202c\ufeff"))  # fmt: skip
_LOOKS_LIKE_PHONE = re.compile(r"[+(\d][\d\s().\-/\u00a0‐-–]{4,30}")
_SHORTENED = re.compile(r"\d([.,]\d+)?[eE]\+?\d+")
_PLAIN_EMAIL = re.compile(
    r"(?=.{6,254}$)[A-Za-z0-9_+%-]{1,64}(?:\.[A-Za-z0-9_+%-]+)*"
    r"@(?:[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){0,61}\.)+"
    rf"(?!(?:{'|'.join(sorted({name.rpartition('.')[2] for name in SPECIAL_USE_DOMAIN_NAMES}))})$)[a-z]{{2,32}}"
)

USER_NAME = re.compile(r"@[A-Za-z][A-Za-z0-9_]{3,31}")
"""A user name of Telegram."""

_MESSENGER_ID = re.compile(r"-?[0-9]{3,20}")

Plan = tuple[int, str] | Literal["refused"] | None
"""Number of characters to remove, and the text to put in front; None: the library must be asked for each number."""


class Phones:
    """Normalizes phone numbers of one region to E.164; returns None for a text that is no phone number."""

    def __init__(self, region: str) -> None:
        self.region = region
        self._plans: dict[tuple[str, int], Plan] = {}

    def __call__(self, text: str) -> str | None:
        if not text:
            return None
        if text[0] == "+":
            return self._digits(text) if text[1:].isdigit() and text.isascii() else self._cleaned(text)
        return self._bare(text) if text.isdigit() and text.isascii() else self._cleaned(text)

    def _cleaned(self, text: str) -> str | None:
        """Removes spaces, brackets and hyphens; the library handles anything else."""
        if text.endswith(".0") and text[:-2].isdigit():
            text = text[:-2]  # a numeric cell, as a program wrote it
        plain = text.translate(_NOISE)
        if plain.isascii() and plain.isdigit():
            return self._bare(plain)
        if plain.isascii() and plain[:1] == "+" and plain[1:].isdigit():
            return self._digits(plain)
        return None if _SHORTENED.fullmatch(text) else _parsed(text, self.region)

    def _bare(self, digits: str) -> str | None:
        """Parses digits as dialled in the region; else as an international number, since spreadsheets lose the +."""
        number = self._digits(digits)
        if number is None and 10 <= len(digits) <= 15 and digits[0] != "0":
            number = self._digits(f"+{digits}")
            if number is not None and not _in_use(number):
                number = None
        return number

    def _digits(self, text: str) -> str | None:
        key = (text[:_LEADING], len(text))
        try:
            plan = self._plans[key]
        except KeyError:
            plan = _plan(text, self.region)
            if len(self._plans) < _PLANS:
                self._plans[key] = plan
        if plan is None:
            return _parsed(text, self.region)
        return None if plan == "refused" else plan[1] + text[plan[0] :]


def _parsed(text: str, region: str) -> str | None:
    try:
        number = phonenumbers.parse(text, region) if len(text) <= 64 else None
    except phonenumbers.NumberParseException:
        number = None
    if number is None or not phonenumbers.is_possible_number(number) or number.extension:
        return None
    return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))


def _plan(text: str, region: str) -> Plan:
    if not _simple(text, region):
        return None
    number = _parsed(text, region)
    if number is None:
        return "refused"
    for removed in range(_LEADING + 1):
        rest = text[removed:]
        if number.endswith(rest):
            return removed, number[: len(number) - len(rest)]
    return None


def _simple(text: str, region: str) -> bool:
    """Returns whether the result depends only on the first digits and the length.

    This follows `phonenumbers.phonenumberutil._parse_helper`; where that function looks at more digits, the answer
    is no.
    """
    if text[0] == "+":
        code = _calling_code(text[1:])
        metadata = _region_metadata(_main_region(int(code)), int(code)) if code else None
        if code is None or metadata is None:
            return False
        return metadata.decides_prefix(text[1 + len(code) :], _LEADING - 1 - len(code))
    metadata = _region_metadata(region, 0)
    if metadata is None or metadata.abroad is None:
        return False
    if any(text.startswith(prefix[:_LEADING]) for prefix in metadata.abroad):
        return False
    if text.startswith(metadata.code):  # the digits may be the calling code, or the number's own
        seen = _LEADING - len(metadata.code)
        if region != _main_region(int(metadata.code)) or metadata.prefixed(text[len(metadata.code) :], seen):
            return False
        if len(text) <= max(metadata.lengths) and not metadata.decides_fit(seen):
            return False
    return metadata.decides_prefix(text, _LEADING)


class _RegionMetadata:
    """The library's metadata of a region, as far as `_simple` needs it."""

    def __init__(self, metadata: PhoneMetadata, general: PhoneNumberDesc) -> None:
        self.code = str(metadata.country_code)
        self.lengths = {*general.possible_length, *general.possible_length_local_only}
        self.prefixes = _literals(metadata.national_prefix_for_parsing or "")
        self.abroad = _literals(metadata.international_prefix or "")
        self._depth = _depth(general.national_number_pattern or "")

    def decides_fit(self, digits: int) -> bool:
        """Returns whether this many digits, and the length, decide whether a number fits the general pattern."""
        return self._depth is not None and self._depth <= digits

    def prefixed(self, national: str, seen: int) -> bool:
        """Returns whether the number begins with a national prefix, or `seen` digits can't tell."""
        if self.prefixes is None:
            return True
        return any(national.startswith(prefix[: max(seen, 0)]) for prefix in self.prefixes)

    def decides_prefix(self, national: str, seen: int) -> bool:
        """Returns whether `seen` digits decide if the library removes a national prefix."""
        if not self.prefixed(national, seen):
            return True
        if self.prefixes is None or len(self.prefixes) != 1 or len(self.prefixes[0]) > seen:
            return False
        # A number that fits the pattern with its prefix, and would not without it, keeps the prefix.
        return len(national) not in self.lengths or self.decides_fit(seen - len(self.prefixes[0]))


@cache
def _region_metadata(region: str, code: int) -> _RegionMetadata | None:
    metadata = (
        PhoneMetadata.metadata_for_nongeo_region(code, None)
        if region == "001"
        else PhoneMetadata.metadata_for_region(region, None)
    )
    general = metadata.general_desc if metadata is not None else None
    return _RegionMetadata(metadata, general) if metadata and general and general.possible_length else None


@cache
def _main_region(code: int) -> str:
    return str(phonenumbers.region_code_for_country_code(code))


def _calling_code(digits: str) -> str | None:
    for length in (1, 2, 3):
        if int(digits[:length] or 0) in phonenumbers.COUNTRY_CODE_TO_REGION_CODE:
            return digits[:length]
    return None


def _literals(pattern: str) -> tuple[str, ...] | None:
    """Returns the alternatives of a pattern as simple as `8`, `0|180020` or `0|80?`, or None for any other."""
    if not re.fullmatch(r"(\d+\??(\|\d+\??)*)?", pattern):
        return None
    literals: list[str] = []
    for part in pattern.split("|") if pattern else []:
        literals += [part[:-2], part[:-1]] if part.endswith("?") else [part]
    return None if "" in literals else tuple(literals)


_TOKEN = re.compile(r"(\d|\[[\d-]+\])|\\d(?:\{(\d+)(?:,(\d+))?\})?(\?)?")


def _depth(pattern: str) -> int | None:
    """Returns how many digits of a pattern like `8\\d{13}|[347-9]\\d{9}` are told apart; None for deeper ones."""
    deepest = 0
    for part in pattern.split("|"):
        position = width = 0
        while position < len(part):
            token = _TOKEN.match(part, position)
            if token is None or part[token.end() : token.end() + 1] in ("{", "?", "*", "+"):
                return None
            position = token.end()
            if token[1]:
                width += 1
                deepest = max(deepest, width)
            elif position < len(part) and (token[3] or token[4]):  # the next digits have no fixed position
                return None
            else:
                width += int(token[2] or 1)
    return deepest


@cache
def _general(code: str) -> re.Pattern[str]:
    metadata = PhoneMetadata.metadata_for_region_or_calling_code(int(code), _main_region(int(code)))
    general = metadata.general_desc if metadata is not None else None
    return re.compile((general and general.national_number_pattern) or "(?!)")


def _in_use(number: str) -> bool:
    """Returns whether an E.164 number fits the pattern of its country, which is stricter than a possible length."""
    code = _calling_code(number[1:])
    return code is not None and _general(code).fullmatch(number[1 + len(code) :]) is not None


def email(text: str) -> str | None:
    """Normalizes an email address; returns None if it is none."""
    if _PLAIN_EMAIL.fullmatch(text) and text.isascii():
        local = text.partition("@")[0]
        if len(local) <= 64:
            return text
    try:
        return mailbox(text) if len(text) <= 320 else None
    except ValueError:
        return None


class Addresses:
    """Normalizes any address: an email by its @, a phone by its digits, else a token, user name or subscription."""

    def __init__(self, region: str) -> None:
        self._phone = Phones(region)

    def __call__(self, text: str) -> str | None:
        if "@" in text[1:] and not text.startswith("{"):
            return email(text)
        phone = self._phone(text) if text[:1] in "+(0123456789" else None
        if phone is not None:
            return phone
        if _LOOKS_LIKE_PHONE.fullmatch(text) or _SHORTENED.fullmatch(text):
            return None
        target = _subscription(text) if text.startswith("{") else _token(text)
        return target if target is not None and len(target.encode()) <= TARGET_BYTES else None


class TelegramAddresses:
    """Normalizes an address of the channel telegram: a user name, a numeric id, or a phone."""

    def __init__(self, region: str) -> None:
        self._phone = Phones(region)

    def __call__(self, text: str) -> str | None:
        return text if USER_NAME.fullmatch(text) or _MESSENGER_ID.fullmatch(text) else self._phone(text)


def _token(text: str) -> str | None:
    fits = len(text) >= 2 and text.isprintable() and not any(char.isspace() for char in text)
    return text if fits else None


def _subscription(text: str) -> str | None:
    """Normalizes a Web Push subscription. Whether its endpoint may be called is checked at the call."""
    try:
        subscription = orjson.loads(text)
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        fits = (
            endpoint.startswith("https://")
            and isinstance(keys["p256dh"], str)
            and isinstance(keys["auth"], str)
        )
        return orjson.dumps(subscription, option=orjson.OPT_SORT_KEYS).decode() if fits else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def normaliser(kind: Kind, region: str) -> Callable[[str], str | None]:
    """Returns the function that normalizes addresses of this kind; it returns None for invalid ones."""
    if kind == "email":
        return email
    return Phones(region) if kind == "phone" else Addresses(region)


def why_not(kind: Kind, text: str) -> tuple[str, str]:
    """Returns code and sentence for an address that was refused."""
    if not text:
        return "missing_address", f"There is no {kind} on this line."
    quoted = repr(text[:64])
    if _SHORTENED.fullmatch(text):
        return (
            "invalid_phone",
            f"{quoted} is a number that a spreadsheet has shortened. Format the column as text.",
        )
    if kind == "email" or (kind == "address" and "@" in text[1:]):
        return "invalid_email", f"{quoted} is not an email address."
    if kind == "phone" or _LOOKS_LIKE_PHONE.fullmatch(text):
        return "invalid_phone", f"{quoted} is not a phone number. Write it like +14155550100."
    return (
        "invalid_address",
        f"{quoted} is not an address: it is neither a phone number, an email nor a device token.",
    )


def reaches(channel: str, address: str) -> bool:
    """Returns whether the channel can reach a normalized address."""
    return _PATTERNS[channel].match(address) is not None


def unreached(channel: str, text: str) -> tuple[str, str]:
    """Returns code and sentence for an address that the channel can't reach."""
    return WRONG_CHANNEL, f"The channel {channel} can't reach {text[:64]!r}. It needs {_NEEDS[channel]}."


def looks_like(text: str) -> Kind | None:
    """Returns the kind of value that a cell seems to hold, to detect headers and columns."""
    if "@" in text[1:] and len(text) <= 320 and "." in text.partition("@")[2]:
        return "email"
    digits = sum(char.isdigit() for char in text)
    return "phone" if 7 <= digits <= 15 and _LOOKS_LIKE_PHONE.fullmatch(text) else None

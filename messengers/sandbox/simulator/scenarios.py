"""The magic numbers: the effects of a login or a recipient. The tables are in docs/messengers.md.

Digits that begin with 1500555 are magic; of `15005551023` the last digit is free, so that there are ten of each. A word
does the same: `sandbox-banned`, `sandbox-banned-anything`; `@sandbox_failed`, `@sandbox_failed_anything`.
"""

import re
from enum import StrEnum
from typing import TypeVar

Kind = TypeVar("Kind", bound=StrEnum)

RIGHT_CODE = "12345"
RIGHT_PASSWORD = "sandbox"  # no secret: it is in the documents

_PREFIX = "1500555"
_ADDRESS = re.compile(r"[a-z0-9_.\-]{1,64}\Z")
_PHONE = re.compile(r"\+?[0-9]{5,15}\Z")


class Login(StrEnum):
    """Names the scenarios of an account. The order is that of the numbers: 1 500 555 100x, 101x, …"""

    plain = "plain"  # the QR is scanned, the pairing code typed, a moment after it is shown
    second = "second"  # the first QR expires, the second one is scanned
    unused = "unused"  # the QR is not scanned and the pairing code not typed; it is renewed for ever
    password = "password"  # two-factor: the cloud password is asked for
    banned = "banned"  # banned when it logs in
    flood = "flood"  # the login is rate limited, with an end time
    banned_later = "banned_later"  # works, and is banned three moments later
    dropping = "dropping"  # the connection is lost every three moments
    revoked = "revoked"  # the session is ended from another device after three moments
    late = "late"  # connects and syncs slowly
    unreachable = "unreachable"  # the messenger can't be reached
    phone = "phone"  # no QR: it wants a phone


class Recipient(StrEnum):
    """Names the scenarios of a message. The order is that of the numbers: 1 500 555 000x, 001x, …"""

    delivered = "delivered"  # accepted, then delivered
    failed = "failed"  # refused: no such account
    bounced = "bounced"  # accepted, then `errored`
    flaky = "flaky"  # the first try of each message finds the messenger unreachable
    throttled = "throttled"  # the first attempt of each message is rate limited for a moment
    timeout = "timeout"  # accepted, but the answer is lost: uncertain
    slow = "slow"  # accepted after two moments
    silent = "silent"  # not accepted and never answered: uncertain
    privacy = "privacy"  # refused: accepts no messages from strangers
    flood = "flood"  # rate limited for a minute, each time
    answers = "answers"  # reads the message, and answers with its text
    stop = "stop"  # reads the message, and answers STOP
    reads = "reads"  # delivered, then has_seen


def digits(text: str) -> str | None:
    """Returns the digits of a phone with or without +; None: the text is no phone."""
    return text.lstrip("+") if _PHONE.match(text) else None


def login(login: str, phone: str | None) -> Login:
    """Returns the phone's magic if it has one, else the login's, else `plain`."""
    for text in (phone, login):
        if text and (scenario := _scenario(text, 100, Login)):
            return scenario
    return Login.plain


def recipient(address: str) -> Recipient | None:
    """Returns the magic of a recipient's address, or None."""
    return _scenario(address, 0, Recipient)


def address(to: str) -> str | None:
    """Returns the address behind a phone, a @username or a thread; None: no address can look like this."""
    candidate = digits(to) or to.removeprefix("@").lower()
    return candidate if _ADDRESS.match(candidate) else None


def home(login: str, phone: str | None) -> str:
    """Returns the address of an account: its phone's digits, else its login in the allowed characters."""
    for text in (phone, login):
        if text and (phone_digits := digits(text)):
            return phone_digits
    return re.sub(r"[^a-z0-9_.\-]", "_", login.lower())[:64] or "_"


def _scenario(text: str, first: int, kinds: type[Kind]) -> Kind | None:
    number = digits(text) or ""
    if number.startswith(_PREFIX) and len(number) == len(_PREFIX) + 4:
        index = int(number[-4:-1]) - first
        return list(kinds)[index] if 0 <= index < len(kinds) else None
    words = text.lower().removeprefix("@").replace("-", "_")
    fitting = [kind for kind in kinds if f"{words}_".startswith(f"sandbox_{kind}_")]
    return max(fitting, key=len, default=None)

"""Classifies the library's errors. Our own sentences replace its texts, which may contain phones and addresses."""

import re
import traceback
from dataclasses import dataclass
from typing import Final, Literal

from messengers.bugs import REASON

_SECRET: Final = re.compile(r"\d{5,}|[A-Za-z0-9+/=]{40,}|[^\s@\"']+@[^\s@\"']+")
_LONGEST_TRACE: Final = 4000

Kind = Literal[
    "wrong_step",
    "refused",
    "throttled",
    "unreachable",
    "uncertain",
    "unsupported",
    "begun",
    "bug",
    "restricted",
]


Verdict = tuple[Kind, str, str | None]


@dataclass(slots=True)
class Failed(Exception):
    """A call that failed. `seconds`: after `throttled`, how long to wait before another attempt."""

    kind: Kind
    reason: str
    code: str | None = None
    seconds: float = 0.0
    trace: str = ""  # of a `bug`, for the log


def bug_of(error: Exception) -> Failed:
    """Returns the failure of a call at which our code, or the library's, has a bug."""
    return Failed("bug", REASON, "driver_failed", trace=trace_of(error))


def trace_of(error: BaseException) -> str:
    """Returns the traceback, without words that may be a phone, an address or a key."""
    lines = "".join(traceback.format_exception(error)).splitlines()
    redacted = (line if line.startswith('  File "') else _SECRET.sub("…", line) for line in lines)
    return "\n".join(redacted)[-_LONGEST_TRACE:]


NO_DEVICE: Final = (
    "No device of this recipient can read messages from this account now, so nobody got it. Try again later, or ask the"
    " person to open WhatsApp."
)
AWAY: Verdict = ("unreachable", "WhatsApp can't be reached. Nothing was done; try again in a moment.", None)
NOT_IN: Verdict = ("wrong_step", "The account is not logged in to WhatsApp. Log in first.", None)
LIMITED: Verdict = (
    "throttled",
    "WhatsApp says that this account is sending too fast. Try again later.",
    "flood_wait",
)
NOBODY: Verdict = (
    "refused",
    "This recipient has no WhatsApp account. Check the address.",
    "recipient_not_found",
)
CLOSED: Verdict = ("refused", "WhatsApp does not accept messages from this account for this recipient.", None)
STRANGERS: Verdict = (
    "restricted",
    "WhatsApp does not let this account write to people who have never written to it, and does not say until when.",
    "new_chats_restricted",
)

# The first match counts. The texts are from whatsmeow's errors.go and send.go.
_RULES: tuple[tuple[str, Verdict, float], ...] = (
    (r"server returned error 463", STRANGERS, 0),
    (r"\b429\b|rate-overlimit", LIMITED, 60),
    (r"doesn't contain a device jid|not logged in", NOT_IN, 0),
    (r"no lid found", NOBODY, 0),
    (r"websocket not connected|failed to dial|client is nil", AWAY, 0),
    (
        r"not participating|does not exist|unknown server|must be a user jid|server returned error 4",
        CLOSED,
        0,
    ),
    (r"server returned error 5", AWAY, 0),
    # These lookups precede the sending: nothing was sent.
    (
        r"info query timed out|failed to (get|query|encrypt|refresh|upload|execute|prepare)|no signal session",
        AWAY,
        0,
    ),
)


def failure_of(text: str, *, sending: bool) -> Failed:
    """Classifies an error text. An unknown error of a send is `uncertain`: the message may have left."""
    lowered = text.lower()
    for pattern, (kind, reason, code), seconds in _RULES:
        if re.search(pattern, lowered):
            return Failed(kind, reason, code, seconds)
    if sending:
        return Failed("uncertain", "WhatsApp did not answer, so the message may or may not have been sent.")
    return Failed(*AWAY)

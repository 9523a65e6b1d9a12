"""Errors as replies of SMTP: 4xx if the same mail may be taken later, 5xx if it never will."""

from typing import Final

from core.errors import AppError, Conflict, PaymentRequired, RateLimited, Unauthenticated

_LONGEST: Final = 400  # characters of a text; a reply line has at most 512 octets (RFC 5321 §4.5.3.1.5)
_STATUSES: Final = {
    "invalid_recipient": "5.1.3",
    "bad_mail": "5.6.0",
    "bad_sender": "5.6.0",
    "too_large": "5.3.4",
}
_WITH_TIME: Final = frozenset({"approval_required", "token_message_limit"})
"""The codes of limits that a later day or an approval lifts, whatever the status of the error."""

NOT_NOW: Final = "451 4.3.0 Try again later"


def reply_to(error: AppError) -> str:
    """Returns the reply to a command, or to a mail, that an operation has refused."""
    text = _line(f"{error.code}: {error.message}")
    if isinstance(error, PaymentRequired) or error.code in _WITH_TIME:
        return f"452 4.7.1 {text}"
    if isinstance(error, RateLimited | Conflict) or error.status >= 500:
        return f"451 4.3.2 {text}"
    if isinstance(error, Unauthenticated):
        return f"421 4.7.8 {text}"
    return f"550 {_STATUSES.get(error.code, '5.7.1')} {text}"


def login_reply_to(error: AppError) -> str:
    """Returns the reply to a login that was refused."""
    text = _line(f"{error.code}: {error.message}")
    if isinstance(error, RateLimited) or error.status >= 500:
        return f"454 4.7.0 {text}"
    return f"535 5.7.8 {text}"


def is_final(reply: str) -> bool:
    """Returns whether the connection ends with this reply."""
    return reply.startswith("421")


def _line(text: str) -> str:
    plain = " ".join(text.encode("ascii", "replace").decode().split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}..."

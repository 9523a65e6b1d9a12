"""Translates the errors of an account's call into outcomes of the sending core."""

from channels.port import Outcome, Result
from core.errors import (
    AppError,
    BadRequest,
    Conflict,
    NotFound,
    RateLimited,
    TooLarge,
    Unavailable,
    Unprocessable,
    UpstreamTimeout,
)

UNAVAILABLE_SECONDS = 5.0
"""Seconds until an unavailable account is tried again; by then it often is no sender any more."""


def outcome_of(error: AppError) -> Outcome:
    """Returns the outcome of a message for which a call to its account, or `sending.send`, raised this error."""
    code, reason = error.code, error.message
    match error:
        case UpstreamTimeout():
            return Outcome(Result.unknown, code=code, reason=reason)
        case Conflict() if code == "idempotency_in_flight":
            return Outcome(Result.unknown, code=code, reason=reason)
        case Unprocessable():
            return Outcome(Result.refused, code=code, reason=reason)
        case BadRequest() | TooLarge() | NotFound():
            return Outcome(Result.refused, code=code, reason=reason, asked=False)
        case RateLimited():
            wait = float(error.details.get("retryAfter") or UNAVAILABLE_SECONDS)
            return Outcome(Result.throttled, code=code, reason=reason, retry_after=wait)
        case Conflict() | Unavailable():  # the account can't send now; the message itself is fine
            return Outcome(
                Result.throttled, code=code, reason=reason, retry_after=UNAVAILABLE_SECONDS, asked=False
            )
    return Outcome(Result.transient, code=code, reason=reason, asked=False)

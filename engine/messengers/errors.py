"""Translates drivers' errors to the errors that callers see, and to JSON for other processes."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from core.errors import (
    AppError,
    BadRequest,
    Conflict,
    RateLimited,
    Unavailable,
    Unprocessable,
    UpstreamTimeout,
)
from engine.messengers.states import NEXT
from messengers.port import (
    CodeInvalid,
    Lost,
    MessengerError,
    PasswordInvalid,
    Refused,
    Throttled,
    Uncertain,
    Unreachable,
    Unsupported,
    WrongStep,
)
from shapes.messenger_accounts import AccountState

UNAVAILABLE = "The messenger can't be reached; nothing was done. Try again in a moment."
UNCERTAIN = (
    "The messenger did not answer, so the result of this request is unknown. Check the chat"
    " before you try again."
)


def uncertain() -> UpstreamTimeout:
    """The result of the call is unknown."""
    return UpstreamTimeout(UNCERTAIN, code="uncertain")


def unavailable(message: str = UNAVAILABLE) -> Unavailable:
    """The call was surely not executed."""
    return Unavailable(message, code="messenger_unavailable")


def app_error(error: MessengerError, state: str | None = None) -> AppError:
    """Translates a driver's error. `state` is the account's, for the sentence about the next step, unless the error has
    one."""
    details: dict[str, Any] = {}
    match error:
        case WrongStep():
            if (state := error.state or state) is None:
                return Conflict(error.reason, code="wrong_state")
            account_state = AccountState(state)
            return Conflict(
                f"{error.reason} The account is {account_state.value}. {NEXT[account_state]}",
                code="wrong_state",
                details={"state": account_state.value, "next": NEXT[account_state]},
            )
        case CodeInvalid():
            if error.attempts_left is not None:
                details["attemptsLeft"] = error.attempts_left
            if isinstance(error, PasswordInvalid):
                return BadRequest(error.reason, code="password_invalid", details=details)
            return BadRequest(error.reason, code="code_invalid", details=details)
        case Throttled():
            seconds = max(1, int((error.until - datetime.now(UTC)).total_seconds()) + 1)
            return RateLimited(
                error.reason,
                code="flood_wait",
                details={"until": error.until.isoformat().replace("+00:00", "Z"), "retryAfter": seconds},
                headers={"Retry-After": str(seconds)},
            )
        case Uncertain():
            return UpstreamTimeout(error.reason, code="uncertain")
        case Unsupported() | Refused():
            return Unprocessable(error.reason, code=error.code)
        case _:  # Unreachable, and a driver's own subclasses
            return Unavailable(error.reason, code=error.code)


def pack_error(error: BaseException) -> dict[str, Any]:
    """Packs an error for another process. An error that is no MessengerError is a bug, and its content is not passed
    on."""
    if not isinstance(error, MessengerError):
        return {"kind": "Lost" if isinstance(error, Lost) else "Bug"}
    packed: dict[str, Any] = {"kind": _kind(error), "reason": error.reason, "code": error.code}
    if isinstance(error, CodeInvalid):
        packed["attempts_left"] = error.attempts_left
    if isinstance(error, WrongStep) and error.state is not None:
        packed["state"] = error.state.value
    if isinstance(error, Throttled):
        packed["until"] = error.until.isoformat()  # for processes of an older version
        # The newer field: the other machine may have another clock.
        packed["seconds"] = (error.until - datetime.now(UTC)).total_seconds()
    return packed


_KINDS: dict[str, type[MessengerError]] = {
    one.__name__: one
    for one in (
        PasswordInvalid,
        CodeInvalid,
        WrongStep,
        Throttled,
        Refused,
        Unreachable,
        Uncertain,
        Unsupported,
        MessengerError,
    )
}


def _kind(error: MessengerError) -> str:
    """Returns the name of the port's class; a driver's own subclass is passed on as its base."""
    return next(name for name, kind in _KINDS.items() if isinstance(error, kind))


def unpack_error(packed: Mapping[str, Any]) -> MessengerError | None:
    """Returns the error, or None for `Lost` or a bug."""
    kind = _KINDS.get(str(packed.get("kind")))
    if kind is None:
        return None
    reason, code = str(packed.get("reason")), str(packed.get("code"))
    if issubclass(kind, CodeInvalid):
        error: MessengerError = kind(reason, attempts_left=packed.get("attempts_left"))
        error.code = code
        return error
    if kind is WrongStep:
        state = packed.get("state")
        return WrongStep(reason, code=code, state=None if state is None else AccountState(str(state)))
    if kind is Throttled:
        if "seconds" not in packed:  # from an older version
            return Throttled(reason, until=datetime.fromisoformat(str(packed.get("until"))))
        return Throttled(reason, until=datetime.now(UTC) + timedelta(seconds=float(packed["seconds"])))
    return kind(reason, code=code)

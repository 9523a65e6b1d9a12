"""Translates Telegram's errors to those of an account, and of a call."""

import re
from datetime import UTC, datetime, timedelta

import structlog
from telethon import errors

from messengers.bugs import BUGS
from messengers.bugs import REASON as BUG
from messengers.port import Broken, MessengerError, Refused, Throttled, Unreachable, WrongStep
from shapes.messenger_accounts import AccountState

log = structlog.get_logger()

PEER_FLOOD = timedelta(hours=1)  # Telegram does not say how long it limits an account that looks like spam


class NotSent(ConnectionError):
    """There is no connection, and the request surely was not sent."""


class Unanswered(ConnectionError):
    """The request may have been sent, and its answer will not come: the connection ended, or it took too long."""


class Moved(Exception):
    """The account belongs to another data center."""

    def __init__(self, dc: int, host: str, port: int) -> None:
        super().__init__(f"data center {dc}")
        self.dc = dc
        self.host = host
        self.port = port


class Ended(Exception):
    """No further attempt makes sense; the fields are those of the Change to report."""

    def __init__(self, state: AccountState, code: str, reason: str, until: datetime | None = None) -> None:
        super().__init__(code)
        self.state = state
        self.code = code
        self.reason = reason
        self.until = until


class Later(Exception):
    """Telegram accepts no further attempt before `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__("flood_wait")
        self.until = until


_REVOKED = (
    AccountState.loggedOut,
    "session_revoked",
    "The session was ended from another device; log in again.",
)
_UNKNOWN = (
    AccountState.loggedOut,
    "session_unknown",
    "Telegram no longer accepts this session. Log in again.",
)
_BANNED = (AccountState.blocked, "banned", "Telegram has banned the account.")
_CREDENTIALS = (
    AccountState.failed,
    "bad_credentials",
    "Telegram does not accept POSTERN_TELEGRAM_API_ID and POSTERN_TELEGRAM_API_HASH.",
)
_ENDS: dict[type[Exception], tuple[AccountState, str, str]] = {
    errors.AuthKeyUnregisteredError: _REVOKED,
    errors.SessionRevokedError: _REVOKED,
    errors.SessionExpiredError: _REVOKED,
    errors.AuthKeyInvalidError: _UNKNOWN,
    errors.AuthKeyPermEmptyError: _UNKNOWN,
    errors.AuthKeyNotFound: _UNKNOWN,
    errors.AuthKeyDuplicatedError: (
        AccountState.loggedOut,
        "session_duplicated",
        "The session was used in two places at once, so Telegram ended it; log in again.",
    ),
    errors.UserDeactivatedBanError: _BANNED,
    errors.UserDeactivatedError: (
        AccountState.blocked,
        "account_deleted",
        "The account was deleted or deactivated.",
    ),
    errors.PhoneNumberBannedError: _BANNED,
    errors.PhoneNumberInvalidError: (
        AccountState.failed,
        "phone_invalid",
        "Telegram says that this is not a phone number. Set another one.",
    ),
    errors.PhoneNumberUnoccupiedError: (
        AccountState.failed,
        "phone_unoccupied",
        "There is no Telegram account with this phone number. Create one in the app first.",
    ),
    errors.PhoneNumberFloodError: (
        AccountState.failed,
        "phone_flood",
        "Codes were asked for this phone number too often; try again tomorrow.",
    ),
    errors.ApiIdInvalidError: _CREDENTIALS,
    errors.ApiIdPublishedFloodError: _CREDENTIALS,
}


_CODES = {  # the codes that other drivers use
    "message_empty": "empty_message",
    "message_too_long": "text_too_long",
    "media_caption_too_long": "text_too_long",
    "reply_message_id_invalid": "reply_not_found",
    "user_privacy_restricted": "privacy",
}


def ended(error: Exception, *, login: bool = False) -> Ended | None:
    """Returns the final state that an error causes, or None if the account continues.

    During a login any refusal ends the attempt.
    """
    for kind, (state, code, reason) in _ENDS.items():
        if isinstance(error, kind):
            return Ended(state, code, reason)
    if not login or not isinstance(error, errors.RPCError) or isinstance(error, _THEIRS):
        return None
    if (until := not_before(error)) is not None:
        reason = "Telegram wants a pause before the next login."
        return Ended(AccountState.failed, "flood_wait", reason, until)
    return Ended(AccountState.failed, code_of(error), sentence_of(error))


_THEIRS = (errors.ServerError, errors.TimedOutError, errors.RpcCallFailError, errors.AuthRestartError)


def code_of(error: errors.RPCError) -> str:
    """Returns our code of an error: PHONE_CODE_INVALID → phone_code_invalid."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(error).__name__.removesuffix("Error"))
    if type(error).__module__.endswith("rpcbaseerrors"):  # an error that Telethon does not know
        name = str(error.message or "")
        name = name if re.fullmatch("[A-Z][A-Z0-9_]{2,63}", name) else "messenger_error"
    return _CODES.get(name.lower(), name.lower())


def sentence_of(error: errors.RPCError) -> str:
    """Returns one sentence, without the request that Telethon appends to it."""
    words = (
        "" if type(error).__module__.endswith("rpcbaseerrors") else str(error.args[0] if error.args else "")
    )
    return words.partition(" (caused by")[0].strip() or f"Telegram refused it: {code_of(error)}."


def not_before(error: BaseException) -> datetime | None:
    """Returns when the next attempt is allowed, or None if the error sets no pause."""
    seconds = getattr(error, "seconds", None)
    if isinstance(error, errors.RPCError) and isinstance(seconds, int):
        return datetime.now(UTC) + timedelta(seconds=max(seconds, 1))
    return None


def failure(error: Exception) -> MessengerError:
    """Returns the port's error of a call other than a login."""
    if isinstance(error, MessengerError):
        return error
    if (until := not_before(error)) is not None:
        return Throttled("Telegram wants a pause.", until=until)
    if isinstance(error, errors.PeerFloodError):
        reason = "Telegram limits this account: it wrote to too many strangers."
        return Throttled(reason, until=datetime.now(UTC) + PEER_FLOOD)
    if isinstance(error, errors.UnauthorizedError | errors.AuthKeyError) and (end := ended(error)):
        return WrongStep(end.reason, state=end.state)
    if isinstance(error, _THEIRS):
        return Unreachable("Telegram has an internal error. Try again later.")
    if isinstance(error, errors.RPCError):
        return Refused(sentence_of(error), code=code_of(error))
    if isinstance(error, BUGS):
        log.error("the Telegram driver failed at a call", exc_info=error)
        return Broken(BUG)
    return Unreachable("Telegram can't be reached. Try again in a moment.")

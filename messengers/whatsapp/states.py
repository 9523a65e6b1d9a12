"""Maps the child's connection events to states of the account. The sentences are for people."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from messengers.bugs import REASON
from messengers.port import Change, Person
from shapes.messenger_accounts import AccountState

# The child's next step: it stays; another one starts (`later`: after a pause); none starts.
Next = Literal["stay", "again", "later", "end"]


@dataclass(frozen=True, slots=True)
class Move:
    """The change that an event causes, and the child's next step."""

    change: Change | None
    next: Next = "stay"
    void: bool = False  # the session is of no more use


_BANS = {
    "SEND_TO_TOO_MANY_PEOPLE": "it wrote to too many people who don't know it",
    "BLOCKED_BY_USERS": "too many people blocked it",
    "CREATED_TOO_MANY_GROUPS": "it made too many groups with people who don't know it",
    "SENT_TOO_MANY_SAME_MESSAGE": "it sent the same message to too many people",
    "BROADCAST_LIST": "it sent too many messages to a broadcast list",
}


def move(event: dict[str, Any], *, takeover: bool = False, now: datetime | None = None) -> Move | None:
    """Returns the change that an event causes, or None if the event is no state.

    `takeover`: the account's owner wants the session back when another program takes it. Raises KeyError, TypeError
    or ValueError for a malformed event.
    """
    now = now or datetime.now(UTC)
    state = AccountState
    match event["t"]:
        case "qr":
            expires = now + timedelta(seconds=float(event["seconds"]))
            return Move(Change(state.waitQr, value=_short(event["value"]), expires_at=expires))
        case "code":
            expires = now + timedelta(seconds=float(event["seconds"]))
            return Move(Change(state.showCode, value=_short(event["value"]), expires_at=expires))
        case "no_code":
            return _no_code(event["why"], now)
        case "paired":
            return Move(Change(state.syncing))
        case "connected":
            return Move(Change(state.working, me=person(event["me"])))
        case "up":
            return Move(Change(state.working))
        case "down":
            return Move(
                Change(
                    state.reconnecting,
                    "network",
                    "The connection to WhatsApp was lost. The account is connecting again.",
                )
            )
        case "replaced" if takeover:
            reason = "Another program took over this account's session. The account is connecting again."
            return Move(Change(state.reconnecting, "stream_replaced", reason), "later")
        case "replaced":
            reason = "Another program uses this account's session, and WhatsApp ended the connection here."
            return Move(Change(state.failed, "stream_replaced", reason), "end")
        case "outdated":
            return _outdated()
        case "logged_out":
            return _logged_out(event["why"])
        case "banned":
            why = _BANS.get(event["why"], "it broke WhatsApp's rules")
            until = now + timedelta(seconds=min(float(event["seconds"]), 10 * 365 * 86_400.0))
            return Move(
                Change(state.blocked, "banned", f"WhatsApp banned the account for a while: {why}.", until),
                "end",
            )
        case "refused":
            if event["why"] in ("CLIENT_OUTDATED", "BAD_USER_AGENT"):
                return _outdated()
            return Move(
                Change(state.reconnecting, "connection_refused", "WhatsApp refused the connection."), "later"
            )
        case "scanned" | "passkey":
            return Move(None)
        case "broken":
            return Move(Change(state.failed, "driver_broken", REASON), "end")
        case "over":
            return _over(event["why"])
    return None


def _no_code(why: str, now: datetime) -> Move:
    if why == "phone":
        reason = (
            "WhatsApp sends no code for this phone number. Write the number in international form, digits"
            " only."
        )
        return Move(Change(AccountState.failed, "phone_invalid", reason), "end")
    if why == "limit":
        reason = (
            "WhatsApp sends no more codes for this phone number for a while. Log in with a QR code, or wait."
        )
        return Move(Change(AccountState.failed, "flood_wait", reason, now + timedelta(hours=1)), "end")
    reason = "WhatsApp sent no code for this phone number. The request is being repeated."
    return Move(Change(AccountState.reconnecting, "code_refused", reason), "later")


def _outdated() -> Move:
    reason = "WhatsApp no longer accepts this version of the library. The operator must update neonize."
    return Move(Change(AccountState.failed, "client_outdated", reason), "end")


def _logged_out(why: str) -> Move:
    """WhatsApp's codes 403 and 406 are a locked and a banned account; both end the session."""
    if why == "MAIN_DEVICE_GONE":
        reason = "WhatsApp locked the account, or its phone changed. Open WhatsApp on the phone."
        return Move(Change(AccountState.blocked, "account_locked", reason), "end", void=True)
    if why == "UNKNOWN_LOGOUT":
        return Move(Change(AccountState.blocked, "banned", "WhatsApp banned the account."), "end", void=True)
    reason = "The device was removed on the phone. Log in again."
    return Move(Change(AccountState.loggedOut, "session_revoked", reason), "end", void=True)


def _over(why: str) -> Move:
    if (
        why == "round"
    ):  # the QR or code was not used, and WhatsApp ended the connection; a new one brings new codes
        return Move(None, "again")
    return Move(
        Change(
            AccountState.reconnecting, "network", "WhatsApp can't be reached. The account is trying again."
        ),
        "later",
    )


def person(me: dict[str, Any]) -> Person:
    """Builds the Person of the account from the child's answer. Raises KeyError or ValueError."""
    phone, name, avatar = me.get("phone"), me.get("name"), me.get("avatar")
    return Person(
        id=_short(me["id"]),
        phone=_short(phone) if phone else None,
        first_name=_short(name) if name else None,
        avatar=str(avatar) if avatar and len(str(avatar)) <= 65_536 else None,
    )


def _short(text: Any) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= 1024:
        raise ValueError("no short text")
    return text

"""The states of a messenger account and their transitions (contract §4), in one table; docs/states.md draws it.

The host does `start` and `stop`; a driver reports every other event. A report that this table does not allow is
logged and not written (`engine/messengers/account_writer.py`). Reporting the present state again is not a transition.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from core.errors import Conflict
from messengers.port import Change
from shapes.messenger_accounts import AccountState


class Event(StrEnum):
    """Names the events in an account's life."""

    start = "start"
    stop = "stop"
    qr = "qr"
    phone = "phone"
    code = "code"
    password = "password"
    pairing = "pairing"
    sync = "sync"
    work = "work"
    lose = "lose"  # the connection
    fail = "fail"
    log_out = "log_out"
    block = "block"


_S = AccountState

INACTIVE: Final = (_S.stopped, _S.failed, _S.loggedOut, _S.blocked)
"""No process runs the account, and nothing is tried until its owner starts it."""
LOGIN: Final = (_S.waitQr, _S.waitPhone, _S.waitCode, _S.waitPassword, _S.showCode)
"""A person has to do something to log the account in."""
ACTIVE: Final = (_S.starting, *LOGIN, _S.syncing, _S.working, _S.reconnecting)

_BEFORE: Final = (_S.starting, *LOGIN, _S.reconnecting)
"""The states in which a login can go on. A working session never asks for a login: it is `loggedOut` first."""

MOVES: Final[tuple[tuple[tuple[AccountState, ...], Event, AccountState], ...]] = (
    (tuple(_S), Event.start, _S.starting),
    (tuple(_S), Event.stop, _S.stopped),
    (_BEFORE, Event.qr, _S.waitQr),
    (_BEFORE, Event.phone, _S.waitPhone),
    (_BEFORE, Event.code, _S.waitCode),
    (_BEFORE, Event.password, _S.waitPassword),
    (_BEFORE, Event.pairing, _S.showCode),
    (_BEFORE, Event.sync, _S.syncing),
    ((*_BEFORE, _S.syncing), Event.work, _S.working),
    ((_S.starting, *LOGIN, _S.syncing, _S.working), Event.lose, _S.reconnecting),
    (ACTIVE, Event.fail, _S.failed),
    (ACTIVE, Event.log_out, _S.loggedOut),
    (ACTIVE, Event.block, _S.blocked),
)

_MAY: Final = {(start, end) for starts, _, end in MOVES for start in starts}
_REPORTABLE: Final = {
    (start, end) for starts, event, end in MOVES if event not in (Event.start, Event.stop) for start in starts
}


def may(start: str, end: str) -> bool:
    """Returns whether an account can go from `start` to `end`, which is always the case if they are the same."""
    return start == end or (AccountState(start), AccountState(end)) in _MAY


def may_report(start: str, end: str) -> bool:
    """Returns whether a driver may report this change: a driver neither starts nor stops an account."""
    return start == end or (AccountState(start), AccountState(end)) in _REPORTABLE


STEPS: Final[dict[AccountState, float | None]] = {
    _S.stopped: None,
    _S.starting: None,
    _S.waitQr: 2.2,
    _S.waitPhone: 2.21,
    _S.waitCode: 2.25,
    _S.waitPassword: 2.1,
    _S.showCode: 2.22,
    _S.syncing: 4,
    _S.working: 5,
    _S.reconnecting: 4,
    _S.failed: None,
    _S.loggedOut: None,
    _S.blocked: None,
}
"""The vendor's `step.value` of each state."""

SENTENCES: Final[dict[AccountState, str]] = {
    _S.starting: "Trying to start existing account",
    _S.waitQr: "QR received",
    _S.waitPhone: "Auth phone not set",
    _S.waitCode: "Challenge required",
    _S.waitPassword: "Two factor auth required",
    _S.showCode: "Auth code received",
    _S.syncing: "Trying to start existing account",
    _S.reconnecting: "Trying to start existing account",
}
"""The vendor's `step.message`, and the answer of `setState` if the account is neither working nor stopped."""

NEXT: Final[dict[AccountState, str]] = {
    _S.stopped: "Start it with setState(true).",
    _S.starting: "It is being connected. Call getInfo again in a moment.",
    _S.waitQr: "Show the QR code of getQr (or GET /screenshot) and scan it with the phone.",
    _S.waitPhone: "Send its phone number with enablePhoneAuth, then call forceStop and setState(true).",
    _S.waitCode: "Send the code from the messenger with solveChallenge.",
    _S.waitPassword: "Send the account's cloud password with twoFactorAuth.",
    _S.showCode: 'Enter the code of getAuthCode on the phone, under "Linked devices".',
    _S.syncing: "It is loading its chats. Call getInfo again in a moment.",
    _S.working: "It is connected; nothing needs to be done.",
    _S.reconnecting: "The connection was lost and is being restored. Call getInfo again in a moment.",
    _S.failed: "Read the reason with getInfo, then start it again with setState(true).",
    _S.loggedOut: "The messenger has ended this session. Start it with setState(true) and log in again.",
    _S.blocked: (
        "The messenger has blocked this account. Appeal to the messenger, then start it with setState(true)."
    ),
}
"""These sentences name the caller's next step in each state."""


def replaced_session(change: Change, *, takeover: bool) -> Change:
    """Returns the change after another program has taken the session, by the present configuration. The driver knows
    only the configuration of when it connected."""
    if takeover:
        state = AccountState.reconnecting
        reason = "Another program took over this account's session. The account is connecting again."
    else:
        state = AccountState.failed
        reason = "Another program uses this account's session, and the messenger ended the connection here."
    return change if change.state is state else replace(change, state=state, reason=reason)


def step(state: str) -> dict[str, Any]:
    """Returns the vendor's `step`, as getInfo and webhooks show it."""
    account_state = AccountState(state)
    return {"value": STEPS[account_state], "message": SENTENCES.get(account_state)}


def visible_state(state: str, *, wanted: bool, leased: bool) -> AccountState:
    """Returns the state to show for a row.

    A row may say that an account is live although no process runs it. Then it is `starting` if it is wanted, else
    `stopped`. A state that needs its owner (failed, logged out, blocked) is shown until a process has the account.
    `held`: there is a row in messenger_holds that has not expired. `wanted`: the owner wants it and is not suspended.
    """
    account_state = AccountState(state)
    if leased or account_state in (AccountState.failed, AccountState.loggedOut, AccountState.blocked):
        return account_state
    return AccountState.starting if wanted else AccountState.stopped


def wrong_state(state: str, message: str | None = None) -> Conflict:
    """Returns the error of a call that this state does not allow. `message`: the vendor's sentence, if there is one."""
    account_state = AccountState(state)
    text = f"The account is {account_state.value}. {NEXT[account_state]}" if message is None else message
    return Conflict(
        text, code="wrong_state", details={"state": account_state.value, "next": NEXT[account_state]}
    )

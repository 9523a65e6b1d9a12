"""Suspects that WhatsApp wants a passkey: a QR or a code was used on the phone, and no login follows.

The library passes on that a code was scanned, or that a passkey is wanted, only where its own version can tell; the
driver can't give one in any case: the challenge is for a browser on WhatsApp's own address.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from messengers.port import Change
from shapes.messenger_accounts import AccountState

_STEPS: Final = {AccountState.waitQr, AccountState.showCode, AccountState.syncing}
_REASON: Final = (
    "The code was used on the phone, and no login followed: WhatsApp probably wants a passkey for new linked devices of"
    " this account, which this driver can't give. See docs/messengers.md, or use WhatsApp Cloud."
)


class LoginWatch:
    """Watches the logins of one account. `again` is called when the last state has to be reported once more."""

    def __init__(self, seconds: float, again: Callable[[Change], None]) -> None:
        self._seconds, self._again = seconds, again
        self._last = Change(AccountState.starting)
        self._suspects = False
        self.timer: asyncio.TimerHandle | None = None  # since a code was used

    def saw(self, kind: str) -> None:
        """Takes note of an event of the child."""
        if kind not in ("scanned", "passkey", "paired", "connected"):
            return
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if kind == "connected":
            self._suspects = False
        else:
            seconds = 0.0 if kind == "passkey" else self._seconds
            self.timer = asyncio.get_running_loop().call_later(seconds, self._suspect)

    def of(self, change: Change) -> Change:
        """Returns the change as it is to be reported."""
        if self._suspects and change.state in _STEPS:
            change = replace(change, code="passkey_suspected", reason=_REASON)
        self._last = change
        return change

    def _suspect(self) -> None:
        self._suspects = True
        if self._last.state in _STEPS:
            self._again(self._last)

"""Stores the states that a driver reports: lost connections and expired codes are counted, and a crash asks for a
reconnect.
"""

from typing import Final, Protocol
from uuid import UUID

from engine.messengers import accounts
from engine.messengers.account_writer import AccountWriter
from engine.messengers.states import replaced_session
from messengers.port import Change
from runtime.services import Services
from shapes.configuration import Reconnect
from shapes.messenger_accounts import AccountState

_CRASHED: Final = frozenset(
    {"crashed", "driver_crashed"}
)  # codes of `failed` after which the host reconnects


class Runner(Protocol):
    """The part of the account's runner that is used here."""

    services: Services
    writer: AccountWriter
    value: str | None

    @property
    def account_id(self) -> UUID: ...

    async def policy(self) -> Reconnect: ...

    def request_reconnect(self, code: str, reason: str) -> None: ...


class ReportedStates:
    """The states that the driver of one account reports, from the account's lease on."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.code_count = 0  # number of QRs or codes shown in this login
        self.lost_connections = 0  # connection losses reported by the driver, in a row

    async def store(self, change: Change) -> None:
        """Stores a state that the driver reports. Lost connections and expired codes are counted; a crash asks for a
        reconnect.
        """
        if change.state is AccountState.failed and change.code in _CRASHED:
            self._runner.request_reconnect(
                "driver_crashed", change.reason or "The driver has crashed. It is being restarted."
            )
            return
        if change.code == "stream_replaced":
            settings = await self._runner.writer.in_transaction(
                lambda db: accounts.settings_of(db, self._runner.account_id)
            )
            reported, change = change, replaced_session(change, takeover=settings.takeover)
            if change.state is AccountState.reconnecting and reported.state is AccountState.failed:
                self._runner.request_reconnect("stream_replaced", change.reason or "")
                return
        if change.state is AccountState.reconnecting:
            self.lost_connections += 1
            policy = await self._runner.policy()
            if not policy.enabled or (policy.max_attempts and self.lost_connections > policy.max_attempts):
                reason = (
                    "The connection was lost, and the account's configuration forbids another attempt. Start the"
                    " account again."
                )
                change = Change(AccountState.failed, code="connection_lost", reason=reason)
        if change.value is not None and change.value != self._runner.value:
            self.code_count += 1
            if self.code_count > self._runner.services.settings.qr_attempts:
                kind = "QR code" if change.state is AccountState.waitQr else "code"
                reason = (
                    f"The {kind} was not used in time, "
                    f"{self.code_count - 1} times in a row. Start the account again."
                )
                code = "qr_expired"
                if change.code == "passkey_suspected":  # more codes would end in the same way
                    code, reason = change.code, change.reason or reason
                change = Change(AccountState.failed, code=code, reason=reason)
        await self._runner.writer.write_reported_state(change)

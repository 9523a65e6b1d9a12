"""Runs one account in this process: connects it, keeps it connected, and disconnects it."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, suppress
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from core.errors import AppError
from core.tasks import ignore_result
from core.vault import Sealed
from engine.faultpoints import fault_point
from engine.messengers import accounts, proxies, start_slots
from engine.messengers.account_writer import AccountWriter
from engine.messengers.call_handler import CallHandler
from engine.messengers.connection_sink import ConnectionSink
from engine.messengers.drivers import Drivers
from engine.messengers.leases import AccountLease, DesiredState, reconnect_delay
from engine.messengers.logouts import log_out
from engine.messengers.probes import probe_forever
from engine.messengers.reported_states import ReportedStates
from engine.messengers.start_slots import StartSlots
from engine.messengers.states import INACTIVE
from messengers.port import Abortable, Change, Connection, Driver, Lost, MessengerError
from runtime.services import Services
from shapes.configuration import Reconnect
from shapes.messenger_accounts import AccountState

log = structlog.get_logger("postern.messengers")

_PROBE_BOUND = 6.0
_START_BOUND = 60.0
_CLOSE_BOUND = 7.0  # the port allows six seconds
_NO_ANSWER = "The driver did not respond in time. It is being restarted."


class AccountRunner:
    """Runs one account from when its lease is taken until the lease is given back. `run` does all of that."""

    def __init__(
        self, services: Services, drivers: Drivers, lease: AccountLease, start_slots: StartSlots
    ) -> None:
        self.services, self.drivers, self.start_slots, self.lease = services, drivers, start_slots, lease
        self.writer = AccountWriter(services, lease, self._on_state)
        self.calls = CallHandler(self)
        self.connection: Connection | None = None
        self.driver: Driver | None = None
        self.value: str | None = None  # the current QR or pairing code; it is stored nowhere else
        self.expires_at: datetime | None = None
        self._reported = ReportedStates(self)
        self._sink = ConnectionSink(self)
        self._desired: DesiredState | None = None
        self._wakeup = asyncio.Event()  # set when the desired state or a flag below has changed
        self._reconnect_cause: Change | None = None  # the change that makes a reconnect necessary
        self._stays_disconnected = False  # the account has reached a state in which it stays disconnected
        self.shutting_down = False  # on shutdown: another process takes the account over
        self._settings = accounts.AccountSettings()
        self._lease_lost = False
        self._failed_connects = 0  # failed connection attempts in a row
        self._disconnect_tasks: set[asyncio.Task[None]] = set()
        self.checked_at: datetime | None = None

    @property
    def account_id(self) -> UUID:
        return self.lease.account_id

    @property
    def state(self) -> str:
        """Returns the account's state, as stored last."""
        return self.writer.state.value

    @property
    def reported_state(self) -> AccountState:
        """Returns the state that the connection has reported last."""
        return self._sink.state

    async def answer(self, call: str, arguments: dict[str, Any], seconds: float) -> Any:
        """Runs a call on the account; see `CallHandler.answer`."""
        return await self.calls.answer(call, arguments, seconds)

    def set_desired(self, desired: DesiredState) -> None:
        """Takes note that the owner wants the account disconnected or cleared."""
        if desired.clearing or not desired.wanted:
            self._desired = desired
            self._wakeup.set()

    def leave(self) -> None:
        """Ends the runner in good order on shutdown. The state stays as it is; another process continues."""
        self.shutting_down = True
        self._wakeup.set()

    def abandon(self) -> None:
        """Ends the runner because the lease is or may be lost. Stores nothing more, and aborts the connection."""
        if self._lease_lost:
            return
        self._lease_lost = self.lease.lost = True
        self._sink.closed = True
        if isinstance(self.connection, Abortable):
            with suppress(Exception):
                self.connection.abort()
        self.calls.cancel_all()
        self._wakeup.set()
        # `run` may be waiting for the database, so the connection is closed here.
        disconnecting = asyncio.create_task(self._disconnect())
        self._disconnect_tasks.add(disconnecting)
        disconnecting.add_done_callback(self._disconnect_tasks.discard)

    async def run(self) -> None:
        """Connects the account, and clears or stops it as its owner wants, until the lease ends. Never raises."""
        try:
            while not self.shutting_down:
                row = await self._load()
                if row is None:
                    return
                if row["clearing"]:
                    await self._clear(row)
                    continue
                await self._disconnect()
                if not row["to_connect"]:
                    await self.writer.write_stopped(row)
                    return
                await self._keep_connected(row)
                if self._stays_disconnected:
                    return
        except Lost:
            log.info("a messenger account is not ours any more", account=str(self.account_id))
        except Exception:  # any error: the next holder starts over when the lease has expired
            log.exception("a messenger account's host broke off", account=str(self.account_id))
            self.lease.lost = True
        finally:
            await self._disconnect()
            if self._disconnect_tasks:
                await asyncio.wait(self._disconnect_tasks)

    async def _load(self) -> Any:
        """Returns the account's row, after the transactions of an earlier holder have ended."""
        self._wakeup.clear()
        self._desired = None

        async def load(db: asyncpg.Connection) -> Any:
            self._settings = await accounts.settings_of(db, self.account_id)
            return await accounts.load_row(db, self.account_id)

        row = await self.writer.in_transaction(load)
        self.check_lease()
        if row is not None:
            self.writer.state = AccountState(row["state"])
        return row

    async def _keep_connected(self, row: Any) -> None:
        """Keeps the account connected, through all failures, until it is unwanted or stays disconnected."""
        self._stays_disconnected, self._failed_connects = False, 0
        await self.writer.write_state(Change(AccountState.starting))
        while True:
            self._reconnect_cause = None
            self._reported.code_count = 0
            await self._connect(row)
            probing = asyncio.create_task(probe_forever(self))
            try:
                await self._wait_for_change()
            finally:
                probing.cancel()
                # clearSession logs out through this connection.
                if self._desired is None or not self._desired.clearing:
                    await self._disconnect()
            self.check_lease()
            is_over = self._stays_disconnected or self._desired or self.shutting_down
            if is_over or self._reconnect_cause is None:
                return
            if not await self._wait_to_reconnect(row, self._reconnect_cause):
                return
            row = await self._load()
            if row is None or row["clearing"] or not row["to_connect"]:
                return

    async def policy(self) -> Reconnect:
        """Returns when the account connects again, as it is configured now."""
        return (
            await self.writer.in_transaction(lambda db: accounts.settings_of(db, self.account_id))
        ).reconnect

    @property
    def _must_end(self) -> bool:
        """Returns whether the connection is to end."""
        return bool(self._reconnect_cause or self._stays_disconnected or self._desired or self.shutting_down)

    async def _wait_for_change(self) -> None:
        """Waits until the connection is to end. A driver that reports nothing gets as long as a start may take."""
        report_deadline = asyncio.get_running_loop().time() + _START_BOUND
        while not self._must_end:
            self.check_lease()
            try:
                async with asyncio.timeout_at(None if self._sink.has_reported else report_deadline):
                    await self._wakeup.wait()
            except TimeoutError:
                if not self._sink.has_reported:
                    self.request_reconnect("no_answer", _NO_ANSWER)
            self._wakeup.clear()

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Waits until the condition holds; it is looked at whenever the runner is woken. Raises Lost."""
        while not condition():
            self.check_lease()
            await self._wakeup.wait()
            self._wakeup.clear()

    async def _wait_to_reconnect(self, row: Any, cause: Change) -> bool:
        """Waits before the next attempt. Returns False when there is to be none."""
        self._failed_connects += 1
        policy = await self.policy()
        max_failures = policy.max_attempts
        if not policy.enabled or (max_failures is not None and self._failed_connects > max_failures):
            await self.writer.write_state(Change(AccountState.failed, code=cause.code, reason=cause.reason))
            self._stays_disconnected = True
            return False
        if self.writer.state is not AccountState.reconnecting:
            await self.writer.write_state(cause)
        seconds = reconnect_delay(self._failed_connects) * random.uniform(0.8, 1.2)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.wait_until(lambda: bool(self._desired or self.shutting_down))
        self.check_lease()
        return not (self._desired or self.shutting_down)

    async def _connect(self, row: Any) -> None:
        """Connects the account. A failure is stored with its own code, and retried if it may pass."""
        try:
            driver = self.drivers.get(row["driver"])
            self.driver = driver
            async with self.start_slot():
                self.check_lease()
                if self._must_end:
                    return
                connection = await self.attach(driver, row)
                fault_point("messenger.connecting")
                await self._start(connection.start())
                await self._wait_for_report()
        except Lost:
            raise
        except AppError as error:  # this process has no such driver
            await self._give_up(Change(AccountState.failed, code=error.code, reason=error.message))
        except Sealed:
            reason = (
                "The session of this account can't be decrypted because POSTERN_SECRET_KEY has changed. Call"
                " clearSession and log in again."
            )
            await self._give_up(Change(AccountState.failed, code="session_unreadable", reason=reason))
        except proxies.Refusal as error:
            reason = f"The proxy of this account can't be used: {error.reason}."
            if error.temporary:
                self.request_reconnect(error.code, reason)
            else:
                await self._give_up(Change(AccountState.failed, code=error.code, reason=reason))
        except MessengerError as error:
            self.request_reconnect(error.code, error.reason)
        except TimeoutError:
            self.request_reconnect("no_answer", _NO_ANSWER)
        except Exception as error:
            self.check_lease()
            log.exception("a messenger driver could not start", account=str(self.account_id))
            self.request_reconnect(
                "driver_crashed", f"The driver failed ({type(error).__name__}). It is being restarted."
            )

    def start_slot(self) -> AbstractAsyncContextManager[None]:
        """Waits for a slot in which the account may start, or until the start is given up."""
        assert self.driver is not None
        return self.start_slots.slot(self.driver, lambda: self._must_end or not self.lease.valid)

    async def _start(self, start: Coroutine[Any, Any, None]) -> None:
        """Waits for a start, and stops waiting if the account is to be stopped: a start that hangs must not block
        that.
        """
        starting = ignore_result(asyncio.create_task(start))
        starting.add_done_callback(lambda _: self._wakeup.set())
        try:
            async with asyncio.timeout(_START_BOUND):
                await self.wait_until(
                    lambda: bool(
                        starting.done() or self._desired or self.shutting_down or self._stays_disconnected
                    )
                )
            if starting.done():
                starting.result()
        finally:
            self._wakeup.set()  # the next waiter checks all flags once
            if not starting.done():
                starting.cancel()
                await asyncio.wait({starting}, timeout=_CLOSE_BOUND)

    async def _wait_for_report(self) -> None:
        """Keeps the slot of a start until the driver has reported how it went, at most for `BOUND_SECONDS`: a
        driver may return from `start` before it has done the work.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(start_slots.BOUND_SECONDS):
                await self.wait_until(lambda: self._sink.has_reported or self._must_end)
        self._wakeup.set()  # the next waiter checks all flags once

    async def _disconnect(self) -> None:
        """Ends the running calls, then closes the connection within `_CLOSE_BOUND` seconds. Raises nothing."""
        sink = self._sink
        if not self.lease.valid:
            sink.closed = True
        await self.calls.close()
        sink.begin_closing()  # after the calls have ended: until then the driver reports their results
        connection, self.connection = self.connection, None
        self.value = self.expires_at = None
        if connection is None:
            return
        try:
            async with asyncio.timeout(_CLOSE_BOUND):
                await connection.close()
        except Exception as error:  # the connection is dropped in any case
            log.warning(
                "a messenger driver could not close a connection",
                account=str(self.account_id),
                error=f"{type(error).__name__}: {error}"[:200],
            )
        finally:
            sink.closed = True

    async def _clear(self, row: Any) -> None:
        """Logs out at the messenger if it can be reached, and deletes the session in any case. On shutdown an account
        that still waited for its slot is left to the next process.
        """
        self.writer.muted = True
        try:
            if row["session_encrypted"] is not None and not await log_out(self, row):
                return
        except Lost:
            raise
        except Exception as error:
            log.warning(
                "a messenger session could not be logged out; it is forgotten here",
                account=str(self.account_id),
                error=f"{type(error).__name__}: {error}"[:200],
            )
        finally:
            await self._disconnect()
        await self.writer.write_cleared()
        self.writer.muted = False

    async def attach(self, driver: Driver, row: Any) -> Connection:
        """Makes the account's connection, which is not started yet."""
        account = await accounts.driver_account(self.services, row, self._settings)
        self.driver, self._sink = driver, ConnectionSink(self)
        self.connection = driver.connect(account, self._sink)
        return self.connection

    def wake(self) -> None:
        """Wakes the runner: the driver has reported something."""
        self._wakeup.set()

    async def changed(self, change: Change) -> None:
        """Stores a state that the driver reports; see `ReportedStates`."""
        await self._reported.store(change)

    def _on_state(self, change: Change) -> None:
        """Keeps the QR. It is called before the change is published, so that a subscriber finds the QR."""
        self.value, self.expires_at = change.value, change.expires_at
        if change.state is AccountState.working:
            self._failed_connects = 0
            self._reported.code_count = self._reported.lost_connections = 0
        if change.state in INACTIVE:
            self._stays_disconnected = True
            self._wakeup.set()

    async def _give_up(self, change: Change) -> None:
        await self.writer.write_state(change)
        self._stays_disconnected = True

    def request_reconnect(self, code: str, reason: str) -> None:
        """Ends the connection, and makes another one after a while."""
        self._reconnect_cause = Change(AccountState.reconnecting, code=code, reason=reason)
        self._wakeup.set()

    async def probe(self) -> bool:
        """Asks the messenger once. Raises Lost, and the driver's errors."""
        self.check_lease()
        if self.connection is None:
            return False
        async with asyncio.timeout(_PROBE_BOUND):
            alive = await self.connection.probe()
        if alive:
            self.checked_at = await self.writer.write_checked()
        return alive

    def check_lease(self) -> None:
        if not self.lease.valid:
            raise Lost

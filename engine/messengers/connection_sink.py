"""The sink of a driver's connection: it passes every report to the account's runner, while the connection is the
current one.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Protocol

from core.tasks import ignore_result
from engine.messengers import start_slots
from engine.messengers.account_writer import AccountWriter
from engine.messengers.leases import AccountLease
from messengers.port import Change, Event, Lost
from shapes.messenger_accounts import AccountState


class Runner(Protocol):
    """The part of the account's runner that a sink uses."""

    lease: AccountLease
    writer: AccountWriter

    def wake(self) -> None: ...

    async def changed(self, change: Change) -> None: ...

    def start_slot(self) -> AbstractAsyncContextManager[None]: ...


class ConnectionSink:
    """Passes the reports of one connection to the runner. Reports of a connection that was replaced are refused.

    While the connection closes, its state is refused, events and the session are accepted: a messenger does not send
    acknowledged events again, and the last changes of a session (the ratchets of Signal's protocol) are known when the
    connection has ended.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.closing = self.closed = False
        self.state = AccountState.starting  # the last reported state
        self._reported = asyncio.Event()  # since the last start of a child process
        self._keeping: asyncio.Task[None] | None = None

    @property
    def has_reported(self) -> bool:
        """Returns whether the driver has reported more than that it starts."""
        return self.state is not AccountState.starting

    def begin_closing(self) -> None:
        """Refuses states from now on."""
        self.closing = True
        self._reported.set()

    async def changed(self, change: Change) -> None:
        if self.closing or self.closed:
            raise Lost
        self.state = change.state
        self._reported.set()
        self._runner.wake()
        await self._runner.changed(change)

    async def session(self, session: str | None) -> None:
        self._check_open()
        await self._runner.writer.write_session(session)

    async def apply_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        self._check_open()
        await self._runner.writer.write_events(events, cursor)

    def seconds_left(self) -> float:
        return 0.0 if self.closed else self._runner.lease.left

    async def restarting(self) -> None:
        taken = asyncio.Event()
        self._keeping = keeping = ignore_result(asyncio.create_task(self._keep_slot(taken)))
        try:
            await taken.wait()
        except asyncio.CancelledError:
            keeping.cancel()
            raise

    async def _keep_slot(self, taken: asyncio.Event) -> None:
        """Keeps a start slot until the driver's next report, as the first start does."""
        try:
            async with self._runner.start_slot():
                if not (self.closing or self.closed):
                    self._reported.clear()
                taken.set()
                with suppress(TimeoutError):
                    async with asyncio.timeout(start_slots.BOUND_SECONDS):
                        await self._reported.wait()
        finally:
            taken.set()

    def _check_open(self) -> None:
        if self.closed:
            raise Lost

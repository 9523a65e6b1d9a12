"""Logs an account out at its messenger, so that its session can't be used again."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from engine.messengers.drivers import Drivers
from engine.messengers.leases import AccountLease
from engine.messengers.start_slots import StartSlots
from messengers.port import Connection, Driver
from shapes.messenger_accounts import AccountState

_BOUND = 12.0  # seconds; the port allows ten
_STARTING = (AccountState.starting, AccountState.syncing)


class Runner(Protocol):
    """The account's runner, as far as a logout needs it."""

    connection: Connection | None
    shutting_down: bool
    lease: AccountLease
    drivers: Drivers
    start_slots: StartSlots

    @property
    def reported_state(self) -> AccountState: ...

    async def attach(self, driver: Driver, row: Any) -> Connection: ...
    def check_lease(self) -> None: ...
    async def wait_until(self, condition: Callable[[], bool]) -> None: ...


async def log_out(runner: Runner, row: Any) -> bool:
    """Logs out through the existing connection, or through one made for it. Returns False if the process shuts down
    before it has begun.

    A new connection waits for a slot, as at any other start: a user with many accounts may have been deleted.
    """
    runner.check_lease()
    connection = runner.connection
    if connection is None:
        driver = runner.drivers.get(row["driver"])
        async with runner.start_slots.slot(driver, lambda: runner.shutting_down or not runner.lease.valid):
            runner.check_lease()
            if runner.shutting_down:
                return False
            connection = await runner.attach(driver, row)
            with suppress(TimeoutError):
                async with asyncio.timeout(_BOUND):
                    await connection.start()
                    await runner.wait_until(lambda: runner.reported_state not in _STARTING)
    async with asyncio.timeout(_BOUND):
        await connection.forget()
    return True

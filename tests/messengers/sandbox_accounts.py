"""Connections of accounts to a simulation of the sandbox."""

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from messengers.port import Account
from messengers.sandbox import Simulation
from shapes.messenger_accounts import AccountState, MessengerSource
from tests.messengers.recorder import Live
from tests.messengers.rigs.sandbox import SandboxRig
from tests.support.waits import until

S = AccountState

TELEGRAM, WHATSAPP = MessengerSource.telegram, MessengerSource.whatsapp

_numbers = itertools.count(os.getpid() % 10_000 * 1000)


@asynccontextmanager
async def account(
    simulation: Simulation,
    login: str | None = None,
    phone: str | None = None,
    source: MessengerSource = TELEGRAM,
) -> AsyncIterator[Live]:
    """A connection that was not started yet."""
    login = login or f"1777{next(_numbers):09d}"[:13]
    one = Live(SandboxRig(source, simulation), Account(uuid4(), source, login, phone))
    yield one
    await one.connection.close()
    assert not one.told.wrong


async def goes_through(one: Live, *states: AccountState) -> None:
    """Waits until the account has had these states in this order, with or without others in between."""

    def there() -> bool:
        rest = iter(change.state for change in one.told.changes)
        return all(state in rest for state in states)

    await until(there)

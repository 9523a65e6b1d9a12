"""A process in which one sandbox account lives: `python -m tests.messengers.resident <redis> <id> <login> <session>`.

It says a line for each state and each text, and gives the account up when it is told `reconnecting`, as a host
does whose hold is gone.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from messengers.port import Account, Change, Event, Lost, Message
from messengers.sandbox import SandboxDriver, Simulation
from shapes.messenger_accounts import AccountState, MessengerSource


class Sink:
    async def changed(self, change: Change) -> None:
        if change.state is AccountState.reconnecting:
            print("lost", flush=True)
            raise Lost
        print(change.state, flush=True)

    async def session(self, session: str | None) -> None:
        pass

    async def apply_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        for event in events:
            if isinstance(event, Message):
                print(event.text, flush=True)


async def main(url: str, id: str, login: str, session: str) -> None:
    driver = SandboxDriver(Simulation(url, 0.05))
    account = Account(UUID(id), MessengerSource.telegram, login, session=session or None)
    await driver.connect(account, Sink()).start()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until the parent is gone


asyncio.run(main(*sys.argv[1:]))

"""A sink that remembers."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from messengers.port import Account, Change, Event, Lost, Message, Progress, Reaction
from messengers.telegram.connection import TelegramConnection
from messengers.telegram.driver import Telegram as Driver
from shapes.messenger_accounts import AccountState, MessengerSource
from tests.support.waits import until


@dataclass
class Sink:
    """`lost`: the account is somebody else's. `broken`: so many tellings fail as if the database were away."""

    changes: list[Change] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    kept: str | None = None
    sessions: list[str | None] = field(default_factory=list)
    cursor: dict[str, Any] = field(default_factory=dict)
    lost: bool = False
    broken: int = 0

    def _mine(self) -> None:
        if self.lost:
            raise Lost

    async def changed(self, change: Change) -> None:
        self._mine()
        self.changes.append(change)

    async def session(self, session: str | None) -> None:
        self._mine()
        self.kept = session
        self.sessions.append(session)

    async def apply_events(self, events: Sequence[Event], cursor: Mapping[str, Any] | None = None) -> None:
        self._mine()
        await asyncio.sleep(0)
        if self.broken:
            self.broken -= 1
            raise ConnectionError("the database is away")
        self.events.extend(events)
        if cursor is not None:
            self.cursor = json.loads(json.dumps(cursor))  # it is kept as JSON

    @property
    def state(self) -> AccountState | None:
        return self.changes[-1].state if self.changes else None

    @property
    def states(self) -> list[AccountState]:
        return [each.state for each in self.changes]

    @property
    def messages(self) -> list[Message]:
        return [each for each in self.events if isinstance(each, Message)]

    @property
    def progress(self) -> list[Progress]:
        return [each for each in self.events if isinstance(each, Progress)]

    @property
    def reactions(self) -> list[Reaction]:
        return [each for each in self.events if isinstance(each, Reaction)]

    @property
    def texts(self) -> list[str]:
        return [each.text for each in self.messages]

    async def reach(self, state: AccountState, *, after: int = 0) -> Change:
        """The newest change, once it is to this state."""
        change: Change = await until(
            lambda: self.changes[-1] if len(self.changes) > after and self.state == state else None
        )
        return change


@dataclass
class Live:
    """An account of ours as the service has it: what the sink keeps is what the next connection goes on from."""

    driver: Driver
    account: Account
    sink: Sink = field(default_factory=Sink)
    made: list[TelegramConnection] = field(default_factory=list)

    async def start(self) -> TelegramConnection:
        account = replace(
            self.account, session=self.sink.kept or self.account.session, cursor=self.sink.cursor
        )
        connection = self.driver.connect(account, self.sink)
        self.made.append(connection)
        await connection.start()
        return connection

    async def close(self) -> None:
        for each in self.made:
            await each.close()


def account(phone: str | None = None, **more: Any) -> Account:
    return Account(uuid4(), MessengerSource.telegram, login=phone or "qr", phone=phone, **more)

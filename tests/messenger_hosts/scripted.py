"""A driver that does what a test says: small, in this process, with the port's own contract."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import UUID

from engine.messengers.host import Host
from messengers.port import (
    Account,
    Action,
    Change,
    Lost,
    Media,
    Message,
    Outgoing,
    Person,
    Sent,
    Sink,
)
from shapes.messenger_accounts import AccountState, MessengerDriver, MessengerSource

Start = Callable[["Connection"], Awaitable[None]]


async def works(connection: "Connection") -> None:
    await connection.sink.session("a session")
    await connection.sink.changed(Change(AccountState.working, me=Person("1", phone="+14155550100")))


class Connection:
    def __init__(self, driver: "Scripted", account: Account, sink: Sink) -> None:
        self.driver, self.account, self.sink = driver, account, sink
        self.open = False
        self.did: list[Any] = []
        self.aborted = False

    async def start(self) -> None:
        assert not [connection for connection in self.driver.of(self.account.id) if connection.open], (
            "two at once"
        )
        self.open = True
        await self.driver.start(self)

    async def close(self) -> None:
        self.open = False
        if self.driver.slow_close:
            await asyncio.sleep(self.driver.slow_close)

    def abort(self) -> None:
        self.aborted, self.open = True, False

    async def forget(self) -> None:
        self.did.append("forget")
        self.open = False

    async def code(self, code: str) -> None:
        self.did.append(("code", code))

    async def password(self, password: str) -> None:
        self.did.append(("password", password))

    async def send(self, message: Outgoing) -> Sent:
        self.did.append(("begin", message.to, message.text))
        await self.driver.sending(message)
        self.did.append(("end", message.to, message.text))
        return Sent(str(message.item), f"thread of {message.to}", datetime.now(UTC))

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        return []

    async def person(self, to: str) -> Person | None:
        raise RuntimeError("the driver is broken")

    async def me(self) -> Person:
        return Person("1", phone="+14155550100")

    async def act(self, to: str, action: Action) -> None:
        self.did.append((action, to))

    async def read(self, thread: str, provider_id: str) -> None: ...

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        raise Lost

    async def probe(self) -> bool:
        self.did.append("probe")
        return self.driver.alive


class Scripted:
    name: ClassVar[str] = "sandbox"
    sources: ClassVar[frozenset[MessengerSource]] = frozenset(MessengerSource)
    codes: ClassVar[frozenset[Any]] = frozenset({"qr", "code"})
    idempotent: ClassVar[bool] = True
    renews: ClassVar[float] = 0.05
    runs_processes: ClassVar[bool] = False

    def __init__(self, start: Start = works) -> None:
        self.start = start
        self.made: list[Connection] = []
        self.alive = True
        self.slow_close = 0.0
        self.gate = asyncio.Event()
        self.gate.set()

    async def sending(self, message: Outgoing) -> None:
        if message.text == "wait":
            await self.gate.wait()

    def connect(self, account: Account, sink: Sink) -> Connection:
        self.made.append(Connection(self, account, sink))
        return self.made[-1]

    def of(self, account_id: UUID) -> list[Connection]:
        return [connection for connection in self.made if connection.account.id == account_id]

    async def close(self) -> None: ...


def use(host: Host, driver: Scripted) -> Scripted:
    """Puts a driver in the place of the sandbox."""
    host.drivers._drivers[MessengerDriver.sandbox] = driver
    return driver

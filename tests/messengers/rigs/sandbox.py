"""The sandbox: its own simulation is the counterpart."""

import itertools
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import uuid4

from messengers.port import Account, Action, Media
from messengers.sandbox import RIGHT_CODE, RIGHT_PASSWORD, Home, SandboxDriver, Simulation, Somebody
from messengers.sandbox.simulator import contacts as sandbox_people
from messengers.sandbox.simulator.scenarios import home
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import MessengerSource
from tests.messengers.rig import Can, Got, How, Trouble
from tests.support import servers

# One simulation within the process, and one that lies in Redis.
NAMES = ("sandbox-telegram", "sandbox-whatsapp", "sandbox-alone")
MOMENT = 0.1
_numbers = itertools.count(os.getpid() % 10_000 * 10_000)

# The magic is in the login where there is no phone, else in the phone: +1 500 555 1021 is never scanned.
_LOGINS = {How.qr: "sandbox-unused", How.qr_password: "sandbox-password"}
_TROUBLES = {
    Trouble.refused: "+15005550010",
    Trouble.throttled: "+15005550040",
    Trouble.unreachable: "+15005550030",
    Trouble.uncertain: "+15005550050",
}


class SandboxPeer:
    def __init__(self, somebody: Somebody) -> None:
        self.somebody = somebody
        self.to = somebody.to

    async def write(self, text: str = "", *, media: Media | None = None, reply_to: str | None = None) -> None:
        await self.somebody.write(text, media=media, reply_to=reply_to)

    async def got(self) -> Sequence[Got]:
        simulation, messages = self.somebody.simulation, await self.somebody.got()
        texts = {message.provider_id: message.text for message in await self.somebody.all()}
        return [
            Got(
                message.text,
                [
                    media
                    for index in range(len(message.content))
                    if (media := await simulation.pick(f"{message.provider_id}:{index}")) is not None
                ],
                texts.get(message.reply_to or ""),
                message.provider_id,
            )
            for message in messages
        ]

    async def read(self) -> None:
        await self.somebody.read()

    async def react(self, provider_id: str, emoji: str | None) -> None:
        await self.somebody.react(provider_id, emoji)

    async def acts(self) -> Sequence[Action]:
        return await self.somebody.acts()

    async def saw_read(self) -> bool:
        wrote = [message for message in await self.somebody.all() if message.outgoing]
        return bool(wrote) and wrote[-1].status is ChatMessageStatus.has_seen


class SandboxRig:
    can = frozenset(Can)
    troubles = frozenset(Trouble)
    right_code = RIGHT_CODE
    right_password = RIGHT_PASSWORD
    secrets: Sequence[str] = ()

    def __init__(self, source: MessengerSource, simulation: Simulation) -> None:
        self.source = source
        self.driver = SandboxDriver(simulation)
        self.simulation = simulation
        phone = How.code if source is MessengerSource.telegram else How.pairing
        self.hows = frozenset({How.qr, How.qr_password, phone, *_WITH_CODE[source]})

    def account(self, how: How) -> Account:
        number = f"1555{next(_numbers):09d}"[:13]
        account = Account(id=uuid4(), source=self.source, login=number)
        if how in _LOGINS:
            return replace(account, login=f"{_LOGINS[how]}-{number}")
        magic = "sandbox-password" if how is How.code_password else "sandbox-unused"
        return replace(account, login=f"{magic}-{number}", phone=number)

    def home(self, account: Account) -> Home:
        return Home(self.source, home(account.login, account.phone))

    async def admit(self, account: Account, value: str) -> None:
        await self.simulation.admit(self.home(account), value)

    async def peer(self, account: Account) -> SandboxPeer:
        there = Home(self.source, f"1666{next(_numbers):09d}"[:13])
        return SandboxPeer(Somebody(self.simulation, there, self.home(account)))

    async def trouble(self, account: Account, trouble: Trouble) -> str:
        return _TROUBLES[trouble]

    async def taken(self, account: Account, to: str) -> int:
        messages = await Somebody(
            self.simulation, self.home(account), Home(self.source, to.lstrip("+"))
        ).all()
        return sum(message.thread == to.lstrip("+") for message in messages)

    async def elsewhere(self, account: Account, peer: SandboxPeer, text: str) -> None:
        there = peer.somebody.home.address
        await sandbox_people.write(self.simulation, self.home(account), there, text)

    async def drop(self, account: Account) -> None:
        await self.simulation.drop(self.home(account))

    async def revoke(self, account: Account) -> None:
        await self.simulation.revoke(self.home(account))

    async def ban(self, account: Account) -> None:
        await self.simulation.ban(self.home(account))

    async def connections(self, account: Account) -> int:
        return len(await self.simulation.live(account.id))


_WITH_CODE = {MessengerSource.telegram: (How.code_password,), MessengerSource.whatsapp: ()}


def patient(simulation: Simulation) -> None:
    """A Redis that is slow is not away: what is told meanwhile would be told again when it is back."""
    if simulation._shared is not None:
        servers.patient(simulation._shared.client)


@asynccontextmanager
async def rig(name: str) -> AsyncIterator[SandboxRig]:
    source = MessengerSource.whatsapp if name == "sandbox-whatsapp" else MessengerSource.telegram
    async with Simulation(None if name == "sandbox-alone" else servers.redis_url(), MOMENT) as simulation:
        patient(simulation)
        before = await simulation.conflicts()  # of tests in which there are some on purpose
        yield SandboxRig(source, simulation)
        assert [conflict for conflict in await simulation.conflicts() if conflict not in before] == []

"""A channel of SMPP's, with a message centre of ours behind it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from channels import connect
from channels.port import Event, Outgoing, Result
from channels.smpp import SmppChannel
from tests.channels.peer_smpp import Smsc
from tests.support.waits import PATIENCE


def message(body: str = "hello", to: str = Smsc.recipient, sender: str | None = None) -> Outgoing:
    id = uuid4()
    return Outgoing(id=id, key=str(id), to=to, body=body, sender=sender)


class Rig:
    def __init__(self, smsc: Smsc, channel: SmppChannel) -> None:
        self.smsc = smsc
        self.channel = channel
        self.events: list[Event] = []
        self.failures = 0  # of the sink, to come
        self.gate = asyncio.Event()  # the sink takes nothing while it is clear
        self.gate.set()

    async def sink(self, channel: Any, events: Sequence[Event]) -> None:
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the database is down")
        self.events += events

    async def send(self, body: str = "hello", to: str = Smsc.recipient) -> Any:
        [outcome] = await self.channel.send([message(body, to)])
        return outcome

    async def sent_until(self, wanted: Result) -> Any:
        async with asyncio.timeout(PATIENCE):
            while (outcome := await self.send()).result is not wanted:
                await asyncio.sleep(0.02)
        return outcome


@asynccontextmanager
async def rigged(smsc: Smsc, options: str = "", *, dsn: str | None = None) -> AsyncIterator[Rig]:
    channel = connect("sms", dsn or smsc.options(options))
    assert isinstance(channel, SmppChannel)
    rig = Rig(smsc, channel)
    await channel.open(rig.sink)
    try:
        yield rig
    finally:
        rig.gate.set()
        await asyncio.wait_for(channel.close(), PATIENCE)


def receipt(id: str = "m_0001", stat: str = "DELIVRD") -> bytes:
    dates = "submit date:2601011200 done date:2601011201"
    return f"id:{id} sub:001 dlvrd:001 {dates} stat:{stat} err:045 text:id:no stat:DEL".encode()

"""Simulated contacts: they write, read and react; and the magic recipients that answer by themselves."""

import asyncio
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid4

from messengers.port import Action, Content, Media, Message, Reaction, Sent
from messengers.sandbox.simulator.connections import Home, Link
from messengers.sandbox.simulator.history import messages
from messengers.sandbox.simulator.scenarios import Recipient, recipient
from messengers.sandbox.simulator.simulation import MOST_INLINE_MEDIA, Simulation, progress
from shapes.chats import ChatMessageStatus

Status = ChatMessageStatus


def called(address: str) -> str:
    """Returns an address as shown to people: +15005551000, or the user name."""
    return f"+{address}" if address.isdigit() else address


async def write(
    simulation: Simulation,
    sender: Home,
    to: str,
    text: str,
    *,
    media: Sequence[Media] = (),
    reply_to: str | None = None,
    item: UUID | None = None,
    by: Link | None = None,
) -> Sent:
    """Puts a message into both boxes, once per item. Raises Gone."""
    id, text = (item or uuid4()).hex, text.replace("\0", "")
    at = datetime.now(UTC)
    for index, file in enumerate(media):
        await simulation.lay(file, f"{id}:{index}")
    sent = Message(
        provider_id=id,
        thread=to,
        outgoing=True,
        at=at,
        sender=called(sender.address),
        recipient=called(to),
        text=text,
        content=[_content(file) for file in media],
        reply_to=reply_to,
        status=Status.server,
        item=item,
    )
    come = replace(
        sent, thread=sender.address, outgoing=False, status=None, item=None, name=called(sender.address)
    )
    letters = [(sender, sent)]
    if recipient(to) is None and to != sender.address:
        letters.append((Home(sender.source, to), come))
    fresh = await simulation.put(letters, once=f"{sender}:{id}", by=by)
    if fresh and (scenario := recipient(to)) is not None:
        simulation.soon(_answer(simulation, sender, to, scenario, id, text), "answer")
    return Sent(provider_id=id, thread=to, at=at)


def _content(media: Media) -> Content:
    src = None
    if len(media.data) <= MOST_INLINE_MEDIA:
        src = f"data:{media.mime};base64,{b64encode(media.data).decode('ascii')}"
    return Content(kind=media.kind, src=src, mime=media.mime, name=media.name, size=len(media.data))


async def _answer(
    simulation: Simulation, sender: Home, to: str, scenario: Recipient, id: str, text: str
) -> None:
    """Plays the reaction of a magic recipient to an accepted message, a moment later."""
    somebody = Somebody(simulation, Home(sender.source, to), sender)
    await asyncio.sleep(simulation.moment)
    if scenario is Recipient.bounced:
        reason = "The sandbox's bounced recipient can't be reached."
        await simulation.put([(sender, progress(to, id, Status.errored, reason=reason))])
    elif scenario in (Recipient.delivered, Recipient.flaky, Recipient.timeout):
        await somebody.has(id)
    elif scenario in (Recipient.reads, Recipient.answers, Recipient.stop):
        await somebody.has(id)
        await somebody.read(id)
    if scenario is Recipient.answers:
        await somebody.write(f"You wrote: {text[:1000]}", reply_to=id)
    elif scenario is Recipient.stop:
        await somebody.write("STOP")


class Somebody:
    """A simulated contact of one account, for tests. It works from any simulation with the same Redis."""

    def __init__(self, simulation: Simulation, home: Home, account: Home) -> None:
        self.simulation = simulation
        self.home = home
        self.account = account
        self.to = called(home.address) if home.address.isdigit() else f"@{home.address}"

    async def write(self, text: str = "", *, media: Media | None = None, reply_to: str | None = None) -> str:
        """Writes to the account. Returns the provider_id."""
        sent = await write(
            self.simulation,
            self.home,
            self.account.address,
            text,
            media=() if media is None else [media],
            reply_to=reply_to,
        )
        return sent.provider_id

    async def all(self) -> list[Message]:
        """Returns all messages that the contact wrote and received, oldest first, with their status."""
        return list(messages([event for _, event in await self.simulation.newest(self.home)]))[::-1]

    async def got(self) -> list[Message]:
        """Returns the account's messages to the contact, oldest first."""
        exchanged = await self.all()
        return [
            message
            for message in exchanged
            if message.thread == self.account.address and not message.outgoing
        ]

    async def has(self, provider_id: str) -> None:
        """Reports this message and all before it as delivered."""
        await self._progress(provider_id, Status.delivered)

    async def read(self, provider_id: str | None = None) -> None:
        """Reports this message and all before it as read; None: all that the contact received."""
        if provider_id is None and (got := await self.got()):
            provider_id = got[-1].provider_id
        if provider_id is not None:
            await self._progress(provider_id, Status.has_seen)

    async def react(self, provider_id: str, emoji: str | None) -> None:
        """Reacts to a message of the account; None removes the reaction."""
        reaction = Reaction(
            thread=self.home.address,
            provider_id=provider_id,
            sender=called(self.home.address),
            emoji=emoji,
            at=datetime.now(UTC),
        )
        await self.simulation.put([(self.account, reaction)])

    async def acts(self) -> list[Action]:
        """Returns the actions (typing, recording) that the account showed to the contact, oldest first."""
        return [
            act.action for act in await self.simulation.acts(self.home) if act.sender == self.account.address
        ]

    async def _progress(self, provider_id: str, status: ChatMessageStatus) -> None:
        await self.simulation.put(
            [(self.account, progress(self.home.address, provider_id, status, up_to=True))]
        )

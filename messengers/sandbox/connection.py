"""The connection of one sandbox account: its login, as the magic number says, then the events of the simulation."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import uuid4

import structlog
from cachetools import LRUCache

from messengers.port import (
    Account,
    Action,
    Change,
    Event,
    Lost,
    Media,
    Message,
    Outgoing,
    Person,
    Refused,
    Sent,
    Sink,
    Unreachable,
    WrongStep,
)
from messengers.sandbox.simulator import logins, scenarios, sending
from messengers.sandbox.simulator.connections import Gone, Home, Link
from messengers.sandbox.simulator.contacts import called
from messengers.sandbox.simulator.history import messages
from messengers.sandbox.simulator.logins import Ask, Ended, Session
from messengers.sandbox.simulator.scenarios import Recipient
from messengers.sandbox.simulator.simulation import Simulation, progress
from messengers.sandbox.simulator.state import FIRST
from shapes.chats import ChatMessageStatus
from shapes.messenger_accounts import AccountState as State

log = structlog.get_logger(__name__)

LATER_MOMENTS = 3  # until a magic number's account is banned, dropped, revoked
MOST_PAUSE = 30.0  # moments between two attempts to connect
MOST_HISTORY = 50  # messages reported as history after a login
LOOK_SECONDS = 30.0  # the box is read after this time even without a signal
CLOSE_SECONDS = 4.0
MOST_SENT = 1000


class Dropped(Exception):
    """The connection is lost; another one may be made."""


class SandboxConnection:
    """The sandbox's `Connection`. One task reports everything; calls from outside only leave work for it."""

    def __init__(self, account: Account, sink: Sink, simulation: Simulation) -> None:
        self.account = account
        self.state = State.stopped
        self._sink = sink
        self._simulation = simulation
        self._scenario = scenarios.login(account.login, account.phone)
        self._session = Session.read(account.session) if account.session else None
        address = self._session.address if self._session else scenarios.home(account.login, account.phone)
        self.home = Home(account.source, address)
        self._cursor = str(account.cursor.get("at", "")) or None
        self._epoch = "0"
        self._link: Link | None = None
        self._asks: list[Ask] = []
        self._admitted: set[str] = set()
        # provider_ids that `send` returned and that need not be reported
        self._sent: LRUCache[str, None] = LRUCache(MOST_SENT)
        self._task: asyncio.Task[None] | None = None
        self._pause = 1.0  # moments
        self._closed = False

    async def start(self) -> None:
        if self._task is None and not self._closed:
            self._task = asyncio.create_task(self._run(), name=f"sandbox {self.account.id}")

    async def close(self) -> None:
        first, self._closed = not self._closed, True
        if (task := self._task) is not None and task is not asyncio.current_task():
            if first:
                task.cancel()
                # Python 3.11's wait_for, which the Redis client uses, may swallow the cancellation
                if self._link is not None:
                    self._link.ring.set()
            await asyncio.wait([task], timeout=CLOSE_SECONDS)

    async def forget(self) -> None:
        session = self._session
        if session is not None:
            with suppress(Unreachable):  # the account is forgotten whether the messenger hears of it or not
                await self._simulation.end(session.id)
        await self.close()

    async def _run(self) -> None:
        try:
            await self._keep_connected()
        except Lost:
            pass
        except Ended as end:
            await self._rest(end)
        finally:
            for ask in self._asks:
                ask.refuse(self._wrong())
            await self._leave()

    async def _rest(self, end: Ended) -> None:
        await self._leave()
        with suppress(Lost):
            if end.forget:
                await self._reporting(lambda: self._sink.session(None))
            await self.report(end.change)

    async def _keep_connected(self) -> None:
        """Connects, reports and reconnects for ever. Leaves only by raising Lost or Ended."""
        change = Change(State.starting)
        while True:
            try:
                await self.report(change)
                if change.state is State.reconnecting:
                    await asyncio.sleep(self._pause * self._simulation.moment)
                    self._pause = min(2 * self._pause, MOST_PAUSE)
                await self._connect()
                await self._sync()
                await self.report(Change(State.working, me=self._me()))
                self._pause = 1.0
                await self._follow()
            except (Dropped, Gone, Unreachable):
                change = Change(State.reconnecting, "connection_lost", "The connection was lost.")
            except (Lost, Ended):
                raise
            except Exception:  # of the sink: events that were not stored are reported again
                log.exception("sandbox_sink_failed", account=str(self.account.id))
                change = Change(State.reconnecting, "internal", "An incoming event could not be stored.")
            await self._leave()

    async def _connect(self) -> None:
        if self._scenario is scenarios.Login.late:
            await asyncio.sleep(LATER_MOMENTS * self._simulation.moment)
        if self._scenario is scenarios.Login.unreachable:
            raise Dropped
        self._link = Link(self.home, self.account.id, self._cursor or FIRST)
        await self._simulation.join(self._link)
        condition = await self._simulation.condition(self.home, self._session.id if self._session else "")
        self._epoch = condition.epoch
        if condition.down:
            raise Dropped
        if condition.banned:
            raise Ended(Change(State.blocked, "banned", "The sandbox has banned this account."))
        session_valid = (
            self._session is not None and self._session.epoch == self._epoch and not condition.ended
        )
        if self.account.session is not None and not session_valid:
            raise Ended(
                Change(State.loggedOut, "session_revoked", "The session was ended from another device."),
                forget=True,
            )
        if not session_valid:
            await logins.login(self, self._simulation, self.account, self._scenario)
            self._session = Session(self.account.source, self.home.address, self._epoch, uuid4().hex)
            text = str(self._session)
            self.account = replace(self.account, session=text)
            await self._reporting(lambda: self._sink.session(text))
            await self.report(Change(State.syncing))

    async def _sync(self) -> None:
        """Reports the messages that arrived while the account was away; after a first login the existing messages, as
        history.
        """
        link = self._here()
        if self._scenario is scenarios.Login.late:
            await asyncio.sleep(LATER_MOMENTS * self._simulation.moment)
        if self._cursor is None:
            newest = await self._simulation.newest(self.home)
            link.cursor = newest[0][0] if newest else FIRST
            history = list(messages([event for _, event in newest]))[:MOST_HISTORY]
            await self._report_events([replace(message, past=True) for message in reversed(history)], link)
        await self._receive_letters()

    async def _follow(self) -> None:
        loop = asyncio.get_running_loop()
        later = loop.time() + LATER_MOMENTS * self._simulation.moment
        fated = self._scenario in (
            scenarios.Login.banned_later,
            scenarios.Login.dropping,
            scenarios.Login.revoked,
        )
        while True:
            await self._rung(max(0.0, later - loop.time()) if fated else LOOK_SECONDS)
            if fated and loop.time() >= later:
                if self._scenario is scenarios.Login.banned_later:
                    raise Ended(Change(State.blocked, "banned", "The sandbox has banned this account."))
                if self._scenario is scenarios.Login.revoked:
                    await self._simulation.revoke(self.home)
                raise Dropped
            await self._receive_letters()

    async def _rung(self, seconds: float) -> None:
        """Waits for a signal, at most `seconds`. Raises Dropped if the simulation ended the connection, Lost if it is
        closed."""
        link = self._here()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await link.ring.wait()
        if self._closed:
            raise Lost
        for call in link.pop_calls():
            if call.startswith("admit "):
                self._admitted.add(call.removeprefix("admit "))
            else:
                raise Dropped

    async def _receive_letters(self) -> None:
        """Reports the letters in the box, in their order."""
        link = self._here()
        while letters := await self._simulation.letters(link):
            await self._report_events([letter for letter in letters if not self._own(letter)], link)
            newest: dict[str, Message] = {
                letter.thread: letter
                for letter in letters
                if isinstance(letter, Message) and not letter.outgoing
            }
            await self._simulation.put(
                [
                    (Home(self.home.source, thread), self._reached(message.provider_id, "delivered"))
                    for thread, message in newest.items()
                ]
            )

    def _own(self, event: Event) -> bool:
        return isinstance(event, Message) and event.outgoing and event.provider_id in self._sent

    async def _report_events(self, events: Sequence[Event], link: Link) -> None:
        if events or self._cursor is None:
            cursor: Mapping[str, Any] = {"at": link.cursor}
            await self._reporting(lambda: self._sink.apply_events(events, cursor))
            self._cursor = link.cursor

    async def _leave(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            await self._simulation.leave(link)

    async def _reporting(self, call: Callable[[], Awaitable[None]]) -> None:
        if self._closed:
            raise Lost
        try:
            await call()
        except Lost:
            self._closed = True  # nothing further is reported
            raise

    async def report(self, change: Change) -> None:
        self.state = self.state if self._closed else change.state
        await self._reporting(lambda: self._sink.changed(change))

    async def admitted(self, value: str, seconds: float) -> bool:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while value not in self._admitted and (left := until - loop.time()) > 0:
            await self._rung(left)
        return value in self._admitted

    async def asked(self, seconds: float) -> Ask | None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not self._asks and (left := until - loop.time()) > 0:
            await self._rung(left)
        return self._asks.pop(0) if self._asks else None

    async def code(self, code: str) -> None:
        await self._give(State.waitCode, code)

    async def password(self, password: str) -> None:
        await self._give(State.waitPassword, password)

    async def _give(self, state: State, text: str) -> None:
        if self.state is not state or self._link is None or self._asks:
            raise self._wrong()
        ask = Ask(text, asyncio.get_running_loop().create_future())
        self._asks.append(ask)
        self._link.ring.set()
        await ask.answer

    async def send(self, message: Outgoing) -> Sent:
        link = self._working()
        if scenarios.recipient(scenarios.address(message.to) or "") is not Recipient.timeout:
            self._sent[message.item.hex] = None
        return await sending.send(self._simulation, link, message)

    async def history(self, thread: str, limit: int, before: str | None = None) -> Sequence[Message]:
        await self._checked()
        newest = [event for _, event in await self._simulation.newest(self.home)]
        history = [replace(message, past=True) for message in messages(newest, thread)]
        if before is not None:
            ids = [message.provider_id for message in history]
            history = history[ids.index(before) + 1 :] if before in ids else []
        return history[: max(0, limit)]

    async def person(self, to: str) -> Person | None:
        await self._checked()
        address = scenarios.address(to)
        if address is None or scenarios.recipient(address) is Recipient.failed:
            return None
        return _person(address)

    async def me(self) -> Person:
        await self._checked()
        return self._me()

    async def act(self, to: str, action: Action) -> None:
        await self._checked()
        await self._simulation.act(self.home, self._reachable(to), action)

    async def read(self, thread: str, provider_id: str) -> None:
        await self._checked()
        there = Home(self.home.source, self._reachable(thread))
        await self._simulation.put([(there, self._reached(provider_id, "has_seen"))])

    async def fetch(self, thread: str, provider_id: str, index: int) -> Media:
        await self._checked()
        media = await self._simulation.pick(f"{provider_id}:{index}")
        if media is None:
            raise Refused("This file is no longer available. Nothing can be downloaded.", code="media_gone")
        return media

    async def probe(self) -> bool:
        if self.state is not State.working or self._link is None:
            return False
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._simulation.check(self._link)
                condition = await self._simulation.condition(
                    self.home, self._session.id if self._session else ""
                )
        except (Gone, TimeoutError, Unreachable):
            return False
        return not condition.banned and not condition.down and condition.epoch == self._epoch

    async def _checked(self) -> Link:
        link = self._working()
        try:
            await self._simulation.check(link)
        except Gone:
            raise Unreachable("The connection was closed by the messenger.") from None
        return link

    def _working(self) -> Link:
        if self._closed or self.state not in (State.working, State.reconnecting):
            raise self._wrong()
        if self._link is None or self.state is State.reconnecting:
            raise Unreachable("The connection was lost, and is being made again.")
        return self._link

    def _wrong(self) -> WrongStep:
        state = State.stopped if self._closed else self.state
        return WrongStep(f"The account is {state}; this makes no sense now.")

    def _here(self) -> Link:
        if self._link is None:
            raise Dropped
        return self._link

    def _reachable(self, to: str) -> str:
        address = scenarios.address(to)
        if address is None or scenarios.recipient(address) is Recipient.failed:
            raise Refused(
                "The messenger has no account for this recipient. Check the address.",
                code="invalid_recipient",
            )
        return address

    def _reached(self, provider_id: str, status: str) -> Event:
        return progress(self.home.address, provider_id, ChatMessageStatus(status), up_to=True)

    def _me(self) -> Person:
        person = _person(self.home.address)
        return replace(person, first_name=self.account.login)


def _person(address: str) -> Person:
    if address.isdigit():
        return Person(id=address, phone=called(address), first_name="Sandbox", last_name=address[-4:])
    return Person(id=address, username=address, first_name=address)

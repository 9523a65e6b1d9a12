"""The server: listens, keeps count, and does what a test wants of it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from telethon.tl import TLObject, TLRequest, types

from tests.support.tcp import serving
from tests.telegram.server.handshake import key
from tests.telegram.server.link import Link, Rpc, Silence
from tests.telegram.server.methods import METHODS
from tests.telegram.server.wire import Wire
from tests.telegram.server.world import Auth, Person, World, now


@dataclass
class Trouble:
    """Says what happens to the next request of a name."""

    error: Rpc | None = None  # it is answered so, and not done
    silent: bool = False  # it is done, and not answered
    hang: bool = False  # neither
    cut: bool = False  # it is done, and instead of an answer the connection ends


@dataclass
class Telegram:
    world: World = field(default_factory=World)
    links: list[Link] = field(default_factory=list)
    asked: list[TLRequest] = field(default_factory=list)
    sessions: list[tuple[int, int]] = field(default_factory=list)  # (key, session) as they were opened
    troubles: dict[str, deque[Trouble]] = field(default_factory=dict)
    ports: dict[int, int] = field(default_factory=dict)  # DC → port
    bugs: list[Exception] = field(default_factory=list)  # of this server
    handshakes: int = 0
    dialled: int = 0
    refusing: bool = False  # sockets are closed at once
    mute: bool = False  # nothing is answered
    qr_seconds: int = 30
    slice: int = 100  # messages in one difference
    too_long: int = 10_000  # more are not told by a difference at all
    short: bool = False  # texts are pushed as updateShortMessage
    pushing: bool = True

    def __post_init__(self) -> None:
        self.world.push = self._push
        self.world.tell_key = self._tell_key

    @property
    def pem(self) -> str:
        return key().pem

    def dc(self, number: int = 2) -> str:
        """Returns the value of POSTERN_TELEGRAM_DC."""
        return f"{number}@127.0.0.1:{self.ports[number]}"

    # what a test wants

    def trouble(self, name: str, *, times: int = 1, **what: Any) -> None:
        """`name` as in `SendMessageRequest`, without `Request`."""
        self.troubles.setdefault(name, deque()).extend(Trouble(**what) for _ in range(times))

    def fail(self, name: str, code: int, text: str, *, times: int = 1) -> None:
        self.trouble(name, error=Rpc(code, text), times=times)

    def count(self, name: str) -> int:
        return sum(type(each).__name__ == f"{name}Request" for each in self.asked)

    def of(self, person: Person) -> list[Link]:
        keys = set(self.world.keys_of(person))
        return [each for each in self.links if each.key is not None and each.key_id in keys]

    def drop(self, person: Person) -> None:
        for each in self.of(person):
            each.close()

    def revoke(self, person: Person) -> None:
        """Ends the person's sessions, as from another device."""
        links = self.of(person)
        for each in list(self.world.keys_of(person)):
            self.world.auths[each] = Auth()
        for each in links:
            each.tell(types.UpdatesTooLong())
            each.close()

    def ban(self, person: Person) -> None:
        person.banned = True
        self.drop(person)

    def forget_keys(self, person: Person) -> None:
        """Removes the person's keys, as if the server had never known them."""
        links = self.of(person)
        for each in list(self.world.keys_of(person)):
            del self.world.keys[each]
        for each in links:
            each.close()

    # what links ask

    async def answer(self, link: Link, request: TLRequest) -> Any:
        self.asked.append(request)
        name = type(request).__name__.removesuffix("Request")
        waiting = self.troubles.get(name)
        trouble = waiting.popleft() if waiting else Trouble()
        if trouble.hang:
            raise Silence
        if trouble.error:
            raise trouble.error
        method = METHODS.get(type(request))
        if method is None:
            raise Rpc(400, "INPUT_METHOD_INVALID")
        answer = await method(self, link, request)
        if trouble.cut:
            link.close()
        if trouble.cut or trouble.silent:
            raise Silence
        return answer

    def _push(self, person: Person, update: TLObject, except_key: int | None) -> None:
        for link in self.of(person):
            if link.updates and self.pushing and link.key_id != except_key:
                link.tell(self._wrapped(person, update))

    def _wrapped(self, person: Person, update: TLObject) -> TLObject:
        message = getattr(update, "message", None)
        if self.short and isinstance(update, types.UpdateNewMessage) and message.media is None:
            return types.UpdateShortMessage(
                id=message.id,
                user_id=message.peer_id.user_id,
                message=message.message,
                pts=update.pts,
                pts_count=update.pts_count,
                date=message.date,
                out=message.out,
                reply_to=message.reply_to,
            )
        peer = message.peer_id if message is not None else getattr(update, "peer", None)
        users = [person.shown(person)]
        if isinstance(peer, types.PeerUser) and peer.user_id != person.id:
            users.append(self.world.people[peer.user_id].shown(person))
        return types.Updates([update], users, [], now(), 0)

    def _tell_key(self, key_id: int, update: TLObject) -> None:
        for link in self.links:
            if link.key is not None and link.key_id == key_id:
                link.tell(types.UpdateShort(update, now()))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, dc: int) -> None:
        self.dialled += 1
        if self.refusing:
            return
        link = Link(self, Wire(reader, writer), dc, str(writer.get_extra_info("peername")))
        self.links.append(link)
        try:
            await link.run()
        finally:
            self.links.remove(link)


@asynccontextmanager
async def running(*dcs: int) -> AsyncIterator[Telegram]:
    """Runs a server on loopback, with one port a DC."""
    made = Telegram()
    try:
        async with AsyncExitStack() as servers:
            for number in dcs or (2,):
                server = serving(partial(made.serve, dc=number), limit=2**21)
                made.ports[number] = await servers.enter_async_context(server)
            yield made
    finally:
        assert not made.bugs

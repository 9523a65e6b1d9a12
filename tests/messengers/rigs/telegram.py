"""Telegram: a small MTProto server on loopback."""

import itertools
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import UUID, uuid4

from telethon.crypto import rsa
from telethon.tl import TLObject, types

from messengers.port import Account, Action, Media
from messengers.telegram.addresses import Dc
from messengers.telegram.driver import Telegram as Driver
from messengers.telegram.parsing import described
from shapes.chats import ContentKind
from shapes.messenger_accounts import MessengerSource
from tests.messengers.rig import Can, Got, How, Trouble
from tests.telegram.server import Person, Telegram, running
from tests.telegram.server.logins import API_HASH, token

NAMES = ("telegram",)
PASSWORD = "correct horse battery staple"
_numbers = itertools.count(os.getpid() % 10_000 * 10_000)
_ACTIONS: dict[type[TLObject], Action] = {
    types.SendMessageTypingAction: "typing",
    types.SendMessageRecordAudioAction: "recording",
    types.SendMessageCancelAction: "none",
}
_TROUBLES = {
    Trouble.refused: (403, "USER_PRIVACY_RESTRICTED"),
    Trouble.throttled: (420, "FLOOD_WAIT_60"),
    Trouble.unreachable: (500, "RPC_CALL_FAIL"),
}


class TelegramPeer:
    def __init__(self, server: Telegram, person: Person, account: Person) -> None:
        self.server = server
        self.person = person
        self.account = account
        self.to = f"+{person.phone}"

    def _own(self, provider_id: str | None) -> int | None:
        """Returns the message's id in this person's own box."""
        return self.server.world.twins[self.account.id, int(provider_id)][1] if provider_id else None

    async def write(self, text: str = "", *, media: Media | None = None, reply_to: str | None = None) -> None:
        stored = self._stored(media) if media else None
        self.server.world.write(self.person, self.account, text, media=stored, reply_to=self._own(reply_to))

    def _stored(self, media: Media) -> TLObject:
        attributes: list[TLObject] = [types.DocumentAttributeFilename(media.name or "file")]
        photo = media.kind is ContentKind.image
        return self.server.world.store(media.data, photo=photo, mime=media.mime, attributes=attributes)

    async def got(self) -> Sequence[Got]:
        box = self.person.box
        return [
            Got(
                each.message,
                self._media(each.media),
                box[each.reply_to.reply_to_msg_id].message if each.reply_to else None,
                str(self.server.world.twins[self.person.id, each.id][1]),
            )
            for each in box.values()
            if not each.out and each.peer_id.user_id == self.account.id
        ]

    def _media(self, media: TLObject | None) -> Sequence[Media]:
        if isinstance(media, types.MessageMediaPhoto):
            return [Media(ContentKind.image, self.server.world.files[media.photo.id].data, "image/jpeg")]
        if isinstance(media, types.MessageMediaDocument):
            kind, name = described(media.document)
            data = self.server.world.files[media.document.id].data
            return [Media(kind, data, media.document.mime_type, name)]
        return []

    async def read(self) -> None:
        self.server.world.read(self.person, self.account)

    async def react(self, provider_id: str, emoji: str | None) -> None:
        self.server.world.react(self.person, self._own(provider_id) or 0, emoji)

    async def acts(self) -> Sequence[Action]:
        return [_ACTIONS[type(what)] for who, what in self.person.acts if who == self.account.id]

    async def saw_read(self) -> bool:
        newest = max(each.id for each in self.person.box.values() if each.out)
        return newest <= self.person.read_out.get(self.account.id, 0)


class TelegramRig:
    hows = frozenset({How.qr, How.code, How.qr_password, How.code_password})
    can = frozenset(Can)
    troubles = frozenset(Trouble)
    right_code = "12345"
    right_password = PASSWORD
    secrets: Sequence[str] = (API_HASH,)

    def __init__(self, server: Telegram) -> None:
        self.server = server
        self.driver = Driver(1, API_HASH, Dc.parse(server.dc()))
        self.driver.pauses = (0.02, 0.2)
        self._people: dict[UUID, Person] = {}

    def _join(self, password: str | None = None) -> Person:
        return self.server.world.join(f"1415{next(_numbers):08d}"[:12], "Somebody", password=password)

    def account(self, how: How) -> Account:
        person = self._join(PASSWORD if how in (How.qr_password, How.code_password) else None)
        made = Account(id=uuid4(), source=MessengerSource.telegram, login=person.phone)
        self._people[made.id] = person
        return made if how in (How.qr, How.qr_password) else replace(made, phone=person.phone)

    async def admit(self, account: Account, value: str) -> None:
        self.server.world.scan(token(value), self._people[account.id])

    async def peer(self, account: Account) -> TelegramPeer:
        return TelegramPeer(self.server, self._join(), self._people[account.id])

    async def trouble(self, account: Account, trouble: Trouble) -> str:
        if trouble is Trouble.uncertain:
            self.driver.request_timeout = 2.0  # as long as the answer is waited for that does not come
            self.server.trouble("SendMessage", silent=True)
        else:
            self.server.fail("SendMessage", *_TROUBLES[trouble])
        return f"+{self._join().phone}"

    async def taken(self, account: Account, to: str) -> int:
        person = self.server.world.by_phone(to)
        assert person is not None
        return sum(not each.out for each in person.box.values())

    async def elsewhere(self, account: Account, peer: TelegramPeer, text: str) -> None:
        self.server.world.write(self._people[account.id], peer.person, text)

    async def drop(self, account: Account) -> None:
        self.server.drop(self._people[account.id])

    async def revoke(self, account: Account) -> None:
        self.server.revoke(self._people[account.id])

    async def ban(self, account: Account) -> None:
        self.server.ban(self._people[account.id])

    async def connections(self, account: Account) -> int:
        """Returns the account's connections and those that have not said yet whose they are."""
        strangers = [
            each for each in self.server.links if each.key is None or self._owner(each.key_id) is None
        ]
        return len(self.server.of(self._people[account.id])) + len(strangers)

    def _owner(self, key: int) -> Person | None:
        auth = self.server.world.auths.get(key)
        return auth.person if auth else None


@asynccontextmanager
async def rig(name: str) -> AsyncIterator[TelegramRig]:
    async with running() as server:
        rsa.add_key(server.pem, old=False)
        server.qr_seconds = 2  # so that one that nobody scans expires within the test
        yield TelegramRig(server)
